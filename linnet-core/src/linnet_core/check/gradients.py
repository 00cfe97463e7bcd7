"""`grad` clauses of ops.

In: an op's signature and clause.  Out: `Grad` with its body checked against the gradients that are due.  E2125 for a clause
that cannot be: on something other than an op, a result that is not one float, a parameter without gradients or values, or
nothing to differentiate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.describe import RENAME
from linnet_core.check.generics import check_name
from linnet_core.check.program import Grad
from linnet_core.check.scopes import body_context
from linnet_core.check.show_types import quote
from linnet_core.check.types import ErrorType, ScalarType, TensorType, TupleType, is_in_class
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import listed

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext, LocalUse
    from linnet_core.check.environment import Checker, FunctionInfo
    from linnet_core.check.types import Type
    from linnet_core.syntax import tree
    from linnet_core.text.span import Span


_LABEL = "cannot be differentiated"
_NAME = "a name of the `grad` clause"


def check_grad(info: FunctionInfo, body: BodyContext, checker: Checker) -> tuple[Grad | None, list[LocalUse]]:
    """The clause, or None when there is none or it was refused; and its locals for the lints.

    `body` is the context the op's body was checked in: ids of locals go on from there.
    """
    from linnet_core.check.statements import check_body

    clause = info.syntax.grad
    if clause is None:
        return None, []
    wrong = _why_not(info)
    if wrong is not None:
        message, span, label, help = wrong
        if message:
            checker.diagnostics.report("E2125", message, span, label=label, help=help)
        return None, []
    ctx = body_context(info, checker)
    ctx.next_local = body.next_local
    _check_names(clause.result, clause.gradient, ctx)
    result = ctx.declare(clause.result.text, info.result, clause.result.span, lint=False, origin=_NAME)
    gradient = ctx.declare(clause.gradient.text, info.result, clause.gradient.span, lint=False, origin=_NAME)
    statements = check_body(clause.body, ctx, gradient_type(info))
    return Grad(result, gradient, statements), ctx.locals


def _check_names(result: tree.Name, gradient: tree.Name, ctx: BodyContext) -> None:
    """E1207 for a name of the prelude, E1205 for one name twice."""
    check_name(result, ctx)
    if gradient.text != result.text:
        check_name(gradient, ctx)
    elif gradient.text != "_":
        message = f"the result and its gradient are both named `{gradient.text}`"
        related = (Label(result.span, "the first"),)
        ctx.checker.diagnostics.report("E1205", message, gradient.span, label="the second", related=related, help=RENAME)


def gradient_type(info: FunctionInfo) -> Type:
    """What the clause returns: the gradient of each float tensor, bare when there is one, else a tuple in order."""
    due = tuple(local.type for local in info.params if _is_float_tensor(local.type))
    return due[0] if len(due) == 1 else TupleType(due)


def gradients_due(info: FunctionInfo) -> list[str]:
    """What to say of where the type that the clause returns is from."""
    names = [local.name for local in info.params if _is_float_tensor(local.type)]
    return [f"one gradient is due for each float tensor, in order: {listed(names)}"]


def _is_float_tensor(type: Type) -> bool:
    return isinstance(type, TensorType) and is_in_class(type.dtype, "float")


def _why_not(info: FunctionInfo) -> tuple[str, Span, str, str] | None:
    """Why the op can have no such clause: message, place, label and help; an empty message when that was reported elsewhere."""
    clause = info.syntax.grad
    assert clause is not None
    name = info.syntax.name
    if info.kind != "op":
        help = "declare it `op`" if info.kind == "fn" and info.block is None else "move what it computes into an `op`, with the clause"
        return f"only an op has a `grad` clause, and `{name.text}` is declared `{info.kind}`", clause.span, "not after an op", help
    types = (info.result, *(local.type for local in info.params))
    if any(isinstance(type, ErrorType) for type in types):
        return "", clause.span, "", ""
    if not isinstance(info.result, TensorType | ScalarType) or not is_in_class(info.result.dtype, "float"):
        span = info.syntax.result.span if info.syntax.result is not None else name.span
        message = f"an op with a `grad` clause returns one float tensor or scalar, not {quote(info.result)}"
        return message, span, _LABEL, "return one float tensor or scalar, or take the clause out"
    for local, param in zip(info.params, info.syntax.params, strict=True):
        if not isinstance(local.type, TensorType | ScalarType):
            message = f"an op with a `grad` clause takes tensors and scalars, and `{local.name}` is {quote(local.type)}"
            return message, param.type.span, _LABEL, f"give `{local.name}` as tensors and scalars, or take the clause out"
    if not any(_is_float_tensor(local.type) for local in info.params):
        message = f"`{name.text}` has no float tensor to differentiate by"
        return message, clause.span, "no gradient is due", "take the clause out: scalars and integers get no gradient"
    return None
