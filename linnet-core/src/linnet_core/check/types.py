"""Types of values, shared by the checker, the Core IR and both documents.

In: nothing.  Out: frozen values.  Nominal types name their declaration by module and name and carry their arguments, so
that a type read back from a document equals one that was checked.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from linnet_core.shapes import Dim, Shape

DTypeName = Literal["bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"]

BOOL: DTypeName = "bool"
SIGNED: tuple[DTypeName, ...] = ("i8", "i16", "i32", "i64")
UNSIGNED: tuple[DTypeName, ...] = ("u8", "u16", "u32", "u64")
FLOATS: tuple[DTypeName, ...] = ("f16", "bf16", "f32", "f64")
INTEGERS: tuple[DTypeName, ...] = SIGNED + UNSIGNED
DTYPES: tuple[DTypeName, ...] = ("bool", *INTEGERS, *FLOATS)

DTypeClass = Literal["any", "numeric", "integer", "float"]

#: The dtypes each class admits; `DType`, `Numeric`, `Integer`, `Float` in the source.
CLASS_MEMBERS: dict[DTypeClass, tuple[DTypeName, ...]] = {
    "any": DTYPES,
    "numeric": INTEGERS + FLOATS,
    "integer": INTEGERS,
    "float": FLOATS,
}
#: What a member of each class is called.
CLASS_WORDS: dict[DTypeClass, str] = {
    "any": "a dtype",
    "numeric": "a numeric dtype",
    "integer": "an integer dtype",
    "float": "a float dtype",
}


class DTypeVar(Struct, frozen=True):
    """A dtype generic: `id` is unique in a program, `bound` its class."""

    id: int
    name: str
    bound: DTypeClass

    def __str__(self) -> str:
        """The name, as it stands in a type."""
        return self.name


DType = DTypeName | DTypeVar


def dtype_class(dtype: DType) -> DTypeClass | Literal["bool"]:
    """The narrowest class every value of `dtype` is known to be in; `bool` for bool itself."""
    if isinstance(dtype, DTypeVar):
        return dtype.bound
    if dtype == "bool":
        return "bool"
    return "float" if dtype in FLOATS else "integer"


def is_in_class(dtype: DType, wanted: DTypeClass) -> bool:
    """Whether `dtype` is certainly a member of `wanted`."""
    if wanted == "any":
        return True
    actual = dtype_class(dtype)
    return actual == wanted or (wanted == "numeric" and actual in ("integer", "float"))


class GenericArg(Struct, frozen=True):
    """Base of the three kinds of generic argument."""


class DimArg(GenericArg, frozen=True):
    """A dimension given for a `Dim` generic."""

    dim: Dim


class ShapeArg(GenericArg, frozen=True):
    """A list of units given for a `Shape` generic."""

    shape: Shape


class DTypeArg(GenericArg, frozen=True):
    """A dtype given for a dtype generic."""

    dtype: DType


Args = tuple[GenericArg, ...]


class ScalarType(Struct, frozen=True):
    """One number or bool; what a rank-0 tensor is called."""

    dtype: DType


class TensorType(Struct, frozen=True):
    """A tensor of at least one unit (a pack counts as a unit though it may stand for no axes)."""

    shape: Shape
    dtype: DType


class TupleType(Struct, frozen=True):
    """A tuple of one or more values."""

    elements: tuple[Type, ...]


class OptionalType(Struct, frozen=True):
    """`T?`."""

    inner: Type


class StructType(Struct, frozen=True):
    """A struct by name; `args` are in the order of its generics."""

    name: str
    module: str
    args: Args


class EnumType(Struct, frozen=True):
    """An enum by name."""

    name: str
    module: str
    args: Args


class BlockType(Struct, frozen=True):
    """An instance type of a block; `args` are in the order of its generics, defaults filled in."""

    name: str
    module: str
    args: Args


class ArrayType(Struct, frozen=True):
    """An array of blocks (or of arrays of blocks)."""

    element: Type
    length: Dim


class DimType(Struct, frozen=True):
    """A compile-time integer, with its value.  It has no dtype until its context gives one."""

    dim: Dim


class LiteralType(Struct, frozen=True):
    """A numeric constant without context: `integer` takes any numeric dtype, `float` only float dtypes."""

    kind: Literal["integer", "float"]


class ShapeIndexType(Struct, frozen=True):
    """The type of a pack index in the Core IR: it stands for one position in every axis of `shape`."""

    shape: Shape


class UnitType(Struct, frozen=True):
    """The result of a function without `->`."""


class ErrorType(Struct, frozen=True):
    """The type of an expression that was already reported; it silences what follows."""


Type = (
    ScalarType
    | TensorType
    | TupleType
    | OptionalType
    | StructType
    | EnumType
    | BlockType
    | ArrayType
    | DimType
    | LiteralType
    | ShapeIndexType
    | UnitType
    | ErrorType
)

UNIT = UnitType()
ERROR = ErrorType()
I64 = ScalarType("i64")
F64 = ScalarType("f64")
BOOL_TYPE = ScalarType("bool")


def tensor_or_scalar(shape: Shape, dtype: DType) -> TensorType | ScalarType:
    """`Tensor[shape; dtype]`, or the scalar when there is no unit in `shape`."""
    return TensorType(shape, dtype) if shape else ScalarType(dtype)


def shape_of(type: Type) -> Shape | None:
    """The shape of a tensor, `()` of a scalar, None of anything else."""
    match type:
        case TensorType():
            return type.shape
        case ScalarType():
            return ()
        case _:
            return None
