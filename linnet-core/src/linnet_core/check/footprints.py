"""Which state each function reads or writes.

In: checked functions with their effects, callees first.  Out: the paths of state members relative to the function's block, `[*]` for array
elements, sorted; what its callees touch is included, under the child they are called on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.check.program import (
    ArrayGet,
    Bind,
    Call,
    LocalRef,
    MatchOptional,
    MemberRef,
    StateRead,
    StateWrite,
    StaticForArray,
)

if TYPE_CHECKING:
    from linnet_core.check.environment import FunctionInfo
    from linnet_core.check.program import Expr, Function, Stmt


def set_footprints(order: list[FunctionInfo]) -> None:
    """Set `states` of each function; callees come before their callers."""
    done: dict[str, Function] = {}
    for info in order:
        if info.function is not None:
            done[info.qualified] = info.function = replace(info.function, states=footprint(info.effects.touches, done))


def footprint(touches: tuple[Expr | Stmt, ...], callees: dict[str, Function]) -> tuple[str, ...]:
    """The states that a function's body touches.  `callees` holds those of the functions it calls."""
    found: set[str] = set()
    paths: dict[int, str] = {}
    for node in touches:
        match node:
            case StaticForArray():
                paths[node.element.id] = _path(node.array, paths) + "[*]"
            case MatchOptional() if node.binding is not None:
                paths[node.binding.id] = _path(node.subject, paths)
            case Bind():
                paths[node.local.id] = _path(node.value, paths)
            case StateRead():
                found.add(_join(_path(node.receiver, paths), node.member))
            case StateWrite():
                found.add(node.member)
            case Call() if node.receiver is not None and node.callee in callees:
                under = _path(node.receiver, paths)
                found.update(_join(under, state) for state in callees[node.callee].states)
            case _:
                pass
    return tuple(sorted(found))


def _path(expr: Expr, paths: dict[int, str]) -> str:
    """Where a block value stands relative to the receiver; empty for the receiver itself (and for what is no block)."""
    steps: list[str] = []
    while True:
        match expr:
            case MemberRef():
                steps.append(f".{expr.member}")
                expr = expr.receiver
            case ArrayGet():
                steps.append("[*]")
                expr = expr.array
            case LocalRef():
                return (paths.get(expr.local.id, "") + "".join(reversed(steps))).removeprefix(".")
            case _:
                return "".join(reversed(steps)).removeprefix(".")


def _join(under: str, name: str) -> str:
    return f"{under}.{name}" if under else name
