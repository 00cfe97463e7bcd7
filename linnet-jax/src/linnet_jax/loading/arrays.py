"""Arrays as a model wants them, whatever the switch for 64 bits is.

In: dtypes of the language, arrays of NumPy or JAX, mappings of such and of tensors of PyTorch.  Out: arrays of JAX, and a mapping where a
checkpoint is due.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from linnet_core.errors import UsageError
from linnet_core.loading.by_name import by_name
from linnet_core.text.cells import show_inline
from linnet_core.weights.arrays import dtype_name, numpy_dtype
from linnet_core.weights.safetensors import Entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_jax.loading.layout import Where

    #: By name; a value may be a tensor of PyTorch, too.
    Arrays = Mapping[str, Any]


def zeros(shape: tuple[int, ...], dtype: str, where: Where | None = None) -> jax.Array:
    """A new array of zeros."""
    with jax.enable_x64(True):
        return jnp.zeros(shape, numpy_dtype(dtype), device=where)


def owned(array: Any, where: Where | None = None) -> jax.Array:
    """An array that nothing else writes: one of JAX as it is, a copy on `where` of one of NumPy, which may be the memory of a file."""
    if isinstance(array, jax.Array):
        return array
    with jax.enable_x64(True):
        # the copy is made behind the back of who gave the array: it is waited for, lest they write meanwhile
        return jax.block_until_ready(jnp.array(array)) if where is None else jax.device_put(np.array(array), where)


def placed(array: Any, where: Where | None) -> jax.Array:
    """The same, and one of JAX on `where` too."""
    return jax.device_put(array, where) if where is not None and isinstance(array, jax.Array) else owned(array, where)


def is_traced(array: Any) -> bool:
    """Whether a transformation of JAX looks at what is done with it."""
    return isinstance(array, Tracer)


def as_weights(arrays: Arrays) -> Weights:
    """The mapping as a checkpoint; `UsageError` for what is no array."""
    for name, array in by_name(arrays).items():
        if not isinstance(array, jax.Array | np.ndarray | np.generic) and not _is_tensor(array):
            raise UsageError(f"weights: `{show_inline(name)}` is no array of JAX or NumPy, but {type(array).__name__}")
        if isinstance(array, jax.Array) and not is_traced(array) and array.is_deleted():
            raise UsageError(f"weights: `{show_inline(name)}` was deleted, or given away to be written into")
    return Weights(arrays)


class Weights:
    """Arrays by name, where a checkpoint is due."""

    path = "the mapping of weights"

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = arrays
        self.entries = {name: _entry(array) for name, array in arrays.items()}
        self.aliases: dict[str, str] = {}

    def array(self, name: str) -> Any:
        """One of the arrays, float8 as its bytes."""
        array = self._arrays[name]
        if _is_tensor(array):
            array = _of_tensor(name, array)
        return np.asarray(array).view(np.uint8) if _dtype(array).startswith("float8") else array


def _is_tensor(array: Any) -> bool:
    """Whether it is a tensor of PyTorch, which nobody has who has not imported it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def _of_tensor(name: str, tensor: Any) -> np.ndarray[Any, Any]:
    """The array of a tensor of PyTorch, in its memory where it can be."""
    try:
        with jax.enable_x64(True):
            return np.asarray(jnp.from_dlpack(tensor.detach().cpu().contiguous()))
    except (TypeError, ValueError, RuntimeError) as error:
        raise UsageError(f"weights: `{show_inline(name)}` cannot be copied: {' '.join(str(error).split())}") from error


def _dtype(array: Any) -> str:
    """The language's name of its dtype, or its own name for it."""
    if not _is_tensor(array):
        return dtype_name(array.dtype)
    name = str(array.dtype).removeprefix("torch.")
    return dtype_name(jnp.dtype(name)) if hasattr(jnp, name) else name


def _entry(array: Any) -> Entry:
    name = _dtype(array)
    return Entry(name, "u8" if name.startswith("float8") else name, tuple(array.shape), 0, array.nbytes)
