"""Operations with regions that are no loops: index notation, reductions, `if` and `match`.

In: an operation and the writer of the body it stands in.  Out: its piece; of a comprehension its statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import ShapeIndexType
from linnet_core.linnet_source.patterns import leading_pattern
from linnet_core.linnet_source.pieces import ATOM, OPEN, Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.ir.module import Op
    from linnet_core.linnet_source.body import Body


def comprehension(body: Body, op: Op) -> None:
    """`let y[i, *s] = ...`."""
    body.flush()
    [value] = op.results
    piece = _under_indices(body, op)
    plain = value.name and value.name not in body.names.carried
    if plain:
        body.protect(value.name, op)
    name = value.name if plain else body.names.for_nameless()
    body.lines.append(f"let {name}[{_index_list(op)}] = {piece.firm or piece.text}")
    body.names.assignable.pop(name, None)
    body.names.bind(value, name)
    if value.name and not plain:
        body.define(value, Piece(name, ATOM, value.type), op)


def expression(body: Body, op: Op, pieces: Sequence[Piece]) -> Piece | None:
    """A reduction, an `if` or a `match`; None for any other operation."""
    match op.kind:
        case "reduce":
            return _reduce(body, op)
        case "if":
            return _if(body, op, pieces[0])
        case "option.match":
            return _match_optional(body, op, pieces[0])
        case "enum.match":
            return _match_enum(body, op, pieces[0])
        case _:
            return None


def _index_list(op: Op) -> str:
    stars = ["*" if isinstance(arg.type, ShapeIndexType) else "" for arg in op.regions[0].args]
    return ", ".join(star + index.name for star, index in zip(stars, op.attrs["indices"], strict=True))


def _under_indices(body: Body, op: Op) -> Piece:
    """The body of a comprehension or reduction."""

    def bind(inner: Body) -> None:
        inner.under_indices = True
        for arg, index in zip(op.regions[0].args, op.attrs["indices"], strict=True):
            inner.names.bind(arg, index.name)

    return body.expression(op.regions[0], bind)


def _reduce(body: Body, op: Op) -> Piece:
    inner = _under_indices(body, op)
    dtype = f"<{body.spelling.type(inner.type)}>" if inner.loose and inner.firm is None else ""
    text = f"{op.attrs['reduce']}{dtype}[{_index_list(op)}] {inner.firm or inner.text}"
    return Piece(text, OPEN, op.results[0].type, depth=inner.depth)


def _if(body: Body, op: Op, condition: Piece) -> Piece:
    then, otherwise = (body.expression(region, lambda _: None) for region in op.regions)
    return _choice(op, [then, otherwise], lambda one, other: f"if {condition.text} {{ {one} }} else {{ {other} }}")


def _choice(op: Op, arms: Sequence[Piece], text: Callable[..., str]) -> Piece:
    """The piece of arms, of which one that has a type gives it to the others; `text` is told how each reads."""
    made = Piece(text(*(arm.text for arm in arms)), OPEN, op.results[0].type)
    made.loose = all(arm.loose for arm in arms)
    made.depth = max((arm.depth for arm in arms), default=0)
    if made.loose and any(arm.firm not in (None, arm.text) for arm in arms):
        made.firm = text(*(arm.firm or arm.text for arm in arms))
    return made


def _match_enum(body: Body, op: Op, subject: Piece) -> Piece:
    arms = [body.expression(region, lambda _: None) for region in op.regions]

    def text(*read: str) -> str:
        texts = [f"{name} => {arm}" for name, arm in zip(op.attrs["variants"], read, strict=True)]
        return f"match {subject.text} {{ {' '.join(texts)} }}"

    return _choice(op, arms, text)


def _match_optional(body: Body, op: Op, subject: Piece) -> Piece:
    some, none = op.regions
    binding = some.args[0]
    words: list[str] = []

    def bind(inner: Body) -> None:
        pattern = None if binding.name else leading_pattern(binding, some.ops, body.uses)
        if pattern is not None:
            words.append(inner.pattern_text(pattern, op))
        elif body.uses.count(binding):
            words.append(binding.name or inner.names.for_nameless())
            inner.names.bind(binding, words[0])
        else:
            words.append(binding.name or "_")

    inner = body.expression(some, bind)
    other = body.expression(none, lambda _: None)
    return _choice(op, [inner, other], lambda one, two: f"match {subject.text} {{ some({words[0]}) => {one} none => {two} }}")
