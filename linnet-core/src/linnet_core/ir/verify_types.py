"""Types that are alike, and operations against the declarations of their module.

In: types; an operation and its module.  Out: whether they are alike; a problem in words, or None.  What regions and results must be by the
operation's own rule is `verify_results.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import (
    BOOL_TYPE,
    I64,
    ArrayType,
    BlockType,
    DimArg,
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
    Type,
    shape_of,
)
from linnet_core.shapes import Pack

if TYPE_CHECKING:
    from linnet_core.check.types import DType
    from linnet_core.ir.module import Function, Module, Op


def alike(a: Type, b: Type) -> bool:
    """Whether two types are equal but for the spelling of their dims and of the arguments of nominal types."""
    pending = [(a, b)]
    while pending:
        a, b = pending.pop()
        if a is b:
            continue
        if type(a) is not type(b):
            return False
        match a, b:
            case ScalarType(), ScalarType():
                same = a.dtype == b.dtype
            case TensorType(), TensorType():
                same = a.dtype == b.dtype and len(a.shape) == len(b.shape)
            case ShapeIndexType(), ShapeIndexType():
                same = len(a.shape) == len(b.shape)
            case TupleType(), TupleType():
                same = len(a.elements) == len(b.elements)
                pending.extend(zip(a.elements, b.elements, strict=False))
            case OptionalType(), OptionalType():
                same = True
                pending.append((a.inner, b.inner))
            case ArrayType(), ArrayType():
                same = True
                pending.append((a.element, b.element))
            case ((StructType() | EnumType() | BlockType()), (StructType() | EnumType() | BlockType())):
                same = a.name == b.name and a.module == b.module
            case _:
                same = True
        if not same:
            return False
    return True


def dtype_of(type: Type) -> DType | None:
    """The dtype of a scalar or tensor; None of anything else."""
    return type.dtype if isinstance(type, ScalarType | TensorType) else None


def check_types(module: Module, op: Op) -> str | None:
    """Operands against attributes and the module, and the arguments of regions."""
    match op.kind:
        case "call" | "semantic.call":
            return _call(module, op)
        case "block.param" | "block.sub" | "state.read" | "state.write":
            return _member(module, op)
        case "array.get":
            return None if op.operands[1].type == I64 else "takes a position that is no i64"
        case "static_for":
            return None if isinstance(op.operands[0].type, ArrayType) else "runs over something that is no array"
        case "static_range" | "for":
            return None if op.operands[0].type == I64 == op.operands[1].type else "has bounds that are no i64"
        case "if":
            return None if op.operands[0].type == BOOL_TYPE else "has a condition that is no scalar bool"
        case "option.match":
            return None if isinstance(op.operands[0].type, OptionalType) else "matches something that is no optional"
        case "enum.match":
            return _enum_match(module, op)
        case "enum.const":
            return _variants(module, op.results[0].type, (op.attrs["name"],))
        case "struct.make":
            return _struct(module, op)
        case "struct.get":
            return _field(module, op)
    return None


def _call(module: Module, op: Op) -> str | None:
    callee = module.functions.get(op.attrs["callee"])
    if callee is None:
        return f"calls `{op.attrs['callee']}`, which is not in the module"
    if callee.kind == "kernel" or (callee.kind == "op") != (op.kind == "semantic.call"):
        return f"calls the {callee.kind} `{callee.name}`"
    if len(op.operands) != len(callee.body.args):
        return f"gives {len(op.operands)} values to the {len(callee.body.args)} arguments of `{callee.name}`"
    if len(op.results) != len(callee.results):
        return f"takes {len(op.results)} results from `{callee.name}`, which has {len(callee.results)}"
    for operand, arg in zip(op.operands, callee.body.args, strict=True):
        if not may_bind(operand.type, arg.type):
            return f"gives {operand.type} for `{arg.name}` of `{callee.name}`"
    for result, declared in zip(op.results, callee.results, strict=True):
        if not may_bind(result.type, declared):
            return f"takes {result.type} from `{callee.name}`, which gives {declared}"
    return _generics(op, callee)


def _generics(op: Op, callee: Function) -> str | None:
    """Every generic of the callee has an argument of its kind, and `substitution` says the same by id."""
    given, substitution = op.attrs["generics"], op.attrs["substitution"]
    if len(given) != len(callee.generics):
        return f"gives {len(given)} generics to the {len(callee.generics)} of `{callee.name}`"
    if len(substitution.dims) + len(substitution.packs) + len(substitution.dtypes) != len(given):
        return f"substitutes other generics than those of `{callee.name}`"
    for generic, arg in zip(callee.generics, given, strict=True):
        match generic.kind, arg:
            case "dim", DimArg():
                same = substitution.dims.get(generic.id) == arg.dim
            case "shape", ShapeArg():
                same = substitution.packs.get(generic.id) == arg.shape
            case "dtype", DTypeArg():
                same = substitution.dtypes.get(generic.id) == arg.dtype
            case _:
                return f"gives {arg} for `{generic.name}` of `{callee.name}`"
        if not same:
            return f"substitutes something else for `{generic.name}` of `{callee.name}` than its generics say"
    return None


def may_bind(given: Type, declared: Type) -> bool:
    """Whether an argument's type may be an instance of the declared one: a dtype generic takes any, a pack any axes."""
    match given, declared:
        case ((ScalarType() | TensorType()), (ScalarType() | TensorType())):
            shape = shape_of(declared) or ()
            fits = isinstance(declared.dtype, DTypeVar) or declared.dtype == given.dtype
            return fits and (any(isinstance(unit, Pack) for unit in shape) or len(shape) == len(shape_of(given) or ()))
        case TupleType(), TupleType():
            return len(given.elements) == len(declared.elements) and all(map(may_bind, given.elements, declared.elements))
        case OptionalType(), OptionalType():
            return may_bind(given.inner, declared.inner)
        case _:
            return alike(given, declared)


_MEMBER_KINDS = {
    "block.param": ("param", "buffer"),
    "block.sub": ("sub",),
    "state.read": ("state",),
    "state.write": ("state",),
}


def _member(module: Module, op: Op) -> str | None:
    type = op.operands[0].type
    if not isinstance(type, BlockType):
        return "reads a member of something that is no block"
    block = module.blocks.get(f"{type.module}::{type.name}")
    if block is None:
        return f"reads a member of `{type.module}::{type.name}`, which is not in the module"
    name = op.attrs["name"]
    found = block.by_name.get(name)
    if found is None or found.kind not in _MEMBER_KINDS[op.kind]:
        return f"takes `{name}`, which is no {' or '.join(_MEMBER_KINDS[op.kind])} of `{block.key}`"
    value = op.operands[1] if op.kind == "state.write" else op.results[0]
    return None if may_bind(value.type, found.type) else f"takes `{name}` of `{block.key}`, which is {found.type}, as {value.type}"


def _enum_match(module: Module, op: Op) -> str | None:
    variants = op.attrs["variants"]
    if len(variants) != len(op.regions):
        return f"names {len(variants)} variants for {len(op.regions)} regions"
    return _variants(module, op.operands[0].type, tuple(name for name in variants if name != "_"))


def _variants(module: Module, type: Type, names: tuple[str, ...]) -> str | None:
    if not isinstance(type, EnumType):
        return f"names a variant of {type}, which is no enum"
    enum = module.enums.get(f"{type.module}::{type.name}")
    if enum is None:
        return f"names a variant of `{type.module}::{type.name}`, which is not in the module"
    unknown = [name for name in names if name not in enum.variants]
    return f"names `{unknown[0]}`, which is no variant" if unknown else None


def _fields(module: Module, type: Type) -> tuple[Type, ...] | str:
    """The declared types of a struct's fields, or what is wrong."""
    if not isinstance(type, StructType):
        return f"has fields of {type}, which is no struct"
    struct = module.structs.get(f"{type.module}::{type.name}")
    if struct is None:
        return f"has fields of `{type.module}::{type.name}`, which is not in the module"
    return struct.types


def _struct(module: Module, op: Op) -> str | None:
    """The operands are the fields in the order declared."""
    fields = _fields(module, op.results[0].type)
    if isinstance(fields, str):
        return fields
    fits = len(fields) == len(op.operands) and all(may_bind(value.type, type) for value, type in zip(op.operands, fields, strict=False))
    return None if fits else f"makes {op.results[0].type} of other fields than it has"


def _field(module: Module, op: Op) -> str | None:
    """The result is the field at the position."""
    fields = _fields(module, op.operands[0].type)
    if isinstance(fields, str):
        return fields
    at = op.attrs["value"]
    if not 0 <= at < len(fields):
        return f"takes field {at} of {op.operands[0].type}"
    return None if may_bind(op.results[0].type, fields[at]) else "gives another type than the field has"
