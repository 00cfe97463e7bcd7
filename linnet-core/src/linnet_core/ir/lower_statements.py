"""Statements: bindings, assignments, writes of state, returns.

In: typed statements.  Out: `RULES` (see `lower_body.py`); a tuple of statements is a node too.
"""

from __future__ import annotations

from linnet_core.check import program as p
from linnet_core.errors import InternalError
from linnet_core.ir.lower_body import Body, Rule, Steps
from linnet_core.ir.module import Value


def lower_all(body: Body, statements: tuple[p.Stmt, ...]) -> Steps:
    """Statements in order."""
    yield from statements


def lower_let(body: Body, node: p.Let) -> Steps:
    """The local's value, under the local's name."""
    value: Value = yield node.value
    body.bind(node.local, body.named(value, node.local.name))


def lower_assign(body: Body, node: p.Assign) -> Steps:
    """A new value for a `var`."""
    value: Value = yield node.value
    body.bind(node.local, body.named(value, node.local.name))


def lower_state_write(body: Body, node: p.StateWrite) -> Steps:
    """A new value for a state of the receiver."""
    value: Value = yield node.value
    if body.receiver is None:
        raise InternalError(f"state `{node.member}` is written outside a method")
    body.emit_many("state.write", (body.receiver, value), (), node.span, {"name": node.member})


def lower_evaluate(body: Body, node: p.Evaluate) -> Steps:
    """An expression for its effect."""
    yield node.value


def lower_return(body: Body, node: p.Return) -> Steps:
    """The end of the function's region."""
    if node.value is None:
        body.emit_many("return", (), (), node.span)
    else:
        value: Value = yield node.value
        body.emit_many("return", (value,), (), node.span)


RULES: dict[type, Rule] = {
    tuple: lower_all,
    p.Let: lower_let,
    p.Assign: lower_assign,
    p.StateWrite: lower_state_write,
    p.Evaluate: lower_evaluate,
    p.Return: lower_return,
}
