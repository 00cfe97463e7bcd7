"""Generics, constraints, blocks, structs and enums in the document, both directions.

In: declarations of `check/program.py`.  Out: JSON values, and equal declarations from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

from linnet_core.check.program import Block, Enum_, Field, Generic, Member, Struct_
from linnet_core.plan.dims import read_dim
from linnet_core.plan.types import CLASSES, TypeReader, TypeWriter
from linnet_core.schema.fields import bool_at, integer_at, object_at, text_at, tuple_at, word_at
from linnet_core.shapes import Constraint, Relation

if TYPE_CHECKING:
    from collections.abc import Iterable

RELATIONS: tuple[Relation, ...] = get_args(Relation)
MemberKind = Literal["param", "buffer", "state", "sub"]
MEMBER_KINDS: tuple[MemberKind, ...] = get_args(MemberKind)


# --------------------------------------------------------------------------------------------------------------- writing


def write_generic(generic: Generic, types: TypeWriter) -> dict[str, Any]:
    """`{name, kind, sym}`, or `{name, kind, var, class}` for a dtype generic, and the default where there is one."""
    document: dict[str, Any] = {"name": generic.name, "kind": generic.kind}
    if generic.kind == "dtype":
        document |= {"var": generic.id, "class": generic.bound or "any"}
    else:
        document["sym"] = generic.id
    if generic.default is not None:
        document["default"] = types.arg(generic.default)
    return document


def write_generics(generics: Iterable[Generic], types: TypeWriter) -> list[Any]:
    """In the order declared."""
    return [write_generic(generic, types) for generic in generics]


def write_constraints(constraints: Iterable[Constraint], types: TypeWriter) -> list[Any]:
    """`{relation, lhs, rhs}` each."""
    return [{"relation": c.relation, "lhs": types.dims.dim(c.left), "rhs": types.dims.dim(c.right)} for c in constraints]


def write_block(block: Block, types: TypeWriter) -> dict[str, Any]:
    """A block without its name, which is its key."""
    return {
        "module": block.module,
        "pub": block.public,
        "generics": write_generics(block.generics, types),
        "constraints": write_constraints(block.constraints, types),
        "members": [{"name": m.name, "kind": m.kind, "type": types.type(m.type)} for m in block.members],
    }


def write_struct(struct: Struct_, types: TypeWriter) -> dict[str, Any]:
    """A struct with its fields."""
    fields = [{"name": field.name, "type": types.type(field.type)} for field in struct.fields]
    generics = write_generics(struct.generics, types)
    return {"name": struct.name, "module": struct.module, "pub": struct.public, "generics": generics, "fields": fields}


def write_enum(enum: Enum_, types: TypeWriter) -> dict[str, Any]:
    """An enum with its variants."""
    generics = write_generics(enum.generics, types)
    return {"name": enum.name, "module": enum.module, "pub": enum.public, "generics": generics, "variants": list(enum.variants)}


# --------------------------------------------------------------------------------------------------------------- reading


def dtype_classes(lists: Iterable[tuple[Any, str]]) -> dict[int, Any]:
    """The class of each dtype generic by id, out of lists of generics with their places."""
    found: dict[int, Any] = {}
    for generics, where in lists:
        for generic in tuple_at(generics, where, lambda value, at: (value, at)):
            value, at = generic
            if isinstance(value, dict) and value.get("kind") == "dtype":
                _dtype_generic(value, at)
                found[value["var"]] = value["class"]
    return found


def _dtype_generic(value: Any, where: str) -> dict[str, Any]:
    fields = object_at(value, where, ("name", "kind", "var", "class"), ("default",))
    integer_at(fields["var"], f"{where}.var")
    word_at(fields["class"], f"{where}.class", CLASSES)
    return fields


def read_generic(value: Any, where: str, types: TypeReader) -> Generic:
    """A generic."""
    given = value.get("kind") if isinstance(value, dict) else None
    kind: Literal["dim", "shape", "dtype"] = word_at(given, f"{where}.kind", ("dim", "shape", "dtype"))
    fields = _dtype_generic(value, where) if kind == "dtype" else object_at(value, where, ("name", "kind", "sym"), ("default",))
    default = types.arg(fields["default"], f"{where}.default") if "default" in fields else None
    id = integer_at(fields["var" if kind == "dtype" else "sym"], where)
    return Generic(text_at(fields["name"], f"{where}.name"), kind, id, fields.get("class"), default)


def read_generics(value: Any, where: str, types: TypeReader) -> tuple[Generic, ...]:
    """A list of generics."""
    return tuple_at(value, where, lambda generic, at: read_generic(generic, at, types))


def read_constraints(value: Any, where: str) -> tuple[Constraint, ...]:
    """A list of constraints."""
    return tuple_at(value, where, _read_constraint)


def _read_constraint(value: Any, where: str) -> Constraint:
    fields = object_at(value, where, ("relation", "lhs", "rhs"))
    relation: Relation = word_at(fields["relation"], f"{where}.relation", RELATIONS)
    return Constraint(relation, read_dim(fields["lhs"], f"{where}.lhs"), read_dim(fields["rhs"], f"{where}.rhs"))


def read_block(name: str, value: Any, where: str, types: TypeReader) -> Block:
    """A block, with its name, which is its key without a module."""
    fields = object_at(value, where, ("module", "pub", "generics", "constraints", "members"))

    def member(value: Any, where: str) -> Member:
        fields = object_at(value, where, ("name", "kind", "type"))
        kind: MemberKind = word_at(fields["kind"], f"{where}.kind", MEMBER_KINDS)
        return Member(text_at(fields["name"], f"{where}.name"), kind, types.type(fields["type"], f"{where}.type"))

    return Block(
        name.rpartition("::")[2],
        text_at(fields["module"], f"{where}.module"),
        bool_at(fields["pub"], f"{where}.pub"),
        read_generics(fields["generics"], f"{where}.generics", types),
        read_constraints(fields["constraints"], f"{where}.constraints"),
        tuple_at(fields["members"], f"{where}.members", member),
    )


def read_struct(value: Any, where: str, types: TypeReader) -> Struct_:
    """A struct."""
    fields = object_at(value, where, ("name", "module", "pub", "generics", "fields"))

    def field(value: Any, where: str) -> Field:
        inner = object_at(value, where, ("name", "type"))
        return Field(text_at(inner["name"], f"{where}.name"), types.type(inner["type"], f"{where}.type"))

    return Struct_(
        text_at(fields["name"], f"{where}.name"),
        text_at(fields["module"], f"{where}.module"),
        bool_at(fields["pub"], f"{where}.pub"),
        read_generics(fields["generics"], f"{where}.generics", types),
        tuple_at(fields["fields"], f"{where}.fields", field),
    )


def read_enum(value: Any, where: str, types: TypeReader) -> Enum_:
    """An enum."""
    fields = object_at(value, where, ("name", "module", "pub", "generics", "variants"))
    return Enum_(
        text_at(fields["name"], f"{where}.name"),
        text_at(fields["module"], f"{where}.module"),
        bool_at(fields["pub"], f"{where}.pub"),
        read_generics(fields["generics"], f"{where}.generics", types),
        tuple_at(fields["variants"], f"{where}.variants", text_at),
    )
