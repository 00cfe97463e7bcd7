"""The loader of JAX as a client has it: models of the `transformers` library, and a decoder whose state goes from call to call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from pages import ROOT
from running import program
from tiny import named, values

import linnet_jax
from linnet_core.errors import DocumentError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

jax = pytest.importorskip("jax", reason="jax is not installed here; the environment `all` has it")
EXAMPLES = ROOT / "examples"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def close(found: Any, wanted: torch.Tensor) -> None:
    assert wanted.abs().max() > 0.1
    np.testing.assert_allclose(found, wanted.numpy(), rtol=0, atol=1e-4)


@torch.no_grad()
def test_llama_forward_prefill_and_decode(llama: Any) -> None:
    bindings = EXAMPLES / "llama" / "bindings.json"
    model = linnet_jax.load(EXAMPLES / "llama", preset="tiny", weights=llama.state_dict(), bindings=bindings)
    tokens = torch.randint(0, 256, (2, 12), generator=torch.Generator().manual_seed(1))
    given, wanted = tokens.to(torch.int32).numpy(), llama(tokens).logits
    close(jax.jit(model.apply)(model.parameters, given), wanted)
    logits, state = model.prefill(given[:, :8], 0)
    close(logits, wanted[:, 7])
    for at in range(8, 12):
        logits, state = model.decode(given[:, at : at + 1], at, state=state)
        close(logits, wanted[:, at])


@pytest.mark.parametrize("dtype", ["bfloat16", "float64", "int64", "bool"])
def test_tensors_of_every_width_are_copied(dtype: str, tmp_path: Path) -> None:
    name = {"bfloat16": "bf16", "float64": "f64", "int64": "i64", "bool": "bool"}[dtype]
    source = f"module m\n\nblock M {{\n    buffer b: Tensor[3, 2; {name}]\n    pub entry get() -> Tensor[3, 2; {name}] {{ return b }}\n}}\n"
    (tmp_path / "m.linnet").write_text(source, encoding="utf-8")
    tensor = torch.tensor([[1.0, 0.0], [2**40 + 1, 3.0], [0.1, -1.0]], dtype=torch.float64).to(getattr(torch, dtype))
    turned = tensor.t().clone().t()  # in another order of memory
    model = linnet_jax.load(tmp_path / "m.linnet", weights={"b": turned})
    turned.zero_()
    found = model.parameters["b"]
    assert (str(found.dtype), found.tolist()) == (dtype, tensor.tolist())


def test_a_parameter_that_learns_is_copied_and_one_without_memory_is_said(tmp_path: Path) -> None:
    source = "module m\n\nblock M {\n    param w: Tensor[2; f32]\n    pub entry get() -> Tensor[2; f32] { return w }\n}\n"
    (tmp_path / "m.linnet").write_text(source, encoding="utf-8")
    assert linnet_jax.load(tmp_path / "m.linnet", weights={"w": torch.nn.Parameter(torch.ones(2))})().tolist() == [1.0, 1.0]
    with pytest.raises(UsageError, match="weights: `w` cannot be copied: "):
        linnet_jax.load(tmp_path / "m.linnet", weights={"w": torch.ones(2, device="meta")})
    with pytest.raises(DocumentError, match=r"`w` \(f32\[2\]\) is stored as complex64\[2\]"):
        linnet_jax.load(tmp_path / "m.linnet", weights={"w": torch.ones(2, dtype=torch.complex64)})


@torch.no_grad()
def test_gpt2_from_a_file_whose_head_is_tied(gpt2: Any, tmp_path: Path) -> None:
    from safetensors.torch import save_model

    save_model(gpt2, str(tmp_path / "model.safetensors"))
    bindings = EXAMPLES / "gpt2" / "bindings.json"
    model = linnet_jax.load(EXAMPLES / "gpt2", preset="tiny", weights=tmp_path / "model.safetensors", bindings=bindings)
    tokens = torch.randint(0, 256, (3, 10), generator=torch.Generator().manual_seed(2))
    close(model(tokens.to(torch.int32).numpy()), gpt2(tokens).logits)


@pytest.mark.parametrize("prepare", [False, True], ids=["as stored", "prepared"])
def test_several_steps_of_a_decoder_are_those_of_numpy(prepare: bool) -> None:
    reference = program("numpy", str(EXAMPLES / "llama"), preset="tiny", **named("decode"))
    weights, held = values(reference.parameters), values(reference.states)
    model = linnet_jax.load(EXAMPLES / "llama", preset="tiny", entry="decode", weights=weights, prepare=prepare)
    state, taken = {path: jax.numpy.array(each) for path, each in held.items()}, []
    for at in (3, 4, 31, 0):
        token = np.array([[at], [5 * at]], np.int32)
        (wanted,), held = reference.run({"token": token, "pos": np.int32(at)}, weights, held)
        taken += state.values()
        found, state = model(token, at, state=state)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5 * np.abs(wanted).max())
    assert list(state) == list(held)
    for path, wanted in held.items():
        np.testing.assert_allclose(state[path], wanted, rtol=0, atol=1e-5 * np.abs(wanted).max())
    assert all(each.is_deleted() for each in taken)
    assert not any(each.is_deleted() for each in model.parameters.values())
