"""Two dumps are compared node by node, through names and then through structure; what a format cannot show is no difference."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from dumps import PROTO, SMALL, viewed
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet_ge.convert.readable import readable_text
from linnet_ge.formats import ge_onnx, ge_proto
from linnet_ge.formats.files import open_dump
from linnet_ge.model import Dump
from linnet_ge.prototext.read import read
from linnet_ge.readable.dump_text import dump_text
from linnet_ge.tools.diff import Difference, diff


def proto(text: str) -> Dump:
    return ge_proto.view(read(text, "p.txt"), "p.txt")


def told(found: Difference) -> list[tuple[str | None, str | None, list[tuple[str, str | None, str | None, str | None]]]]:
    """Names and changes of the nodes that differ, graph after graph."""
    return [
        (node.a and node.a.name, node.b and node.b.name, [(c.what, c.key, c.a, c.b) for c in node.changes])
        for graph in found.graphs
        for node in graph.nodes
    ]


def edited(*edits: tuple[str, str], text: str = SMALL) -> Difference:
    changed = text
    for before, after in edits:
        assert before in changed
        changed = changed.replace(before, after)
    return diff(viewed(text), viewed(changed))


def test_a_dump_does_not_differ_from_itself() -> None:
    for dump in (viewed(SMALL), proto(PROTO)):
        found = diff(dump, dump)
        assert (found.same, found.graphs, found.counts) == (True, (), ())


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        pytest.param(("dim: -1", "dim: 0"), ("top", "top", [("attribute", "dim", "-1", "0")]), id="attribute"),
        pytest.param((", dim: -1", ""), ("top", "top", [("attribute", "dim", "-1", None)]), id="attribute gone"),
        pytest.param(("x2=%x)", "x2=%k)"), ("later", "later", [("input", "x2", "x", "k")]), id="edge"),
        pytest.param(("args_0=%ret", "args_0=%ret_1"), ("call", "call", [("input", "args_0", "top", "top:1")]), id="output of a node"),
        pytest.param(("type=Add", "type=Sub"), ("later", "later", [("retyped", None, "Add", "Sub")]), id="type"),
        pytest.param(("k=%k)", "key=%k)"), ("top", "top", [("input", "k", "k", None), ("input", "key", None, "k")]), id="name of an input"),
        pytest.param(("{f: %inner}", "{f: %other}"), ("call", "call", [("graph", "f", "inner", "other")]), id="graph"),
        pytest.param(("{f: %inner}", "{g: %inner}"), ("call", "call", [("graph", "f", "inner", "inner")]), id="name of a graph"),
        pytest.param(("later", "sooner"), ("later", "sooner", [("renamed", None, "later", "sooner")]), id="name"),
        pytest.param(("a/b.c:0@d", "e"), ("a/b.c:0@d", "e", [("renamed", None, "a/b.c:0@d", "e")]), id="name in another graph"),
    ],
)
def test_a_change_is_told_once(edit: tuple[str, str], expected: object) -> None:
    assert told(edited(edit)) == [expected]


def test_nodes_that_come_and_go() -> None:
    cast = "  %cast : [#users=1] = Node[type=Cast] (inputs = (x=%x), attrs = {dst_type: 0})\n"
    with_cast = SMALL.replace("  %k :", cast + "  %k :").replace("(x1=%x, x2=%x)", "(x1=%cast, x2=%cast)")
    there, back = diff(viewed(SMALL), viewed(with_cast)), diff(viewed(with_cast), viewed(SMALL))
    edges = [("input", "x1", "x", "cast"), ("input", "x2", "x", "cast")]
    assert told(there) == [(None, "cast", []), ("later", "later", edges)]
    assert (there.counts, back.counts) == ((("added", 1), ("input", 1)), (("input", 1), ("removed", 1)))
    assert there.graphs[0].same == 4


def test_results_and_graphs_are_compared() -> None:
    found = edited(("output_1=%ret)", "output_1=%ret_1)"))
    assert [(c.key, c.a, c.b) for c in found.graphs[0].results] == [("1", "top", "top:1")]
    [alone] = diff(viewed(SMALL), viewed(SMALL[: SMALL.index("\ngraph")].replace("{f: %inner}", "{f: 1}"))).graphs[1:]
    assert (alone.a, alone.b, alone.what) == ("inner", None, ("removed",))
    renamed = edited(("main", "first"), ("inner", "second"))
    assert [(g.a, g.b, g.what, g.nodes) for g in renamed.graphs] == [
        ("main", "first", ("renamed",), ()),
        ("inner", "second", ("renamed",), ()),
    ]


def test_every_name_of_a_graph_may_be_another() -> None:
    found = edited(("%x", "%a0"), ("%k", "%b0"), ("%top", "%c0"), ("%later", "%d0"), ("%call", "%e0"), ("%a/b.c:0@d", "%f0"))
    assert found.counts == (("renamed", 6),)


def test_alike_nodes_are_paired_in_order() -> None:
    lines = "".join(f"  %n{at} : [#users=1] = Node[type=Neg] (inputs = (x=%x))\n" for at in range(3))
    text = f'graph("g"):\n  %x : [#users=1] = Node[type=Data] ()\n{lines}'
    found = edited(("%n", "%m"), text=text)
    assert [(a, b) for a, b, _ in told(found)] == [("n0", "m0"), ("n1", "m1"), ("n2", "m2")]


def test_nodes_of_one_name_are_paired_in_order() -> None:
    line = "  %a : [#users=1] = Node[type=F] (inputs = (x=%a), attrs = {n: 1})\n"
    text = 'graph("g"):\n' + 3 * line
    found = diff(viewed(text), viewed(text.replace("n: 1", "n: 2", 1) + line))
    assert told(found) == [("a", "a", [("attribute", "n", "1", "2")]), (None, "a", [])]


def test_cycles_and_names_that_nothing_has_are_compared() -> None:
    text = 'graph("g"):\n  %a : [#users=1] = Node[type=F] (inputs = (x=%b))\n  %b : [#users=1] = Node[type=G] (inputs = (x=%a, y=%gone))\n'
    assert edited(("%a", "%c"), ("%b", "%d"), text=text).counts == (("renamed", 2),)
    assert told(edited(("%gone", "%other"), text=text)) == [("b", "b", [("input", "y", "gone", "other")])]


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        pytest.param(("shape { dim: 4 }", "shape { dim: 5 }"), ["shape", "shape", "shape"], id="shape"),
        pytest.param(("dtype: DT_BF16", "dtype: DT_FLOAT16"), ["dtype"], id="dtype"),
        pytest.param(
            ('dtype: DT_BF16 shape { dim: 4 } layout: "ND"', 'dtype: DT_BF16 shape { dim: 4 } layout: "NZ"'), ["layout"], id="layout"
        ),
        pytest.param(('    input: "x:-1"\n', ""), ["control"], id="control edge"),
        pytest.param(("i: 0", "i: 1"), ["attribute", "attribute", "attribute"], id="attribute"),
        pytest.param(('input: "call:0"', 'input: "cast:0"'), ["input"], id="edge to the results"),
        pytest.param(('    type: "Cast"', '    type: "Cast"\n    id: 7'), [], id="number of a node"),
        pytest.param(('    type: "Cast"', '    type: "Cast"\n    stream_id: 7'), ["attribute"], id="stream"),
    ],
)
def test_protobuf_text_is_compared(edit: tuple[str, str], expected: list[str]) -> None:
    found = diff(proto(PROTO), proto(PROTO.replace(*edit)))
    assert [change[0] for _, _, changes in told(found) for change in changes] == expected


#: What a readable dump says of the same graph as `PROTO`.
READABLE = """graph("main"):
  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %c : [#users=1] = Node[type=Const] (attrs = {value: <not_supported>})
  %cast : [#users=1] = Node[type=Cast] (inputs = (x=%c), attrs = {dst_type: 0})
  %call : [#users=1] = Node[type=PartitionedCall] (inputs = (args_0=%cast, args_1=%x), attrs = {f: %inner})

  return (%call)

graph("inner"):
  %a : [#users=1] = Node[type=Data] (attrs = {index: 0})

  return (%a)
"""


def test_what_a_readable_dump_cannot_show_is_no_difference() -> None:
    for one, other in ((viewed(READABLE), proto(PROTO)), (proto(PROTO), viewed(READABLE))):
        found = diff(one, other)
        assert (told(found), found.same) == ([], True)
        assert {"control edges", "dtypes, shapes and layouts", "the node NetOutput"} <= set(found.not_compared)


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        pytest.param("dst_type: 0", "dst_type: 1", ("attribute", "dst_type", "1", "0"), id="value"),
        pytest.param(", attrs = {dst_type: 0}", "", ("attribute", "dst_type", None, "0"), id="left out"),
        pytest.param("dst_type: 0", "dst_type: 0, more: 1", ("attribute", "more", "1", None), id="more"),
        pytest.param("(x=%c)", "(x=%x)", ("input", "x", "x", "c"), id="edge"),
        pytest.param("type=Cast", "type=Case", ("retyped", None, "Case", "Cast"), id="type"),
    ],
)
def test_what_both_formats_show_is_compared(before: str, after: str, change: object) -> None:
    found = diff(viewed(READABLE.replace(before, after)), proto(PROTO))
    assert [one for _, _, changes in told(found) for one in changes][:1] == [change]


def test_floats_are_compared_as_they_are_printed() -> None:
    printed = 'graph("g"):\n  %a : [#users=0] = Node[type=LeakyRelu] (attrs = {negative_slope: 0.000000})\n'
    text = 'graph { name: "g" op { name: "a" type: "LeakyRelu" attr { key: "negative_slope" value { f: 1e-07 } } } }'
    assert diff(viewed(printed), proto(text)).same
    assert not diff(viewed(printed.replace("0.000000", "0.000001")), proto(text)).same
    assert diff(proto(text), proto(text.replace("1e-07", "0.0000001"))).same
    assert not diff(proto(text), proto(text.replace("1e-07", "1e-08"))).same


def test_the_first_version_of_the_emitter_says_nothing_of_graphs_and_names_of_inputs() -> None:
    first = SMALL[: SMALL.index("\ngraph")].replace(", attrs = {f: %inner}", "")
    for name in ("x=", "k=", "x1=", "x2=", "args_0=", "output_0=", "output_1="):
        first = first.replace(f"({name}", "(").replace(f" {name}", " ")
    found = diff(viewed(first), viewed(SMALL))
    assert (told(found), found.same) == ([], True)
    assert {"names of inputs", "which graphs nodes run"} <= set(found.not_compared)


def test_a_copy_for_onnx_is_compared() -> None:
    text = """ir_version: 6 graph { name: "main"
  node { name: "x" op_type: "ge:Data" attribute { name: "index" type: INT } attribute { name: "id" i: 1 type: INT } }
  node { name: "c" op_type: "ge:Const" output: "c:0" }
  node { name: "cast" op_type: "ge:Cast" input: "c:0" input: "x:-1" attribute { name: "dst_type" i: 1 type: INT } }
  node { name: "call" op_type: "ge:PartitionedCall" input: "cast:0" input: "x:0" }
  node { name: "NetOutput" op_type: "ge:NetOutput" input: "call:0" }
  node { name: "inner" op_type: "subgraph" attribute { name: "graph" type: GRAPH g { name: "inner" node { name: "a" op_type: "ge:Data" }
    output { name: "a" } } } } }"""
    onnx = ge_onnx.view(read(text, "o"), "o")
    assert told(diff(proto(PROTO), onnx)) == [("cast", "cast", [("attribute", "dst_type", "0", "1")])]
    assert told(diff(onnx, viewed(READABLE))) == [("cast", "cast", [("attribute", "dst_type", "1", "0")])]
    assert diff(onnx, onnx).same


def test_patterns_leave_attributes_out() -> None:
    changed = viewed(SMALL.replace("dim: -1", "dim: 0"))
    assert diff(viewed(SMALL), changed, ("d?m", "_*")).same
    assert not diff(viewed(SMALL), changed, ("*x",)).same


def test_a_graph_that_runs_itself_and_many_in_one_another_are_compared() -> None:
    own = 'graph("g"):\n  %a : [#users=1] = Node[type=PartitionedCall] (attrs = {f: %g})\n'
    assert [g.what for g in edited(('"g"', '"h"'), ("%g", "%h"), text=own).graphs] == [("renamed",)]
    row = "\n".join(f'graph("g{at}"):\n  %a : [#users=1] = Node[type=F] (attrs = {{f: %g{at + 1}}})\n' for at in range(3000))
    last = 'graph("g2999"):\n  %a : [#users=1] = Node[type='
    assert told(edited((f"{last}F", f"{last}G"), text=row)) == [("a", "a", [("retyped", None, "F", "G")])]
    found = edited(('("g', '("h'), ("%g", "%h"), text=row)
    assert (len(found.graphs), found.counts) == (3000, (("graph", 1),))  # the last names a graph that neither file has


def numbered(*rows: tuple[str, str], first: int = 0) -> Dump:
    """Nodes called by their types and numbers: type, and where inputs come from (`x`, or how many nodes back), or a value."""
    lines = ["  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})"]
    names: list[str] = []
    for kind, sources in rows:
        found = [] if "[" in sources else [source if source == "x" else names[-int(source)] for source in sources.split()]
        inputs = ", ".join(f"x{at}=%{source}" for at, source in enumerate(found))
        body = f"inputs = ({inputs})" if inputs else f"attrs = {{value: {sources}}}" if sources else ""
        names.append(f"{kind}_{first + len(names)}")
        lines.append(f"  %{names[-1]} : [#users=1] = Node[type={kind}] ({body})")
    return viewed('graph("g"):\n' + "\n".join(lines) + f"\n\n  return (%{names[-1]})\n")


def test_numbers_that_moved_are_new_names() -> None:
    rows = [("Neg", "x"), ("Const", ""), ("Neg", "2"), ("Add", "1 2"), ("Neg", "1"), ("Const", ""), ("Add", "2 1")]
    before = numbered(*rows)
    after = numbered(*rows[:1], ("Exp", "1"), ("Const", ""), ("Neg", "2"), *rows[3:])
    found = told(diff(before, after))
    assert found[:2] == [(None, "Exp_1", []), ("Const_1", "Const_2", [("renamed", None, "Const_1", "Const_2")])]
    assert found[2] == ("Neg_2", "Neg_3", [("renamed", None, "Neg_2", "Neg_3"), ("input", "x0", "Neg_0", "Exp_1")])
    assert [(a, b, [change[0] for change in changes]) for a, b, changes in found[3:]] == [
        ("Add_3", "Add_4", ["renamed"]),
        ("Neg_4", "Neg_5", ["renamed"]),
        ("Const_5", "Const_6", ["renamed"]),
        ("Add_6", "Add_7", ["renamed"]),
    ]


def test_numbers_that_moved_after_the_same_nodes_are_new_names() -> None:
    rows = [("Neg", "x"), ("Neg", "1"), ("Neg", "1"), ("Add", "1 2")]
    found = diff(numbered(*rows), numbered(("Exp", "x"), ("Neg", "x"), *rows[1:]))
    assert found.counts == (("added", 1), ("renamed", 4))
    assert diff(numbered(*rows), numbered(*rows, first=1)).counts == (("renamed", 4),)


def test_what_was_added_stands_where_it_is() -> None:
    rows = [("Neg", "x"), ("Abs", "1"), ("Exp", "x"), ("Log", "1")]
    found = told(diff(numbered(*rows), numbered(("Sin", "x"), rows[0], ("Cos", "1"), ("Tan", "1"), *rows[2:], ("Erf", "1"))))
    assert [(a, b) for a, b, _ in found] == [
        (None, "Sin_0"),
        ("Neg_0", "Neg_1"),
        ("Abs_1", None),
        (None, "Cos_2"),
        (None, "Tan_3"),
        ("Exp_2", "Exp_4"),
        ("Log_3", "Log_5"),
        (None, "Erf_6"),
    ]


def test_numbers_that_moved_keep_their_order() -> None:
    """The second range of one dump looks as the first of the other does; what stands between them says which is which."""
    between = [("Neg", "x"), ("Exp", "1"), ("Log", "1")]
    before = numbered(("Const", "[8]"), ("Range", "1"), *between, ("Const", "[32]"), ("Range", "1"), ("Sub", "1 x"))
    after = numbered(("Const", "[32]"), ("Range", "1"), *between, ("Const", "[99]"), ("Range", "1"), ("Sub", "x 1"), ("Abs", "1"))
    assert [(a, b, [change[:2] for change in changes]) for a, b, changes in told(diff(before, after))] == [
        ("Const_0", "Const_0", [("attribute", "value")]),
        ("Const_5", "Const_5", [("attribute", "value")]),
        ("Sub_7", "Sub_7", [("input", "x0"), ("input", "x1")]),
        (None, "Abs_8", []),
    ]


def test_numbers_that_were_dealt_anew_are_new_names() -> None:
    text = dump_text(numbered(("Const", "[1]"), ("Add", "1 x"), ("Const", "[2]"), ("Add", "1 2"), ("Const", "[3]"), ("Add", "1 2")))
    others = {"0": "2", "2": "4", "4": "0", "1": "5", "5": "1"}
    dealt = re.sub(r"(?<=t_)\d|(?<=d_)\d", lambda found: others.get(found[0], found[0]), text)
    assert dealt != text
    for one, other in ((text, dealt), (dealt, text)):
        assert {what for what, _ in diff(viewed(one), viewed(other)).counts} == {"renamed"}


@pytest.mark.parametrize("gone", range(1, 10))
def test_two_dumps_differ_as_much_in_either_order(gone: int) -> None:
    blocks = "".join(
        f"  %Exp_{at} : [#users=1] = Node[type=Exp] (inputs = (x=%Add_{at}))\n"
        f"  %Add_{at + 1} : [#users=1] = Node[type=Add] (inputs = (x1=%Add_{at}, x2=%Exp_{at}))\n"
        for at in range(10)
    )
    text = f'graph("g"):\n  %Add_0 : [#users=1] = Node[type=Data] (attrs = {{index: 0}})\n{blocks}\n  return (%Add_10)\n'
    line = f"  %Add_{gone} : [#users=1] = Node[type=Add] (inputs = (x1=%Add_{gone - 1}, x2=%Exp_{gone - 1}))\n"
    assert line in text
    less = viewed(text.replace(line, "").replace(f"%Add_{gone},", f"%Add_{gone - 1},").replace(f"%Add_{gone})", f"%Add_{gone - 1})"))
    there, back = told(diff(viewed(text), less)), told(diff(less, viewed(text)))
    mirrored = [(b, a, [(what, key, y, x) for what, key, x, y in changes]) for a, b, changes in back]
    assert sorted(mirrored, key=repr) == sorted(there, key=repr)
    assert len(there) == 3  # it is removed, and what took it takes something else


def test_a_name_that_is_gone_is_no_name_of_another_node() -> None:
    before = 'graph("g"):\n  %y : [#users=1] = Node[type=Neg] (inputs = (x=%x))\n\n  return (%y)\n'
    after = before.replace("  %y :", "  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})\n  %y :")
    for one, other in ((before, after), (after, before)):
        assert ("y", "y", [("input", "x", "x", "x")]) in told(diff(viewed(one), viewed(other)))


def test_a_numbered_name_that_takes_something_else_is_the_same_node() -> None:
    rows = [("Neg", "x"), ("Exp", "x"), ("Add", "1 2"), ("Neg", "1")]
    changed = [*rows[:2], ("Add", "2 2"), rows[3]]
    assert told(diff(numbered(*rows), numbered(*changed))) == [("Add_2", "Add_2", [("input", "x0", "Exp_1", "Neg_0")])]
    assert told(diff(numbered(*rows), numbered(*changed, ("Abs", "1")))) == [
        ("Add_2", "Add_2", [("input", "x0", "Exp_1", "Neg_0")]),
        (None, "Abs_4", []),
    ]


def chain(kinds: list[str], names: list[str]) -> Dump:
    lines = ["  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})"]
    before = "x"
    for kind, name in zip(kinds, names, strict=True):
        lines.append(f"  %{name} : [#users=1] = Node[type={kind}] (inputs = (x=%{before}))")
        before = name
    return viewed('graph("g"):\n' + "\n".join(lines) + f"\n\n  return (%{before})\n")


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["Neg", "Exp", "Abs"]), max_size=12), st.data())
def test_renamed_nodes_of_a_chain_are_found(kinds: list[str], data: st.DataObject) -> None:
    names = [f"n{at}" for at in range(len(kinds))]
    others = [name if data.draw(st.booleans()) else f"other{name}" for name in names]
    found = diff(chain(kinds, names), chain(kinds, others))
    renamed = [(a, b) for a, b in zip(names, others, strict=True) if a != b]
    assert [(a, b) for a, b, _ in told(found)] == renamed
    assert found.counts == ((("renamed", len(renamed)),) if renamed else ())


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["Neg", "Exp"]), max_size=8), st.lists(st.sampled_from(["Neg", "Exp"]), max_size=8))
def test_both_ways_tell_of_the_same_nodes(one: list[str], other: list[str]) -> None:
    left, right = chain(one, [f"a{at}" for at in range(len(one))]), chain(other, [f"b{at}" for at in range(len(other))])
    there, back = diff(left, right), diff(right, left)
    alone = [(node.a, node.b) for graph in there.graphs for node in graph.nodes if node.a is None or node.b is None]
    assert len([1 for a, b in alone if b is None]) - len([1 for a, b in alone if a is None]) == len(one) - len(other)
    assert there.same == back.same == (one == other == [])
    assert dump_text(left) == dump_text(chain(one, [f"a{at}" for at in range(len(one))]))


DATA = Path(__file__).parents[4] / "shared" / "data" / "ge"


@pytest.mark.skipif(not DATA.is_dir(), reason="real dumps are not beside the checkout")
def test_a_real_dump_is_the_same_as_what_a_readable_dump_shows_of_it() -> None:
    files = sorted(DATA.glob("ge_proto*.txt"))
    assert files
    for file in files:
        opened = open_dump(str(file))
        shown = viewed(readable_text(opened))
        assert diff(opened.dump, shown).same
        assert diff(shown, opened.dump).same
        assert diff(opened.dump, opened.dump).same
        first = next(node for node in opened.dump.graphs[0].nodes if node.inputs)
        text = readable_text(opened).replace(f"%{first.name} : ", "%another name : ").replace(f"%{first.name},", "%another name,")
        changed = viewed(text.replace(f"%{first.name})", "%another name)"))
        assert diff(opened.dump, changed).counts == (("renamed", 1),)
