"""Statements: dispatch, `let`, `var`, assignments and `return`.

In: the statements of a body and the type of the function's result.  Out: typed statements.  A `let` of a compile-time integer
gives no statement: its name stands for the integer.  E2101 and its kin for values, E2108 and E2109 for assignments, E2127 for
statements of kernels; loops are `loops.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.check.coerce import fit, settle
from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.context import LET
from linnet_core.check.describe import describe
from linnet_core.check.environment import MemberEntity
from linnet_core.check.expressions import check_expression
from linnet_core.check.generics import check_name
from linnet_core.check.gradients import gradients_due
from linnet_core.check.index_notation import check_indexed_let
from linnet_core.check.kernel_memory import check_store, refuse_memory
from linnet_core.check.loops import check_for, check_scan, check_static_for, check_while
from linnet_core.check.names import lookup
from linnet_core.check.patterns import bind_let
from linnet_core.check.program import Assign, Evaluate, Expr, Let, Local, Return, StateWrite, Stmt
from linnet_core.check.resolve_types import resolve_type
from linnet_core.check.sequences import as_value
from linnet_core.check.show_types import quote, show
from linnet_core.check.types import ERROR, UNIT, ErrorType, Type, UnitType
from linnet_core.errors import LinnetError
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Member
    from linnet_core.text.span import Span

#: A statement with a value.
Holder = tree.Let | tree.Var | tree.Assign | tree.Return


def check_body(statements: tuple[tree.Statement, ...], ctx: BodyContext, result: Type) -> tuple[Stmt, ...]:
    """The typed statements of a body in a scope of its own; `result` is what `return` gives."""
    ctx.push()
    made = [typed for statement in statements for typed in check_statement(statement, ctx, result)]
    ctx.pop()
    return tuple(made)


def check_statement(node: tree.Statement, ctx: BodyContext, result: Type) -> list[Stmt]:
    """The typed statements one statement becomes; none when it was reported or is compile-time only."""
    try:
        return _check_statement(node, ctx, result)
    except LinnetError as error:
        ctx.checker.diagnostics.report("E6003", str(error), node.span, help="let it speak of fewer sizes at once")
    except RecursionError:
        help = "give inner parts a name with `let`"
        ctx.checker.diagnostics.report("E1104", "expressions are nested too deeply in this statement", node.span, help=help)
    return []


def _check_statement(node: tree.Statement, ctx: BodyContext, result: Type) -> list[Stmt]:
    match node:
        case tree.Let():
            return _check_let(node, ctx)
        case tree.IndexedLet():
            return [check_indexed_let(node, ctx)]
        case tree.Var():
            return _check_var(node, ctx)
        case tree.Assign():
            return _check_assign(node, ctx)
        case tree.Return() if ctx.kernel is not None:
            help = "take it out, and write what the kernel computes with `store(result[i], value)`"
            message = "a kernel returns nothing: it stores its results"
            ctx.checker.diagnostics.report("E2127", message, node.span, label="gives a value", help=help)
        case tree.Return():
            return _check_return(node, ctx, result)
        case tree.StaticFor():
            return check_static_for(node, ctx, result)
        case tree.While():
            return check_while(node, ctx, result)
        case tree.For():
            return check_for(node, ctx, result)
        case tree.Yield():
            message = "a `yield` ends the body of a `for` that is the value of a `let`, `var`, assignment or `return`"
            help = "bind the loop, `let values = for ... { ... }`, and let the `yield` be its last statement"
            if not ctx.loop_depth:
                help = "write it in a `for`, or give the value a name: `let value = ...`"
            ctx.checker.diagnostics.report("E2124", message, node.span, label="out of place", help=help)
        case tree.Store():
            return check_store(node, ctx)
    return []


def check_whole(node: Holder, ctx: BodyContext, expected: Type | None, result: Type) -> Expr:
    """The whole value of a `let`, `var`, assignment or `return`, where a `for` may stand, without parentheses around it."""
    value = node.value
    assert value is not None
    if isinstance(value, tree.ForExpression) and node.span.end == value.span.end:
        return check_scan(value, ctx, expected, result)
    return check_expression(value, ctx, expected)


def _check_let(node: tree.Let, ctx: BodyContext) -> list[Stmt]:
    result = ctx.function.result if ctx.function is not None else ERROR
    if node.type is None:
        name = node.pattern.name if isinstance(node.pattern, tree.NamePattern) else "x"
        value = check_whole(node, ctx, _type_of_none(node, f"let {name}", ctx), result)
        if isinstance(value.type, UnitType) and isinstance(node.pattern, tree.NamePattern) and node.pattern.name == "_":
            return [Evaluate(node.span, value)]
        return bind_let(node.pattern, value, node.span, ctx)
    declared = resolve_type(node.type, ctx)
    value = check_whole(node, ctx, None if isinstance(declared, ErrorType) else declared, result)
    value = fit(value, declared, ctx, what=f"the value of `{_spell(node.pattern)}`")
    if isinstance(node.pattern, tree.NamePattern) and node.pattern.name != "_":
        check_name(tree.Name(node.pattern.span, node.pattern.name), ctx)
        local = ctx.declare(node.pattern.name, declared, node.pattern.span)
        return [] if is_failed(value) or isinstance(declared, ErrorType) else [Let(node.span, local, value)]
    return bind_let(node.pattern, failed(node.span) if isinstance(declared, ErrorType) else value, node.span, ctx)


def _type_of_none(node: tree.Let | tree.Var, start: str, ctx: BodyContext) -> Type | None:
    """E2113 for a bare `none` without a written type, with the statement that would have one; what is due otherwise."""
    if not isinstance(node.value, tree.NoneLiteral):
        return None
    message, help = "`none` needs an optional type from its context", f"give the type where it is bound: `{start}: f32? = none`"
    ctx.checker.diagnostics.report("E2113", message, node.value.span, label="an absent what?", help=help)
    return ERROR


def _spell(pattern: tree.Pattern) -> str:
    return pattern.name if isinstance(pattern, tree.NamePattern) else pattern.span.text


def _check_var(node: tree.Var, ctx: BodyContext) -> list[Stmt]:
    result = ctx.function.result if ctx.function is not None else ERROR
    declared = None if node.type is None else resolve_type(node.type, ctx)
    hint = None if isinstance(declared, ErrorType) else declared
    if declared is None:
        hint = _type_of_none(node, f"var {node.name.text}", ctx)
    value = check_whole(node, ctx, hint, result)
    if declared is None:
        value = settle(as_value(value, ctx), ctx)
        declared = value.type
    else:
        value = fit(value, declared, ctx, what=f"the value of `{node.name.text}`")
    check_name(node.name, ctx)
    local = ctx.declare(node.name.text, declared, node.name.span, mutable=True)
    return [] if is_failed(value) or isinstance(declared, ErrorType) else [Let(node.span, local, value)]


def _check_assign(node: tree.Assign, ctx: BodyContext) -> list[Stmt]:
    target = _assignable(node.name, ctx)
    type = ERROR if target is None else target.type
    result = ctx.function.result if ctx.function is not None else ERROR
    value = check_whole(node, ctx, None if isinstance(type, ErrorType) else type, result)
    if target is None or isinstance(type, ErrorType):
        return []
    declared = _declared_at(node.name.text, target, ctx)
    related = () if declared is None else (Label(declared, f"`{show(type)}` since here"),)
    value = as_value(value, ctx)
    fitted = fit(value, type, ctx, what=f"the new value of `{node.name.text}`", code="E2109", related=related)
    if is_failed(fitted):
        if not is_failed(value):
            _forget_type(node.name.text, ctx)
        return []
    return [Assign(node.span, target, fitted) if isinstance(target, Local) else StateWrite(node.span, target.name, fitted)]


def _forget_type(name: str, ctx: BodyContext) -> None:
    """Whether the first or the new type of a `var` was meant is not known: its further uses say nothing."""
    use = ctx.find_local(name)
    if use is not None:
        use.local = replace(use.local, type=ERROR)


def _assignable(name: tree.Name, ctx: BodyContext) -> Local | Member | None:
    """The `var` or own state of that name; None after E2108 or E1201."""
    use = ctx.find_local(name.text)
    if use is not None:
        if use.local.mutable or isinstance(use.local.type, ErrorType):
            return use.local
        if use.local.id in ctx.memory:
            refuse_memory(use.local, name.span, ctx)
            return None
        if use.refused:
            return None
        use.refused = True
        again = f"make a variable of it first: `var {name.text} = {name.text}`"
        _refuse(name, use.origin, f"declare it as `var {name.text}`" if use.origin == LET else again, ctx, use.span)
        return None
    entity = lookup(name.text, ctx, name.span, help=f"declare it where it gets its first value: `var {name.text} = ...`")
    if isinstance(entity, MemberEntity):
        if entity.member.kind == "state":
            return entity.member
        help = "its own methods assign its `state`" if entity.member.kind == "sub" else "what changes is kept in a `state`"
        _refuse(name, f"a `{entity.member.kind}`", help, ctx, entity.member.span)
    elif entity is not None:
        _refuse(name, describe(entity), "give the new value a name of its own: `let ... = ...`", ctx)
    return None


def _declared_at(name: str, target: Local | Member, ctx: BodyContext) -> Span | None:
    """Where a `var` or a state has its type from; None for a state of a program that was read back."""
    if not isinstance(target, Local):
        return target.span
    use = ctx.find_local(name)
    assert use is not None
    return use.span


def _refuse(name: tree.Name, what: str, help: str | None, ctx: BodyContext, declared: Span | None = None) -> None:
    ctx.checker.diagnostics.report(
        "E2108",
        f"`{name.text}` cannot be assigned: it is {what}",
        name.span,
        label="only a `var` or an own `state` can",
        related=(Label(declared, "declared here"),) if declared is not None else (),
        help=help,
    )


def _check_return(node: tree.Return, ctx: BodyContext, result: Type) -> list[Stmt]:
    name = f"`{ctx.function.syntax.name.text}`" if ctx.function is not None else "this"
    if node.value is None:
        if not isinstance(result, UnitType | ErrorType) and _is_last(node, ctx):
            message, label = f"{name} returns a value, and this `return` has none", f"{quote(result)} is due"
            ctx.checker.diagnostics.report("E2101", message, node.span, label=label, help="write the value after it: `return ...`")
        return [Return(node.span, None)]
    if result == UNIT:
        _report_needless(node, name, ctx)
        return []
    value = check_whole(node, ctx, None if isinstance(result, ErrorType) else result, result)
    if ctx.loop_depth:
        return []  # Reported as a `return` in a loop, whatever it returns.
    what, notes, code = f"the result of {name}", None, None
    function = ctx.function
    if function is not None and result is not function.result:
        # Whatever a gradient differs in, it is a value of the wrong type.
        what, notes, code = f"what the `grad` clause of {name} returns", lambda: gradients_due(function), "E2101"
    value = fit(as_value(value, ctx), result, ctx, what=what, code=code, notes=notes)
    return [] if is_failed(value) else [Return(node.span, value)]


def _is_last(node: tree.Return, ctx: BodyContext) -> bool:
    """Whether a `return` stands where one is due; anywhere else is told as such, whatever it returns."""
    if ctx.function is None or ctx.loop_depth:
        return False
    function = ctx.function.syntax
    bodies = (function.body, function.grad.body if function.grad is not None else ())
    return any(last is node for body in bodies for last in body[-1:])


def _report_needless(node: tree.Return, name: str, ctx: BodyContext) -> None:
    """A value after the `return` of a function without a result (E2101), unless the value is wrong itself."""
    assert node.value is not None
    value = check_whole(node, ctx, None, UNIT)
    if is_failed(value):
        return
    type = settle(value, ctx).type
    help = "write a bare `return`" + (f", or declare the result: `-> {show(type)}`" if not isinstance(type, ErrorType | UnitType) else "")
    message = f"{name} has no result to return"
    ctx.checker.diagnostics.report("E2101", message, node.value.span, label="nothing is due", help=help)
