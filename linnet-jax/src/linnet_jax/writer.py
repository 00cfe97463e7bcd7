"""What printing JAX knows beside the shared `Writer`: dtypes, numbers that may stand for arrays, the precision of products.

In: the shared writer, whether i64 values are held in i32.  Out: `JaxWriter`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.literals import shortest
from linnet_core.python_source.writer import Writer, scalar_text, shape_text

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.python_source.fold import Scalar

#: Dtypes of the language as jax.numpy spells them.
DTYPES = {
    "bool": "jnp.bool_",
    "i8": "jnp.int8",
    "i16": "jnp.int16",
    "i32": "jnp.int32",
    "i64": "jnp.int64",
    "u8": "jnp.uint8",
    "u16": "jnp.uint16",
    "u32": "jnp.uint32",
    "u64": "jnp.uint64",
    "f16": "jnp.float16",
    "bf16": "jnp.bfloat16",
    "f32": "jnp.float32",
    "f64": "jnp.float64",
}

#: The widest dtype of each length as jax reads a Python integer; a larger one is written as an array.
_PYTHON_INTEGERS = {"u32": 2**31, "u64": 2**63}


class JaxWriter(Writer):
    """`narrow` says that every i64 of the entry is held in i32, since none needs more."""

    def __init__(self, scalars: dict[str, Scalar], numerics: str, *, narrow: bool) -> None:
        super().__init__(scalars, numerics)
        self.narrow = narrow

    def held(self, dtype: str) -> str:
        """The dtype a value of `dtype` is held in."""
        return "i32" if self.narrow and dtype == "i64" else dtype

    def dtype(self, name: str) -> str:
        """A dtype's spelling."""
        return DTYPES[self.held(name)]

    def number(self, operand: Operand | None) -> str | None:
        """The operand as a Python number, when its value is known and jax takes it as one of its dtype."""
        assert operand is not None
        value = self.scalars.get(str(operand.value))
        if value is None or (operand.dtype in _PYTHON_INTEGERS and value >= _PYTHON_INTEGERS[operand.dtype]):
            return None
        return scalar_text(shortest(value, operand.dtype))

    def wide(self, text: str) -> str:
        """An array of a short float in f32: XLA's own products of such into f32 are not written for every shape, nor differentiate."""
        return f"{text}.astype(jnp.float32)"

    @property
    def precision(self) -> str:
        """The last argument of a product: every digit of its operands counts, but under `fast` the device may drop some."""
        return "" if self.numerics == "fast" else ', precision="highest"'


__all__ = ["DTYPES", "JaxWriter", "scalar_text", "shape_text"]
