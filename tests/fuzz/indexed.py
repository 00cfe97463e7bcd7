"""Random index notation: accesses with diagonals and gathers, reductions, products of factors.

In: a `Draw`, a `Scope` and the indices that may be used, each with the size of its domain.  Out: a `Term` of one element, read at the
positions its frame holds.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import numpy as np
from elementwise import elementwise, exact, infix
from meaning import FLOATS, INTEGERS, SIGNED, binary, number, reduce, unary
from msgspec.structs import replace
from terms import Draw, Frame, Scope, StuckError, Term, near

if TYPE_CHECKING:
    Indices = dict[str, str]

#: Positions that one comprehension may have, its reductions included.
_POSITIONS = 200


def comprehension(draw: Draw, scope: Scope, shape: tuple[str, ...], dtype: str, depth: int) -> tuple[list[str], Term]:
    """The indices of `let name[...] = `, and what follows it as a whole tensor."""
    indices = {draw.fresh("i"): size for size in shape}
    if not indices or scope.count(shape) > _POSITIONS:
        raise StuckError
    make = reduction if draw.chance(0.6) else element
    body = draw.tried(lambda: make(draw, scope, dtype, indices, depth))
    for index, size in indices.items():
        body = _using(draw, scope, index, size, body)
    if body.literal:
        raise StuckError

    def value(frame: Frame) -> np.ndarray:
        made = np.empty(frame.shape(shape), number(0, dtype).dtype)
        outer = frame.places
        for at in np.ndindex(*made.shape):
            frame.places = dict(zip(indices, at, strict=True))
            made[at] = body.value(frame)
        frame.places = outer
        return made

    return list(indices), replace(body, shape=shape, value=value)


def element(draw: Draw, scope: Scope, dtype: str, indices: Indices, depth: int) -> Term:
    """One element of a dtype."""
    if depth <= 0 or draw.chance(0.25):
        return _leaf(draw, scope, dtype, indices)
    if draw.chance(0.2):
        return draw.tried(lambda: reduction(draw, scope, dtype, indices, depth - 1))
    return draw.tried(lambda: elementwise(draw, dtype, lambda other: element(draw, scope, other, indices, depth - 1)))


def _leaf(draw: Draw, scope: Scope, dtype: str, indices: Indices) -> Term:
    if draw.chance(0.1):
        return draw.constant(dtype)
    names = [name.term for name in scope.names if name.term.dtype == dtype]
    fitting = [term for term in names if term.shape and set(term.shape) <= set(indices.values())]
    if fitting and draw.chance(0.8):
        return access(draw, scope, draw.pick(fitting), indices)
    if names and draw.chance(0.9):
        return draw.tried(lambda: access(draw, scope, draw.pick(names), indices))
    if dtype in INTEGERS and indices:
        return _position(draw.pick(indices), dtype, indices)
    return draw.constant(dtype)


def _position(index: str, dtype: str, indices: Indices) -> Term:
    """The value of an index."""
    return Term(f"iota<{dtype}>({indices[index]})[{index}]", (), dtype, lambda f: number(f.places[index], dtype))


def access(draw: Draw, scope: Scope, term: Term, indices: Indices) -> Term:
    """An element of a name: an index of the axis' size, the same one twice for a diagonal, or a position computed at run time."""
    places = [_place(draw, scope, size, indices) for size in term.shape]
    if not places:
        return term

    def value(frame: Frame) -> np.ndarray:
        at = tuple(int(place.value(frame)) for place in places)
        array = term.value(frame)
        assert all(0 <= n < size for n, size in zip(at, array.shape, strict=True)), f"{at} in {array.shape}"
        return np.asarray(array[at])

    return replace(term, text=f"{term.text}[{', '.join(place.text for place in places)}]", shape=(), value=value)


def _place(draw: Draw, scope: Scope, size: str, indices: Indices) -> Term:
    bound = [index for index, domain in indices.items() if domain == size]
    if bound and draw.chance(0.85):
        index = draw.pick(bound)
        return Term(index, (), "i64", lambda f: np.asarray(f.places[index]))
    return position(draw, scope, size, indices)


def position(draw: Draw, scope: Scope, size: str, indices: Indices) -> Term:
    """An integer below `size`: a constant, an element of a table of positions, or any integer brought into range."""
    known = scope.known(size)
    if not known:
        raise StuckError
    tables = [name.term for name in scope.names if name.below == size and set(name.term.shape) <= set(indices.values())]
    if tables and draw.chance(0.7):
        return access(draw, scope, draw.pick(tables), indices)
    scalars = [name.term for name in scope.names if name.term.dtype in INTEGERS and not name.term.shape]
    if not scalars or draw.chance(0.3):
        at = draw.random.randrange(known)
        return Term(str(at), (), "i64", lambda _: np.asarray(at))
    return _in_range(draw, draw.pick(scalars), size)


def _in_range(draw: Draw, term: Term, size: str) -> Term:
    dtype = term.dtype
    if dtype in SIGNED and draw.chance(0.4):
        below = lambda f: unary("abs", binary("%", term.value(f), number(f.size(size), dtype)))  # noqa: E731
        return Term(f"abs({term.text} % ({size}))", (), dtype, below)
    last = lambda f: number(f.size(size) - 1, dtype)  # noqa: E731
    clamped = lambda f: binary("min", binary("max", term.value(f), number(0, dtype)), last(f))  # noqa: E731
    return Term(f"min(max({term.text}, 0), {size} - 1)", (), dtype, clamped)


def reduction(draw: Draw, scope: Scope, dtype: str, indices: Indices, depth: int) -> Term:
    """A reduction over one or two new indices; sums are mostly of products."""
    kind = draw.pick(["any", "all"] if dtype == "bool" else ["sum", "sum", "sum", "prod", "max", "min"])
    new = _new_indices(draw, scope, indices)
    inner = {**indices, **new}
    make = _product if kind == "sum" and draw.chance(0.7) else element
    body = draw.tried(lambda: make(draw, scope, dtype, inner, depth - 1))
    for index, size in new.items():
        body = _using(draw, scope, index, size, body)
    if dtype in FLOATS:
        body = near(body, {"sum": 16.0, "prod": 1.5}.get(kind, body.reach))
    return _bounded(kind, dtype, scope.count(new.values()), _reduced(draw, kind, dtype, body, new))


def _new_indices(draw: Draw, scope: Scope, indices: Indices) -> Indices:
    new: Indices = {}
    for _ in range(draw.pick([1, 1, 1, 2])):
        shapes = [name.term.shape for name in scope.names if name.term.shape]
        size = draw.pick(draw.pick(shapes)) if shapes and draw.chance(0.8) else draw.size(scope)
        if scope.count([*indices.values(), *new.values(), size]) > _POSITIONS:
            raise StuckError
        new[draw.fresh("k")] = size
    return new


def _reduced(draw: Draw, kind: str, dtype: str, body: Term, new: Indices) -> Term:
    def value(frame: Frame) -> np.ndarray:
        outer = frame.places
        found = []
        for at in itertools.product(*[range(frame.size(size)) for size in new.values()]):
            frame.places = {**outer, **dict(zip(new, at, strict=True))}
            found.append(np.asarray(body.value(frame)))
        frame.places = outer
        return reduce(kind, found, dtype)

    written = f"<{dtype}>" if dtype != "bool" and draw.chance(0.2) else ""
    kept = dtype == "bool" or exact(dtype, body)
    return Term(f"({kind}{written}[{', '.join(new)}] {body.text})", (), dtype, value, body.reach, kept)


def _bounded(kind: str, dtype: str, count: int, term: Term) -> Term:
    """The reduction with its reach, brought near; `max` and `min` of nothing are infinite."""
    if dtype not in FLOATS:
        return term
    if kind == "prod" and count > 9:
        raise StuckError
    reach = {"sum": term.reach * count, "prod": 1.5 ** max(count, 1)}.get(kind, np.inf)
    return near(replace(term, reach=reach))


def _using(draw: Draw, scope: Scope, index: str, size: str, body: Term) -> Term:
    """The body, with something read at `index` if nothing is yet: every index must index something."""
    if re.search(rf"\b{index}\b", body.text):
        return body
    if body.dtype == "bool":
        more = Term(f"(iota({size})[{index}] != 1)", (), "bool", lambda f: np.asarray(f.places[index] != 1))
        kind = draw.pick("&|^")
    else:
        more = Term(f"cast<{body.dtype}>(iota({size})[{index}])", (), body.dtype, lambda f: number(f.places[index], body.dtype), 4.0)
        kind = draw.pick(["+", "*", "-", "max"])
    reach = body.reach * more.reach + more.reach
    value = lambda f: binary(kind, body.value(f), more.value(f))  # noqa: E731
    return near(Term(infix(kind, body, more), (), body.dtype, value, reach, exact(body.dtype, body)))


def _product(draw: Draw, scope: Scope, dtype: str, indices: Indices, depth: int) -> Term:
    """Two to four factors, a constant among them or a divisor below, in either association."""
    made = _factor(draw, scope, dtype, indices, depth)
    for _ in range(draw.pick([1, 1, 2, 3])):
        other = draw.literal(dtype) if draw.chance(0.15) else _factor(draw, scope, dtype, indices, depth)
        a, b = (made, other) if draw.chance(0.7) else (other, made)
        made = _times(dtype, a, b)
    if dtype in FLOATS and draw.chance(0.2):
        whole, four = made, number(4, dtype)
        made = replace(whole, text=f"({whole.text} / 4.0)", value=lambda f: binary("/", whole.value(f), four))
    return made


def _times(dtype: str, a: Term, b: Term) -> Term:
    text = f"({a.text} * {b.text})"
    return Term(text, (), dtype, lambda f: binary("*", a.value(f), b.value(f)), a.reach * b.reach, exact(dtype, a, b))


def _factor(draw: Draw, scope: Scope, dtype: str, indices: Indices, depth: int) -> Term:
    if depth > 0 and draw.chance(0.15):
        return near(reduction(draw, scope, dtype, indices, depth - 1), 8.0)
    return near(_leaf(draw, scope, dtype, indices), 8.0)
