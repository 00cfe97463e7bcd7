"""Types, dtypes and generic arguments in the document, both directions.

In: the types of `check/types.py`.  Out: JSON values, and equal types from them.  A compile-time integer is written as scalar `i64`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.check.types import (
    CLASS_MEMBERS,
    DTYPES,
    I64,
    UNIT,
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
    UnitType,
)
from linnet_core.errors import InternalError, SourceError
from linnet_core.plan.dims import DimWriter, read_dim, read_shape
from linnet_core.schema.fields import fail, integer_at, object_at, text_at, tuple_at, word_at
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from linnet_core.check.types import DType, GenericArg, Type

#: The most types a written type may be made of.
MAX_TYPE_SIZE = 10_000

NOMINAL: dict[str, type[BlockType | StructType | EnumType]] = {"block": BlockType, "struct": StructType, "enum": EnumType}
_NOMINAL_KIND: dict[type, str] = {cls: kind for kind, cls in NOMINAL.items()}


class TypeWriter:
    """Writes types, each object once."""

    def __init__(self, dims: DimWriter) -> None:
        """Writes dims with `dims`."""
        self.dims = dims
        #: By identity: the type (kept alive), its JSON value and its size.
        self._done: dict[int, tuple[Type, Any, int]] = {}

    def type(self, type: Type) -> Any:
        """The type's JSON value; `SourceError` (E6003) for one made of more than `MAX_TYPE_SIZE` types."""
        return self._written(type)[0]

    def dtype(self, dtype: DType) -> Any:
        """A name, or a dtype generic."""
        return {"var": dtype.id, "name": dtype.name} if isinstance(dtype, DTypeVar) else dtype

    def arg(self, arg: GenericArg) -> Any:
        """A generic argument: `{dim}`, `{shape}` or `{dtype}`."""
        match arg:
            case DimArg():
                return {"dim": self.dims.dim(arg.dim)}
            case ShapeArg():
                return {"shape": self.dims.shape(arg.shape)}
            case DTypeArg():
                return {"dtype": self.dtype(arg.dtype)}
            case _:
                raise InternalError(f"a generic argument {arg}")

    def _written(self, type: Type) -> tuple[Any, int]:
        done = self._done.get(id(type))
        if done is not None:
            return done[1], done[2]
        value, size = self._make(type)
        if size > MAX_TYPE_SIZE:
            message, help = f"a type is made of more than {MAX_TYPE_SIZE} types", "hold fewer values in one"
            raise SourceError([Diagnostic("E6003", message, None, help=help)])
        self._done[id(type)] = (type, value, size)
        return value, size

    def _make(self, type: Type) -> tuple[Any, int]:
        match type:
            case ScalarType():
                return {"kind": "scalar", "dtype": self.dtype(type.dtype)}, 1
            case DimType():
                return self._make(I64)
            case TensorType():
                return {"kind": "tensor", "shape": self.dims.shape(type.shape), "dtype": self.dtype(type.dtype)}, 1
            case TupleType():
                elements = [self._written(element) for element in type.elements]
                return {"kind": "tuple", "elements": [value for value, _ in elements]}, 1 + sum(size for _, size in elements)
            case OptionalType():
                inner, size = self._written(type.inner)
                return {"kind": "optional", "inner": inner}, 1 + size
            case ArrayType():
                element, size = self._written(type.element)
                return {"kind": "array", "element": element, "length": self.dims.dim(type.length)}, 1 + size
            case BlockType() | StructType() | EnumType():
                args = [self.arg(arg) for arg in type.args]
                return {"kind": _NOMINAL_KIND[type.__class__], "name": type.name, "module": type.module, "args": args}, 1
            case ShapeIndexType():
                return {"kind": "shape", "shape": self.dims.shape(type.shape)}, 1
            case UnitType():
                return {"kind": "unit"}, 1
            case _:
                raise InternalError(f"a value of type {type}")


class TypeReader:
    """Reads types; `classes` holds the class of each dtype generic by id, which types name by id only."""

    def __init__(self, classes: dict[int, Any]) -> None:
        """Reads over the dtype generics in `classes`."""
        self.classes = classes

    def type(self, value: Any, where: str, depth: int = 0) -> Type:
        """The type a JSON value stands for; `DocumentError` naming the place."""
        if not isinstance(value, dict) or "kind" not in value:
            fail(where, "should be a type, an object with `kind`")
        if depth > 100:
            fail(where, "a type nested too deeply")
        match value["kind"]:
            case "scalar":
                fields = object_at(value, where, ("kind", "dtype"))
                return ScalarType(self.dtype(fields["dtype"], f"{where}.dtype"))
            case "tensor":
                fields = object_at(value, where, ("kind", "shape", "dtype"))
                return TensorType(read_shape(fields["shape"], f"{where}.shape"), self.dtype(fields["dtype"], f"{where}.dtype"))
            case "tuple":
                fields = object_at(value, where, ("kind", "elements"))
                return TupleType(tuple_at(fields["elements"], f"{where}.elements", lambda e, at: self.type(e, at, depth + 1)))
            case "optional":
                fields = object_at(value, where, ("kind", "inner"))
                return OptionalType(self.type(fields["inner"], f"{where}.inner", depth + 1))
            case "array":
                fields = object_at(value, where, ("kind", "element", "length"))
                element = self.type(fields["element"], f"{where}.element", depth + 1)
                return ArrayType(element, read_dim(fields["length"], f"{where}.length"))
            case "block" | "struct" | "enum" as kind:
                fields = object_at(value, where, ("kind", "name", "module", "args"))
                name, module = text_at(fields["name"], f"{where}.name"), text_at(fields["module"], f"{where}.module")
                return NOMINAL[kind](name, module, tuple_at(fields["args"], f"{where}.args", self.arg))
            case "shape":
                fields = object_at(value, where, ("kind", "shape"))
                return ShapeIndexType(read_shape(fields["shape"], f"{where}.shape"))
            case "unit":
                object_at(value, where, ("kind",))
                return UNIT
            case _:
                fail(where, f"`{value['kind']}` is no kind of type")

    def dtype(self, value: Any, where: str) -> DType:
        """A dtype's name, or a dtype generic."""
        if isinstance(value, dict):
            fields = object_at(value, where, ("var", "name"))
            id = integer_at(fields["var"], f"{where}.var")
            if id not in self.classes:
                fail(where, f"no dtype generic has the id {id}")
            return DTypeVar(id, text_at(fields["name"], f"{where}.name"), self.classes[id])
        word_at(value, where, DTYPES)
        return value

    def arg(self, value: Any, where: str) -> GenericArg:
        """A generic argument."""
        if not isinstance(value, dict) or len(value) != 1:
            fail(where, "should be an object with `dim`, `shape` or `dtype`")
        match value:
            case {"dim": dim}:
                return DimArg(read_dim(dim, f"{where}.dim"))
            case {"shape": shape}:
                return ShapeArg(read_shape(shape, f"{where}.shape"))
            case {"dtype": dtype}:
                return DTypeArg(self.dtype(dtype, f"{where}.dtype"))
            case _:
                fail(where, "should be an object with `dim`, `shape` or `dtype`")


CLASSES: tuple[str, ...] = tuple(CLASS_MEMBERS)
