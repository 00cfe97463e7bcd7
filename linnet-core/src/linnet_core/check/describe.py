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
