"""Where `return` may stand.

In: a function's syntax.  Out: E2120 for a body that does not end with a `return`, one inside a loop, and one that is not
the last statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax import tree

if TYPE_CHECKING:
    from linnet_core.check.environment import Checker, FunctionInfo


def check_returns(info: FunctionInfo, checker: Checker) -> None:
    """Report every misplaced or missing `return` of the body (and of the `grad` clause)."""
    name = info.syntax.name
    _check_body(info.syntax.body, name, f"`{name.text}`", checker, has_result=info.syntax.result is not None)
    if info.syntax.grad is not None:
        _check_body(info.syntax.grad.body, info.syntax.grad, f"the `grad` clause of `{name.text}`", checker, has_result=True)


def _final(body: tuple[tree.Statement, ...], has_result: bool) -> str:
    """The help with the statement that is missing; it returns what the last one binds."""
    match body[-1] if body else None:
        case tree.Let(pattern=tree.NamePattern(name=name)) if has_result and name != "_":
            return f"end it with `return {name}`"
        case tree.IndexedLet(name=tree.Name(text=name)) if has_result:
            return f"end it with `return {name}`"
        case _:
            return "end it with `return ...`" if has_result else "end it with `return`"


def _check_body(body: tuple[tree.Statement, ...], end: tree.Node, what: str, checker: Checker, *, has_result: bool) -> None:
    report = checker.diagnostics.report
    for statement in body[:-1]:
        if isinstance(statement, tree.Return):
            message, label = "a `return` is the last statement of its function", "what follows is never reached"
            report("E2120", message, statement.span, label=label, help="take it out, or what follows it")
    is_told = any(isinstance(statement, tree.Return) for statement in body)
    is_told |= _check_loops(body, checker)
    if not is_told:
        report("E2120", f"{what} does not end with a `return`", end.span, label="ends without one", help=_final(body, has_result))


def _check_loops(body: tuple[tree.Statement, ...], checker: Checker) -> bool:
    """E2120 for each `return` in a loop, also in one that is a value; whether there was one."""
    found = False
    waiting: list[tuple[tree.Statement, bool, bool]] = [(statement, False, False) for statement in reversed(body)]
    while waiting:
        statement, in_loop, in_scan = waiting.pop()
        if isinstance(statement, tree.Return) and in_loop:
            found = True
            message = "a `return` stands at the end of a function, not in a loop"
            help = "end the body with `yield`" if in_scan else "assign to a `var` and return it after the loop"
            checker.diagnostics.report("E2120", message, statement.span, help=help)
        inner = loop_body(statement)
        is_scan = not isinstance(statement, tree.StaticFor | tree.While | tree.For)
        waiting.extend((inside, True, is_scan) for inside in reversed(inner))
    return found


def loop_body(statement: tree.Statement) -> tuple[tree.Statement, ...]:
    """The statements inside a loop, or inside a `for` that is the statement's value."""
    if isinstance(statement, tree.StaticFor | tree.While | tree.For):
        return statement.body
    value = getattr(statement, "value", None)
    return value.loop.body if isinstance(value, tree.ForExpression) else ()
