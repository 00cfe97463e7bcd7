"""Random terms over whole tensors: shape operations, slices, calls, branches.

In: a `Draw`, a `Scope`, a shape and a dtype.  Out: a `Term` of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from elementwise import elementwise, exact
from indexed import position, reduction
from meaning import DTYPES, INTEGERS, cast, cumsum
from msgspec.structs import replace
from terms import Draw, Frame, Method, Name, Optional, Scope, StuckError, Term, near

if TYPE_CHECKING:
    from collections.abc import Callable

    Shape = tuple[str, ...]

_ELEMENTS = 300


def whole(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    """A term of a shape and dtype; never a bare literal."""
    if depth <= 0 or draw.chance(0.1):
        return leaf(draw, scope, shape, dtype)
    try:
        return near(draw.tried(lambda: _composed(draw, scope, shape, dtype, depth)))
    except StuckError:
        return leaf(draw, scope, shape, dtype)


def _composed(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    kinds: list[Callable[..., Term]] = [_elementwise, _elementwise, _elementwise, _sliced, _reshaped, _branch, _call, _matched]
    kinds += [_permuted, _spread, _running] if shape else [_reduction, _reduction, _logic]
    return draw.pick(kinds)(draw, scope, shape, dtype, depth - 1)


def leaf(draw: Draw, scope: Scope, shape: Shape, dtype: str) -> Term:
    """A name of the type, else one of another brought to it, else a constant."""
    fitting = [name.term for name in scope.names if name.term.dtype == dtype and name.term.shape == shape]
    if fitting and draw.chance(0.9):
        return draw.pick(fitting)
    if draw.chance(0.8):
        try:
            return draw.tried(lambda: _adapted(draw, scope, shape, dtype))
        except StuckError:
            pass
    if len(shape) == 1 and dtype in INTEGERS and draw.chance(0.4):
        return Term(f"iota<{dtype}>({shape[0]})", shape, dtype, lambda f: cast(np.arange(f.size(shape[0])), dtype))
    return _filled(draw, shape, dtype)


def _filled(draw: Draw, shape: Shape, dtype: str) -> Term:
    scalar = draw.constant(dtype)
    if not shape:
        return scalar
    text = (
        f"fill<{dtype}>([{', '.join(shape)}], {scalar.text})" if draw.chance(0.5) else f"broadcast_to({scalar.text}, [{', '.join(shape)}])"
    )
    return replace(scalar, text=text, shape=shape, value=lambda f: np.full(f.shape(shape), scalar.value(f)))


def _adapted(draw: Draw, scope: Scope, shape: Shape, dtype: str) -> Term:
    """A name without some of its axes, with the rest in another order, spread over `shape`."""
    term = draw.pick(name.term for name in scope.names if name.term.dtype == dtype)
    rest, kept, comps = list(shape), [], []
    for size in term.shape:
        if size in rest:
            rest.remove(size)
            kept.append(size)
            comps.append(Term(":", (), "i64", lambda _: np.asarray(0)))
        else:
            comps.append(position(draw, scope, size, {}))
    made = _picked(term, comps, tuple(kept))
    order = sorted(range(len(kept)), key=lambda at: shape.index(kept[at]))
    if order != list(range(len(kept))):
        made = _transposed(made, order)
    return made if made.shape == shape else _broadcast(_with_ones(made, shape), shape)


def _picked(term: Term, comps: list[Term], shape: Shape) -> Term:
    if all(comp.text == ":" for comp in comps):
        return term

    def value(frame: Frame) -> np.ndarray:
        at = tuple(slice(None) if comp.text == ":" else int(comp.value(frame)) for comp in comps)
        return np.asarray(term.value(frame)[at])

    return replace(term, text=f"{term.text}[{', '.join(comp.text for comp in comps)}]", shape=shape, value=value)


def _with_ones(term: Term, shape: Shape) -> Term:
    """Reshaped to have a 1 for each axis of `shape` it lacks."""
    rest = list(term.shape)
    made = tuple(rest.pop(0) if rest and rest[0] == size else "1" for size in shape)
    if rest:
        raise StuckError
    return replace(
        term, text=f"reshape({term.text}, [{', '.join(made)}])", shape=made, value=lambda f: term.value(f).reshape(f.shape(made))
    )


def _broadcast(term: Term, shape: Shape) -> Term:
    text = f"broadcast_to({term.text}, [{', '.join(shape)}])"
    return replace(term, text=text, shape=shape, value=lambda f: np.broadcast_to(term.value(f), f.shape(shape)))


def _transposed(term: Term, order: list[int]) -> Term:
    shape = tuple(term.shape[at] for at in order)
    return replace(term, text=f"permute({term.text}, {order})", shape=shape, value=lambda f: np.transpose(term.value(f), order))


def _elementwise(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    def operand(other: str) -> Term:
        """Of the whole shape, or of one that spreads to it."""
        part = list(shape[draw.random.randint(0, len(shape)) :]) if draw.chance(0.3) else list(shape)
        if part and draw.chance(0.15):
            part[draw.random.randrange(len(part))] = "1"
        return whole(draw, scope, tuple(part), other, depth)

    made = elementwise(draw, dtype, operand)
    if made.shape != shape:
        raise StuckError
    return made


def _permuted(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    order = list(range(len(shape)))
    draw.random.shuffle(order)
    source = [shape[order.index(at)] for at in range(len(shape))]
    return _transposed(whole(draw, scope, tuple(source), dtype, depth), order)


def _reshaped(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    """From another order, with another 1, or with two axes as one."""
    source = list(shape)
    if len(source) > 1 and draw.chance(0.4):
        at = draw.random.randrange(len(source) - 1)
        source[at : at + 2] = [f"({source[at]}) * ({source[at + 1]})"]
    elif draw.chance(0.5):
        draw.random.shuffle(source)
    else:
        source.insert(draw.random.randint(0, len(source)), "1")
    term = whole(draw, scope, tuple(source), dtype, depth)
    text = f"reshape({term.text}, [{', '.join(shape)}])" if shape else f"{term.text}[{', '.join('0' for _ in source)}]"
    if not shape and source != ["1"]:
        raise StuckError
    return replace(term, text=text, shape=shape, value=lambda f: np.asarray(term.value(f).reshape(f.shape(shape))))


def _spread(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    part = list(shape[draw.random.randint(0, len(shape)) :])
    if part and draw.chance(0.5):
        part[draw.random.randrange(len(part))] = "1"
    return _broadcast(whole(draw, scope, tuple(part), dtype, depth), shape)


def _running(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    if dtype == "bool":
        raise StuckError
    axis = draw.random.randrange(len(shape))
    term = near(whole(draw, scope, shape, dtype, depth), 8.0)
    written = draw.pick([axis, axis - len(shape)])
    text = f"cumsum({term.text}, axis = {written})"
    return Term(text, shape, dtype, lambda f: cumsum(term.value(f), axis), term.reach * 8, exact(dtype, term))


def _sliced(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    """A part of something larger: ranges, steps, and positions that drop an axis."""
    parts = [_range(draw, scope, size) for size in shape]
    if draw.chance(0.6):
        size = draw.size(scope)
        at = position(draw, scope, size, {})
        parts.insert(draw.random.randint(0, len(parts)), (size, at.text, lambda f: int(at.value(f))))
    source = tuple(part[0] for part in parts)
    if not parts or scope.count(source) > _ELEMENTS:
        raise StuckError
    term = whole(draw, scope, source, dtype, depth)
    if not term.text[0].isalpha() or term.text.startswith("if "):
        raise StuckError
    text = f"{term.text}[{', '.join(part[1] for part in parts)}]"
    return replace(term, text=text, shape=shape, value=lambda f: np.asarray(term.value(f)[tuple(part[2](f) for part in parts)]))


def _range(draw: Draw, scope: Scope, size: str) -> tuple[str, str, Callable[[Frame], int | slice]]:
    """The size of the axis a part of `size` comes from, the part's text and its meaning."""
    if draw.chance(0.4):
        return size, ":", lambda _: slice(None)
    if draw.chance(0.5):
        before, after = draw.random.randint(0, 2), draw.random.randint(0, 2)
        text = f"{before}:{size} + {before}" if before else f":{size}"
        return f"{size} + {before + after}", text, lambda f: slice(before, before + f.size(size))
    step = draw.pick([2, 3])
    start = draw.random.randrange(step) if scope.known(size) else 0
    return f"{step} * ({size})", f"{start}::{step}", lambda _: slice(start, None, step)


def _branch(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    condition = whole(draw, scope, (), "bool", depth)
    a, b = whole(draw, scope, shape, dtype, depth), whole(draw, scope, shape, dtype, depth)
    text = f"(if {condition.text} {{ {a.text} }} else {{ {b.text} }})"
    value = lambda f: (a if bool(condition.value(f)) else b).value(f)  # noqa: E731
    return Term(text, shape, dtype, value, max(a.reach, b.reach), a.exact and b.exact)


def _matched(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    optional: Optional = draw.pick(scope.optionals)
    held = draw.fresh("held")
    inside = Name(Term(held, optional.shape, optional.dtype, lambda f: f.values[held], 8.0, optional.dtype in INTEGERS))
    scope.names.append(inside)
    a = whole(draw, scope, shape, dtype, depth)
    scope.names.remove(inside)
    b = whole(draw, scope, shape, dtype, depth)
    if not (a.text[0].isalpha() and b.text[0].isalpha()):  # an arm never begins with a bracket
        raise StuckError

    def value(frame: Frame) -> np.ndarray:
        frame.values[held] = optional.value(frame)
        return (b if frame.values[held] is None else a).value(frame)

    text = f"(match {optional.text} {{ some({held}) => {a.text} none => {b.text} }})"
    return Term(text, shape, dtype, value, max(a.reach, b.reach), a.exact and b.exact)


def _call(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    method: Method = draw.pick(m for m in scope.methods if m.shape == shape and m.dtype == dtype)
    return called(draw, scope, method, depth)


def called(draw: Draw, scope: Scope, method: Method, depth: int) -> Term:
    """A call with arguments of its parameters' types."""
    arguments = [near(whole(draw, scope, shape, dtype, depth), 8.0) for shape, dtype in method.parameters]
    text = f"{method.text}({', '.join(argument.text for argument in arguments)})"
    value = lambda f: method.call(f, [argument.value(f) for argument in arguments])  # noqa: E731
    return Term(text, method.shape, method.dtype, value, method.reach, method.dtype in INTEGERS or method.dtype == "bool")


def _reduction(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    return reduction(draw, scope, dtype, {}, min(depth, 2))


def _logic(draw: Draw, scope: Scope, shape: Shape, dtype: str, depth: int) -> Term:
    if dtype != "bool":
        raise StuckError
    kind = draw.pick(["&&", "||"])
    a, b = whole(draw, scope, (), "bool", depth), whole(draw, scope, (), "bool", depth)
    join = {"&&": np.logical_and, "||": np.logical_or}[kind]
    return Term(f"({a.text} {kind} {b.text})", (), "bool", lambda f: np.asarray(join(a.value(f), b.value(f))))


def zeros(frame: Frame, shape: Shape, dtype: str) -> np.ndarray:
    """What a scan of no turns stacks."""
    return np.zeros(frame.shape(shape), DTYPES[dtype])
