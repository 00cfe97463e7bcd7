"""Whether two types are one, with sizes compared by proof.

In: types and facts.  Out: a verdict, or the first axis where two shapes differ.
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
from linnet_core.shapes import equal_shapes, equal_units, prove_equal

if TYPE_CHECKING:
    from linnet_core.check.types import Args, Type
    from linnet_core.shapes import Facts, Shape, Unit


def same_type(a: Type, b: Type, facts: Facts) -> bool:
    """Whether a value of type `a` is one of type `b` at every size the facts admit."""
    if a is b or a == b:
        return True
    match a, b:
        case ScalarType(), ScalarType():
            return a.dtype == b.dtype
        case TensorType(), TensorType():
            return a.dtype == b.dtype and equal_shapes(a.shape, b.shape, facts)
        case TupleType(), TupleType():
            pairs = zip(a.elements, b.elements, strict=False)
            return len(a.elements) == len(b.elements) and all(same_type(x, y, facts) for x, y in pairs)
        case OptionalType(), OptionalType():
            return same_type(a.inner, b.inner, facts)
        case ArrayType(), ArrayType():
            return prove_equal(a.length, b.length, facts) and same_type(a.element, b.element, facts)
        case (StructType(), StructType()) | (EnumType(), EnumType()) | (BlockType(), BlockType()):
            return (a.module, a.name) == (b.module, b.name) and same_args(a.args, b.args, facts)
        case _:
            return False


def same_args(a: Args, b: Args, facts: Facts) -> bool:
    """Whether two lists of generic arguments are one."""
    if len(a) != len(b):
        return False
    for one, other in zip(a, b, strict=True):
        match one, other:
            case DimArg(), DimArg():
                same = prove_equal(one.dim, other.dim, facts)
            case ShapeArg(), ShapeArg():
                same = equal_shapes(one.shape, other.shape, facts)
            case DTypeArg(), DTypeArg():
                same = one.dtype == other.dtype
            case _:
                same = False
        if not same:
            return False
    return True


def first_difference(a: Shape, b: Shape, facts: Facts) -> tuple[int, Unit, Unit] | None:
    """Position and units of the first axis that is not proved equal; None when the ranks differ (or nothing does)."""
    if len(a) != len(b):
        return None
    for position, (left, right) in enumerate(zip(a, b, strict=True)):
        if not equal_units(left, right, facts):
            return position, left, right
    return None
