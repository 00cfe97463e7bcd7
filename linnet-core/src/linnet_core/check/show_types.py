"""Types as the program spells them.

In: a type or generic arguments.  Out: text for messages: `Tensor[B, 2 * H; T]`, `(f32, i64)`, `Linear<H, 4 * H, bf16>`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import (
    ArrayType,
    BlockType,
    DimArg,
    DimType,
    DTypeArg,
    EnumType,
    ErrorType,
    LiteralType,
    OptionalType,
    ScalarType,
    ShapeArg,
    ShapeIndexType,
    StructType,
    TensorType,
    TupleType,
    UnitType,
)
from linnet_core.shapes import show_shape, show_unit

if TYPE_CHECKING:
    from linnet_core.check.types import Args, GenericArg, Type


def show(type: Type) -> str:
    """The type as one would write it."""
    match type:
        case ScalarType():
            return str(type.dtype)
        case TensorType():
            return f"Tensor[{', '.join(show_unit(unit) for unit in type.shape)}; {type.dtype}]"
        case TupleType():
            inner = ", ".join(_show_part(element) for element in type.elements)
            return f"({inner},)" if len(type.elements) == 1 else f"({inner})"
        case OptionalType():
            return f"{_show_part(type.inner)}?"
        case StructType() | EnumType() | BlockType():
            return type.name + show_args(type.args)
        case ArrayType():
            return f"[{show(type.element)}; {type.length}]"
        case DimType():
            return f"the compile-time integer {type.dim}"
        case LiteralType():
            return "an integer literal" if type.kind == "integer" else "a float literal"
        case ShapeIndexType():
            return f"an index of {show_shape(type.shape)}"
        case UnitType():
            return "nothing"
        case ErrorType():
            return "an unknown type"


def _show_part(type: Type) -> str:
    """A type inside another: a number that takes its dtype from its place is shown as what it is without one."""
    match type:
        case LiteralType():
            return "i64" if type.kind == "integer" else "f64"
        case DimType():
            return "i64"
        case _:
            return show(type)


def quote(type: Type) -> str:
    """The type in backticks, or plain words for what has no spelling (a literal, nothing)."""
    return show(type) if isinstance(type, DimType | LiteralType | ShapeIndexType | UnitType | ErrorType) else f"`{show(type)}`"


def show_args(args: Args) -> str:
    """`<H, [A, B], bf16>`, or nothing when there are none."""
    return f"<{', '.join(show_arg(arg) for arg in args)}>" if args else ""


def show_arg(arg: GenericArg) -> str:
    """One generic argument."""
    match arg:
        case DimArg():
            return str(arg.dim)
        case DTypeArg():
            return str(arg.dtype)
        case ShapeArg():
            return show_shape(arg.shape)
        case _:
            return str(arg)
