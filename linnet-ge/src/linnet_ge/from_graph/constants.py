"""Values that are known: constants of a document as tensors, and scalars that follow from constants alone.

In: literals, steps.  Out: `TensorValue`s as the emitter shows them; numbers by name.  A value is rounded to its dtype first.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from linnet_core.graph.calls import Constant, Convert, Elementwise
from linnet_ge.ir.dtypes import SERIAL
from linnet_ge.model import TensorValue

if TYPE_CHECKING:
    from linnet_core.graph.calls import Literal
    from linnet_core.python_source.steps import Step

Number = int | float | bool

#: The formats of `struct` that round to a float's width.
_FLOATS = {"f16": "e", "f32": "f", "f64": "d"}
#: Dtypes whose values GE does not print.
NOT_PRINTED = frozenset({"bf16"})


def tensor(values: Iterable[Number], shape: tuple[int, ...], dtype: str) -> TensorValue:
    """Values of `shape` and `dtype` as an attribute holds them."""
    kept = tuple(rounded(value, dtype) for value in values)
    if dtype in NOT_PRINTED:
        return TensorValue("not_supported", kept, SERIAL[dtype], shape)
    return TensorValue("values" if kept else "empty", kept, SERIAL[dtype], shape)


def literal_number(literal: Literal, dtype: str) -> Number:
    """The number that a literal stands for."""
    if literal.value is not None:
        return rounded(literal.value, dtype)
    lowest = literal.kind == "lowest"
    if dtype == "bool":
        return not lowest
    if dtype in _FLOATS or dtype == "bf16":
        return -math.inf if lowest else math.inf
    bits = int(dtype[1:])
    if dtype[0] == "u":
        return 0 if lowest else 2**bits - 1
    return -(2 ** (bits - 1)) if lowest else 2 ** (bits - 1) - 1


def rounded(value: Number, dtype: str) -> Number:
    """The value in `dtype`; what is beyond a float's range is infinite."""
    if dtype == "bool":
        return bool(value)
    if dtype == "bf16":
        return float(value)
    if dtype not in _FLOATS:
        return int(value)
    number = float(value)
    if not math.isfinite(number):
        return number
    try:
        return struct.unpack(_FLOATS[dtype], struct.pack(_FLOATS[dtype], number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


_UNARY: dict[str, Callable[[float], float]] = {
    "neg": lambda a: -a,
    "abs": abs,
    "sqrt": math.sqrt,
    "rsqrt": lambda a: 1.0 / math.sqrt(a),
    "exp": math.exp,
    "log": math.log,
}
_BINARY: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "min": min,
    "max": max,
}


def known_floats(steps: Iterable[Step]) -> dict[str, float]:
    """The floats of rank 0 (not bf16) that follow from constants alone, by name: epsilons and scales, which are attributes in GE."""
    found: dict[str, float] = {}
    numbers: dict[str, Number] = {}
    for step in steps:
        value = _number(step, numbers)
        if value is not None:
            numbers[step.results[0]] = value
            if isinstance(value, float):
                found[step.results[0]] = value
    return found


def _number(step: Step, numbers: Mapping[str, Number]) -> Number | None:
    call = step.call
    if isinstance(call, Constant):
        return literal_number(call.literal, call.dtype) if call.dtype != "bf16" else None
    if not isinstance(call, Convert | Elementwise) or call.shape or call.dtype == "bf16":
        return None
    operands = [numbers.get(str(operand.value)) for operand in call.operands if operand is not None]
    known = [operand for operand in operands if operand is not None]
    if len(known) < len(operands):
        return None
    return _computed(call, known)


def _computed(call: Convert | Elementwise, known: list[Number]) -> Number | None:
    if isinstance(call, Convert):
        return rounded(known[0], call.dtype) if math.isfinite(known[0]) else None
    if call.dtype not in _FLOATS:
        return None
    try:
        value = _UNARY[call.kind](*map(float, known)) if len(known) == 1 else _BINARY[call.kind](*map(float, known))
    except (KeyError, ArithmeticError, ValueError):
        return None
    return rounded(value, call.dtype)
