"""Arrays as a model wants them, whatever the switch for 64 bits is.

In: dtypes of the language, arrays of NumPy or JAX, mappings of such.  Out: arrays of JAX, and a mapping where a checkpoint is due.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from linnet_core.errors import UsageError
from linnet_core.text.cells import show_inline
from linnet_core.weights.arrays import dtype_name, numpy_dtype
from linnet_core.weights.safetensors import Entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_jax.loading.layout import Where

    Arrays = Mapping[str, jax.Array | np.ndarray[Any, Any]]


def zeros(shape: tuple[int, ...], dtype: str, where: Where | None = None) -> jax.Array:
    """A new array of zeros."""
    with jax.enable_x64(True):
        return jnp.zeros(shape, numpy_dtype(dtype), device=where)


def owned(array: Any, where: Where | None = None) -> jax.Array:
    """An array that nothing else writes: one of JAX as it is, a copy on `where` of one of NumPy, which may be the memory of a file."""
    if isinstance(array, jax.Array):
        return array
    with jax.enable_x64(True):
        return jnp.array(array) if where is None else jax.device_put(np.array(array), where)


def placed(array: Any, where: Where | None) -> jax.Array:
    """The same, and one of JAX on `where` too."""
    return jax.device_put(array, where) if where is not None and isinstance(array, jax.Array) else owned(array, where)


def is_traced(array: Any) -> bool:
    """Whether a transformation of JAX looks at what is done with it."""
    return isinstance(array, Tracer)


def as_weights(arrays: Arrays) -> Weights:
    """The mapping as a checkpoint; `UsageError` for what is no array."""
    for name, array in arrays.items():
        if not isinstance(array, jax.Array | np.ndarray | np.generic):
            raise UsageError(f"weights: `{show_inline(name)}` is no array of JAX or NumPy, but {type(array).__name__}")
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
        return np.asarray(array).view(np.uint8) if dtype_name(array.dtype).startswith("float8") else array


def _entry(array: jax.Array | np.ndarray[Any, Any]) -> Entry:
    name = dtype_name(array.dtype)
    return Entry(name, "u8" if name.startswith("float8") else name, tuple(array.shape), 0, array.nbytes)
