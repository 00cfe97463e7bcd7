"""Blocks: their members.

In: `BlockInfo`s whose generics and facts are resolved.  Out: the same with members, and `Block` values.  E4101 (a member of
a type it cannot have), E4102 (a param with a value), E2206 (a block's `where` unproved at a `sub`), E2122 (a block that
contains itself).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.declarations import report_circles
from linnet_core.check.program import Block, Member
from linnet_core.check.resolve_types import resolve_type
from linnet_core.check.scopes import block_context
from linnet_core.check.show_types import quote, show
from linnet_core.check.substitute import substitution_of
from linnet_core.check.types import ERROR, ArrayType, BlockType, ErrorType, OptionalType, ScalarType, TensorType
from linnet_core.check.where import prove_obligations
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import BlockInfo, Checker
    from linnet_core.check.types import Type
    from linnet_core.text.span import Span


def check_members(info: BlockInfo, checker: Checker) -> None:
    """Resolve a block's members."""
    ctx = block_context(info, checker)
    for node in info.syntax.members:
        if node.name.text in info.members:
            continue
        type = resolve_type(node.type, ctx, members=True)
        if node.name.text in info.unclear or (not isinstance(type, ErrorType) and not _check_member(node, type, ctx)):
            type = ERROR
        info.members[node.name.text] = Member(node.name.text, node.kind, type, node.name.span)
    info.decl = Block(
        info.qualified.rpartition("::")[2],
        info.module.name,
        info.syntax.public,
        info.generics,
        info.constraints,
        tuple(info.members.values()),
        info.syntax.name.span,
    )
    info.state = "done"


def _check_member(node: tree.Member, type: Type, ctx: BodyContext) -> bool:
    """Whether the member can have its type, so that uses of it are worth checking."""
    report = ctx.checker.diagnostics.report
    name = node.name.text
    if node.value is not None and not isinstance(node.value, tree.NoneLiteral):
        if node.kind == "param":
            help = "its value comes with the weights; only `none` may stand here, for a param that may be absent"
            report("E4102", f"param `{name}` cannot have a value", node.value.span, help=help)
        else:
            help = "take it out; only `none` may follow, for an optional sub without a block"
            report("E4101", f"{node.kind} `{name}` cannot have a value", node.value.span, help=help)
        return True
    wrong = _why_not(node.kind, type)
    if wrong is not None:
        report("E4101", f"{node.kind} `{name}` {wrong}, not {quote(type)}", node.type.span, help=_instead(node.kind, type))
        return False
    if node.value is not None and not isinstance(type, OptionalType):
        report("E4101", f"{node.kind} `{name}` is not optional, so it cannot be `none`", node.type.span, help=f"write `{show(type)}?`")
        return False
    if node.kind == "sub" and not ctx.broken:
        _check_sub(node, type, ctx)
    return True


def _why_not(kind: str, type: Type) -> str | None:
    """What a member of this kind has to be, when `type` is not that."""
    inner = type.inner if isinstance(type, OptionalType) else type
    match kind:
        case "param" if not isinstance(inner, TensorType | ScalarType):
            return "is a tensor, or an optional one"
        case "buffer" if not isinstance(type, TensorType | ScalarType):
            return "is a tensor"
        case "state" if not isinstance(type, TensorType):
            return "is a tensor"
        case "sub" if not isinstance(inner, BlockType) and not isinstance(type, ArrayType):
            return "is a block, an optional block or an array of blocks"
        case _:
            return None


def _instead(kind: str, type: Type) -> str:
    """What to declare for a member that cannot have its type."""
    inner = type.inner if isinstance(type, OptionalType) else type
    if isinstance(inner, TensorType | ScalarType):
        if kind == "sub":
            return "declare it as a `param`, `buffer` or `state`"
        if kind == "state" and isinstance(inner, ScalarType):
            return f"write `Tensor[1; {show(inner)}]`"
        return f"write `{show(inner)}`, without `?`"
    if kind == "sub" and isinstance(inner, ArrayType):
        return "leave the `?` out: an array of length 0 holds nothing"
    if isinstance(inner, BlockType | ArrayType):
        return "declare it as a `sub`"
    return "declare a member for each tensor in it"


def _check_sub(node: tree.Member, type: Type, ctx: BodyContext) -> None:
    """The `where` of the block inside is proved from the facts of the block around it."""
    block = innermost_block(type)
    if block is None:
        return
    target = ctx.checker.block_of(block)
    substitution = substitution_of(target.generics, block.args)
    if not target.broken:
        prove_obligations(target.constraints, substitution, ctx, _innermost_span(node.type), f"`{show(block)}`", target.syntax.where)


def innermost_block(type: Type) -> BlockType | None:
    """The block of a sub's type, under arrays and optionals."""
    while isinstance(type, ArrayType | OptionalType):
        type = type.element if isinstance(type, ArrayType) else type.inner
    return type if isinstance(type, BlockType) else None


def _innermost_span(node: tree.Type) -> Span:
    while isinstance(node, tree.ArrayType | tree.OptionalType):
        node = node.element if isinstance(node, tree.ArrayType) else node.inner
    return node.span


def check_block_cycles(blocks: list[BlockInfo], checker: Checker) -> None:
    """E2122 for each block of a module that contains itself."""
    keys = {(info.module.name, info.qualified.rpartition("::")[2]): info.qualified for info in blocks}
    inside: dict[str, list[str]] = {}
    for info in blocks:
        found = [innermost_block(member.type) for member in info.members.values()]
        inside[info.qualified] = [keys[block.module, block.name] for block in found if block and (block.module, block.name) in keys]
    report_circles(inside, {info.qualified: info.syntax.name for info in blocks}, "block", "contains itself", checker)
