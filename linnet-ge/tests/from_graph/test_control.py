"""Loops, conditionals and methods become graphs of their own, which compute what the program says."""

from __future__ import annotations

from pathlib import Path

import ge_machine
import numpy as np
import pytest
from ge_entries import exported

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import CallHeader, Elementwise, Finish, Input, Operand
from linnet_core.graph.nodes import MAX_CALL_DEPTH, CallNode, Graph, Node, ValueInfo
from linnet_ge.from_graph.build import dump_of
from linnet_ge.model import Dump
from linnet_ge.readable.dump_text import dump_text
from linnet_ge.readable.scan import scan
from linnet_ge.readable.view import view
from linnet_ge.readable.write import exact

GOLDEN = Path(__file__).parent / "golden"
CONTROL = """
pub entry main<N: Dim>(x: Tensor[N; f32], limit: i32, up: bool) -> Tensor[N; f32] {
    var y = x
    var i: i32 = 0
    while i < limit {
        y = y * 2.0 + x
        i = i + 1
    }
    for j in 0..3 {
        y = y + cast<f32>(j)
    }
    return if up { exp(y) * 2.0 } else { y - 1.0 }
}
"""
NESTED = """
pub entry main(x: i64, n: i64) -> i64 {
    var y = x
    while y < n {
        var z = y
        while z > 0 {
            z = if z > 5 { z - 4 } else { z - 1 }
            y = y + 1
        }
        y = y + 1
    }
    return y
}
"""
METHODS = """
block Layer<N: Dim> {
    param w: Tensor[N; f32]
    pub fn forward(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * w + 1.0 }
}
block Model<N: Dim> {
    sub layers: [Layer<N>; 2]
    state seen: Tensor[N; f32]
    pub entry forward(x: Tensor[N; f32], up: bool) -> Tensor[N; f32] {
        var y = x
        static for layer in layers { y = layer.forward(y) }
        seen = seen + y
        return if up { layers[0].forward(seen) } else { x }
    }
}
"""


def _edges_fit(dump: Dump) -> None:
    """Every reference has its definition, before it; parents give their graphs as many values as they take, and take what these give."""
    for graph in dump.graphs:
        made: set[tuple[str, int]] = set()
        for node in graph.nodes:
            assert all((edge.node, edge.output) in made for edge in node.inputs), node
            made.update((node.name, at) for at in range(node.output_count))
            passed = [e for e in node.inputs if str(e.parameter).startswith(("input_", "args_"))]
            for link in node.subgraphs:
                inner = dump.by_name[link.graph]
                indices = [n.attributes["index"].value for n in inner.nodes if n.type == "Data"]
                assert indices == list(range(len(passed) + (node.type == "For")))
                assert len(inner.outputs) == (1 if link.ir_name == "cond" else node.output_count)
        assert all((o.edge.node, o.edge.output) in made for o in graph.outputs)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("input_0=%For_5", "input_0=%later", id="a name nothing gives"),
        pytest.param("attrs = {index: 1})", "attrs = {index: 2})", id="an index left out"),
        pytest.param("  return (%", "  return (%x", id="a result nothing gives"),
    ],
)
def test_edges_can_be_wrong(before: str, after: str) -> None:
    text = (GOLDEN / "control.txt").read_text(encoding="utf-8")
    assert before in text
    with pytest.raises(AssertionError):
        _edges_fit(view(scan(text.replace(before, after), "a.txt")))


def test_the_right_edges_fit() -> None:
    _edges_fit(view(scan((GOLDEN / "control.txt").read_text(encoding="utf-8"), "a.txt")))


def _reads_back(dump: Dump) -> None:
    text = dump_text(dump)
    read = scan(text, "-")
    assert not read.problems
    assert exact(read) == text
    again = view(read)
    assert dump_text(again) == text
    assert [(n.name, n.type, n.output_count, n.inputs, n.subgraphs) for g in again.graphs for n in g.nodes] == [
        (n.name, n.type, n.output_count, n.inputs, n.subgraphs) for name in (g.name for g in again.graphs) for n in dump.by_name[name].nodes
    ]


@pytest.mark.parametrize(("limit", "up"), [(0, True), (2, False), (3, True)])
def test_a_while_a_counted_loop_and_an_if_compute(limit: int, up: bool, tmp_path: Path) -> None:
    dump = dump_of(exported(CONTROL, tmp_path, bindings={"N": 2}))
    _edges_fit(dump)
    x = np.array([0.5, -1.0], np.float32)
    y = x
    for _ in range(limit):
        y = y * 2 + x
    y = y + 3
    wanted = np.exp(y) * 2 if up else y - 1
    (given,) = ge_machine.results(dump, [x, np.asarray(limit, np.int32), np.asarray(up)])
    np.testing.assert_allclose(given, wanted, rtol=1e-6)


@pytest.mark.parametrize(("x", "n"), [(9, 3), (2, 40)])
def test_loops_within_loops(x: int, n: int, tmp_path: Path) -> None:
    dump = dump_of(exported(NESTED, tmp_path))
    _edges_fit(dump)
    y = x
    while y < n:
        z = y
        while z > 0:
            z = z - 4 if z > 5 else z - 1
            y += 1
        y += 1
    assert ge_machine.results(dump, [np.asarray(x), np.asarray(n)])[0] == y
    assert {node.type for graph in dump.graphs for node in graph.nodes} >= {"While", "If"}


@pytest.mark.parametrize("functions", [False, True])
@pytest.mark.parametrize("up", [False, True])
def test_methods_states_and_parameters(functions: bool, up: bool, tmp_path: Path) -> None:
    dump = dump_of(exported(METHODS, tmp_path, bindings={"N": 2}), functions=functions)
    _edges_fit(dump)
    names = [node.name for node in dump.graphs[0].nodes if node.type == "Data"]
    assert names == ["x", "up", "layers.0.w", "layers.1.w", "seen"]
    x, w0, w1, seen = (np.array(v, np.float32) for v in ([1, 2], [3, 4], [5, 6], [7, 8]))
    after = seen + ((x * w0 + 1) * w1 + 1)
    given = ge_machine.results(dump, [x, np.asarray(up), w0, w1, seen])
    np.testing.assert_allclose(given, [after * w0 + 1 if up else x, after])
    calls = [node for graph in dump.graphs for node in graph.nodes if node.type == "PartitionedCall"]
    assert len(calls) == (3 if functions else 0)


def test_parameters_as_constants_have_no_value_and_no_index(tmp_path: Path) -> None:
    text = dump_text(dump_of(exported(METHODS, tmp_path, bindings={"N": 2}), weights="const"))
    assert "  %layers.1.w : [#users=1] = Node[type=Const] ()\n" in text
    assert "  %seen : [#users=1] = Node[type=Data] (attrs = {index: 2})\n" in text


@pytest.mark.parametrize(
    ("name", "program", "functions"), [("control", CONTROL, False), ("methods", METHODS, True)], ids=["control", "methods"]
)
def test_golden(name: str, program: str, functions: bool, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    dump = dump_of(exported(program, tmp_path, bindings={"N": 2}), functions=functions)
    _reads_back(dump)
    file = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update", default=False):
        file.write_text(dump_text(dump), encoding="utf-8")
    assert dump_text(dump) == file.read_text(encoding="utf-8")


def test_the_document_style_marks_elements_and_single_returns_otherwise(tmp_path: Path) -> None:
    dump = dump_of(exported(CONTROL, tmp_path, bindings={"N": 2}))
    canonical = dump_text(dump)
    assert "  %ret : [#users=1] = get_element" in canonical
    changed = canonical.replace("  %ret", "  %RET").replace("\n\n  return (%", "\n  return (%")
    lines = [line.replace("#users", "users", 1) if line.startswith("  %RET") else line for line in changed.splitlines()]
    assert dump_text(dump, "document") == "\n".join(lines).replace("  %RET", "  %ret") + "\n"


def test_methods_nested_as_deeply_as_documents_may_be() -> None:
    x = Operand(0, (), "f32")
    body: tuple[Node | CallNode, ...] = (Node(Elementwise(kind="neg", shape=(), dtype="f32", operands=(x,)), (1,)),)
    for _ in range(MAX_CALL_DEPTH):
        body = (CallNode(CallHeader(callee="m::B.f", semantic=0, path="b", generics={}, arguments=(x,)), body, (1,)),)
    finish = Finish(module="m", block="", entry="run", returns=1, states=(), operands=(Operand(1, (), "f32"),))
    values = (ValueInfo("x", (), "f32"), ValueInfo("y", (), "f32"))
    dump = dump_of(Graph(1, "t", values, (Node(Input(name="x", shape=(), dtype="f32"), (0,)), *body, Node(finish, ()))), functions=True)
    assert len(dump.graphs) == MAX_CALL_DEPTH + 1
    assert ge_machine.results(dump, [np.asarray(2, np.float32)]) == [np.float32(-2)]


def test_a_loop_that_counts_beyond_i32_is_refused(tmp_path: Path) -> None:
    program = "pub entry main(x: i64) -> i64 { var y = x for j in 0..3000000000 { y = y + j } return y }"
    with pytest.raises(DocumentError, match="counts in i32"):
        dump_of(exported(program, tmp_path))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param(np.zeros((3,), np.float32), r"x gives \(3,\), not \(2,\)", id="shape"),
        pytest.param(np.zeros((2,), np.int32), "x gives int32, not", id="dtype"),
    ],
)
def test_a_value_of_another_type_than_the_graph_says_is_not_held(value: np.ndarray, message: str, tmp_path: Path) -> None:
    dump = dump_of(exported("pub entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { return exp(x) }\n", tmp_path))
    with pytest.raises(AssertionError, match=message):
        ge_machine.results(dump, [value])
