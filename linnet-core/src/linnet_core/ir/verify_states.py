"""The states a function touches, against those it declares.

In: a module and a function.  Out: the paths of the states its body reads or writes, directly or through calls, relative to its block, with
`[*]` for the elements of an array; or `InternalError` where one of them is not among the function's `states`.  A loop carries what is
declared, so a state left out would not be threaded through it.  More may be declared than is touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import InternalError

if TYPE_CHECKING:
    from linnet_core.ir.module import Function, Module, Op


def verify_states(module: Module, function: Function) -> None:
    """Whether every state the body touches is declared."""
    missing = touched_states(module, function) - set(function.states)
    if missing:
        raise InternalError(f"function `{function.name}`: touches the state `{min(missing)}`, which is not among its states")


def touched_states(module: Module, function: Function) -> set[str]:
    """The paths of the states the body touches."""
    found: set[str] = set()
    if function.block is None:
        return found
    #: The path of each block (or array, or optional, of blocks) by value id; "" is the function's own.
    paths = {function.body.args[0].id: ""}
    pending = [function.body]
    while pending:
        for op in pending.pop().ops:
            _follow(module, op, paths, found)
            pending.extend(reversed(op.regions))
    return found


def _follow(module: Module, op: Op, paths: dict[int, str], found: set[str]) -> None:
    path = paths.get(op.operands[0].id) if op.operands else None
    if path is None:
        return
    match op.kind:
        case "block.sub":
            paths[op.results[0].id] = _join(path, op.attrs["name"])
        case "array.get":
            paths[op.results[0].id] = f"{path}[*]"
        case "static_for":
            paths[op.regions[0].args[0].id] = f"{path}[*]"
        case "option.match":
            paths[op.regions[0].args[0].id] = path
        case "state.read" | "state.write":
            found.add(_join(path, op.attrs["name"]))
        case "call" | "semantic.call":
            found.update(_join(path, state) for state in module.functions[op.attrs["callee"]].states)
        case _:
            pass


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
