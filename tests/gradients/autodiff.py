"""Gradients of printed source by the framework's own autodiff.

In: a program exported without `--grad`, and arrays.  Out: the derivative of its first result by each float leaf, in the order of `main`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


def _module(source: str) -> dict[str, Any]:
    made: dict[str, Any] = {"__name__": "printed"}
    exec(compile(source, "<printed>", "exec"), made)
    return made


def by_torch(source: str, leaves: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Through `torch.autograd`."""
    import torch

    made = _module(source)
    tensors = [torch.from_numpy(np.array(leaf)) for leaf in leaves]
    floats = [tensor.requires_grad_() for tensor in tensors if tensor.is_floating_point()]
    loss = made["main"](*tensors, *made["constants"](torch.device("cpu")))[0]
    found = torch.autograd.grad(loss, floats, allow_unused=True)
    return [np.zeros(like.shape) if one is None else one.numpy() for one, like in zip(found, floats, strict=True)]


def by_jax(source: str, leaves: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Through `jax.grad`, under jit."""
    import jax

    made = _module(source)
    floats = [at for at, leaf in enumerate(leaves) if leaf.dtype.kind == "f"]
    with jax.enable_x64(any(leaf.dtype.itemsize == 8 for leaf in leaves)):
        constants = made["constants"]()
        slope = jax.jit(jax.grad(lambda *values: made["main"](*values, *constants)[0], argnums=tuple(floats)))
        return [np.asarray(one) for one in slope(*[jax.numpy.asarray(leaf) for leaf in leaves])]
