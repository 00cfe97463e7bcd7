"""Attributes of operations in the document, both directions, by the kind their row of `ir/ops.py` gives them.

In: an attribute's kind and its value.  Out: its JSON value, and an equal value from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.check.program import SliceAxis, Substitution, WholeAxes
from linnet_core.errors import InternalError
from linnet_core.ir.module import IndexDomain
from linnet_core.ir.ops import WORDS
from linnet_core.ir.verify_attributes import holds
from linnet_core.plan.dims import read_dim, read_shape, read_unit
from linnet_core.schema.fields import bool_at, fail, integer_at, list_at, mapping_at, object_at, text_at, tuple_at, word_at

if TYPE_CHECKING:
    from linnet_core.ir.ops import AttrKind
    from linnet_core.plan.types import TypeReader, TypeWriter

#: The most digits of an id that is a key.
_MAX_ID_DIGITS = 18


def write_attribute(kind: AttrKind, value: Any, types: TypeWriter) -> Any:
    """The attribute's JSON value."""
    match kind:
        case "integer" | "bit" | "float" | "text" | "compare" | "reduce" | "atomic":
            return value
        case "dim":
            return types.dims.dim(value)
        case "shape":
            return types.dims.shape(value)
        case "permutation" | "names":
            return list(value)
        case "slices":
            return [_write_slice(axis, types) for axis in value]
        case "indices":
            return [{"name": index.name, "domain": types.dims.shape(index.domain)} for index in value]
        case "substitution":
            return _write_substitution(value, types)
        case "arguments":
            return [types.arg(arg) for arg in value]
        case _:
            raise InternalError(f"an attribute of kind {kind}")


def _write_slice(axis: SliceAxis | WholeAxes, types: TypeWriter) -> dict[str, Any]:
    if isinstance(axis, WholeAxes):
        return {"whole": [types.dims.unit(axis.unit)]}
    dims = types.dims
    return {"start": dims.dim(axis.start), "stop": dims.dim(axis.stop), "step": axis.step, "squeeze": axis.squeeze}


def _write_substitution(value: Substitution, types: TypeWriter) -> dict[str, Any]:
    """Ids as the keys, which JSON has as strings, ascending."""
    return {
        "dims": {str(id): types.dims.dim(value.dims[id]) for id in sorted(value.dims)},
        "packs": {str(id): types.dims.shape(value.packs[id]) for id in sorted(value.packs)},
        "dtypes": {str(id): types.dtype(value.dtypes[id]) for id in sorted(value.dtypes)},
    }


def read_attribute(kind: AttrKind, value: Any, where: str, types: TypeReader) -> Any:
    """The attribute; `DocumentError` naming the place."""
    made = _read(kind, value, where, types)
    if not holds(kind, made):
        fail(where, f"is no {kind}")
    return made


def _read(kind: AttrKind, value: Any, where: str, types: TypeReader) -> Any:
    match kind:
        case "integer" | "bit":
            return integer_at(value, where)
        case "float" | "text":
            return text_at(value, where)
        case "compare" | "reduce" | "atomic":
            return word_at(value, where, WORDS[kind])
        case "dim":
            return read_dim(value, where)
        case "shape":
            return read_shape(value, where)
        case "permutation":
            return tuple_at(value, where, integer_at)
        case "names":
            return tuple_at(value, where, text_at)
        case "slices":
            return tuple_at(value, where, _read_slice)
        case "indices":
            return tuple_at(value, where, _read_index)
        case "substitution":
            return _read_substitution(value, where, types)
        case "arguments":
            return tuple_at(value, where, types.arg)
        case _:
            raise InternalError(f"an attribute of kind {kind}")


def _read_slice(value: Any, where: str) -> SliceAxis | WholeAxes:
    if isinstance(value, dict) and "whole" in value:
        units = list_at(object_at(value, where, ("whole",))["whole"], f"{where}.whole")
        if len(units) != 1:
            fail(f"{where}.whole", "should hold one unit")
        return WholeAxes(read_unit(units[0], f"{where}.whole[0]"))
    fields = object_at(value, where, ("start", "stop", "step", "squeeze"))
    step = integer_at(fields["step"], f"{where}.step")
    if step < 1:
        fail(f"{where}.step", "should be at least 1")
    squeeze = bool_at(fields["squeeze"], f"{where}.squeeze")
    return SliceAxis(read_dim(fields["start"], f"{where}.start"), read_dim(fields["stop"], f"{where}.stop"), step, squeeze)


def _read_index(value: Any, where: str) -> IndexDomain:
    fields = object_at(value, where, ("name", "domain"))
    return IndexDomain(text_at(fields["name"], f"{where}.name"), read_shape(fields["domain"], f"{where}.domain"))


def _read_substitution(value: Any, where: str, types: TypeReader) -> Substitution:
    fields = object_at(value, where, ("dims", "packs", "dtypes"))

    def by_id(name: str, read: Any) -> dict[int, Any]:
        found: dict[int, Any] = {}
        for key, entry in mapping_at(fields[name], f"{where}.{name}").items():
            if not (key.isascii() and key.isdigit()) or len(key) > _MAX_ID_DIGITS or (key[0] == "0" and key != "0"):
                fail(f"{where}.{name}", f"`{key[: 2 * _MAX_ID_DIGITS]}` is no id")
            found[int(key)] = read(entry, f"{where}.{name}.{key}")
        return found

    return Substitution(by_id("dims", read_dim), by_id("packs", read_shape), by_id("dtypes", types.dtype))
