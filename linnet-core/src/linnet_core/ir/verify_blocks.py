"""Declarations of blocks: what their members may be, and the blocks they contain.

In: a module.  Out: nothing, or `InternalError` that names the block and the member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import ArrayType, BlockType, DimArg, DTypeArg, OptionalType, ScalarType, ShapeArg, TensorType
from linnet_core.errors import InternalError

if TYPE_CHECKING:
    from linnet_core.check.program import Block, Member
    from linnet_core.check.types import Type
    from linnet_core.ir.module import Module

_ARGUMENTS = {"dim": DimArg, "shape": ShapeArg, "dtype": DTypeArg}


def verify_blocks(module: Module) -> None:
    """Check every block; none contains itself."""
    children: dict[str, list[str]] = {}
    for key, block in module.blocks.items():
        children[key] = []
        for member in block.members:
            problem = _sub(module, member, children[key]) if member.kind == "sub" else _tensor(member)
            if problem:
                raise InternalError(f"block `{key}`: member `{member.name}` {problem}")
    _check_acyclic(children)


def _tensor(member: Member) -> str | None:
    """A parameter or buffer may be optional, a state may not."""
    type = member.type
    if isinstance(type, OptionalType) and member.kind != "state":
        type = type.inner
    return None if isinstance(type, ScalarType | TensorType) else f"is a {member.kind} of type {member.type}"


def _sub(module: Module, member: Member, children: list[str]) -> str | None:
    """A block, an optional block, or an array (of arrays) of blocks, with an argument of its kind for every generic."""
    type: Type = member.type
    if isinstance(type, OptionalType):
        type = type.inner
    while isinstance(type, ArrayType):
        type = type.element
    if not isinstance(type, BlockType):
        return f"is a sub of type {member.type}"
    block: Block | None = module.blocks.get(f"{type.module}::{type.name}")
    if block is None:
        return f"is a block `{type.module}::{type.name}`, which is not in the module"
    children.append(block.key)
    fits = len(type.args) == len(block.generics) and all(
        isinstance(arg, _ARGUMENTS[generic.kind]) for generic, arg in zip(block.generics, type.args, strict=False)
    )
    return None if fits else f"gives `{block.key}` other generics than it has"


def _check_acyclic(children: dict[str, list[str]]) -> None:
    done: set[str] = set()
    for root in children:
        path: dict[str, None] = {}
        pending: list[tuple[str, bool]] = [(root, False)]
        while pending:
            key, left = pending.pop()
            if left:
                del path[key]
                done.add(key)
            elif key in path:
                raise InternalError(f"block `{key}`: contains itself")
            elif key not in done:
                path[key] = None
                pending.append((key, True))
                pending.extend((child, False) for child in children[key])
