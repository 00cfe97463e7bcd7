"""`match` on optionals and enums.

In: `Match` nodes.  Out: `MatchOptional` or `MatchEnum` with every case covered once and all arms of one type.  E2117 (a pattern
that cannot match), E2118 (a case missing), E2115 (arms of different types).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.coerce import settle
from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.joining import check_branches, join
from linnet_core.check.patterns import bind_in_arm, check_names, declare_broken, wrap
from linnet_core.check.program import Expr, MatchEnum, MatchOptional
from linnet_core.check.receivers import enum_of
from linnet_core.check.repairs import tight
from linnet_core.check.show_types import quote
from linnet_core.check.types import BOOL_TYPE, EnumType, OptionalType
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.check.context import BodyContext
    from linnet_core.check.joining import Branch
    from linnet_core.check.program import Local
    from linnet_core.check.types import Type


def check_match(node: tree.Match, ctx: BodyContext, expected: Type | None) -> Expr:
    """`match x { arms }`."""
    subject = check_expression(node.subject, ctx)
    if isinstance(subject.type, OptionalType):
        subject = settle(subject, ctx)  # what is inside gets a name
    match subject.type:
        case OptionalType():
            return _match_optional(node, subject, subject.type, ctx, expected)
        case EnumType():
            return _match_enum(node, subject, subject.type, ctx, expected)
    if not is_failed(subject):
        pattern = node.arms[0].pattern
        message = f"a `match` takes an optional or an enum, and this is {quote(subject.type)}"
        condition = subject.span.brief if subject.type == BOOL_TYPE else f"{tight(subject.span.brief)} == ..."
        related = [Label(subject.span, f"this is {quote(subject.type)}")]
        help = f"pick with `if {condition} {{ ... }} else {{ ... }}`"
        ctx.checker.diagnostics.report("E2117", message, pattern.span, label="cannot match", related=related, help=help)
    for arm in node.arms:
        _check_broken_arm(arm, ctx)
    return failed(node.span)


def _check_broken_arm(arm: tree.Arm, ctx: BodyContext) -> None:
    """An arm whose pattern says nothing: its value is looked at with the names bound to nothing."""
    ctx.push()
    declare_broken(arm.pattern, ctx)
    if not isinstance(arm.value, tree.NoneLiteral):
        check_expression(arm.value, ctx)
    ctx.pop()


def _match_optional(node: tree.Match, subject: Expr, type: OptionalType, ctx: BodyContext, expected: Type | None) -> Expr:
    arms = _arms_by_case(node, ("some", "none"), _optional_case, "an optional", ctx)
    if arms is None:
        return failed(node.span)
    bound: dict[int, tuple[Local | None, list[tuple[Local, Expr]]]] = {}

    def check_arm(at: int, hint: Type | None) -> Expr:
        arm = node.arms[at]
        ctx.push()
        if isinstance(arm.pattern, tree.SomePattern):
            if check_names(arm.pattern, ctx):
                bound[at] = bind_in_arm(arm.pattern.inner, type.inner, ctx)
            else:
                declare_broken(arm.pattern, ctx)
        value = check_expression(arm.value, ctx, hint)
        ctx.pop()
        return value

    values = _join_arms(node, arms, check_arm, ctx, expected)
    if values is None:
        return failed(node.span)
    some_at = arms["some"]
    binding, deeper = bound.get(some_at, (None, []))
    some, none = wrap(values[some_at], deeper), values[arms["none"]]
    return MatchOptional(some.type, node.span, subject, binding, some, none)


def _match_enum(node: tree.Match, subject: Expr, type: EnumType, ctx: BodyContext, expected: Type | None) -> Expr:
    variants = tuple(variant.text for variant in enum_of(type, ctx).syntax.variants)
    arms = _arms_by_case(node, variants, _enum_case, f"enum `{type.name}`", ctx)
    if arms is None:
        return failed(node.span)
    values = _join_arms(node, arms, lambda at, hint: check_expression(node.arms[at].value, ctx, hint), ctx, expected)
    if values is None:
        return failed(node.span)
    written = sorted(values)
    names = tuple(_enum_case(node.arms[at].pattern) or "_" for at in written)
    return MatchEnum(values[written[0]].type, node.span, subject, names, tuple(values[at] for at in written))


def _join_arms(
    node: tree.Match, arms: dict[str, int], check_arm: Callable[[int, Type | None], Expr], ctx: BodyContext, expected: Type | None
) -> dict[int, Expr] | None:
    """The values of all arms that stand for a case, by position; None when they have no common type."""
    used = sorted(set(arms.values()))
    branches: list[Branch] = [(node.arms[at].value, lambda hint, at=at: check_arm(at, hint)) for at in used]
    joined = join(check_branches(branches, ctx, expected), ctx, "arms")
    return None if joined is None else dict(zip(used, joined[1], strict=True))


def _optional_case(pattern: tree.Pattern) -> str | None:
    """`some` or `none`; None for any other pattern."""
    match pattern:
        case tree.SomePattern():
            return "some"
        case tree.NonePattern():
            return "none"
        case _:
            return None


def _enum_case(pattern: tree.Pattern) -> str | None:
    """The variant a pattern names; None for `_` and any other pattern."""
    return pattern.name if isinstance(pattern, tree.NamePattern) and pattern.name != "_" else None


def _arms_by_case(
    node: tree.Match, cases: tuple[str, ...], case_of: Callable[[tree.Pattern], str | None], what: str, ctx: BodyContext
) -> dict[str, int] | None:
    """The position of the arm for each case; None after E2117 or E2118, the arms then being looked at on their own."""
    arms: dict[str, int] = {}
    good = True
    for at, arm in enumerate(node.arms):
        case = case_of(arm.pattern)
        problem = _problem(case, arm, cases, arms, what)
        if problem is not None:
            message, help = problem
            before = node.arms[arms[case]].pattern if case in arms else None
            related = [Label(before.span, "covered here")] if before is not None else []
            ctx.checker.diagnostics.report("E2117", message, arm.pattern.span, label="cannot match", related=related, help=help)
            good = False
        elif case is None:
            arms.update({left: at for left in cases if left not in arms})
        else:
            arms[case] = at
    missing = [f"`{case}`" for case in cases if case not in arms]
    first = "some(value)" if missing == ["`some`"] else next(iter(missing), "").strip("`")
    if good and missing:
        ctx.checker.diagnostics.report(
            "E2118",
            f"the match on {what} misses {' and '.join(missing)}",
            node.span,
            label=f"{', '.join(missing)} not covered",
            help=f"add an arm, `{first} => ...`, or `_ => ...` for what is left",
        )
        good = False
    if not good:
        for arm in node.arms:
            _check_broken_arm(arm, ctx)
    return arms if good else None


def _problem(case: str | None, arm: tree.Arm, cases: tuple[str, ...], arms: dict[str, int], what: str) -> tuple[str, str | None] | None:
    """Why an arm cannot match, and what would help; None when it can."""
    if case is None and not (isinstance(arm.pattern, tree.NamePattern) and arm.pattern.name == "_"):
        return f"this pattern does not match {what}", f"`_` takes what is left; its cases are {listed(cases)}"
    if case is not None and case not in cases:
        return f"`{case}` is no case of {what}", did_you_mean(case, cases) or f"its cases are {listed(cases)}"
    if case in arms or (case is None and len(arms) == len(cases)):
        return "this case is covered by the arms before it", "take this arm out"
    if len(arms) == len(cases):
        return "`_` comes last: this arm is never reached", "move it before the `_`"
    return None
