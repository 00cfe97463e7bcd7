"""What kind of thing a name stands for, in words.

In: an entity.  Out: `a constant`, `a block`, ... for E1208, E2123 and E2111.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.environment import (
    AliasInfo,
    BlockInfo,
    ConstInfo,
    EnumInfo,
    FunctionInfo,
    GenericRef,
    IndexBinding,
    KernelInfo,
    MemberEntity,
    ModuleInfo,
    PreludeFunction,
    PreludeType,
    StructInfo,
)
from linnet_core.check.program import Local
from linnet_core.check.reserved import KINDS
from linnet_core.check.show_types import quote

if TYPE_CHECKING:
    from linnet_core.check.environment import Entity
    from linnet_core.check.program import Generic

#: What repairs two things of one name.
RENAME = "give one of them another name"

_WORDS: dict[type, str] = {
    ModuleInfo: "a module",
    AliasInfo: "a type",
    StructInfo: "a struct",
    EnumInfo: "an enum",
    BlockInfo: "a block",
    KernelInfo: "a kernel",
    PreludeFunction: "a function of the prelude",
    IndexBinding: "an index",
}


def how_used(entity: Entity, name: str) -> str | None:
    """What is written with such a thing where a value is due."""
    match entity:
        case FunctionInfo() | PreludeFunction():
            return f"call it: `{name}(...)`"
        case ModuleInfo():
            return f"name an item of it: `{name}.NAME`"
        case StructInfo():
            fields = ", ".join(f"{field.name.text} = ..." for field in entity.syntax.fields)
            return f"a value of it names its fields: `{name}({fields})`"
        case EnumInfo() if entity.syntax.variants:
            return f"name a variant of it: `{name}.{entity.syntax.variants[0].text}`"
        case BlockInfo():
            return f"declare it as a member, `sub NAME: {name}`, and call a method of that"
        case KernelInfo():
            return f"a kernel runs behind an op that names it: `kernel {name}` in the op's header"
        case GenericRef() if entity.generic.kind == "shape":
            return f"a pack stands in a list of dimensions: `[*{name}]`"
        case GenericRef() | PreludeType() | AliasInfo():
            return f"a value is brought to a dtype by `cast<{name}>(...)`"
        case _:
            return None


def describe(entity: Entity) -> str:
    """The kind of thing, with its article."""
    match entity:
        case GenericRef():
            return describe_generic(entity.generic)
        case Local():
            return f"a run-time value of type {quote(entity.type)}"
        case ConstInfo():
            return "a constant"
        case MemberEntity():
            return f"a `{entity.member.kind}`"
        case FunctionInfo():
            return {"fn": "a function", "op": "an op", "entry": "an entry"}[entity.kind]
        case PreludeType():
            return "a kind of generic" if entity.name in KINDS else "a type"
        case _:
            return _WORDS.get(type(entity), "something else")


def describe_generic(generic: Generic) -> str:
    """`a dimension`, `a pack of dimensions` or `a dtype`."""
    return {"dim": "a dimension", "shape": "a pack of dimensions", "dtype": "a dtype"}[generic.kind]
