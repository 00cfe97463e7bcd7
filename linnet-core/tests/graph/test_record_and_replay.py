"""The recorder keeps what passes through it, and a replay makes the same calls again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from exporting import exported
from listing_target import Listing
from node_samples import sample_graph

from linnet_core.errors import DocumentError, InternalError
from linnet_core.graph.calls import (
    BeginCustomGradient,
    CallHeader,
    Constant,
    Elementwise,
    EndCustomGradient,
    Finish,
    Input,
    Literal,
    Operand,
    Reshape,
)
from linnet_core.graph.document import CallNode, Graph, Node, decode, document, encode, from_document
from linnet_core.graph.record import Recorder
from linnet_core.graph.replay import replay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.graph.target import Declined, RegionCallback

PROGRAMS = [
    pytest.param("pub entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { return x * 2.0 + x * 2.0 }", {}, {}, id="shared expressions"),
    pytest.param(
        "pub entry run(n: i64) -> i64 { var x = n while x < 9 { x = x * x + 1 } return x }", {"supports_while": True}, {}, id="a loop"
    ),
    pytest.param(
        "use std.nn.norm::{RmsNorm}\nuse std.nn.linear::{Linear}\n"
        "pub block M { sub n: RmsNorm<4, f32> sub l: Linear<4, 4, f32> state s: Tensor[4; f32] "
        "pub entry run(x: Tensor[2, 4; f32]) -> Tensor[2, 4; f32] { s = x[0] return l.forward(n.forward(x)) } }",
        {"takes": frozenset(("torch.nn.functional.linear",))},
        {"optionals": True},
        id="taken and declined library calls",
    ),
]


@pytest.mark.parametrize(("text", "target", "request_"), PROGRAMS)
def test_a_replay_prints_what_the_export_printed(text: str, target: dict[str, object], request_: dict[str, object]) -> None:
    first, second = Listing(**target), Listing(**target)  # type: ignore[arg-type]  # the table's values are of any type
    recording = exported(text, first, **request_)
    replay(decode(encode(recording.graph)), second)
    assert second.source() == first.source()
    assert second.calls == first.calls
    assert second.headers == first.headers


def test_every_kind_of_node_is_replayed_and_recorded_to_the_same_document() -> None:
    recorder = Recorder(Pullbacks())
    replay(sample_graph(), recorder)
    again, sample = document(recorder.graph()), document(sample_graph())
    assert [node["op"] for node in again["nodes"]] == [node["op"] for node in sample["nodes"]]
    assert [(value["shape"], value["dtype"]) for value in again["values"]] == [(v["shape"], v["dtype"]) for v in sample["values"]]
    assert again["nodes"] == sample["nodes"]


class Pullbacks(Listing):
    """Shares nothing, runs every callback once with names of its own, and declines each kind at its first offer only."""

    def __init__(self) -> None:
        super().__init__(shares=False, supports_while=True)
        self.offered: set[str] = set()

    def _is_taken(self, call: Call) -> bool:
        known = call.op in self.offered or call.op in ("update_row", "scatter_add")
        self.offered.add(call.op)
        return known

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        for role, run in (regions or {}).items():
            count = 1 if role == "body" else 4
            run([f"a{at}" for at in range(count)])
        return super().emit(call, regions)


def test_a_name_known_already_gives_its_id_and_no_value() -> None:
    recorder = Recorder(Listing())
    (x,) = recorder.emit(Input(name="x", shape=(2,), dtype="f32"))  # type: ignore[misc]  # this target declines nothing
    call = Elementwise(kind="neg", shape=(2,), dtype="f32", operands=(Operand(x, (2,), "f32"),))
    recorder.emit(call)
    recorder.emit(call)
    recorder.emit(Finish(module="m", block="", entry="e", returns=0, states=()))
    graph = recorder.graph()
    assert [node.results for node in graph.nodes] == [(0,), (1,), (1,), ()]
    assert len(graph.values) == 2


def test_an_operand_unlike_its_value_is_a_view() -> None:
    class Reshaping(Listing):
        def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
            return (str(call.operand(0).value),) if isinstance(call, Reshape) else super().emit(call)

    recorder = Recorder(Reshaping())
    (x,) = recorder.emit(Input(name="x", shape=(2, 1), dtype="f32"))  # type: ignore[misc]  # this target declines nothing
    (y,) = recorder.emit(Reshape(shape=(2,), operands=(Operand(x, (2, 1), "f32"),)))  # type: ignore[misc]  # this target declines nothing
    recorder.emit(Elementwise(kind="neg", shape=(2,), dtype="f32", operands=(Operand(y, (2,), "f32"),)))
    nodes = document(recorder.graph())["nodes"]
    assert (nodes[1]["operands"], nodes[1]["results"]) == ([0], [0])
    assert nodes[2]["operands"] == [{"value": 0, "shape": [2], "dtype": "f32"}]


def test_names_given_inside_a_region_are_forgotten_after_it() -> None:
    class Twice(Listing):
        def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
            for run in (regions or {}).values():
                for _ in range(2):
                    run(["a0", "out", "grad"])
            return super().emit(call)

    def pullback(names: Sequence[str]) -> Sequence[str | None]:
        operand = Operand(names[2], (2,), "f32")
        answer = recorder.emit(Elementwise(kind="neg", shape=(2,), dtype="f32", operands=(operand,)))
        assert isinstance(answer, tuple)
        return answer

    recorder = Recorder(Twice(shares=False))
    (x,) = recorder.emit(Input(name="x", shape=(2,), dtype="f32"))  # type: ignore[misc]  # this target declines nothing
    (inside,) = recorder.emit(BeginCustomGradient(operands=(Operand(x, (2,), "f32"),)))  # type: ignore[misc]  # this target declines nothing
    ended = EndCustomGradient(arguments=1, operands=(Operand(x, (2,), "f32"), Operand(inside, (2,), "f32")))
    recorder.emit(ended, {"pullback": pullback})
    (*_, node) = recorder.graph().nodes
    assert isinstance(node, Node)
    assert [region.arguments for region in node.regions] == [(2, 3, 4), (6, 7, 8)]
    assert [region.results for region in node.regions] == [(5,), (9,)]


def test_a_call_left_open_is_an_error_of_the_tools() -> None:
    recorder = Recorder(Listing())
    recorder.begin_call(CallHeader(callee="f", semantic=0, path=None, generics={}, arguments=()))
    with pytest.raises(InternalError, match="still open"):
        recorder.graph()


@pytest.mark.parametrize(
    ("takes", "message"),
    [
        pytest.param(frozenset(("torch.relu",)), "takes a native_call which the document says was declined", id="taken now"),
        pytest.param(frozenset(), "declines a native_call which the document says was taken", id="declined now"),
    ],
)
def test_a_target_that_decides_otherwise_is_told(takes: frozenset[str], message: str) -> None:
    text = "use std.nn.activations::{relu}\npub entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { return relu(x) }"
    other = frozenset(("torch.relu",)) - takes
    recording = exported(text, Listing(takes=other))
    with pytest.raises(DocumentError, match=message):
        replay(recording.graph, Listing(takes=takes))


def test_a_value_that_is_two_to_the_target_is_told_with_its_node() -> None:
    graph = exported(
        "pub entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { return exp(n(x)) }\nfn n(x: Tensor[2; f32]) -> Tensor[2; f32] { return -x }"
    ).graph
    edited = document(graph)
    edited["nodes"][1]["body"][0]["results"] = [0]
    edited["nodes"][1]["results"] = edited["nodes"][2]["operands"] = [0]
    edited["values"] = [edited["values"][0], {**edited["values"][2], "id": 1}]
    edited["nodes"][2]["results"] = edited["nodes"][3]["operands"] = [1]
    with pytest.raises(DocumentError, match=r"^nodes\[1\]\.body\[0\]\.results: to listing this is another value than value 0"):
        replay(from_document(edited), Listing())


def test_a_value_used_before_it_is_made_is_told() -> None:
    graph = sample_graph()
    broken = Graph(graph.version, graph.target, graph.values, graph.nodes[3:])
    with pytest.raises(DocumentError, match="is used before a node makes it"):
        replay(broken, Pullbacks())


def test_constants_are_shared_by_a_target_but_stand_in_the_document_each_time() -> None:
    recording = exported("pub entry run(x: f32) -> f32 { return (x + 1.0) * (x - 1.0) }")
    constants = [node for node in recording.graph.nodes if isinstance(node, Node) and isinstance(node.call, Constant)]
    assert [node.call.literal for node in constants] == [Literal("real", 1.0)] * 2  # type: ignore[attr-defined]  # only constants are listed
    assert constants[0].results == constants[1].results


def test_call_nodes_nest_in_the_order_of_the_program() -> None:
    recording = exported(
        "fn f(x: f32) -> f32 { return g(x) * 2.0 }\nfn g(x: f32) -> f32 { return x + 1.0 }\npub entry run(x: f32) -> f32 { return f(x) }"
    )
    outer = recording.graph.nodes[1]
    assert isinstance(outer, CallNode)
    assert [node.header.callee if isinstance(node, CallNode) else node.call.op for node in outer.body] == [
        "program::g",
        "constant",
        "elementwise",
    ]
