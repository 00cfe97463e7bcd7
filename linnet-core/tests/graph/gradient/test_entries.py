"""What an entry is asked for: leaves that have a gradient and their labels, gradient clauses, calls in the document, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differentiating import Differentiated, differences, gradients, unlike
from exporting import exported, nodes
from listing_target import Listing

from linnet_core.errors import DocumentError, SourceError
from linnet_core.graph.calls import Finish
from linnet_core.graph.decode import from_document
from linnet_core.graph.document import CallNode, decode, document, encode
from linnet_core.graph.replay import replay
from linnet_core.targets.numpy.target import NumpyTarget

MODEL = """
block Layer<H: Dim> {
    param weight: Tensor[H, H; f64]
    param bias: Tensor[H; f64]?
    buffer scale: Tensor[H; f64]
    param steps: Tensor[2; i64]
    param unused: Tensor[2; f32]
    pub fn forward(x: Tensor[H; f64]) -> Tensor[H; f64] {
        let y[i] = (sum[j] weight[i, j] * x[j]) * scale[i]
        return match bias { some(b) => y + b none => y }
    }
}
pub block Model<H: Dim> {
    sub layers: [Layer<H>; 2]
    state seen: Tensor[H; f64]
    pub entry loss(x: Tensor[H; f64]) -> f64 {
        var y = x + seen
        static for layer in layers { y = tanh(layer.forward(y)) }
        return sum[i] y[i] * y[i]
    }
    pub entry step(x: Tensor[H; f64]) -> f64 {
        seen = x
        return sum[i] x[i]
    }
}
"""


def test_float_parameters_have_gradients_in_order_and_buffers_states_and_integers_none() -> None:
    request: dict[str, Any] = {"entry": "loss", "gradient": True, "bind": {"H": 3}, "optionals": True}
    recording = exported(MODEL, NumpyTarget("equivalent"), absent=frozenset(("layers.0.bias",)), **request)
    finish = nodes(recording, "finish")[0].call
    paths = ("layers.0.weight", "layers.0.unused", "layers.1.weight", "layers.1.bias", "layers.1.unused")
    assert isinstance(finish, Finish)
    assert finish.gradients == paths
    assert finish.returns == 6
    assert [operand.dtype for operand in finish.operands if operand is not None] == ["f64", "f64", "f32", "f64", "f64", "f32"]


def test_what_the_loss_does_not_reach_gets_zeros() -> None:
    text = (
        "pub entry run(x: Tensor[3; f64], far: Tensor[2, 2; f32], n: Tensor[2; i64], flag: Tensor[2; bool]) -> f64 {\n"
        "    return sum[i] x[i]\n}"
    )
    given = {"x": np.ones(3), "far": np.ones((2, 2), np.float32), "n": np.ones(2, np.int64), "flag": np.ones(2, bool)}
    found = gradients(text, given)
    assert list(found) == ["x", "far"]
    assert np.array_equal(found["far"], np.zeros((2, 2), np.float32))


def test_the_loss_may_be_an_input_or_a_constant() -> None:
    assert gradients("pub entry run(x: f32) -> f32 { return x }", {"x": np.array(3, np.float32)}) == {"x": 1.0}
    assert gradients("pub entry run(x: f32) -> f32 { return 2.0 }", {"x": np.array(3, np.float32)}) == {"x": 0.0}


def test_one_value_used_many_times_adds_up_once_for_each_use() -> None:
    text = "pub entry run(x: f64) -> f64 { let a = exp(x) let b = exp(x) return a * b + exp(x) + x + x }"
    assert differences(text, {"x": np.array(0.7)}) == []


def op(body: str, clause: str) -> str:
    """An op of one vector, and an entry that sums it times 1, 2, 3."""
    return (
        f"pub op own(x: Tensor[3; f64]) -> Tensor[3; f64] {{ {body} }} grad(y, dy) {{ {clause} }}\n"
        "pub entry run(x: Tensor[3; f64]) -> f64 {\n"
        "    let y = own(x)\n"
        "    return sum[i] y[i] * (cast<f64>(iota(3)[i]) + 1.0)\n}"
    )


X = np.array([0.3, -0.7, 1.1])
DY = np.array([1.0, 2.0, 3.0])
CLAUSES = [
    pytest.param(op("return exp(x)", "return dy * 7.0"), DY * 7, id="another slope than the body's"),
    pytest.param(op("return exp(x)", "return dy * y * x"), DY * np.exp(X) * X, id="of argument and result"),
    pytest.param(op("return x", "return dy * 2.0"), DY * 2, id="a body that is its argument"),
    pytest.param(op("return fill<f64>([3], 2.0)", "return dy * x"), DY * X, id="a body that does not read it"),
]


@pytest.mark.parametrize(("text", "wanted"), CLAUSES)
def test_a_gradient_clause_is_used_whatever_the_body_is(text: str, wanted: np.ndarray) -> None:
    assert np.allclose(gradients(text, {"x": X})["x"], wanted, rtol=1e-14)


def test_two_ops_of_one_body_keep_their_own_clauses() -> None:
    text = (
        "pub op first(x: f64) -> Tensor[1; f64] { return fill<f64>([1], x) }\n"
        "pub op twice(x: Tensor[1; f64]) -> Tensor[1; f64] { return exp(x) } grad(y, dy) { return dy * 2.0 }\n"
        "pub op thrice(x: Tensor[1; f64]) -> Tensor[1; f64] { return exp(x) } grad(y, dy) { return dy * 3.0 }\n"
        "pub entry run(x: Tensor[1; f64]) -> f64 {\n"
        "    let a = twice(x) let b = thrice(x) let c = exp(x) let d = twice(x)\n"
        "    return a[0] + b[0] * 10.0 + c[0] * 100.0 + d[0] * 1000.0\n}"
    )
    found = gradients(text, {"x": np.zeros(1)})
    assert found["x"].tolist() == [2 + 30 + 100 + 2000]


def test_a_clause_that_calls_an_op_with_a_clause_computes_it() -> None:
    text = (
        "pub op half(x: Tensor[3; f64]) -> Tensor[3; f64] { return x * 0.5 } grad(y, dy) { return dy * 100.0 }\n"
        "pub op own(x: Tensor[3; f64]) -> Tensor[3; f64] { return half(x) } grad(y, dy) { return half(dy) + half(x) }\n"
        "pub entry run(x: Tensor[3; f64]) -> f64 { let y = own(x) return sum[i] y[i] }"
    )
    assert np.allclose(gradients(text, {"x": X})["x"], 0.5 + X / 2, rtol=1e-14)


def test_library_ops_are_differentiated_by_their_bodies() -> None:
    text = (
        "use std.nn.norm::{rms_norm}\nuse std.nn.softmax::{softmax}\nuse std.nn.linear::{linear}\n"
        "pub entry run(x: Tensor[2, 3; f64], w: Tensor[4, 3; f64], g: Tensor[3; f64]) -> f64 {\n"
        "    let y = softmax(linear(rms_norm(x, g), w))\n"
        "    return sum[i, j] y[i, j] * cast<f64>(iota(2)[i] + iota(4)[j] * iota(4)[j])\n}"
    )
    given = {"x": np.arange(6.0).reshape(2, 3) - 2.2, "w": np.arange(12.0).reshape(4, 3) * 0.1 - 0.5, "g": X}
    plain = (
        "pub entry run(x: Tensor[2, 3; f64], w: Tensor[4, 3; f64], g: Tensor[3; f64]) -> f64 {\n"
        "    let n[i, k] = x[i, k] * rsqrt((sum[m] x[i, m] * x[i, m]) / 3.0 + 1e-5) * g[k]\n"
        "    let e[i, j] = exp(sum[k] n[i, k] * w[j, k])\n"
        "    let y[i, j] = e[i, j] / (sum[m] e[i, m])\n"
        "    return sum[i, j] y[i, j] * cast<f64>(iota(2)[i] + iota(4)[j] * iota(4)[j])\n}"
    )
    assert differences(plain, given) == []
    wanted = gradients(plain, given)
    for name, found in gradients(text, given).items():
        assert unlike(found, wanted[name], 3e-6) is None, name  # the bodies compute in f32
    recording = exported(text, Listing(takes=frozenset(("torch.nn.functional.linear", "contract"))), gradient=True)
    assert nodes(recording, "native_call") == []
    assert {attempt.refusal for decision in recording.decisions for attempt in decision.attempts} == {
        "a gradient is that of the op's own body"
    }


def test_the_document_holds_the_calls_of_functions_and_the_way_back_and_makes_the_same_source_again() -> None:
    text = MODEL
    target, fresh = NumpyTarget("equivalent"), NumpyTarget("equivalent")
    recording = exported(text, target, entry="loss", gradient=True, bind={"H": 3})
    document = encode(recording.graph)
    replay(decode(document), fresh)
    assert fresh.source() == target.source()
    assert "GRADIENTS = [" in target.source()
    outer = [node.header.callee for node in recording.graph.nodes if isinstance(node, CallNode)]
    assert outer == ["program::Layer.forward"] * 2
    at = max(at for at, node in enumerate(recording.graph.nodes) if isinstance(node, CallNode))
    assert len(recording.graph.nodes) - at > 20


LABELS = [
    pytest.param([], "gradients: none are not written", id="none"),
    pytest.param(["x", "y"], "gradients: 2 results are a loss and 1 gradients, not 2", id="too many"),
    pytest.param(["x", 3], "gradients", id="no text"),
]


@pytest.mark.parametrize(("labels", "message"), LABELS)
def test_a_document_whose_labels_do_not_fit_is_refused(labels: list[Any], message: str) -> None:
    found = document(exported("pub entry run(x: f32) -> f32 { return x * x }", NumpyTarget("equivalent"), gradient=True).graph)
    assert found["nodes"][-1]["gradients"] == ["x"]
    found["nodes"][-1]["gradients"] = labels
    with pytest.raises(DocumentError, match=message):
        from_document(found)


def test_two_exports_are_equal_to_the_byte() -> None:
    first, second = (Differentiated(MODEL, entry="loss", bind={"H": 2}) for _ in range(2))
    assert encode(first.recording.graph) == encode(second.recording.graph)
    assert first.source == second.source


REFUSED = [
    pytest.param(
        "pub entry run(x: Tensor[3; f32]) -> Tensor[3; f32] { return x }", {}, "gives f32[3], not one float scalar", id="a vector"
    ),
    pytest.param("pub entry run(x: Tensor[3; f32]) -> i64 { return 3 }", {}, "gives i64, not one float scalar", id="an integer"),
    pytest.param("pub entry run(x: f32) -> (f32, f32) { return (x, x) }", {}, "gives 2 results, not one float scalar", id="a tuple"),
]


@pytest.mark.parametrize(("text", "request_", "message"), REFUSED)
def test_what_has_no_gradient_is_refused_with_its_place(text: str, request_: dict[str, Any], message: str) -> None:
    with pytest.raises(SourceError) as caught:
        exported(text, Listing(), gradient=True, **request_)
    (problem,) = caught.value.diagnostics
    assert problem.code == "E6001"
    assert problem.message.startswith("gradient: entry `")
    assert problem.message.endswith(message)
    assert problem.span is not None
    assert problem.help


def test_a_target_that_scatters_nothing_is_told_what_for() -> None:
    text = "pub entry run(x: Tensor[3; f32], at: i64) -> f32 { return x[at] * 2.0 }"
    with pytest.raises(SourceError) as caught:
        exported(text, Listing(), gradient=True)
    (problem,) = caught.value.diagnostics
    assert problem.message.startswith("gradient: target `listing` cannot write the gradient of a read at positions")
    assert problem.span is not None
    assert problem.span.source.position(problem.span.start).line == 2
