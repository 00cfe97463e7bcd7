"""Who calls whom.

In: functions with their effects.  Out: their order, callees first, and E2119 where a function calls itself, directly or through others.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from linnet_core.check.knots import MOST_NAMED, NO_RECURSION, circles, dependency_order, through
from linnet_core.check.mentioned_names import syntax_nodes
from linnet_core.check.program import SelfRef
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.environment import Checker, FunctionInfo
    from linnet_core.check.program import Call
    from linnet_core.text.span import Span


def callees_first(infos: list[FunctionInfo], checker: Checker) -> list[FunctionInfo]:
    """The functions in an order in which each comes after those it calls; E2119 once for each set that call each other."""
    by_name = {info.qualified: info for info in infos}
    calls = {info.qualified: list(dict.fromkeys(call.callee for call in info.effects.calls)) for info in infos}
    for circle in circles(calls):
        _report([by_name[name] for name in circle], checker)
    return [by_name[name] for name in dependency_order(calls)]


def _report(circle: list[FunctionInfo], checker: Checker) -> None:
    """At the call of the first function by the last."""
    first, last = circle[0], circle[-1]
    if any(_through_child(caller, callee) for caller, callee in pairwise([*circle, first])):
        return  # A block that contains itself (E2122).
    names = [info.qualified.rpartition("::")[2] for info in circle]
    message = f"`{names[0]}` calls itself{through(names[1:])}"
    related = [Label(_place(a, b), f"`{a.syntax.name.text}` calls `{b.syntax.name.text}`") for a, b in pairwise(circle[: MOST_NAMED + 1])]
    label = f"`{last.syntax.name.text}` calls `{first.syntax.name.text}`"
    checker.diagnostics.report("E2119", message, _place(last, first), label=label, related=related, help=NO_RECURSION)


def _through_child(caller: FunctionInfo, callee: FunctionInfo) -> bool:
    """Whether a function calls a method of a child."""
    calls = [call for call in caller.effects.calls if call.callee == callee.qualified]
    return not any(call.receiver is None or isinstance(call.receiver, SelfRef) for call in calls)


def _place(caller: FunctionInfo, callee: FunctionInfo) -> Span:
    """The callee's name in the first call of it."""
    return callee_span(next(call for call in caller.effects.calls if call.callee == callee.qualified), caller)


def callee_span(call: Call, caller: FunctionInfo) -> Span:
    """The words of the callee's name in a call of `caller`, found in its syntax by the call's place."""
    for node in syntax_nodes((caller.syntax,)):
        if isinstance(node, tree.Call) and (node.span.start, node.span.end) == (call.span.start, call.span.end):
            return node.callee.name.span if isinstance(node.callee, tree.Field) else node.callee.span
    return call.span
