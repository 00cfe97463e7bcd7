"""Patterns: what a `let`, `var`-like binding or match arm gives names to.

In: a pattern, a typed value.  Out: declared locals, as `Let` statements (in a `let`) or `Bind` expressions (in an arm).  E2117
(a pattern that cannot match), E1205 (one name twice), E1207 (a prelude name).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.coerce import settle
from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.context import LET
from linnet_core.check.describe import RENAME
from linnet_core.check.generics import check_name
from linnet_core.check.program import Bind, DimValue, Evaluate, Expr, GetField, Let, Local, LocalRef, MakeTuple
from linnet_core.check.repairs import take_apart
from linnet_core.check.sequences import as_value
from linnet_core.check.show_types import quote
from linnet_core.check.types import ERROR, DimType, TupleType
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Stmt
    from linnet_core.check.types import Type
    from linnet_core.text.span import Span


#: What a local is that a pattern took out of a tuple.
_PART = "bound by a pattern"


def bind_let(pattern: tree.Pattern, value: Expr, span: Span, ctx: BodyContext) -> list[Stmt]:
    """The statements of `let pattern = value`.  A compile-time integer is bound without one: its name stands for it."""
    if not check_names(pattern, ctx):
        value = failed(value.span)
    return _bind(pattern, value, span, ctx)


def _bind(pattern: tree.Pattern, value: Expr, span: Span, ctx: BodyContext, origin: str = LET) -> list[Stmt]:
    match pattern:
        case tree.NamePattern():
            return _bind_name(pattern, value, span, ctx, origin)
        case tree.TuplePattern():
            return _bind_tuple(pattern, value, span, ctx)
        case _:
            help = take_apart(value.type, value.span.brief)
            _report(pattern, "`some` and `none` may not match, so they stand in `match` only", ctx, help=help)
            declare_broken(pattern, ctx)
            return []


def _bind_name(pattern: tree.NamePattern, value: Expr, span: Span, ctx: BodyContext, origin: str) -> list[Stmt]:
    if is_failed(value):
        declare_broken(pattern, ctx)
        return []
    if pattern.name == "_":
        value = settle(value, ctx)
        return [] if is_failed(value) else [Evaluate(span, value)]
    if isinstance(value.type, DimType):
        assert isinstance(value, DimValue)
        ctx.declare(pattern.name, value.type, pattern.span, origin=origin)
        return []
    value = settle(as_value(value, ctx), ctx)
    local = ctx.declare(pattern.name, value.type, pattern.span, origin=origin)
    return [] if is_failed(value) else [Let(span, local, value)]


def _bind_tuple(pattern: tree.TuplePattern, value: Expr, span: Span, ctx: BodyContext) -> list[Stmt]:
    if is_failed(value) or not takes_apart(pattern, value.type, ctx):
        declare_broken(pattern, ctx)
        return []
    if isinstance(value, MakeTuple):
        pairs = zip(pattern.elements, value.elements, strict=True)
        return [statement for inner, element in pairs for statement in _bind(inner, element, span, ctx, _PART)]
    value = settle(value, ctx)
    if is_failed(value):
        declare_broken(pattern, ctx)
        return []
    hidden = Local(ctx.fresh_local_id(), "", value.type)
    made: list[Stmt] = [Let(span, hidden, value)]
    for inner, part in _parts(pattern, hidden):
        made.extend(_bind(inner, part, span, ctx, _PART) if not _is_wildcard(inner) else [])
    return made


def _parts(pattern: tree.TuplePattern, local: Local) -> Iterator[tuple[tree.Pattern, Expr]]:
    """The inner patterns with the elements of the tuple in `local`."""
    assert isinstance(local.type, TupleType)
    whole = LocalRef(local.type, pattern.span, local)
    for position, (inner, type) in enumerate(zip(pattern.elements, local.type.elements, strict=True)):
        yield inner, GetField(type, inner.span, whole, position)


def takes_apart(pattern: tree.TuplePattern, type: Type, ctx: BodyContext) -> bool:
    """Whether a value of `type` is a tuple of as many elements; E2117 otherwise."""
    if isinstance(type, TupleType) and len(type.elements) == len(pattern.elements):
        return True
    count = f"{len(pattern.elements)} part{'s' * (len(pattern.elements) != 1)}"
    _report(pattern, f"a pattern of {count} does not match {quote(type)}", ctx, help=_pattern_for(pattern, type))
    return False


def _pattern_for(pattern: tree.TuplePattern, type: Type) -> str:
    """The help with the pattern that does match: as many parts as the tuple has, or one name."""
    parts = [part.span.brief for part in pattern.elements]
    if not isinstance(type, TupleType):
        return f"it is one value: write `{next((part for part in parts if part.isidentifier()), 'value')}`"
    wanted = [*parts, *["_"] * len(type.elements)][: len(type.elements)]
    return f"it has {len(type.elements)} elements: write `({', '.join(wanted)})`"


def bind_in_arm(pattern: tree.Pattern, type: Type, ctx: BodyContext) -> tuple[Local | None, list[tuple[Local, Expr]]]:
    """Declare what `some(pattern)` binds: the local for the whole value (None for `_`), and what is taken out of it."""
    match pattern:
        case tree.NamePattern(name="_"):
            return None, []
        case tree.NamePattern():
            return ctx.declare(pattern.name, type, pattern.span), []
        case tree.TuplePattern():
            if not takes_apart(pattern, type, ctx):
                declare_broken(pattern, ctx)
                return None, []
            hidden = Local(ctx.fresh_local_id(), "", type)
            return hidden, _taken_out(pattern, hidden, ctx)
        case _:
            inner = pattern.inner.span.brief if isinstance(pattern, tree.SomePattern) else "_"
            _report(pattern, "an optional holds no optional", ctx, help=f"write `{inner}`")
            declare_broken(pattern, ctx)
            return None, []


def _taken_out(pattern: tree.TuplePattern, hidden: Local, ctx: BodyContext) -> list[tuple[Local, Expr]]:
    made: list[tuple[Local, Expr]] = []
    for inner, part in _parts(pattern, hidden):
        local, deeper = bind_in_arm(inner, part.type, ctx)
        if local is not None:
            made.extend([(local, part), *deeper])
    return made


def wrap(value: Expr, bindings: list[tuple[Local, Expr]]) -> Expr:
    """`value` with the locals of an arm's pattern bound around it."""
    for local, part in reversed(bindings):
        value = failed(value.span) if is_failed(value) else Bind(value.type, value.span, local, part, value)
    return value


def declare_broken(pattern: tree.Pattern, ctx: BodyContext) -> None:
    """Declare the names of a pattern without a usable value, so that their uses stay silent."""
    match pattern:
        case tree.NamePattern():
            ctx.declare(pattern.name, ERROR, pattern.span, lint=False)
        case tree.TuplePattern():
            for element in pattern.elements:
                declare_broken(element, ctx)
        case tree.SomePattern():
            declare_broken(pattern.inner, ctx)
        case _:
            pass


def check_names(pattern: tree.Pattern, ctx: BodyContext) -> bool:
    """Whether a pattern may bind its names: E1207 for one of the prelude, E1205 for one that stands in it twice."""
    good = True
    first: dict[str, Span] = {}
    for name in names_of(pattern):
        good = check_name(tree.Name(name.span, name.name), ctx) and good
        if name.name in first and name.name != "_":
            related = (Label(first[name.name], "the first"),)
            message = f"two parts of a pattern are named `{name.name}`"
            ctx.checker.diagnostics.report("E1205", message, name.span, label="the second", related=related, help=RENAME)
            good = False
        first.setdefault(name.name, name.span)
    return good


def names_of(pattern: tree.Pattern) -> Iterator[tree.NamePattern]:
    """The names a pattern binds, in order."""
    match pattern:
        case tree.NamePattern():
            yield pattern
        case tree.TuplePattern():
            for element in pattern.elements:
                yield from names_of(element)
        case tree.SomePattern():
            yield from names_of(pattern.inner)
        case _:
            return


def _is_wildcard(pattern: tree.Pattern) -> bool:
    return isinstance(pattern, tree.NamePattern) and pattern.name == "_"


def _report(pattern: tree.Pattern, message: str, ctx: BodyContext, *, help: str | None) -> None:
    ctx.checker.diagnostics.report("E2117", message, pattern.span, label="cannot match", help=help)
