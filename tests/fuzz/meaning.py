"""What each operation of the language gives, written from the rules and from nothing else.

In: NumPy arrays, whole or of one element.  Out: arrays of the dtype the rules say.  Integers are computed one by one as Python integers and
wrapped, short floats in f32 and rounded, so that nothing here leans on how a target computes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = (*SIGNED, *UNSIGNED)
SHORT = ("f16", "bf16")
FLOATS = (*SHORT, "f32", "f64")
DTYPES: dict[str, np.dtype[Any]] = {
    "bool": np.dtype(np.bool_),
    **{name: np.dtype(f"{'int' if name in SIGNED else 'uint'}{name[1:]}") for name in INTEGERS},
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
_NAMES = {dtype: name for name, dtype in DTYPES.items()}


def name_of(array: np.ndarray) -> str:
    """The language's name of an array's dtype."""
    return _NAMES[array.dtype]


def bounds(dtype: str) -> tuple[int, int]:
    """The lowest and the highest integer of a dtype."""
    bits = int(dtype[1:])
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dtype in SIGNED else (0, (1 << bits) - 1)


def number(value: float, dtype: str) -> np.ndarray:
    """A literal that takes `dtype`."""
    return np.asarray(value, np.float64 if dtype in FLOATS else DTYPES[dtype]).astype(DTYPES[dtype])


def wrapped(value: int, dtype: str) -> int:
    """The low bits of a two's complement value."""
    bits = int(dtype[1:])
    low = value & ((1 << bits) - 1)
    return low - (1 << bits) if dtype in SIGNED and low >> (bits - 1) else low


def _each(compute: Callable[..., int], dtype: str, *arrays: np.ndarray) -> np.ndarray:
    spread = np.broadcast_arrays(*arrays)
    made = np.empty(spread[0].shape, DTYPES[dtype])
    for at in np.ndindex(*made.shape):
        made[at] = compute(*[int(array[at]) for array in spread])
    return made


def _quotient(a: int, b: int) -> int:
    if b == 0:
        return -1
    return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)


def _shifted_right(a: int, n: int, bits: int) -> int:
    return a >> n if 0 <= n < bits else -1 if a < 0 else 0


def _integer(kind: str, a: int, b: int, bits: int) -> int:
    match kind:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return _quotient(a, b)
        case "%":
            return a - _quotient(a, b) * b if b else a
        case "min" | "max":
            return min(a, b) if kind == "min" else max(a, b)
        case "&" | "|" | "^":
            return {"&": a & b, "|": a | b, "^": a ^ b}[kind]
        case "shl":
            return a << b if 0 <= b < bits else 0
        case _:
            return _shifted_right(a, b, bits)


_FLOAT = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "%": np.fmod, "min": np.minimum, "max": np.maximum}
_BOOL = {"&": np.logical_and, "|": np.logical_or, "^": np.logical_xor}
_COMPARE = {"==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}


def _wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32) if name_of(array) in SHORT else array


def binary(kind: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Arithmetic, `min`, `max`, bits and shifts of two arrays of one dtype."""
    a, b = np.asarray(a), np.asarray(b)
    dtype = name_of(a)
    assert b.dtype == a.dtype
    if dtype == "bool":
        return np.asarray(_BOOL[kind](a, b))
    if dtype in INTEGERS:
        return _each(lambda x, y: wrapped(_integer(kind, x, y, int(dtype[1:])), dtype), dtype, a, b)
    with np.errstate(all="ignore"):
        return np.asarray(_FLOAT[kind](_wide(a), _wide(b))).astype(DTYPES[dtype])


def compare(kind: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A comparison; with NaN every one but `!=` is false."""
    return np.asarray(_COMPARE[kind](_wide(np.asarray(a)), _wide(np.asarray(b))))


def unary(kind: str, a: np.ndarray) -> np.ndarray:
    """`-`, `abs` and the functions of a float."""
    a = np.asarray(a)
    dtype = name_of(a)
    if dtype in INTEGERS:
        return _each(lambda x: wrapped(-x if kind == "-" else abs(x), dtype), dtype, a)
    wide = _wide(a)
    with np.errstate(all="ignore"):
        made = {"-": np.negative, "rsqrt": lambda x: 1 / np.sqrt(x)}.get(kind) or getattr(np, kind)
        return np.asarray(made(wide)).astype(DTYPES[dtype])


def cast(a: np.ndarray, dtype: str) -> np.ndarray:
    """A cast: integers keep their low bits, floats truncate and saturate, NaN becomes 0."""
    a = np.asarray(a)
    source = name_of(a)
    if dtype == "bool":
        return np.asarray(_wide(a) != 0)
    if dtype in INTEGERS and source in FLOATS:
        made = np.empty(a.shape, DTYPES[dtype])
        for at in np.ndindex(*a.shape):
            made[at] = _truncated(float(a[at]), *bounds(dtype))
        return made
    if dtype in INTEGERS:
        return _each(lambda x: wrapped(x, dtype), dtype, a)
    with np.errstate(all="ignore"):
        return _wide(a).astype(DTYPES[dtype])


def _truncated(value: float, low: int, high: int) -> int:
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(int(value), low), high)


def _identity(kind: str, dtype: str) -> float:
    match kind:
        case "max":
            return -math.inf if dtype in FLOATS else bounds(dtype)[0]
        case "min":
            return math.inf if dtype in FLOATS else bounds(dtype)[1]
        case _:
            return {"sum": 0, "prod": 1, "any": 0, "all": 1}[kind]


def reduce(kind: str, terms: Sequence[np.ndarray], dtype: str) -> np.ndarray:
    """A reduction of single elements; floats are added as wide as there is and rounded once."""
    if not terms:
        return number(_identity(kind, dtype), dtype)
    if kind in ("any", "all"):
        return np.asarray({"any": any, "all": all}[kind](bool(term) for term in terms))
    if dtype in INTEGERS:
        whole = {"sum": sum, "prod": math.prod, "max": max, "min": min}[kind](int(term) for term in terms)
        return number(wrapped(whole, dtype), dtype)
    with np.errstate(all="ignore"):
        wide = np.asarray([float(term) for term in terms])
        total = np.asarray({"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min}[kind](wide))
        return (total if dtype == "f64" else total.astype(np.float32)).astype(DTYPES[dtype])


def cumsum(a: np.ndarray, axis: int) -> np.ndarray:
    """Running sums: each position is a sum of its own."""
    rows = np.moveaxis(a, axis, -1)
    made = np.empty_like(rows)
    for at in np.ndindex(*rows.shape):
        made[at] = reduce("sum", list(rows[at[:-1]][: at[-1] + 1]), name_of(a))
    return np.moveaxis(made, -1, axis)
