"""`--remat`: the same values and gradients, with the block's inside computed again on the way back."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from differentiated import Entry, entry
from running import source_file
from tiny import EXAMPLES, TRAIN_INPUTS, values
from train_module import Train

from linnet_core.errors import DocumentError, SourceError, UsageError
from linnet_core.graph.nodes import flat_nodes
from linnet_core.graph.slice_request import Slice
from linnet_core.graph.slices import sources
from linnet_core.graph.step_numbers import Steps
from linnet_jax.target import JaxTarget

TRAIN: dict[str, Any] = {
    "entry": "loss",
    "preset": {"Vocab": 256, "Context": 12, "H": 64, "Heads": 4, "Layers": 2, "T": "f32", "B": 2, "S": 8},
}
PATH = str(EXAMPLES / "train")
STATEFUL = """module m
block Part {
    param w: Tensor[3; f32]
    state seen: Tensor[3; f32]
    pub fn forward(x: Tensor[3; f32]) -> Tensor[3; f32] {
        let y = helper(x) + seen
        seen = x
        return y
    }
    fn helper(x: Tensor[3; f32]) -> Tensor[3; f32] { return sin(x * w) }
}
block Model {
    sub parts: [Part; 2]
    pub entry run(x: Tensor[3; f32]) -> f32 {
        var v = x
        static for part in parts { v = part.forward(v) }
        return sum[i] v[i] * v[i]
    }
}
pub entry outside(x: Tensor[3; f32]) -> f32 { return sum[i] x[i] }
"""


def ops(one: Entry) -> list[str]:
    return [node.call.op for node in flat_nodes(one.graph.nodes)]


def arrays_of_train(one: Entry) -> list[np.ndarray]:
    leaves: Any = one.leaves
    weights = values([leaf for leaf in leaves if leaf.op == "parameter"])
    return [TRAIN_INPUTS["loss"][leaf.name] if leaf.op == "input" else weights[leaf.path] for leaf in leaves]


@pytest.mark.parametrize("target", ["torch", "jax"])
def test_a_model_has_the_gradients_it_has_without(target: str) -> None:
    plain, again = entry(target, PATH, **TRAIN), entry(target, PATH, remat=("layers",), **TRAIN)
    assert ops(again).count("begin_remat") == ops(again).count("end_remat") == 2
    arrays = arrays_of_train(plain)
    (loss, wanted), (other, given) = plain.gradients(arrays), again.gradients(arrays)
    assert np.allclose(loss, other, rtol=1e-6)
    for a, b in zip(given, wanted, strict=True):
        assert (a is None) == (b is None)
        assert a is None or ((np.abs(a).max() > 0 or a.shape == (2, 8)) and np.allclose(a, b, rtol=1e-4, atol=1e-6))
    assert again.source.count("def _block0(") == 1
    assert "_block1" not in again.source, "layers that are alike are one function"


def test_the_gradient_on_jax_holds_one_checkpoint_a_call() -> None:
    again = entry("jax", PATH, remat=("layers.1",), **TRAIN)
    names, arrays = again.module(), arrays_of_train(again)
    with jax.enable_x64(True):
        constants = names["constants"]()
        traced = jax.make_jaxpr(jax.grad(lambda w: names["main"](*arrays[:3], w, *arrays[4:], *constants)[0]))(arrays[3])
    found = [equation.primitive.name for equation in traced.jaxpr.eqns]
    assert sum("checkpoint" in name or "remat" in name for name in found) == 1


@pytest.mark.parametrize("target", ["torch", "jax"])
def test_a_model_has_the_gradients_of_the_one_written_by_hand(target: str) -> None:
    one = entry(target, PATH, **TRAIN)
    arrays = arrays_of_train(one)
    model = Train(Vocab=256, Context=12, H=64, Heads=4, Layers=2)
    paths = [leaf.path for leaf in one.leaves[3:]]  # type: ignore[attr-defined]  # parameters follow three inputs
    model.load({path: torch.from_numpy(array) for path, array in zip(paths, arrays[3:], strict=True)})
    tokens, targets, weights = (torch.from_numpy(array.copy()) for array in arrays[:3])
    logits = Train.forward.__wrapped__(model, tokens)  # type: ignore[attr-defined]  # the function below `no_grad`
    (F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none") * weights.flatten()).sum().backward()
    _, gradients = one.gradients(arrays)
    wanted = dict(model.named_parameters())
    for path, gradient in zip(paths, gradients[3:], strict=True):
        assert gradient is not None
        # each element is a sum of terms as large as the largest element, and rounds as they do
        by_hand = wanted[path].grad.numpy()  # type: ignore[union-attr]  # `backward` has been called
        assert np.abs(gradient - by_hand).max() <= 1e-5 * np.abs(by_hand).max(), path


@pytest.mark.parametrize("target", ["torch", "jax"])
def test_states_and_methods_of_the_block_itself_are_inside_one_pair(target: str) -> None:
    path = source_file(STATEFUL)
    plain, again = (entry(target, path, entry="run", root="Model", remat=remat) for remat in ((), ("parts.0", "parts.1")))
    assert ops(again).count("begin_remat") == 2
    arrays = [np.linspace(at, at + 1, 3, dtype=np.float32) for at in range(5)]
    (loss, wanted), (other, given) = plain.gradients(arrays), again.gradients(arrays)
    assert np.allclose(loss, other, rtol=1e-6)
    assert all(np.allclose(a, b, rtol=1e-5) for a, b in zip(given, wanted, strict=True))  # type: ignore[arg-type]  # all leaves are floats


def test_a_slice_holds_whole_pairs_only() -> None:
    again = entry("jax", PATH, remat=("layers",), **TRAIN)
    steps = Steps(again.graph)
    pair = next(pair for pair in steps.pairs if steps.nodes[pair.begin].call.op == "begin_remat")
    inside = {id for node in steps.nodes[pair.begin : pair.end] for id in node.results}
    read = dict.fromkeys(
        o.value for node in steps.nodes[pair.begin : pair.end] if not node.declined for o in node.call.operands if o is not None
    )
    inputs = tuple(int(id) for id in read if id not in inside and steps.nodes[steps.maker[int(id)]].call.op != "parameter")
    last = next(id for node in reversed(steps.nodes[pair.begin : pair.end]) for id in node.results)
    whole = Slice(name="layer", start=pair.begin, stop=pair.end + 1, inputs=inputs, outputs=(last,), states=())
    (text,) = sources(again.graph, [whole], lambda: JaxTarget("equivalent"))
    assert "jax.checkpoint(_block0)" in text
    cut = Slice(name="half", start=pair.begin, stop=pair.end, inputs=inputs, outputs=(), states=())
    with pytest.raises(DocumentError, match=rf"inside step {pair.begin} \(begin_remat\) and step {pair.end} \(end_remat\)"):
        sources(again.graph, [cut], lambda: JaxTarget("equivalent"))


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        pytest.param({"entry": "run", "remat": ("parts.2",)}, UsageError, "parts.0, parts.1", id="no such element"),
        pytest.param({"entry": "run", "remat": ("layers",)}, UsageError, "no such block; there are: parts", id="no such block"),
        pytest.param({"entry": "outside", "remat": ("parts",)}, SourceError, "outside all blocks", id="no block"),
    ],
)
def test_what_cannot_be_computed_again_is_said(request_: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        entry("jax", source_file(STATEFUL), **request_)
    shown = raised.value.diagnostics[0].message if isinstance(raised.value, SourceError) else str(raised.value)
    assert message in shown
