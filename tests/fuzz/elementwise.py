"""Random elementwise terms, over whole tensors or over single elements.

In: a dtype, and a function that makes an operand of a dtype.  Out: a `Term`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from meaning import FLOATS, INTEGERS, SHORT, binary, cast, compare, number, unary
from terms import Draw, StuckError, Term, near

if TYPE_CHECKING:
    from collections.abc import Callable

    from terms import Frame

    Operand = Callable[[str], Term]


def elementwise(draw: Draw, dtype: str, operand: Operand) -> Term:
    """One operation of the elementwise family."""
    kinds = [_compared, _compared, _connected, _cast] if dtype == "bool" else [_arithmetic, _arithmetic, _function, _cast]
    return near(draw.pick([*kinds, _selected])(draw, dtype, operand))


def joined(*terms: Term) -> tuple[str, ...]:
    """The shape terms broadcast to."""
    longest = max((term.shape for term in terms), key=len)
    made = list(longest)
    for term in terms:
        for at in range(1, len(term.shape) + 1):
            if made[-at] == "1":
                made[-at] = term.shape[-at]
    return tuple(made)


def infix(kind: str, a: Term, b: Term) -> str:
    return f"{kind}({a.text}, {b.text})" if kind.isalpha() else f"({a.text} {kind} {b.text})"


def exact(dtype: str, *terms: Term) -> bool:
    """Whether arithmetic of exact terms is exact: short floats are rounded at every step, and a target may keep more."""
    return dtype not in SHORT and all(term.exact for term in terms)


def _second(draw: Draw, dtype: str, operand: Operand) -> Term:
    return draw.literal(dtype) if dtype != "bool" and draw.chance(0.3) else operand(dtype)


def _exact_operand(dtype: str, operand: Operand) -> Term:
    term = operand(dtype)
    if dtype in FLOATS and not term.exact:
        raise StuckError
    return term


def _compared(draw: Draw, _: str, operand: Operand) -> Term:
    dtype = draw.pick(draw.dtypes)
    kind = draw.pick(["==", "!="] if dtype == "bool" else ["==", "!=", "<", "<=", ">", ">="])
    a = _exact_operand(dtype, operand)
    b = draw.literal(dtype) if dtype != "bool" and draw.chance(0.3) else _exact_operand(dtype, operand)
    return Term(infix(kind, a, b), joined(a, b), "bool", lambda f: compare(kind, a.value(f), b.value(f)))


def _connected(draw: Draw, _: str, operand: Operand) -> Term:
    kind, a, b = draw.pick("&|^"), operand("bool"), operand("bool")
    return Term(infix(kind, a, b), joined(a, b), "bool", lambda f: binary(kind, a.value(f), b.value(f)))


def _selected(draw: Draw, dtype: str, operand: Operand) -> Term:
    c, a, b = operand("bool"), operand(dtype), _second(draw, dtype, operand)

    def value(f: Frame) -> np.ndarray:
        condition, first, second = c.value(f), a.value(f), b.value(f)  # each once: a call may assign state
        return np.where(condition, first, second).astype(first.dtype)

    text = f"select({c.text}, {a.text}, {b.text})"
    return Term(text, joined(c, a, b), dtype, value, max(a.reach, b.reach), a.exact and b.exact)


def _cast(draw: Draw, dtype: str, operand: Operand) -> Term:
    source = draw.pick([other for other in draw.dtypes if other != dtype])
    a = operand(source) if dtype in FLOATS else _exact_operand(source, operand)
    if source in INTEGERS and dtype in FLOATS:
        a = _small(a)
    reach = 16.0 if source in INTEGERS else a.reach
    return Term(f"cast<{dtype}>({a.text})", a.shape, dtype, lambda f: cast(a.value(f), dtype), reach, exact(dtype, a))


def _small(a: Term) -> Term:
    """An integer between 0 and 15, which every float holds."""
    low, high = number(0, a.dtype), number(15, a.dtype)
    return Term(f"max(min({a.text}, 15), 0)", a.shape, a.dtype, lambda f: binary("max", binary("min", a.value(f), high), low))


def _arithmetic(draw: Draw, dtype: str, operand: Operand) -> Term:
    kinds = ["+", "-", "*", "min", "max", "/"] + (["%", "&", "|", "^", "shl", "shr"] if dtype in INTEGERS else [])
    kind = draw.pick(kinds)
    a, b = operand(dtype), _second(draw, dtype, operand)
    if kind == "/" and dtype in FLOATS:
        return _quotient(draw, dtype, a)
    reach = {"+": a.reach + b.reach, "-": a.reach + b.reach, "*": a.reach * b.reach}.get(kind, max(a.reach, b.reach))
    shape = joined(a, b)
    return Term(infix(kind, a, b), shape, dtype, lambda f: binary(kind, a.value(f), b.value(f)), reach, exact(dtype, a, b))


def _quotient(draw: Draw, dtype: str, a: Term) -> Term:
    divisor = draw.pick([2.0, 4.0, 0.5, 3.0])
    b = number(divisor, dtype)
    kept = divisor != 3.0 and exact(dtype, a)
    return Term(f"({a.text} / {divisor})", a.shape, dtype, lambda f: binary("/", a.value(f), b), a.reach * 2, kept)


def _function(draw: Draw, dtype: str, operand: Operand) -> Term:
    """A function of one value, kept where it grows slowly."""
    a = operand(dtype)
    kind = draw.pick(["-", "abs"] if dtype in INTEGERS else ["-", "abs", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh"])
    if kind == "-":
        return Term(f"(-({a.text}))", a.shape, dtype, lambda f: unary("-", a.value(f)), a.reach, a.exact)
    if kind == "abs":
        return Term(f"abs({a.text})", a.shape, dtype, lambda f: unary("abs", a.value(f)), a.reach, a.exact)
    inner = near(a, 2.0)
    if kind in ("log", "sqrt", "rsqrt"):
        half = number(0.5, dtype)
        outer = lambda f: unary(kind, binary("+", unary("abs", inner.value(f)), half))  # noqa: E731
        return Term(f"{kind}(abs({inner.text}) + 0.5)", a.shape, dtype, outer, 2.0, exact=False)
    return Term(f"{kind}({inner.text})", a.shape, dtype, lambda f: unary(kind, inner.value(f)), 8.0, exact=False)
