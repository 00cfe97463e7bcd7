"""Scalars whose value is known while source is printed: constants and plain arithmetic on them.

In: steps, one by one.  Out: the value of each known rank-0 name, rounded to its dtype as the run rounds it, and what a reduction over
nothing gives.  Integers never pass through floating point; functions whose last bit is the library's own (`exp`, `sin`, ...) are left
alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from linnet_core.check.integers import integer_range, wrapped
from linnet_core.check.types import FLOATS, INTEGERS
from linnet_core.graph.calls import Constant, Convert, Elementwise, Literal
from linnet_core.python_source.literals import round_to
from linnet_core.python_source.steps import Step

if TYPE_CHECKING:
    from fractions import Fraction

    from linnet_core.graph.calls import Operand

Scalar = int | float | bool
#: All integers up to this one are values of f64.
_LARGEST_WHOLE = 2**53


def known_scalar(step: Step, known: dict[str, Scalar]) -> Scalar | None:
    """The value of the step's result when it depends on constants only (`known` holds those of earlier steps); else None."""
    match step.call:
        case Constant():
            return constant_value(step.call)
        case Convert(shape=(), dtype=dtype):
            value = known.get(str(step.call.operand(0).value))
            return None if value is None else _convert(value, dtype)
        case Elementwise(shape=(), kind=kind, dtype=dtype):
            values = [known.get(name) for name in step.reads()]
            if any(v is None for v in values):
                return None
            return _elementwise(kind, dtype, [v for v in values if v is not None])
    return None


def known_literal(operand: Operand, known: dict[str, Scalar]) -> Constant | None:
    """The constant that an operand of rank 0 is, where its value is known."""
    value = known.get(str(operand.value))
    if value is None or operand.shape:
        return None
    kind = "boolean" if operand.dtype == "bool" else "real" if operand.dtype in FLOATS else "integer"
    return Constant(literal=Literal(kind, value), dtype=operand.dtype)


def constant_value(call: Constant) -> Scalar | None:
    """The value of a constant, in its dtype."""
    kind, value, dtype = call.literal.kind, call.literal.value, call.dtype
    if kind in ("lowest", "highest"):
        if dtype in FLOATS:
            return -math.inf if kind == "lowest" else math.inf
        if dtype == "bool":
            return kind == "highest"
        return integer_range(dtype)[kind == "highest"]
    if value is None:
        return None
    return _convert(value, dtype)


def _convert(value: Scalar, dtype: str) -> Scalar | None:
    if dtype == "bool":
        return value != 0
    if dtype in FLOATS:
        is_f64 = isinstance(value, float) or abs(value) <= _LARGEST_WHOLE
        return round_to(float(value) if is_f64 else _exact(value), dtype)
    if isinstance(value, float):
        return None  # rare, and the rule for what does not fit is the target's to write
    return wrapped(int(value), dtype)


def _elementwise(kind: str, dtype: str, values: list[Scalar]) -> Scalar | None:
    if dtype in INTEGERS:
        return _integer(kind, dtype, [int(v) for v in values])
    if dtype in FLOATS:
        return _float(kind, dtype, [float(v) for v in values])
    return None


def _integer(kind: str, dtype: str, values: list[int]) -> int | None:
    match kind, values:
        case "add", [a, b]:
            return wrapped(a + b, dtype)
        case "sub", [a, b]:
            return wrapped(a - b, dtype)
        case "mul", [a, b]:
            return wrapped(a * b, dtype)
        case "neg", [a]:
            return wrapped(-a, dtype)
    return None


def _float(kind: str, dtype: str, values: list[float]) -> float | None:
    if not all(math.isfinite(v) for v in values):
        return None
    match kind, values:
        case "neg", [a]:
            return -a
        case "sqrt", [a] if a > 0:
            # exact to f64, whose 53 bits are more than twice those of a shorter dtype, so that rounding again is harmless
            return round_to(math.sqrt(a), dtype)
        case "rsqrt", [a] if a > 0:
            return round_to(1.0 / math.sqrt(a), dtype)
        case (("add" | "sub" | "mul" | "div"), [a, b]):
            return _arithmetic(kind, dtype, a, b)
    return None


def _exact(number: float) -> Fraction:
    from fractions import Fraction  # few programs compute with numbers that are known

    return Fraction(number)


def _arithmetic(kind: str, dtype: str, a: float, b: float) -> float | None:
    left, right = _exact(a), _exact(b)
    if kind == "div":
        return None if b == 0.0 or a == 0.0 else round_to(left / right, dtype)
    exact = {"add": left + right, "sub": left - right, "mul": left * right}[kind]
    return None if exact == 0 else round_to(exact, dtype)  # the sign of a zero is the run's to find


def identity(kind: str, dtype: str) -> Scalar:
    """What a `reduce` of this kind gives over no elements of a dtype."""
    match kind:
        case "any" | "all":
            return kind == "all"
        case "sum" | "prod":
            return int(kind == "prod")
    if dtype in INTEGERS:
        return integer_range(dtype)[kind == "min"]
    return -math.inf if kind == "max" else math.inf
