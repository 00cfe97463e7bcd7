"""Where a tensor may stand in index notation: indexed, or as an argument of a call, which then runs once, whole.

In: the typed body of a comprehension or of an outermost reduction.  Out: whether all of it obeys; E3104 otherwise.  The walk
keeps its own stack, so a long chain of operators costs no recursion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from linnet_core.check.program import (
    Binary,
    Bind,
    BroadcastTo,
    Call,
    Cast,
    Concat,
    ConstRef,
    Cumsum,
    Element,
    Fill,
    GetField,
    IndexRef,
    Iota,
    LocalRef,
    MakeSome,
    MatchEnum,
    MatchOptional,
    MemberRef,
    Permute,
    Reduce,
    Reshape,
    Select,
    StateRead,
    Unary,
)
from linnet_core.check.show_types import quote
from linnet_core.check.types import ScalarType, TensorType
from linnet_core.check.walk import operands

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr, IndexVar

#: How an expression stands: as one element, as what is indexed, or inside a call that runs whole.
Place = Literal["element", "indexed", "whole"]


def forbid_whole_tensors(body: Expr, indices: tuple[IndexVar, ...], ctx: BodyContext) -> bool:
    """Report each tensor that stands where an element is due, and each index inside a call that runs whole (E3104)."""
    grid = {index.id: index.name for index in indices}
    stack: list[tuple[Expr, Place]] = [(body, "element")]
    good = True
    while stack:
        expr, place = stack.pop()
        if place == "element" and isinstance(expr.type, TensorType):
            _report_whole(_innermost_tensor(expr), ctx)
            good = False
            continue
        if place == "indexed" and not (_is_call(expr) or isinstance(expr, LocalRef | MemberRef | StateRead | ConstRef | GetField)):
            _report_whole(expr, ctx)
            good = False
            continue
        if isinstance(expr, Reduce) and place != "whole":
            grid.update((index.id, index.name) for index in expr.indices)
        if isinstance(expr, Element) and place == "whole":
            good = _reads_no_index(expr, grid, ctx) and good
        stack.extend(reversed(_inside(expr, place)))
    return good


def _inside(expr: Expr, place: Place) -> list[tuple[Expr, Place]]:
    """The operands of an expression with how each of them stands."""
    if place == "whole":
        return [(operand, "whole") for operand in operands(expr)]
    if isinstance(expr, Element):
        positions = [position for position in expr.positions if not isinstance(position, IndexRef)]
        return [(expr.base, "indexed"), *((position, "element") for position in positions)]
    if place == "indexed":
        return [(operand, "whole") for operand in operands(expr)]
    if isinstance(expr, Bind):
        return [(expr.value, "whole"), (expr.body, "element")]
    if isinstance(expr, MatchOptional | MatchEnum):
        first, *arms = operands(expr)
        return [(first, "whole"), *((arm, "element") for arm in arms)]
    if _is_call(expr) or isinstance(expr, MakeSome | GetField):
        return [(operand, "whole" if _stands_whole(operand) else "element") for operand in operands(expr)]
    return [(operand, "element") for operand in operands(expr)]


def _stands_whole(argument: Expr) -> bool:
    return not isinstance(argument.type, ScalarType)


def _is_call(expr: Expr) -> bool:
    """Whether the source wrote `f(...)`: a call, or a function of the prelude."""
    match expr:
        case Unary(kind="neg" | "not"):
            return False
        case Binary(kind=kind):
            return kind in ("min", "max", "shl", "shr")
        case _:
            return isinstance(expr, Call | Cast | Select | Reshape | BroadcastTo | Permute | Concat | Cumsum | Iota | Fill | Unary)


def _innermost_tensor(expr: Expr) -> Expr:
    """The tensor that made an expression a tensor: down to the first operand that is none of its result."""
    while True:
        inner = next((operand for operand in operands(expr) if isinstance(operand.type, TensorType)), None)
        if inner is None or _is_call(expr):
            return expr
        expr = inner


def _report_whole(expr: Expr, ctx: BodyContext) -> None:
    ctx.checker.diagnostics.report(
        "E3104",
        "a whole tensor stands in index notation",
        expr.span,
        label=f"this is {quote(expr.type)}",
        help="index every axis of it, or compute it in a statement of its own first",
    )


def _reads_no_index(element: Element, grid: dict[int, str], ctx: BodyContext) -> bool:
    used = [position.index.id for position in element.positions if isinstance(position, IndexRef)]
    for id in used:
        if id in grid:
            ctx.checker.diagnostics.report(
                "E3104",
                f"a call that gives a whole tensor runs once and cannot depend on the index `{grid[id]}`",
                element.span,
                help="pass whole tensors and index the result",
            )
            return False
    return True
