"""Declarations behind nominal types, and the instance a method works on.

In: struct, enum and block types; the block whose method is checked.  Out: their declarations, with the substitution that turns
what is declared into what it is for that instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.program import SelfRef
from linnet_core.check.substitute import identity_args, substitution_of
from linnet_core.check.types import BlockType

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import BlockInfo, EnumInfo, StructInfo
    from linnet_core.check.program import Substitution
    from linnet_core.check.types import EnumType, StructType
    from linnet_core.text.span import Span


def block_of(type: BlockType, ctx: BodyContext) -> tuple[BlockInfo, Substitution]:
    """The declaration of a block type and what its generics stand for."""
    info = ctx.checker.blocks[type.module, type.name]
    return info, substitution_of(info.generics, type.args)


def struct_of(type: StructType, ctx: BodyContext) -> tuple[StructInfo, Substitution]:
    """The declaration of a struct type and what its generics stand for."""
    info = ctx.checker.structs[type.module, type.name]
    return info, substitution_of(info.generics, type.args)


def first_field(type: StructType, ctx: BodyContext) -> str:
    """The name of a struct's first field, for an example; `...` where it has none."""
    info, _ = struct_of(type, ctx)
    return info.decl.fields[0].name if info.decl is not None and info.decl.fields else "..."


def enum_of(type: EnumType, ctx: BodyContext) -> EnumInfo:
    """The declaration of an enum type."""
    return ctx.checker.enums[type.module, type.name]


def self_reference(ctx: BodyContext, span: Span) -> SelfRef:
    """The receiver of the method being checked."""
    assert ctx.block is not None
    return SelfRef(_self_type(ctx.block), span)


def _self_type(block: BlockInfo) -> BlockType:
    """The type of the receiver inside the block's own methods: its generics stand for themselves."""
    if block.self_type is None:
        block.self_type = BlockType(block.qualified.rpartition("::")[2], block.module.name, identity_args(block.generics))
    return block.self_type
