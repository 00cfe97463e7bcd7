"""What types become when generics are given values.

In: types, generic arguments and constraints over a declaration's generics, and a `Substitution`.  Out: the same over the
caller's generics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.program import Substitution
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
    ShapeIndexType,
    StructType,
    TensorType,
    TupleType,
    tensor_or_scalar,
)
from linnet_core.shapes import Dim, Pack, substitute_shape

if TYPE_CHECKING:
    from linnet_core.check.program import Generic
    from linnet_core.check.types import Args, DType, GenericArg, Type
    from linnet_core.shapes import Shape

EMPTY = Substitution()


def substitution_of(generics: tuple[Generic, ...], args: Args) -> Substitution:
    """The substitution that gives each generic its argument, by position."""
    if not generics:
        return EMPTY
    made = Substitution()
    for generic, arg in zip(generics, args, strict=False):
        bind(made, generic, arg)
    return made


def bind(substitution: Substitution, generic: Generic, arg: GenericArg) -> None:
    """Add one generic's value to a substitution being built."""
    match arg:
        case DimArg():
            substitution.dims[generic.id] = arg.dim
        case ShapeArg():
            substitution.packs[generic.id] = arg.shape
        case DTypeArg():
            substitution.dtypes[generic.id] = arg.dtype


def compose(inner: Substitution, outer: Substitution) -> Substitution:
    """`inner` with its values rewritten by `outer`: substituting the result is substituting `inner`, then `outer`."""
    return Substitution(
        {id: dim.substitute(outer.dims, outer.packs) for id, dim in inner.dims.items()},
        {id: substitute_shape(shape, outer.dims, outer.packs) for id, shape in inner.packs.items()},
        {id: substitute_dtype(dtype, outer) for id, dtype in inner.dtypes.items()},
    )


def identity_args(generics: tuple[Generic, ...]) -> Args:
    """The arguments that stand for the generics themselves, as inside their own declaration."""
    return tuple(as_arg(generic) for generic in generics)


def as_arg(generic: Generic) -> GenericArg:
    """A generic as an argument."""
    match generic.kind:
        case "dim":
            return DimArg(Dim.symbol(generic.id, generic.name))
        case "shape":
            return ShapeArg((Pack(generic.id, generic.name),))
        case "dtype":
            return DTypeArg(DTypeVar(generic.id, generic.name, generic.bound or "any"))


def substitute_dtype(dtype: DType, by: Substitution) -> DType:
    """The dtype a variable stands for."""
    return by.dtypes.get(dtype.id, dtype) if isinstance(dtype, DTypeVar) else dtype


def substitute_dim(dim: Dim, by: Substitution) -> Dim:
    """The dim over the caller's generics."""
    return dim.substitute(by.dims, by.packs)


def substitute_units(shape: Shape, by: Substitution) -> Shape:
    """The shape over the caller's generics, packs spliced."""
    return substitute_shape(shape, by.dims, by.packs)


def substitute_arg(arg: GenericArg, by: Substitution) -> GenericArg:
    """A generic argument over the caller's generics."""
    match arg:
        case DimArg():
            return DimArg(substitute_dim(arg.dim, by))
        case ShapeArg():
            return ShapeArg(substitute_units(arg.shape, by))
        case DTypeArg():
            return DTypeArg(substitute_dtype(arg.dtype, by))
        case _:
            return arg


def substitute_type(type: Type, by: Substitution) -> Type:
    """The type over the caller's generics.  A tensor whose packs are all empty becomes the scalar."""
    if not (by.dims or by.packs or by.dtypes):
        return type
    match type:
        case ScalarType():
            return ScalarType(substitute_dtype(type.dtype, by))
        case TensorType():
            return tensor_or_scalar(substitute_units(type.shape, by), substitute_dtype(type.dtype, by))
        case TupleType():
            return TupleType(tuple(substitute_type(element, by) for element in type.elements))
        case OptionalType():
            return OptionalType(substitute_type(type.inner, by))
        case StructType() | EnumType() | BlockType():
            return type.__class__(type.name, type.module, tuple(substitute_arg(arg, by) for arg in type.args))
        case ArrayType():
            return ArrayType(substitute_type(type.element, by), substitute_dim(type.length, by))
        case DimType():
            return DimType(substitute_dim(type.dim, by))
        case ShapeIndexType():
            return ShapeIndexType(substitute_units(type.shape, by))
        case _:
            return type
