"""std.nn.loss beside what PyTorch computes for the same, and targets outside the vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from agreement import differences
from running import program

from linnet_core.errors import RuntimeFailure

FILE = str(Path(__file__).parent / "losses.linnet")
TARGETS = ["numpy", "torch"]
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "f64": torch.float64}
N, V, H = 6, 50, 16


def run(target: str, entry: str, bindings: dict[str, Any], **inputs: torch.Tensor) -> np.ndarray:
    (result,), _ = program(target, FILE, bindings, entry=entry).run({name: _array(tensor) for name, tensor in inputs.items()})
    return np.asarray(result)


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.view(torch.uint16).numpy().view(ml_dtypes.bfloat16) if tensor.dtype == torch.bfloat16 else tensor.numpy()


def _logits(dtype: str) -> torch.Tensor:
    return (4 * torch.randn(N, V, generator=torch.Generator().manual_seed(3))).to(DTYPES[dtype])


TOKENS = torch.randint(0, V, (N,), generator=torch.Generator().manual_seed(4))
WEIGHTS = torch.rand(N, generator=torch.Generator().manual_seed(5))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_log_softmax_and_entropy_are_those_of_torch(target: str, dtype: str) -> None:
    logits, sizes = _logits(dtype), {"N": N, "V": V, "T": dtype}
    found = run(target, "logs", sizes, x=logits)
    assert differences(found, F.log_softmax(logits.float(), -1).numpy(), 1e-5) is None
    found = run(target, "spread", sizes, x=logits)
    assert differences(found, torch.distributions.Categorical(logits=logits.float()).entropy().numpy(), 1e-5) is None


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_cross_entropy_is_that_of_torch_weighted_and_not_divided(target: str, dtype: str) -> None:
    logits, sizes = _logits(dtype), {"N": N, "V": V, "T": dtype}
    each = F.cross_entropy(logits.float(), TOKENS, reduction="none")
    assert differences(run(target, "tokens", sizes, x=logits, t=TOKENS), -each.numpy(), 1e-5) is None
    assert differences(run(target, "loss", sizes, x=logits, t=TOKENS, w=WEIGHTS), (WEIGHTS * each).sum().numpy(), 1e-5) is None
    mean = run(target, "loss", sizes, x=logits, t=TOKENS, w=torch.full((N,), 1 / N))
    assert differences(mean, F.cross_entropy(logits.float(), TOKENS).numpy(), 1e-5) is None


@pytest.mark.parametrize("target", TARGETS)
def test_linear_cross_entropy_is_that_of_a_torch_layer(target: str) -> None:
    generator = torch.Generator().manual_seed(6)
    x, m = torch.randn(N, H, generator=generator), torch.randn(V, H, generator=generator)
    wanted = (WEIGHTS * F.cross_entropy(F.linear(x, m), TOKENS, reduction="none")).sum()
    found = run(target, "linear_loss", {"N": N, "H": H, "V": V, "T": "f32"}, x=x, m=m, t=TOKENS, w=WEIGHTS)
    assert differences(found, wanted.numpy(), 1e-5) is None


@pytest.mark.parametrize(
    ("target", "token"),
    [
        pytest.param("numpy", V, id="numpy past the end"),
        pytest.param("numpy", -1, id="numpy before the start"),
        pytest.param("torch", V, id="torch past the end"),
    ],
)
def test_a_target_outside_the_vocabulary_is_refused(target: str, token: int) -> None:
    tokens = TOKENS.clone()
    tokens[2] = token
    with pytest.raises(RuntimeFailure, match="index"):
        run(target, "tokens", {"N": N, "V": V, "T": "f32"}, x=_logits("f32"), t=tokens)
