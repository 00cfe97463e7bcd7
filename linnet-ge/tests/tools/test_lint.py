"""What is wrong with a dump is found, with its line; what is right gives nothing; what is cut off does not become a flood."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dumps import PROTO, SMALL, VARIANTS

from linnet_ge.formats.files import open_dump
from linnet_ge.tools.findings import RULES, Finding
from linnet_ge.tools.lint import lint

Find = Callable[[str], list[Finding]]


@pytest.fixture
def found(tmp_path: Path) -> Find:
    """What is found in a text."""

    def run(text: str) -> list[Finding]:
        (tmp_path / "a.txt").write_text(text, encoding="utf-8", newline="")
        return list(lint(open_dump(str(tmp_path / "a.txt"))))

    return run


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_a_good_dump_gives_nothing_however_it_is_spelled(found: Find, variant: str) -> None:
    codes = [one.code for one in found(VARIANTS[variant](SMALL))]
    assert codes == (["G101"] * 2 if variant == "text around" else [])


def test_good_protobuf_text_gives_nothing(found: Find) -> None:
    assert found(PROTO) == []


#: An edit of SMALL, and the findings: code, line, node.
EDITS = [
    pytest.param("%later :", "%x :", [("G202", 4, "top"), ("G201", 7, "x")], id="one name twice"),
    pytest.param("x2=%x)", "x2=%gone)", [("G202", 7, "later")], id="a name nothing gives"),
    pytest.param("output_0=%call", "output_0=%gone", [("G205", 8, "call"), ("G202", 10, None)], id="a result nothing gives"),
    pytest.param("node=%top](1)", "node=%gone](1)", [("G301", 4, "top"), ("G202", 6, "ret_1")], id="an output of nothing"),
    pytest.param("%x : [#users=1]", "%x : [#users=0]", [("G203", 7, "later"), ("G203", 7, "later")], id="an output of a node without"),
    pytest.param("args_0=%ret)", "args_0=%top)", [("G203", 4, "top"), ("G302", 5, "ret")], id="a node with two outputs itself"),
    pytest.param("x1=%x, x2=%x", "x1=%call, x2=%x", [("G204", 4, "top")], id="a cycle"),
    pytest.param("%top : [#users=2]", "%top : [#users=3]", [("G301", 4, "top")], id="too many outputs"),
    pytest.param("%later : [#users=1]", "%later : [#users=2]", [("G203", 7, "later"), ("G301", 7, "later")], id="outputs without elements"),
    pytest.param("%ret : [#users=2]", "%ret : [#users=3]", [("G302", 5, "ret")], id="too many users"),
    pytest.param("%ret_1 :", "%ret_2 :", [("G303", 6, "ret_2")], id="another number"),
    pytest.param("node=%top](1)", "node=%top](0)", [("G303", 5, "top")], id="one output twice"),
    pytest.param("\n  return (%a/b.c:0@d)\n", "", [("G405", 8, "call"), ("G103", 13, None)], id="a graph that gives nothing"),
    pytest.param("args_0=%ret", "args_1=%ret", [("G405", 8, "call")], id="an input that the graph takes and the node does not"),
    pytest.param("{f: %inner}", "{f: %gone}", [("G401", 8, "call"), ("G402", 12, None)], id="a graph without body"),
    pytest.param("{f: %inner}", "{f: %main}", [("G403", 1, None), ("G402", 12, None)], id="a graph that runs itself"),
    pytest.param('graph("inner")', 'graph("main")', [("G401", 8, "call"), ("G404", 12, None)], id="one name of two graphs"),
    pytest.param("%k : [#users=1] = Node[type=Const] ()", "%k : [#users=1] = Node[type=Data] ()", [("G501", 3, "k")], id="an index twice"),
    pytest.param("{index: 0}", "{index: 1}", [("G501", 2, None), ("G405", 8, "call"), ("G501", 13, None)], id="an index missing"),
    pytest.param("(x=%later, k=%k)", "(_input_0=%later, _input_1=%k)", [("G601", 4, "top")], id="names not known"),
    pytest.param("x1=%x, x2=%x)", "x1=%x, x1=%x)", [("G104", 7, "later")], id="one input twice"),
    pytest.param("x1=%x, x2=%x)", "x1=%x, %x)", [("G104", 7, "later")], id="an input without a name among others"),
    pytest.param("{index: 0}", "{index: 0, index: 0}", [("G104", 2, "x"), ("G104", 13, "a/b.c:0@d")], id="an attribute twice"),
    pytest.param("{f: %inner}", "{f: %inner, s: {1, 2}", [("G104", 8, "call")], id="a value without its end"),
    pytest.param("output_1=", "output_2=", [("G104", 10, None)], id="a number of the results left out"),
    pytest.param("{f: %inner}", "{_graph_0: %inner}", [("G601", 8, "call")], id="the name of a graph not known"),
    pytest.param("x1=%x, x2=%x)", "x1=%k, x2=%k)", [], id="an input that nothing takes"),
    pytest.param("(args_0=%ret)", "(args_0=%x)", [("G302", 5, "ret")], id="one use less"),
    pytest.param(
        "  return (output_0=%call, output_1=%ret)\n",
        "  return (output_0=%ret, output_1=%ret)\n",
        [("G302", 5, "ret"), ("G205", 8, "call")],
        id="a node that nothing takes",
    ),
]


@pytest.mark.parametrize(("before", "after", "expected"), EDITS)
def test_what_is_wrong_is_found(found: Find, before: str, after: str, expected: list[tuple[str, int, str | None]]) -> None:
    assert before in SMALL
    assert [(one.code, one.line, one.node) for one in found(SMALL.replace(before, after))] == expected


def test_each_rule_has_a_case() -> None:
    shown = {code for case in EDITS for code, _, _ in case.values[2]}
    assert shown | {"G101", "G102", "G103"} == set(RULES)


def test_a_cycle_is_printed_as_its_path(found: Find) -> None:
    [cycle] = found(SMALL.replace("x1=%x, x2=%x", "x1=%call, x2=%x"))
    assert cycle.path == ("top", "call", "later", "top")
    assert cycle.message == "nodes lead to themselves: top -> call -> later -> top"


def test_a_long_cycle_is_cut_in_its_message_alone(found: Find) -> None:
    lines = "".join(f"  %n{at} : [#users=1] = Node[type=F] (inputs = (x=%n{(at + 1) % 500}))\n" for at in range(500))
    [cycle] = found(f'graph("g"):\n{lines}\n  return (%n0)\n')
    assert cycle.path is not None
    assert (len(cycle.path), " -> ... 461 more ... -> " in cycle.message) == (501, True)


def test_loops_of_frames_are_no_cycles(found: Find) -> None:
    text = """graph("g"):
  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %merge : [#users=1] = Node[type=Merge] (inputs = (x_0=%x, x_1=%next))
  %next : [#users=1] = Node[type=NextIteration] (inputs = (x=%merge))

  return (%next)
"""
    assert found(text) == []
    assert [one.code for one in found(text.replace("NextIteration", "Identity"))] == ["G204"]


def test_graphs_that_run_one_another_are_a_cycle_with_its_path(found: Find) -> None:
    text = "\n".join(
        f'graph("g{at}"):\n  %a : [#users=1] = Node[type=PartitionedCall] (attrs = {{f: %g{(at + 1) % 3}}})\n\n  return (%a)\n'
        for at in range(3)
    )
    [one] = found(text)
    assert (one.code, one.path) == ("G403", ("g0", "g1", "g2", "g0"))


def test_many_nodes_of_one_name_are_one_finding(found: Find) -> None:
    text = 'graph("g"):\n' + "  %a : [#users=1] = Node[type=F] (inputs = (x=%a))\n" * 5000
    assert [(one.code, one.line) for one in found(text + "\n  return (%a)\n")] == [("G204", 2), ("G201", 3)]


def test_elements_of_nodes_of_one_name_are_part_of_that_finding(found: Find) -> None:
    lines = SMALL[SMALL.index("  %top :") : SMALL.index("  %later :")]
    assert [(one.code, one.node) for one in found(SMALL.replace("  %later :", lines + "  %later :"))] == [("G201", "top")]


def test_a_dump_cut_anywhere_is_no_flood(found: Find) -> None:
    names = "".join(f"  %n{at} : [#users=1] = Node[type=F] (inputs = (x=%later{at}))\n" for at in range(50))
    text = SMALL.replace("  %call :", names + "  %call :", 1)
    for cut in range(text.index("%n10"), text.index("%n12"), 7):
        codes = [one.code for one in found(text[:cut]) if one.severity == "problem"]
        assert set(codes) <= {"G101"}
        assert 1 <= len(codes) <= 2


def test_a_dump_cut_between_two_lines_is_one_finding_beside_few(found: Find) -> None:
    few = found(SMALL[: SMALL.index("  %later")])
    assert [(one.code, one.line, one.node) for one in few] == [("G202", 4, "top"), ("G302", 5, "ret"), ("G103", 6, None)]
    lines = "".join(f"  %n{at} : [#users=1] = Node[type=F] (inputs = (x=%m{at}))\n" for at in range(50))
    one, note = found('graph("g"):\n' + lines)
    assert (one.code, one.line, note.code, note.severity) == ("G101", 2, "G103", "note")
    assert "a name is taken that nothing in the graph gives (50 times)" in one.message


def test_a_damaged_graph_does_not_hide_what_is_wrong_with_others(found: Find) -> None:
    wrong = SMALL.replace("x2=%x)", "x2=%gone)")
    assert [one.code for one in found(wrong + "rubbish\n")] == ["G202", "G101"]


def test_graphs_missing_from_a_cut_dump_are_one_finding(found: Find) -> None:
    lines = "".join(f"  %n{at} : [#users=1] = Node[type=F] (attrs = {{f: %g{at}}})\n" for at in range(20))
    text = f'graph("g"):\n{lines}\n  return (%n0)\n\ngraph("g0"):\n  %a : [#users=1] = Node[ty'
    assert [one.code for one in found(text) if one.severity == "problem"] == ["G401", "G101"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param('input: "c:0"', 'input: "c:3"', [("G203", "cast")], id="output"),
        pytest.param('input: "c:0"', 'input: "gone:0"', [("G202", "cast"), ("G205", "c")], id="name"),
        pytest.param('input: "x:-1"', 'input: "gone:-1"', [("G202", "cast")], id="control edge"),
        pytest.param('input: "x:-1"', 'input: "call:-1"', [("G204", "cast")], id="a cycle through a control edge"),
        pytest.param('input: "c:0"', 'input: "c"', [("G101", "cast"), ("G205", "c")], id="no output"),
        pytest.param('subgraph_name: "inner"', 'subgraph_name: "gone"', [("G401", "call"), ("G402", None)], id="graph"),
        pytest.param('output: "a:0"', 'output: "b:0"', [("G202", None)], id="result"),
    ],
)
def test_protobuf_text_is_checked(found: Find, before: str, after: str, expected: list[tuple[str, str | None]]) -> None:
    got = [(one.code, one.node) for one in found(PROTO.replace(before, after))]
    assert sorted(got, key=repr) == sorted(expected, key=repr)


def test_a_result_that_nothing_gives_is_said_of_the_node_that_takes_it_whatever_its_name(found: Find) -> None:
    text = PROTO.replace('name: "NetOutput"', 'name: "Node_Output"').replace('input: "call:0"', 'input: "gone:0"')
    assert [(one.code, one.node) for one in found(text)] == [("G205", "call"), ("G202", "Node_Output")]


def test_names_that_fit_in_several_ways_are_a_note(found: Find) -> None:
    text = """graph("g"):
  %a : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %a, b=%a : [#users=1] = Node[type=Data] (attrs = {index: 1})
  %c : [#users=1] = Node[type=Add] (inputs = (x=%a, b=%a))

  return (%c)
"""
    assert [(one.code, one.line, one.severity) for one in found(text)] == [("G102", 4, "note")]


DATA = Path(__file__).parents[4] / "shared" / "data" / "ge"


@pytest.mark.skipif(not DATA.is_dir(), reason="real dumps are not beside the checkout")
def test_real_dumps_are_clean() -> None:
    files = sorted(DATA.glob("*.txt"))
    assert files
    assert {file.name: lint(open_dump(str(file))) for file in files} == {file.name: () for file in files}
