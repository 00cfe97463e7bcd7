"""Calls: nesting, headers, library calls and their fallbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from exporting import calls, exported, nodes, ops
from interpreter import compute
from listing_target import Listing

from linnet_core.graph.calls import EnumArgument, Operand
from linnet_core.graph.nodes import CallNode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.graph.calls import Call
    from linnet_core.graph.target import Declined, RegionCallback

CHILD_TWICE = """
block Scale<H: Dim> {
    param w: Tensor[H; f32]
    pub fn forward(x: Tensor[H; f32]) -> Tensor[H; f32] { return x * w }
}
pub block Twice<H: Dim> {
    sub lin: Scale<H>
    pub entry run(x: Tensor[H; f32]) -> Tensor[H; f32] { return lin.forward(lin.forward(x)) }
}
"""
LINEAR = """
use std.nn.linear::{linear, Linear}
pub block Model<H: Dim> {
    sub proj: Linear<H, H, f32>
    pub entry run(x: Tensor[2, H; f32]) -> Tensor[2, H; f32] { return proj.forward(x) }
}
"""
LINEAR_CALL = "torch.nn.functional.linear"


def call_nodes(nodes: tuple[object, ...]) -> list[CallNode]:
    return [node for node in nodes if isinstance(node, CallNode)]


def test_a_child_called_twice_gives_two_calls_and_one_parameter() -> None:
    recording = exported(CHILD_TWICE, bind={"H": 2})
    first, second = call_nodes(recording.graph.nodes)
    assert [call.header.path for call in (first, second)] == ["lin", "lin"]
    assert [[node.call.op for node in call.body] for call in (first, second)] == [["elementwise"], ["elementwise"]]  # type: ignore[union-attr]  # calls here have no calls inside
    assert len(nodes(recording, "parameter")) == 1
    (result,) = compute(recording.graph, x=[1, 2], lin__w=[3, 5])
    assert result.tolist() == [9, 50]


def test_the_header_shows_callee_path_generics_and_arguments() -> None:
    text = """
enum Mode { Plus, Minus }
struct Pair { a: Tensor[2; f32] b: f32 }
fn apply<*S: Shape, N: Dim, T: Float>(x: Tensor[*S, N; T], pair: Pair, bias: Tensor[N; T]?, mode: Mode, extra: Tensor[N; T]?)
    -> (Tensor[*S, N; T], Tensor[N; T]?) {
    let y = match bias { some(b) => x + b none => x }
    let z = match mode { Plus => y Minus => -y }
    return (z, extra)
}
pub entry run(x: Tensor[4, 2; f32], s: f32) -> Tensor[4, 2; f32] {
    let pair = Pair(a = x[0], b = s)
    let (y, _none) = apply(x, pair, some(x[1]), Mode.Minus, none)
    return y
}
"""
    recording = exported(text)
    (call,) = call_nodes(recording.graph.nodes)
    header = call.header
    assert (header.callee, header.semantic, header.path) == ("program::apply", 0, None)
    assert header.generics == {"S": (4,), "N": 2, "T": "f32"}
    x, pair, bias, mode, extra = header.arguments
    assert x == Operand(0, (4, 2), "f32")
    assert isinstance(pair, tuple)
    assert [part.shape for part in pair] == [(2,), ()]
    assert isinstance(bias, Operand), "some(x) is x"
    assert mode == EnumArgument("Minus")
    assert extra is None
    assert call.results[1:] == (None,), "an absent optional among the results"


def test_a_method_of_the_root_has_the_empty_path() -> None:
    text = """
pub block Root<H: Dim> {
    param w: Tensor[H; f32]
    fn scaled(x: Tensor[H; f32]) -> Tensor[H; f32] { return x * w }
    pub entry run(x: Tensor[H; f32]) -> Tensor[H; f32] { return scaled(x) }
}
"""
    (call,) = call_nodes(exported(text, bind={"H": 3}).graph.nodes)
    assert (call.header.callee, call.header.path) == ("program::Root.scaled", "")
    assert call.header.generics == {"H": 3}, "a method's own generics, then its block's"


def test_a_taken_library_call_is_the_only_node_of_its_call() -> None:
    recording = exported(LINEAR, Listing(takes=frozenset((LINEAR_CALL,))), bind={"H": 4})
    (method,) = call_nodes(recording.graph.nodes)
    (op,) = call_nodes(method.body)
    assert (op.header.callee, op.header.semantic) == ("std.nn.linear::linear", 1)
    (native,) = op.body
    assert native.call.op == "native_call"  # type: ignore[union-attr]  # calls here have no calls inside
    (request,) = calls(recording, "native_call")
    assert request.implementation == LINEAR_CALL
    assert request.generics == {"In": 4, "Out": 4}
    assert request.operands[2] is None, "the absent bias"


def test_a_declined_library_call_is_followed_by_the_body() -> None:
    recording = exported(LINEAR, bind={"H": 4})
    assert [(node.call.op, node.declined) for node in nodes(recording)][-3:] == [
        ("native_call", True),
        ("contract", False),
        ("finish", False),
    ]


def test_every_candidate_of_the_policy_is_offered_most_permissive_first() -> None:
    text = "use std.nn.softmax::{softmax}\npub entry run(x: Tensor[2, 3; f32]) -> Tensor[2, 3; f32] { return softmax(x) }"
    offered = {
        numerics: [call.implementation for call in calls(exported(text, numerics=numerics), "native_call")]
        for numerics in ("exact", "equivalent", "fast")
    }
    assert offered["exact"] == []
    assert len(offered["equivalent"]) == 1
    assert len(offered["fast"]) == 2
    assert offered["fast"][1] == offered["equivalent"][0]
    taking = Listing(takes=frozenset(offered["equivalent"]))
    flags = [node.declined for node in nodes(exported(text, taking, numerics="fast"), "native_call")]
    assert flags == [True, False]


def test_without_the_library_no_call_is_offered() -> None:
    assert "native_call" not in ops(exported(LINEAR, bind={"H": 4}, library=False))


def test_a_tensor_call_inside_index_notation_runs_once_and_whole() -> None:
    text = (
        "use std.nn.softmax::{softmax}\n"
        "pub entry run(x: Tensor[2, 3; f32]) -> Tensor[3, 2; f32] { let y[j, i] = softmax(x)[i, j] * 2.0 return y }"
    )
    offered = [call.implementation for call in calls(exported(text), "native_call")]
    recording = exported(text, Listing(takes=frozenset(offered)))
    assert ops(recording) == ["native_call", "broadcast", "elementwise", "broadcast"]


def test_a_scalar_function_of_an_element_runs_within_the_grid() -> None:
    text = (
        "fn gate(x: f32, y: f32) -> f32 { return x * exp(y) }\n"
        "pub entry run(x: Tensor[2; f32], y: Tensor[3; f32]) -> Tensor[2, 3; f32] { let z[i, j] = gate(x[i], y[j]) return z }"
    )
    recording = exported(text)
    assert ops(recording) == ["elementwise", "broadcast", "broadcast", "elementwise"]
    (call,) = call_nodes(recording.graph.nodes)
    assert [argument.shape for argument in call.header.arguments] == [(2,), (3,)]
    (result,) = compute(recording.graph, x=[1, 2], y=[0, 0, 0])
    assert result.tolist() == [[1, 1, 1], [2, 2, 2]]


def test_defaults_are_evaluated_with_the_generics_of_the_callee() -> None:
    text = (
        "fn scaled<N: Dim>(x: Tensor[N; f32], by: f32 = cast<f32>(N)) -> Tensor[N; f32] { return x * by }\n"
        "pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] { return scaled(x) }"
    )
    (result,) = compute(exported(text).graph, x=np.ones(4))
    assert result.tolist() == [4, 4, 4, 4]


def test_a_unit_function_has_no_results() -> None:
    text = """
pub block Counter {
    state count: Tensor[1; i64]
    fn bump() { count = count + 1 return }
    pub entry run(x: f32) -> f32 { let _ = bump() let _ = bump() return x }
}
"""
    recording = exported(text)
    assert [call.results for call in call_nodes(recording.graph.nodes)] == [(), ()]
    assert compute(recording.graph, x=1, count=[5])[1].tolist() == [7]


GRADIENT = """
op square<*S: Shape>(x: Tensor[*S; f32], n: i64) -> Tensor[*S; f32] { return x * x } grad(y, dy) { return dy * x * 2.0 }
pub entry run(x: Tensor[3; f32], n: i64) -> Tensor[3; f32] { return square(x + 1.0, n) }
"""


class RunsPullbacks(Listing):
    """A target that runs the backward pass of an op once, with names of its own."""

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        for run in (regions or {}).values():
            self.gradients = run(["a0", "a1", "out", "grad_out"])
        return super().emit(call)


def test_an_op_with_a_gradient_runs_between_a_pair_on_names_of_its_own() -> None:
    recording = exported(GRADIENT)
    assert ops(recording) == ["broadcast", "elementwise", "begin_custom_gradient", "elementwise", "end_custom_gradient"]
    (begin,) = nodes(recording, "begin_custom_gradient")
    (square,) = nodes(recording, "elementwise")[1:]
    assert [operand.value for operand in square.call.operands if operand] == [begin.results[0]] * 2
    (end,) = nodes(recording, "end_custom_gradient")
    assert [operand.value for operand in end.call.operands if operand] == [*[o.value for o in begin.call.operands if o], square.results[0]]
    assert end.call.arguments == 2
    assert end.regions == ()


def test_an_op_with_a_gradient_called_per_element_is_its_body() -> None:
    text = (
        "op square<*S: Shape>(x: Tensor[*S; f32]) -> Tensor[*S; f32] { return x * x } grad(y, dy) { return dy * x * 2.0 }\n"
        "pub entry run(x: Tensor[3; f32]) -> Tensor[3; f32] { let y[i] = square(x[i]) return y }"
    )
    assert ops(exported(text)) == ["elementwise"]


def test_a_backward_pass_the_target_ran_is_a_region() -> None:
    target = RunsPullbacks()
    (end,) = nodes(exported(GRADIENT, target), "end_custom_gradient")
    (region,) = end.regions
    assert region.role == "pullback"
    assert len(region.arguments) == 4
    assert [node.call.op for node in region.nodes] == ["elementwise", "constant", "broadcast", "elementwise"]  # type: ignore[union-attr]  # calls here have no calls inside
    assert region.results[1] is None, "an integer takes no gradient"
    assert target.gradients[1] is None
    assert region.results[0] == region.nodes[-1].results[0]
