"""The part of a dump around a node reads back in the same format, without names that nothing gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dumps import PROTO, SMALL
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linnet_ge.formats.files import Opened, open_dump
from linnet_ge.tools.diff import diff
from linnet_ge.tools.extract import extract
from linnet_ge.tools.lint import lint
from linnet_ge.tools.neighbourhood import neighbourhood

ONNX = """ir_version: 6
producer_name: "GE"
graph {
  name: "main"
  node {
    name: "x" op_type: "ge:Data" output: "x:0"
    attribute { name: "index" type: INT }
    attribute { name: "output_desc_dtype:0" s: "DT_FLOAT" type: STRING }
  }
  node {
    name: "two" op_type: "ge:Split" input: "x:0" output: "two:0" output: "two:1"
    attribute { name: "output_desc_dtype:0" s: "DT_INT8" type: STRING }
    attribute { name: "output_desc_dtype:1" s: "DT_INT64" type: STRING }
    attribute { name: "output_desc_nums" i: 2 type: INT }
  }
  node {
    name: "neg" op_type: "ge:Neg" input: "" input: "two:1" input: "x:-1" output: "neg:0"
    attribute { name: "_input_name_key" strings: "x" type: STRINGS }
    attribute { name: "_input_name_value" ints: 1 type: INTS }
  }
  node { name: "NetOutput" op_type: "ge:NetOutput" input: "neg:0" }
}
"""


Open = Callable[[str], Opened]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    """Read a text."""

    def run(text: str) -> Opened:
        (tmp_path / "a.txt").write_text(text, encoding="utf-8", newline="")
        return open_dump(str(tmp_path / "a.txt"))

    return run


def part(one: Opened, node: str, hops: int, graph: int = 0) -> str:
    chosen = one.dump.graphs[graph]
    return extract(one, neighbourhood(chosen, [n.name for n in chosen.nodes].index(node), hops))


def test_the_part_around_a_node_of_a_readable_dump(opened: Open) -> None:
    assert (
        part(opened(SMALL), "later", 0)
        == """graph("main"):
  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %later : [#users=1] = Node[type=Add] (inputs = (x1=%x, x2=%x))

  return (%later)
"""
    )


def test_a_constant_that_a_kept_node_takes_keeps_its_value_and_is_no_result(opened: Open) -> None:
    text = SMALL.replace("Node[type=Add] (inputs = (x1=%x, x2=%x)", "Node[type=Add] (inputs = (x1=%x, x2=%k)")
    text = text.replace("Const] ()", "Const] (attrs = {value: [7]})")
    got = part(opened(text), "later", 0)
    constant = next(line for line in text.splitlines() if line.startswith("  %k : "))
    assert got.splitlines() == [
        'graph("main"):',
        "  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})",
        constant,
        "  %later : [#users=1] = Node[type=Add] (inputs = (x1=%x, x2=%k))",
        "",
        "  return (%later)",
    ]
    assert part(opened(text), "k", 0).splitlines() == ['graph("main"):', constant, "", "  return (%k)"]


def test_an_output_of_several_becomes_an_input_of_its_own(opened: Open) -> None:
    text = part(opened(SMALL), "call", 0)
    assert text.startswith('graph("main"):\n  %top_0 : [#users=1] = Node[type=Data] (attrs = {index: 0})\n  %call : ')
    assert '(args_0=%top_0), attrs = {f: %inner})\n\n  return (%call)\n\ngraph("inner"):\n' in text


def test_indices_of_kept_inputs_stay_and_names_stay_single(opened: Open) -> None:
    text = SMALL.replace("%k :", "%top_0 :").replace("k=%k", "k=%top_0").replace("x1=%x, x2=%x", "x1=%x, x2=%ret")
    got = part(opened(text), "later", 0)
    assert "x2=%top_0)" in got
    both = text.replace("args_0=%ret", "args_0=%ret, args_1=%top_0").replace("k=%top_0", "k=%x")
    near = part(opened(both), "top_0", 1)
    assert "(args_0=%top_0_1, args_1=%top_0), attrs = {f: %inner})" in near
    assert [one for one in lint(opened(near)) if one.severity == "problem"] == []


def test_no_hop_leads_over_the_results(opened: Open) -> None:
    text = PROTO.replace('input: "call:0"', 'input: "call:0"\n    input: "c:0"')
    assert [n.name for n in opened(part(opened(text), "call", 1)).dump.graphs[0].nodes] == ["x", "c", "cast", "call"]


def test_the_part_around_a_node_of_protobuf_text(opened: Open) -> None:
    for hops, names in ((0, ["cast", "x", "call"]), (1, ["x", "c", "cast", "call"]), (9, ["x", "c", "cast", "call"])):
        text = part(opened(PROTO), "call", hops)
        back = opened(text)
        assert [n.name for n in back.dump.graphs[0].nodes] == names
        assert [graph.name for graph in back.dump.graphs] == ["main", "inner"]
        assert [one for one in lint(back) if one.severity == "problem"] == []
    first = opened(part(opened(PROTO), "call", 0)).dump.graphs[0].by_name["cast"]
    assert (first.type, first.outputs[0] and first.outputs[0].shape, first.attributes["_extracted_from"].value) == ("Data", (4,), "cast:0")


def test_a_graph_alone_stays_one(opened: Open) -> None:
    data = 'op {\n  name: "a"\n  type: "Data"\n  output_desc { dtype: DT_FLOAT }\n}\n'
    bare = f'name: "bare"\n{data}op {{\n  name: "b"\n  type: "Neg"\n  input: "a:0"\n  output_desc {{ }}\n}}\n'
    back = opened(part(opened(bare), "b", 0))
    assert (back.kind, [n.type for n in back.dump.graphs[0].nodes], back.dump.graphs[0].name) == ("graph", ["Data", "Neg"], "bare")


def test_the_part_around_a_node_of_a_copy_for_onnx(opened: Open) -> None:
    back = opened(part(opened(ONNX), "neg", 0))
    assert (back.kind, back.dump.graphs[0].name) == ("onnx", "main")
    data, neg = back.dump.graphs[0].nodes
    assert (data.name, data.type, data.outputs[0] and data.outputs[0].dtype) == ("two_1", "Data", "DT_INT64")
    assert [(edge.node, edge.output, edge.position, edge.parameter) for edge in neg.inputs] == [("two_1", 0, 1, "x")]
    assert neg.control_inputs == ()
    assert lint(back) == ()
    assert [n.name for n in opened(part(opened(ONNX), "neg", 1)).dump.graphs[0].nodes] == ["x", "two", "neg"]


def test_a_dump_without_names_of_inputs_stays_one(opened: Open) -> None:
    text = (
        'graph("g"):\n  %a : [#users=1] = Node[type=Data] ()\n  %b : [#users=1] = Node[type=Add] (inputs = (%a, %a))\n\n  return (%b, %a)\n'
    )
    assert part(opened(text), "b", 0) == text.replace("Data] ()", "Data] (attrs = {index: 0})").replace("(%b, %a)", "(%b)")
    assert part(opened(text), "b", 1) == text.replace("(%b, %a)", "(%a, %b)")


def test_a_name_that_nothing_gives_becomes_an_input(opened: Open) -> None:
    got = part(opened(SMALL.replace("x2=%x)", "x2=%gone)")), "later", 0)
    assert "%gone : [#users=1] = Node[type=Data] (attrs = {index: 1})\n" in got


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(1, 3)), min_size=1, max_size=12),
    st.integers(0, 11),
    st.integers(0, 4),
)
def test_any_part_of_any_graph_is_clean(opened: Open, rows: list[tuple[int, int, int]], middle: int, hops: int) -> None:
    lines = ["  %n0 : [#users=1] = Node[type=Data] (attrs = {index: 0})"]
    outputs, number = [["n0"]], 0
    for at, (a, b, count) in enumerate(rows, 1):
        one, other = outputs[a % at], outputs[b % at]
        lines.append(f"  %n{at} : [#users={count}] = Node[type=Op] (inputs = (a=%{one[a % len(one)]}, b=%{other[b % len(other)]}))")
        outputs.append([f"ret_{number + i}" if number + i else "ret" for i in range(count)] if count > 1 else [f"n{at}"])
        if count > 1:
            lines += [f"  %{name} : [#users=0] = get_element[node=%n{at}]({i})" for i, name in enumerate(outputs[-1])]
        number += count if count > 1 else 0
    text = 'graph("g"):\n' + "\n".join(lines) + f"\n\n  return (%{outputs[-1][0]})\n"
    whole = opened(text)
    got = part(whole, f"n{middle % (len(rows) + 1)}", hops)
    assert [one for one in lint(opened(got)) if one.severity == "problem"] == []
    again = opened(got)
    kept = {node.name for node in again.dump.graphs[0].nodes} & {node.name for node in whole.dump.graphs[0].nodes}
    for node in again.dump.graphs[0].nodes:
        if node.name in kept and node.type == "Op":
            assert len(node.inputs) == 2
            assert node.attributes == whole.dump.graphs[0].by_name[node.name].attributes


def test_a_part_that_is_everything_is_the_same_graph(opened: Open) -> None:
    small = SMALL.replace(", output_1=%ret)", ")").replace("output_0=", "")
    assert diff(opened(small).dump, opened(part(opened(small), "x", 99)).dump).same
    [graph] = diff(opened(ONNX).dump, opened(part(opened(ONNX), "x", 99)).dump).graphs
    assert [(node.a and node.a.name, node.what) for node in graph.nodes] == [("NetOutput", ("removed",))]
