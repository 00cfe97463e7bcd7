"""The context each kind of declaration is checked in.

In: an entity with its syntax.  Out: a fresh `BodyContext` that sees what the declaration sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.context import BodyContext, Frame, LocalUse
from linnet_core.check.environment import ConstInfo
from linnet_core.shapes import Facts

if TYPE_CHECKING:
    from linnet_core.check.environment import AliasInfo, BlockInfo, Checker, EnumInfo, FunctionInfo, StructInfo

NO_FACTS = Facts()


def item_context(info: ConstInfo | AliasInfo | StructInfo | EnumInfo, checker: Checker) -> BodyContext:
    """Of a constant, alias, struct or enum: its module, the items around it, its own generics."""
    generics = {} if isinstance(info, ConstInfo) else {generic.name: generic for generic in info.generics}
    return BodyContext(checker, info.module, NO_FACTS, parent=info.parent, generics=generics)


def block_context(block: BlockInfo, checker: Checker) -> BodyContext:
    """Of a block's header and members."""
    return BodyContext(checker, block.module, block.facts, block=block, parent=block.parent, broken=block.broken)


def function_context(info: FunctionInfo, checker: Checker) -> BodyContext:
    """Of a function's header, defaults and body; no local is in scope yet."""
    return BodyContext(
        checker,
        info.module,
        info.facts,
        block=info.block,
        parent=info.block.parent if info.block is not None else None,
        function=info,
        generics={generic.name: generic for generic in info.generics},
        broken=info.broken,
    )


def body_context(info: FunctionInfo, checker: Checker) -> BodyContext:
    """Of a function's body: its parameters are the locals of the outermost frame."""
    ctx = function_context(info, checker)
    frame = Frame()
    for local, param in zip(info.params, info.syntax.params, strict=True):
        frame.names[local.name] = LocalUse(local, param.name.span, lint=False, origin="a parameter")
    ctx.frames.append(frame)
    ctx.next_local = len(info.params)
    return ctx
