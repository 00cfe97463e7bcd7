"""Models of the `transformers` library, built from a config without a download, give their weights to the examples: the logits agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from pages import ROOT

import linnet_torch

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = ROOT / "examples"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def close(found: torch.Tensor, wanted: torch.Tensor) -> None:
    assert wanted.abs().max() > 0.1
    torch.testing.assert_close(found, wanted, rtol=0, atol=1e-4)


@torch.no_grad()
def test_llama_forward_prefill_and_decode(llama: Any) -> None:
    model = linnet_torch.load(EXAMPLES / "llama", preset="tiny", weights=llama.state_dict(), bindings=EXAMPLES / "llama" / "bindings.json")
    tokens = torch.randint(0, 256, (2, 12), generator=torch.Generator().manual_seed(1))
    given = tokens.to(torch.int32)
    wanted = llama(tokens).logits
    close(model(given), wanted)
    close(model.prefill(given[:, :8], 0), wanted[:, 7])
    cache = llama(tokens[:, :8], use_cache=True).past_key_values
    for at in range(8, 12):
        theirs = llama(tokens[:, at : at + 1], past_key_values=cache, use_cache=True)
        cache = theirs.past_key_values
        ours = model.decode(given[:, at : at + 1], at)
        close(ours, theirs.logits[:, 0])
        close(ours, wanted[:, at])


def test_the_state_of_llama_from_files_is_the_same(llama: Any, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    weights = {name: each.contiguous() for name, each in llama.state_dict().items()}
    names = sorted(weights)
    for at, part in enumerate((names[::2], names[1::2])):
        save_file({name: weights[name] for name in part}, str(tmp_path / f"model-{at}.safetensors"))
    model = linnet_torch.load(EXAMPLES / "llama", preset="tiny", weights=tmp_path, bindings=EXAMPLES / "llama" / "bindings.json")
    held = model.state_dict()
    assert len(held) == len(weights)
    assert torch.equal(held["layers.1.mlp.up.weight"], weights["model.layers.1.mlp.up_proj.weight"])


@torch.no_grad()
def test_gpt2_whose_projections_are_stored_the_other_way_round_and_whose_head_is_tied(gpt2: Any) -> None:
    weights = gpt2.state_dict()
    assert "lm_head.weight" in weights
    model = linnet_torch.load(EXAMPLES / "gpt2", preset="tiny", weights=weights, bindings=EXAMPLES / "gpt2" / "bindings.json")
    tokens = torch.randint(0, 256, (3, 10), generator=torch.Generator().manual_seed(2))
    close(model(tokens.to(torch.int32)), gpt2(tokens).logits)
