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

if TYPE_CHECKING:
    from pathlib import Path

jax = pytest.importorskip("jax", reason="jax is not installed here; the environment `all` has it")
EXAMPLES = ROOT / "examples"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def close(found: Any, wanted: torch.Tensor) -> None:
    assert wanted.abs().max() > 0.1
    np.testing.assert_allclose(found, wanted.numpy(), rtol=0, atol=1e-4)


def arrays(model: Any) -> dict[str, np.ndarray[Any, Any]]:
    return {name: each.numpy() for name, each in model.state_dict().items()}


@torch.no_grad()
def test_llama_forward_prefill_and_decode(llama: Any) -> None:
    bindings = EXAMPLES / "llama" / "bindings.json"
    model = linnet_jax.load(EXAMPLES / "llama", preset="tiny", weights=arrays(llama), bindings=bindings)
    tokens = torch.randint(0, 256, (2, 12), generator=torch.Generator().manual_seed(1))
    given, wanted = tokens.to(torch.int32).numpy(), llama(tokens).logits
    close(jax.jit(model.apply)(model.parameters, given), wanted)
    logits, state = model.prefill(given[:, :8], 0)
    close(logits, wanted[:, 7])
    for at in range(8, 12):
        logits, state = model.decode(given[:, at : at + 1], at, state=state)
        close(logits, wanted[:, at])


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
