"""Which generics a type speaks of.

In: a type.  Out: their ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import (
    ArrayType,
    BlockType,
    DimArg,
    DimType,
    DTypeArg,
    DTypeVar,
    EnumType,
    OptionalType,
    ScalarType,
    ShapeArg,
    StructType,
    TensorType,
    TupleType,
)
from linnet_core.shapes import Dim

if TYPE_CHECKING:
    from linnet_core.check.types import DType, GenericArg, Type
    from linnet_core.shapes import Shape


def generics_of(type: Type) -> frozenset[int]:
    """Ids of the generics in `type`."""
    match type:
        case ScalarType():
            return _of_dtype(type.dtype)
        case TensorType():
            return _of_shape(type.shape) | _of_dtype(type.dtype)
        case TupleType():
            return frozenset(id for element in type.elements for id in generics_of(element))
        case OptionalType():
            return generics_of(type.inner)
        case StructType() | EnumType() | BlockType():
            return frozenset(id for arg in type.args for id in _of_arg(arg))
        case ArrayType():
            return generics_of(type.element) | frozenset(type.length.symbols())
        case DimType():
            return frozenset(type.dim.symbols())
        case _:
            return frozenset()


def _of_dtype(dtype: DType) -> frozenset[int]:
    return frozenset((dtype.id,)) if isinstance(dtype, DTypeVar) else frozenset()


def _of_shape(shape: Shape) -> frozenset[int]:
    return frozenset().union(*[unit.symbols() if isinstance(unit, Dim) else (unit.id,) for unit in shape])


def _of_arg(arg: GenericArg) -> frozenset[int]:
    match arg:
        case DimArg():
            return frozenset(arg.dim.symbols())
        case ShapeArg():
            return _of_shape(arg.shape)
        case DTypeArg():
            return _of_dtype(arg.dtype)
        case _:
            return frozenset()
