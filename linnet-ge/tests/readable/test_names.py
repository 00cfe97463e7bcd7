"""Names that nothing escapes: commas, brackets, spaces, `=%` inside; forward references; elements."""

from __future__ import annotations

import pytest
from dumps import viewed

from linnet_ge.readable.scan import scan
from linnet_ge.readable.write import exact


def dump(*nodes: str, inputs: str, attributes: str = "") -> str:
    lines = [f"  %{name} : [#users=1] = Node[type=Data] ()" for name in nodes]
    more = f", attrs = {{{attributes}}}" if attributes else ""
    return "\n".join(['graph("g"):', *lines, f"  %n : [#users=1] = Node[type=Add] (inputs = ({inputs}){more})", ""])


@pytest.mark.parametrize(
    ("nodes", "inputs", "expected"),
    [
        pytest.param(["a", "a, b"], "x1=%a, b, x2=%a", [("a, b", False), ("a", False)], id="a comma in a name"),
        pytest.param(["a", "a, b"], "%a, b, %a", [("a, b", False), ("a", False)], id="a comma, no parameters"),
        pytest.param(["a", "b", "a, x2=%b"], "x1=%a, x2=%b", [("a, x2=%b", True)], id="two splits fit: marked"),
        pytest.param(["a)", "(b", "c (d)"], "x=%a), y=%(b, z=%c (d)", [("a)", False), ("(b", False), ("c (d)", False)], id="brackets"),
        pytest.param(["enc/l.0/mm:0@q", "a b"], "x=%enc/l.0/mm:0@q, y=%a b", [("enc/l.0/mm:0@q", False), ("a b", False)], id="punctuation"),
        pytest.param(["a=%b"], "x=%a=%b", [("a=%b", False)], id="what begins a reference"),
        pytest.param([], "x=%gone, y=%gone, too", [("gone", False), ("gone, too", False)], id="no such nodes"),
        pytest.param(["a"], "x_0=%a, x_1=%n", [("a", False), ("n", False)], id="dynamic inputs, a loop"),
        pytest.param(["a"], 'x=%"q", y=%100%', [('"q"', False), ("100%", False)], id="quotes and percent signs"),
    ],
)
def test_references_are_told_apart(nodes: list[str], inputs: str, expected: list[tuple[str, bool]]) -> None:
    text = dump(*nodes, inputs=inputs, attributes='name: "p, x2=%a)"')
    read = scan(text, "a.txt")
    assert exact(read) == text
    node = viewed(text).graphs[0].nodes[-1]
    assert [(edge.node, edge.ambiguous) for edge in node.inputs] == expected
    assert list(read.graphs[0].node_records[-1].references) == [name for name, _ in expected]
    assert node.attributes["name"].value == "p, x2=%a)"
    doubts = [note for note in viewed(text).notes if "several ways" in note.message]
    assert bool(doubts) == any(doubt for _, doubt in expected)


def test_an_element_stands_for_an_output_of_its_node() -> None:
    several = "  %m : [#users=2] = Node[type=M] ()\n  %ret : [#users=0] = get_element[node=%m](0)\n"
    text = dump("a", inputs="x=%ret_1").replace("  %n", several + "  %ret_1 : [#users=1] = get_element[node=%m](1)\n  %n")
    [edge] = viewed(text).graphs[0].by_name["n"].inputs
    assert (edge.node, edge.output, edge.ambiguous) == ("m", 1, False)


def test_a_node_called_as_an_element_is_in_doubt() -> None:
    text = dump("ret", inputs="x=%ret").replace(
        "  %n", "  %m : [#users=2] = Node[type=M] ()\n  %ret : [#users=0] = get_element[node=%m](0)\n  %n"
    )
    [edge] = viewed(text).graphs[0].by_name["n"].inputs
    assert edge.ambiguous
    assert [(note.line, "element" in note.message) for note in viewed(text).notes] == [(4, True)]


def test_names_of_graphs_hold_anything() -> None:
    text = (
        'graph("main"):\n  %i : [#users=1] = Node[type=If] (attrs = {then_branch: %g, k: "x", else_branch: %h("a"), n: 1})\n\n'
        'graph("g, k: "x""):\n\ngraph("h("a")"):\n'
    )
    assert exact(scan(text, "a.txt")) == text
    node = viewed(text).graphs[0].nodes[0]
    assert [(link.ir_name, link.graph) for link in node.subgraphs] == [("then_branch", 'g, k: "x"'), ("else_branch", 'h("a")')]


def test_what_copying_leaves_behind_a_name_is_no_part_of_it_wherever_it_stands() -> None:
    text = dump("a\u200b", "b", inputs="x1=%a\u200b, x2=%b")
    node = viewed(text).graphs[0].by_name["n"]
    assert [edge.node for edge in node.inputs] == ["a", "b"]
    assert exact(scan(text, "a.txt")) == text


def test_inputs_end_behind_names_that_are_known() -> None:
    text = dump("a), attrs = {", "b", inputs="x1=%a), attrs = {, x2=%b", attributes="n: 1")
    dumped = viewed(text)
    node = dumped.graphs[0].by_name["n"]
    assert ([edge.node for edge in node.inputs], node.attributes["n"].value, dumped.notes) == (["a), attrs = {", "b"], 1, ())
    several = viewed(dump("a", "a), attrs = {b", inputs="x=%a), attrs = {b", attributes="n: 1"))
    assert [note.node for note in several.notes] == ["n"]
    assert exact(scan(text, "a.txt")) == text
