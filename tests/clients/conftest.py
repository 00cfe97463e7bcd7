"""Models of the `transformers` library, built from a config without a download; nothing that is printed here is kept."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_CACHE", "")


@pytest.fixture(scope="session")
def llama() -> Any:
    """As large as `examples/llama` at `tiny`."""
    sizes = {"vocab_size": 256, "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 2, "max_position_embeddings": 32}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "rms_norm_eps": 1e-5, "tie_word_embeddings": False}
    # the base of the angles has two names, of older and newer releases
    angles = {"rope_theta": 500000.0, "rope_parameters": {"rope_type": "default", "rope_theta": 500000.0}}
    return _made("Llama", "LlamaForCausalLM", {**sizes, **heads, **angles})


@pytest.fixture(scope="session")
def gpt2() -> Any:
    """As large as `examples/gpt2` at `tiny`."""
    return _made("GPT2", "GPT2LMHeadModel", {"vocab_size": 256, "n_positions": 32, "n_embd": 64, "n_layer": 2, "n_head": 4})


def _made(name: str, kind: str, sizes: dict[str, Any]) -> Any:
    """A model with weights far enough from zero that a wrong one shows."""
    transformers = pytest.importorskip("transformers", reason="a client in tests only")
    import torch

    torch.manual_seed(5)
    model = getattr(transformers, kind)(getattr(transformers, f"{name}Config")(**sizes)).eval()
    for each in model.parameters():
        each.data.add_(0.05 * torch.randn_like(each))
    return model
