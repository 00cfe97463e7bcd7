"""Who calls whom.

In: checked functions.  Out: their order, callees first, and E2119 where a function calls itself, directly or through others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.program import Call
from linnet_core.check.walk import nodes_of
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.check.environment import Checker, FunctionInfo
    from linnet_core.check.program import Expr, Function, Stmt
    from linnet_core.text.span import Span


def callees_first(infos: list[FunctionInfo], checker: Checker) -> list[FunctionInfo]:
    """The functions in an order in which each comes after those it calls; calls that close a circle are reported and left out."""
    by_name = {info.qualified: info for info in infos}
    state: dict[str, str] = {}
    order: list[FunctionInfo] = []
    for root in infos:
        if root.qualified in state:
            continue
        state[root.qualified] = "open"
        path: list[tuple[FunctionInfo, Iterator[Call]]] = [(root, calls_of(root.function))]
        while path:
            info, calls = path[-1]
            call = next(calls, None)
            if call is None:
                path.pop()
                state[info.qualified] = "done"
                order.append(info)
            elif call.callee in by_name and call.callee not in state:
                state[call.callee] = "open"
                path.append((by_name[call.callee], calls_of(by_name[call.callee].function)))
            elif state.get(call.callee) == "open":
                _report(by_name[call.callee], [step.qualified for step, _ in path], call, info, checker)
    return order


def calls_of(function: Function | None) -> Iterator[Call]:
    """The calls in a function's body, defaults and `grad` clause."""
    if function is None:
        return
    roots: list[Expr | Stmt] = [param.default for param in function.params if param.default is not None]
    roots += function.body
    roots += function.grad.body if function.grad is not None else ()
    for node in nodes_of(tuple(roots)):
        if isinstance(node, Call):
            yield node


def _report(callee: FunctionInfo, path: list[str], call: Call, caller: FunctionInfo, checker: Checker) -> None:
    names = [name.rpartition("::")[2] for name in path[path.index(callee.qualified) :]]
    name = names[0]
    through = f" through {', '.join(f'`{step}`' for step in names[1:])}" if len(names) > 1 else ""
    message = f"`{name}` calls itself{through}"
    checker.diagnostics.report("E2119", message, callee_span(call, caller), help="use a loop: functions do not recurse")


def callee_span(call: Call, caller: FunctionInfo) -> Span:
    """The words of the callee's name in a call of `caller`, found in its syntax by the call's place."""
    waiting: list[object] = [caller.syntax]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, tree.Node):
            if isinstance(node, tree.Call) and (node.span.start, node.span.end) == (call.span.start, call.span.end):
                return node.callee.name.span if isinstance(node.callee, tree.Field) else node.callee.span
            waiting.extend(getattr(node, name) for name in node.__struct_fields__)
    return call.span
