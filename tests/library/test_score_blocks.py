"""`linear_token_log_probs` and `linear_cross_entropy` with some tokens' scores at a time: as their bodies, and the scores never whole."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest
from agreement import differences
from running import program, source_file

from linnet_core.errors import RuntimeFailure
from linnet_core.python_source import score_blocks

if TYPE_CHECKING:
    from running import Program

N, V, H = 7, 50, 2
TEXT = """module blocks
use std.nn.loss::{linear_token_log_probs, linear_cross_entropy}
pub entry each<N: Dim, V: Dim, H: Dim, T: Float>(x: Tensor[N, H; T], m: Tensor[V, H; T], t: Tensor[N; i64]) -> Tensor[N; f32] {
    return linear_token_log_probs(x, m, t)
}
pub entry loss<N: Dim, V: Dim, H: Dim, T: Float>(x: Tensor[N, H; T], m: Tensor[V, H; T], t: Tensor[N; i64], w: Tensor[N; f32]) -> f32 {
    return linear_cross_entropy(x, m, t, w)
}
"""
FILE = source_file(TEXT)
DTYPES: dict[str, Any] = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f64": np.float64}
TARGETS = ["torch", "jax"]


@pytest.fixture(autouse=True)
def few_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rows of scores at a time, so that the last are fewer."""
    monkeypatch.setattr(score_blocks, "SCORES", 3 * V)


def exported(target: str, entry: str, dtype: str = "f32", numerics: Any = "equivalent", *, body: bool = False) -> Program:
    if target == "jax":
        pytest.importorskip("jax", reason="jax is not installed here; the environments `jax` and `all` have it")
    return program(target, FILE, {"N": N, "V": V, "H": H, "T": dtype}, entry=entry, numerics=numerics, no_library=body)


def given(entry: str, dtype: str = "f32") -> dict[str, np.ndarray]:
    numbers = np.random.Generator(np.random.PCG64(8))
    x, m = (numbers.standard_normal(shape).astype(DTYPES[dtype]) for shape in ((N, H), (V, H)))
    found = {"x": x, "m": m, "t": numbers.integers(0, V, N)}
    return found if entry == "each" else {**found, "w": numbers.random(N, np.float32)}


@pytest.mark.parametrize("numerics", ["equivalent", "fast"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("target", TARGETS)
def test_the_values_are_those_of_the_body(target: str, dtype: str, numerics: str) -> None:
    for entry in ("each", "loss"):
        one = exported(target, entry, dtype, numerics)
        assert one.taken == (f"linnet.linear_{'token_log_probs' if entry == 'each' else 'cross_entropy'}",)
        (found,), _ = one.run(given(entry, dtype))
        (wanted,), _ = exported("numpy", entry, dtype, body=True).run(given(entry, dtype))
        assert differences(np.asarray(found), wanted, 2e-2 if dtype in ("f16", "bf16") else 1e-5) is None, entry


@pytest.mark.parametrize("target", TARGETS)
def test_the_gradients_by_autodiff_are_those_of_the_body(target: str) -> None:
    found, wanted = (slopes(target, exported(target, "loss", "f64", body=body).source) for body in (False, True))
    for a, b in zip(found, wanted, strict=True):
        assert differences(a, b, 1e-5) is None


def slopes(target: str, source: str) -> list[np.ndarray]:
    """By the hidden rows and by the weight."""
    made: dict[str, Any] = {"__name__": "printed"}
    exec(compile(source, "<printed>", "exec"), made)
    arrays = list(given("loss", "f64").values())
    if target == "torch":
        import torch

        tensors = [torch.from_numpy(array) for array in arrays]
        leaves = [tensor.requires_grad_() for tensor in tensors[:2]]
        loss = made["main"](*tensors, *made["constants"](torch.device("cpu")))[0]
        return [gradient.numpy() for gradient in torch.autograd.grad(loss, leaves)]
    import jax

    with jax.enable_x64(True):
        constants = made["constants"]()
        grad = jax.jit(jax.grad(lambda *values: made["main"](*values, *constants)[0], argnums=(0, 1)))
        return [np.asarray(array) for array in grad(*arrays)]


def test_torch_never_holds_all_scores() -> None:
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class Largest(TorchDispatchMode):
        elements = 0

        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            found = function(*args, **(kwargs or {}))
            if isinstance(found, torch.Tensor):
                self.elements = max(self.elements, found.numel())
            return found

    sizes = {}
    for body in (False, True):
        with Largest() as largest:
            exported("torch", "loss", body=body).run(given("loss"))
        sizes[body] = largest.elements
    assert sizes == {False: 3 * V, True: N * V}


@pytest.mark.parametrize(("target", "token"), [("torch", -1), ("jax", -1), ("jax", V)])
def test_a_target_outside_the_vocabulary_reads_what_the_body_reads(target: str, token: int) -> None:
    inputs = given("each")
    inputs["t"][4] = token
    found, wanted = (np.asarray(exported(target, "each", body=body).run(inputs)[0][0]) for body in (False, True))
    assert differences(found, wanted, 1e-5) is None


def test_torch_refuses_a_target_past_the_end_on_a_cpu() -> None:
    inputs = given("each")
    inputs["t"][4] = V
    with pytest.raises(RuntimeFailure, match="index"):
        exported("torch", "each").run(inputs)


@pytest.mark.skipif(find_spec("jax") is None, reason="jax is not installed here; the environments `jax` and `all` have it")
def test_few_scores_are_held_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_blocks, "SCORES", N * V)
    whole = source_file(TEXT.replace("module blocks", "module whole"))
    for target in TARGETS:
        one = program(target, whole, {"N": N, "V": V, "H": H, "T": "f32"}, entry="each")
        assert one.taken == ("torch.nn.functional.linear",)
        assert one.declined[0] == ("linnet.linear_token_log_probs", "all 350 scores are held together, as up to 350 are")
