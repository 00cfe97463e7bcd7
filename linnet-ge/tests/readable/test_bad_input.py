"""Files that are cut, damaged or made to be slow: what is there is read, what is wrong is said with line, node and what was expected."""

from __future__ import annotations

import pytest
from dumps import SMALL, viewed

from linnet_core.errors import DocumentError
from linnet_ge.readable.bodies import Bodies
from linnet_ge.readable.dump_text import dump_text
from linnet_ge.readable.scan import MOST_PROBLEMS, scan
from linnet_ge.readable.write import canonical, exact

HEAD = 'graph("g"):\n'
STRING = HEAD + '  %a : [#users=1] = Node[type=A] (attrs = {s: "one\ntwo", n: 1})\n  %b : [#users=1] = Node[type=B] (inputs = (x=%a))\n'


def test_a_file_cut_anywhere_comes_back() -> None:
    for cut in range(len('graph("main"):'), len(SMALL)):
        read = scan(SMALL[:cut], "a.txt")
        assert exact(read) == SMALL[:cut]
        assert len(read.problems) <= 1


def test_a_file_cut_in_its_first_line_is_refused() -> None:
    for cut in range(len('graph("main"):')):
        with pytest.raises(DocumentError, match=r"^a\.txt:1: "):
            scan(SMALL[:cut], "a.txt")


def test_a_file_without_its_beginning_comes_back() -> None:
    for cut in range(1, SMALL.index("%a/b")):
        read = scan(SMALL[cut:], "a.txt")
        assert exact(read) == SMALL[cut:]
        assert viewed(SMALL[cut:]).graphs[-1].name in ("", "inner")


@pytest.mark.parametrize(
    ("text", "line", "node", "expected"),
    [
        pytest.param(STRING[: STRING.index("two")], 2, "a", "`})` after the attributes", id="in a string"),
        pytest.param(STRING[: STRING.index("\ntwo")], 2, "a", "`})` after the attributes", id="in the first line of a string"),
        pytest.param(STRING[: STRING.index("(x=%a")], 4, "b", "`inputs = (` or `attrs = {`", id="before the inputs"),
        pytest.param(STRING[: STRING.index("=%a))") + 3], 4, "b", "`)` after the inputs", id="in the inputs"),
        pytest.param(STRING[: STRING.index("pe=B")] + "pe=B", 4, "b", "`] (` after the type", id="in the type"),
        pytest.param(STRING + "\n  return (%b", 6, None, "`)` after the outputs", id="in the return"),
        pytest.param(STRING + "rubbish\n", 5, None, "a node, `return (...)` or a graph", id="other text"),
        pytest.param(STRING.replace(HEAD, ""), 1, None, 'a line `graph("NAME"):`', id="no graph"),
        pytest.param(STRING.replace("x=%a", "y=b"), 4, "b", "`PARAMETER=%NAME` or `%NAME`", id="an input that is no reference"),
        pytest.param(STRING + "\n  return (b)\n", 6, None, "`PARAMETER=%NAME` or `%NAME`", id="a result that is no reference"),
        pytest.param(STRING.replace("(inputs = (x=%a))", "(what)"), 4, "b", "`inputs = (` or `attrs = {`", id="another body"),
    ],
)
def test_a_problem_names_line_node_and_what_was_expected(text: str, line: int, node: str | None, expected: str) -> None:
    read = scan(text, "a.txt")
    [problem] = read.problems
    assert (problem.file, problem.line, problem.node, problem.expected) == ("a.txt", line, node, expected)
    assert str(problem).startswith(f"a.txt:{line}: ")
    assert exact(read) == text
    assert "b" in read.graphs[0].nodes or "a" in read.graphs[0].nodes


def test_a_string_with_line_ends_goes_on_to_the_next_record() -> None:
    read = scan(STRING, "a.txt")
    assert (exact(read), canonical(read), read.problems) == (STRING, STRING, ())
    assert [(n.name, n.line) for n in viewed(STRING).graphs[0].nodes] == [("a", 2), ("b", 4)]
    assert viewed(STRING).graphs[0].nodes[0].attributes["s"].value == "one\ntwo"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("%b : [#users=1]", "%b : [#users=01]", id="a zero before a count"),
        pytest.param("%b : [#users=1]", "%b : [#users=\u0661]", id="a digit that is not ASCII"),
        pytest.param("Node[type=B] (inputs = (x=%a))", "get_element[node=%a](00)", id="a zero before a number"),
    ],
)
def test_numbers_come_back_as_they_were_written(before: str, after: str) -> None:
    text = STRING.replace(before, after)
    assert exact(scan(text, "a.txt")) == text


def test_results_of_several_returns_are_those_of_the_last_and_it_is_said() -> None:
    dump = viewed(f"{STRING}\n  return (%a)return (%b)\n")
    assert [output.edge.node for output in dump.graphs[0].outputs] == ["b"]
    assert [(note.line, "2 `return`" in note.message) for note in dump.notes] == [(6, True)]


def test_a_graph_may_stand_right_behind_what_a_log_puts_before_it() -> None:
    text = "".join(f"[INFO] GE(1,python):{line}\n" for line in SMALL.splitlines())
    read = scan(text, "a.txt")
    assert (canonical(read), exact(read), read.problems) == (SMALL, text, ())


def test_a_record_inside_a_string_of_its_line_is_part_of_it() -> None:
    text = HEAD + '  %a : [#users=1] = Node[type=A] (attrs = {s: "p) %x : [#users=1] = Node[type=Q] (r"})\n'
    [node] = viewed(text).graphs[0].nodes
    assert node.attributes["s"].value == "p) %x : [#users=1] = Node[type=Q] (r"
    assert exact(scan(text, "a.txt")) == text


@pytest.mark.parametrize("text", ["no dump at all\n", "\n\n", "%", "graph(", "{" * 1000])
def test_what_is_no_dump_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match=r'^a\.txt:1: this is no readable dump; a line `graph\("NAME"\):`'):
        scan(text, "a.txt")


@pytest.mark.parametrize("text", ['{"version":1,"target":"numpy"}\n', '\n{\n  "format": "ge-dump"}'])
def test_json_is_no_dump_of_the_graph_engine(text: str) -> None:
    with pytest.raises(DocumentError, match=r"^a\.txt:1: this is JSON and no dump; .*`linnet dump --format ge-readable`"):
        scan(text, "a.txt")


def test_a_graph_that_runs_itself_is_printed_once() -> None:
    text = HEAD + "  %a : [#users=1] = Node[type=PartitionedCall] (attrs = {f: %g})\n"
    assert canonical(scan(text, "a.txt")) == dump_text(viewed(text)) == text


def test_a_long_row_of_graphs_is_no_recursion() -> None:
    text = "\n".join(f'graph("g{at}"):\n  %a : [#users=1] = Node[type=F] (attrs = {{f: %g{at + 1}}})\n' for at in range(5000))
    assert canonical(scan(text, "a.txt")) == text
    assert dump_text(viewed(text)) == text


def test_nodes_of_one_name_are_all_kept() -> None:
    text = HEAD + "  %a : [#users=1] = Node[type=F] (inputs = (x=%a))\n" * 2000
    read = scan(text, "a.txt")
    assert (len(read.graphs[0].node_records), len(read.graphs[0].nodes), exact(read)) == (2000, 1, text)


def test_problems_are_counted_and_not_piled_up() -> None:
    text = "".join(f"{SMALL}rubbish {at}\n" for at in range(3 * MOST_PROBLEMS))
    read = scan(text, "a.txt")
    assert len(read.problems) == MOST_PROBLEMS + 1
    assert f"{2 * MOST_PROBLEMS} further problems" in read.problems[-1].message


NODE = "%n : [#users=1] = Node[type=T] (inputs = ("


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("  %" + "x" * 1_000_000, id="a name without an end"),
        pytest.param(" %" * 300_000, id="percent signs"),
        pytest.param("graph(" * 100_000, id="heads of graphs"),
        pytest.param('graph("' * 60_000, id="heads of graphs with quotes"),
        pytest.param(" return (" * 60_000, id="heads of returns"),
        pytest.param(f"  {NODE}" * 15_000, id="heads of nodes"),
        pytest.param(f"  {NODE}" + "x=%a, " * 100_000, id="inputs"),
        pytest.param(f"  {NODE}" + "), attrs = {" * 60_000, id="attributes begin and begin"),
        pytest.param(f"  {NODE}), attrs = {{s: " + '", k: "' * 60_000 + "})", id="strings end and end"),
        pytest.param(f'  {NODE}), attrs = {{s: "' + '"})\n' * 60_000, id="ends on every line"),
        pytest.param(f'  {NODE}), attrs = {{s: "' + "})\n" * 60_000, id="almost ends on every line"),
        pytest.param(f"  {NODE}), attrs = {{s: {'{' * 300_000}}})", id="nested lists"),
        pytest.param(f"  {NODE}), attrs = {{s: {'9' * 300_000}}})", id="a long number"),
        pytest.param(" %n : [#users=1] = Node[type=T] (inputs = (x=%n))" * 30_000, id="all on one line"),
        pytest.param("  %n : [#users=" + "9" * 300_000 + "] = Node[type=T] ()", id="a long count"),
    ],
)
def test_what_is_made_to_be_slow_takes_time_in_proportion(text: str) -> None:
    text = HEAD + text
    read = scan(text, "a.txt")
    assert exact(read) == text
    bodies = Bodies(read)
    for record in read.graphs[0].node_records[:100]:
        bodies.attributes(record)
        bodies.inputs(read.graphs[0], record)


def test_more_references_than_any_node_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet_ge.readable.bodies.MOST_REFERENCES", 3)
    text = HEAD + "  %a : [#users=1] = Node[type=A] (inputs = (x_0=%a, x_1=%a, x_2=%a, x_3=%a))\n"
    assert canonical(scan(text, "a.txt")) == text
    with pytest.raises(DocumentError, match=r"^dump\.txt:2: 4 references in one line"):
        _ = viewed(text).graphs[0].nodes[0]
    assert len(viewed(text.replace(", x_3=%a", "")).graphs[0].nodes[0].inputs) == 3


def test_numbers_too_long_for_a_number_stay_text() -> None:
    text = HEAD + f"  %n : [#users=1] = Node[type=T] (attrs = {{n: {'9' * 5000}}})\n"
    assert viewed(text).graphs[0].nodes[0].attributes["n"].kind == "unknown"
