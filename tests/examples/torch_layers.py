"""Layers of transformers as `torch.nn` has them, with the weights of an example.

In: parameters by path and the names of a layer's parts.  Out: modules of `torch.nn` that hold them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    Weights = Mapping[str, np.ndarray]


def tensor(array: np.ndarray) -> Tensor:
    return torch.from_numpy(np.array(array))


def under(weights: Weights, path: str) -> dict[str, np.ndarray]:
    """What lies under a path, by the rest of its name."""
    return {name.removeprefix(f"{path}."): value for name, value in weights.items() if name.startswith(f"{path}.")}


def affine(weights: Weights, path: str) -> tuple[Tensor, Tensor]:
    """Weight and bias of a linear layer, a convolution or a norm; a bias that is not there is zero."""
    weight = tensor(weights[f"{path}.weight"])
    bias = weights.get(f"{path}.bias")
    return weight, torch.zeros(len(weight)) if bias is None else tensor(bias)


def named(path: str, values: tuple[Tensor, Tensor]) -> dict[str, Tensor]:
    """Weight and bias by their paths under `path`."""
    return {f"{path}.weight": values[0], f"{path}.bias": values[1]}


def attention(path: str, weights: Weights, parts: Sequence[str]) -> dict[str, Tensor]:
    """The weights of `nn.MultiheadAttention` by their paths under `path`, from those of query, key, value and output."""
    *inputs, output = (affine(weights, part) for part in parts)
    return {
        f"{path}.in_proj_weight": torch.cat([weight for weight, _ in inputs]),
        f"{path}.in_proj_bias": torch.cat([bias for _, bias in inputs]),
        **named(f"{path}.out_proj", output),
    }


def layer(
    kind: type[nn.TransformerEncoderLayer | nn.TransformerDecoderLayer],
    values: dict[str, Tensor],
    *,
    heads: int,
    norm_first: bool,
    eps: float,
) -> nn.Module:
    """A layer with these weights, ready to be run; its sizes are theirs."""
    inner, width = values["linear1.weight"].shape
    made = kind(width, heads, inner, 0.0, nn.functional.gelu, eps, batch_first=True, norm_first=norm_first)
    made.load_state_dict(values)
    return made.eval()
