"""elementwise, compare, select, convert, by the rules of docs/language/semantics.md."""

from __future__ import annotations

from linnet_core.check.integers import INTEGER_BITS
from linnet_core.check.types import FLOATS
from linnet_core.graph.calls import Compare, Convert, Elementwise, Select
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.operators import COMPARE, INFIX, shift_text
from linnet_core.targets.numpy.writer import NumpyWriter


def elementwise(w: NumpyWriter, call: Elementwise) -> str:
    """One or two operands; a short float is computed in f32 and rounded once."""
    if len(call.operands) == 1:
        return w.rounded(_unary(call.kind, w.wide(call.operands[0])), call.dtype)
    if call.kind in ("shl", "shr"):
        return _shift(w, call)
    if call.dtype in INTEGER_BITS and call.kind in ("div", "rem"):
        return f"{w.use('_' + call.kind)}({w.tensor(call.operands[0])}, {w.tensor(call.operands[1])})"
    left, right = w.wide_operands(*call.operands)
    return w.rounded(_binary(call.kind, left, right), call.dtype)


def _unary(kind: str, x: str) -> str:
    match kind:
        case "neg":
            return f"-{x}"
        case "not":
            return f"~{x}"
        case "rsqrt":
            return f"1.0 / np.sqrt({x})"
    return f"np.{kind}({x})"


def _binary(kind: str, left: str, right: str) -> str:
    match kind:
        case "min" | "max":
            return f"np.{kind}imum({left}, {right})"
        case "div":
            return f"{left} / {right}"
        case "rem":
            return f"np.fmod({left}, {right})"
    return f"{left} {INFIX[kind]} {right}"


def _shift(w: NumpyWriter, call: Elementwise) -> str:
    known = shift_text(w, call)
    return known or f"{w.use('_' + call.kind)}({w.tensor(call.operands[0])}, {w.tensor(call.operands[1])})"


def compare(w: NumpyWriter, call: Compare) -> str:
    """Two operands of one dtype; widening changes no comparison."""
    left, right = w.wide_operands(*call.operands)
    return f"{left} {COMPARE[call.kind]} {right}"


def select(w: NumpyWriter, call: Select) -> str:
    """`np.where` over all three."""
    condition, a, b = (w.tensor(o) for o in call.operands)
    return f"np.where({condition}, {a}, {b})"


def convert(w: NumpyWriter, call: Convert) -> str:
    """Casts: truncating and saturating to integers, rounding once to short floats."""
    operand = call.operand(0)
    if call.dtype == "bool":
        return f"{w.wide(operand)} != 0"
    if operand.dtype in FLOATS and call.dtype in INTEGER_BITS:
        return f"{w.use('_truncate')}({w.wide(operand)}, {w.dtype(call.dtype)})"
    many_digits = operand.dtype in ("f64", "i32", "i64", "u32", "u64")
    if call.dtype in SHORT_FLOATS and many_digits and (operand.dtype, call.dtype) != ("f64", "f16"):
        return f"{w.use('_round_once')}({w.tensor(operand)}, {w.dtype(call.dtype)})"
    source = w.wide(operand)
    target = w.dtype(call.dtype)
    return source if operand.dtype in SHORT_FLOATS and call.dtype == "f32" else f"{source}.astype({target})"


WRITERS = {Elementwise: elementwise, Compare: compare, Select: select, Convert: convert}
