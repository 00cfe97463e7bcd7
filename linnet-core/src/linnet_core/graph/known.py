"""Integers and bools that are known at export.

In: operands that are known.  Out: the result, or None where it is not worked out.  It decides which arm of an `if` is exported and where
static ranges end; the calls are emitted all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.integers import wrapped
from linnet_core.check.types import INTEGERS

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}

_LOGIC: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "bitand": lambda a, b: a and b,
    "bitor": lambda a, b: a or b,
    "bitxor": lambda a, b: a != b,
}


def _quotient(a: int, b: int) -> int | None:
    if b == 0:
        return None
    return -(-a // b) if (a < 0) != (b < 0) else a // b


def _remainder(a: int, b: int) -> int | None:
    quotient = _quotient(a, b)
    return None if quotient is None else a - b * quotient


_ARITHMETIC: dict[str, Callable[[int, int], int | None]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "div": _quotient,
    "rem": _remainder,
    "bitand": lambda a, b: a & b,
    "bitor": lambda a, b: a | b,
    "bitxor": lambda a, b: a ^ b,
}


def compare(kind: str, a: int, b: int) -> bool:
    """`a kind b`."""
    return _COMPARE[kind](a, b)


def binary(kind: str, a: int, b: int, dtype: str) -> int | bool | None:
    """`a kind b` in `dtype`; integers wrap."""
    if dtype == "bool":
        return _LOGIC[kind](bool(a), bool(b)) if kind in _LOGIC else None
    if dtype not in INTEGERS or kind not in _ARITHMETIC:
        return None
    result = _ARITHMETIC[kind](a, b)
    return None if result is None else wrapped(result, dtype)


def unary(kind: str, a: int, dtype: str) -> int | bool | None:
    """`kind a` in `dtype`."""
    if dtype == "bool":
        return not a if kind == "not" else None
    if dtype not in INTEGERS:
        return None
    match kind:
        case "neg":
            return wrapped(-a, dtype)
        case "abs":
            return wrapped(abs(a), dtype)
        case _:
            return None


def cast(a: int, dtype: str) -> int | bool | None:
    """`a` in `dtype`."""
    if dtype == "bool":
        return bool(a)
    return wrapped(int(a), dtype) if dtype in INTEGERS else None
