"""elementwise, compare, select, convert.

In: a call.  Out: an expression.  jax.numpy broadcasts by itself, so a viewed operand is written as it is; a Python number beside an array
takes the array's dtype.  f16 and bf16 are computed in f32 and rounded once by XLA itself.
"""

from __future__ import annotations

from linnet_core.check.integers import INTEGER_BITS
from linnet_core.graph.calls import Compare, Convert, Elementwise, Operand, Select
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.operators import COMPARE, INFIX, shift_text
from linnet_jax.writer import JaxWriter

_FUNCTION = {
    "exp": "jnp.exp",
    "log": "jnp.log",
    "sqrt": "jnp.sqrt",
    "rsqrt": "jax.lax.rsqrt",
    "sin": "jnp.sin",
    "cos": "jnp.cos",
    "tanh": "jnp.tanh",
    "abs": "jnp.abs",
}


def elementwise(w: JaxWriter, call: Elementwise) -> str:
    """One or two operands."""
    if len(call.operands) == 1:
        return _unary(call.kind, w.tensor(call.operands[0]))
    if call.kind in ("shl", "shr"):
        return _shift(w, call)
    if call.dtype in INTEGER_BITS and call.kind in ("div", "rem"):
        return _divide(w, call)
    if (zero := _added_zero(w, call)) is not None:
        return zero
    left, right = w.operands(*call.operands)
    match call.kind:
        case "min" | "max":
            return f"jnp.{call.kind}imum({left}, {right})"
        case "div":
            return f"{left} / {right}"
        case "rem":
            return f"jnp.fmod({left}, {right})"
    return f"{left} {INFIX[call.kind]} {right}"


def _added_zero(w: JaxWriter, call: Elementwise) -> str | None:
    """`x + 0.0`, which makes -0.0 zero; XLA takes it for `x`, so it is said in other words.  None for anything else."""
    values = [None if o is None else w.scalars.get(str(o.value)) for o in call.operands]
    for value, other in ((values[1], 0), (values[0], 1)):
        adds = (call.kind == "add" and repr(value) == "0.0") or (call.kind == "sub" and other == 0 and repr(value) == "-0.0")
        if adds and values[other] is None:
            x = w.tensor(call.operands[other])
            return f"jnp.where({x} == 0.0, 0.0, {x})"
    return None


def _unary(kind: str, x: str) -> str:
    match kind:
        case "neg":
            return f"-{x}"
        case "not":
            return f"~{x}"
    return f"{_FUNCTION[kind]}({x})"


def _divide(w: JaxWriter, call: Elementwise) -> str:
    """Integer quotient and remainder; only a divisor that may be 0 or -1 needs the guarded function."""
    left, right = call.operands
    assert right is not None
    value, divisor = w.scalars.get(str(right.value)), w.number(right)
    if divisor is not None and value not in (0, -1):
        if call.kind == "rem":
            return f"jnp.fmod({w.tensor(left)}, {divisor})"
        return f"jax.lax.div({w.tensor(left)}, {w.dtype(call.dtype)}({divisor}))"
    return f"{w.use('_' + call.kind)}({w.tensor(left)}, {w.tensor(right)})"


def _shift(w: JaxWriter, call: Elementwise) -> str:
    known = shift_text(w, call)
    return known or f"{w.use('_' + call.kind)}({w.tensor(call.operands[0])}, {w.tensor(call.operands[1])})"


def compare(w: JaxWriter, call: Compare) -> str:
    """Two operands of one dtype."""
    left, right = w.operands(*call.operands)
    return f"{left} {COMPARE[call.kind]} {right}"


def select(w: JaxWriter, call: Select) -> str:
    """`jnp.where`; a known scalar stands as a number beside an array."""
    condition = w.tensor(call.operands[0])
    a, b = w.operands(*call.operands[1:])
    return f"jnp.where({condition}, {a}, {b})"


def convert(w: JaxWriter, call: Convert) -> str:
    """To another dtype, by the rules of casts: truncating and saturating to integers, rounding once to short floats."""
    source = call.operand(0)
    return convert_text(w, w.tensor(source), source, call.dtype)


def convert_text(w: JaxWriter, x: str, source: Operand, dtype: str) -> str:
    """`x`, an array of `source`'s dtype, as `dtype`.  XLA's own conversion of floats to integers saturates, and makes NaN 0."""
    if w.held(source.dtype) == w.held(dtype):
        return x
    if dtype == "bool":
        return f"{x} != 0"
    if dtype in SHORT_FLOATS and (source.dtype == "f64" or INTEGER_BITS.get(source.dtype, 0) > 16):
        return f"{w.use('_round_once')}({x}, {w.dtype(dtype)})"
    return f"{x}.astype({w.dtype(dtype)})"


WRITERS = {Elementwise: elementwise, Compare: compare, Select: select, Convert: convert}
