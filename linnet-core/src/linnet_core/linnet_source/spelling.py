"""Types, dtypes and generic arguments as they are written in one module.

In: values of `check/types.py`, and what the items of all modules are called here.  Out: text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import (
    ArrayType,
    BlockType,
    DimArg,
    DTypeArg,
    EnumType,
    OptionalType,
    ScalarType,
    ShapeArg,
    StructType,
    TensorType,
    TupleType,
)
from linnet_core.errors import DocumentError
from linnet_core.shapes import show_shape, show_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from linnet_core.check.types import Args, GenericArg, Type


class Spelling:
    """How things are written in one module; `item_name` gives the name an item (`module::Name`) has there, importing it if need be."""

    def __init__(self, item_name: Callable[[str], str]) -> None:
        self.item_name = item_name

    def type(self, type: Type) -> str:
        """A type."""
        match type:
            case ScalarType():
                return str(type.dtype)
            case TensorType():
                return f"Tensor[{', '.join(show_unit(unit) for unit in type.shape)}; {type.dtype}]"
            case TupleType():
                return tuple_of(self.type(element) for element in type.elements)
            case OptionalType():
                return f"{self.type(type.inner)}?"
            case StructType() | EnumType() | BlockType():
                return self.item_name(f"{type.module}::{type.name}") + self.args(type.args)
            case ArrayType():
                return f"[{self.type(type.element)}; {type.length}]"
            case _:
                raise DocumentError(f"a value of type {type} has no spelling")

    def args(self, args: Args) -> str:
        """`<H, [A, B], bf16>`, or nothing when there are none."""
        return f"<{', '.join(map(self.arg, args))}>" if args else ""

    def arg(self, arg: GenericArg) -> str:
        """One generic argument."""
        match arg:
            case DimArg():
                return str(arg.dim)
            case DTypeArg():
                return str(arg.dtype)
            case ShapeArg():
                return show_shape(arg.shape)
            case _:
                raise DocumentError(f"{arg} is no generic argument")


def tuple_of(parts: Iterable[str]) -> str:
    """`(a, b)`, or `(a,)`."""
    texts = list(parts)
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
