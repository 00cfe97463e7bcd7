"""elementwise, compare, select, convert.

In: a call.  Out: an expression.  torch broadcasts by itself, so a viewed operand is written as it is; u16, u32 and u64 are computed in
int64 and brought back.
"""

from __future__ import annotations

from linnet_core.check.integers import INTEGER_BITS
from linnet_core.check.types import FLOATS
from linnet_core.graph.calls import Compare, Convert, Elementwise, Operand, Select
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.operators import COMPARE, INFIX, shift_text
from linnet_torch.writer import DTYPES, SIGNED_VIEW, UNSIGNED_WIDE, TorchWriter

_FUNCTION = {"exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "abs"}


def elementwise(w: TorchWriter, call: Elementwise) -> str:
    """One or two operands."""
    if call.dtype in UNSIGNED_WIDE:
        return _wide(w, call)
    if len(call.operands) == 1:
        return _unary(w, call.kind, w.tensor(call.operands[0]))
    if call.kind in ("shl", "shr"):
        return _shift(w, call)
    if call.kind in ("min", "max"):
        return _extremum(w, call)
    if call.kind in INFIX:
        left, right = w.operands(*call.operands)
        return f"{left} {INFIX[call.kind]} {right}"
    if call.dtype in FLOATS:
        return _divide_floats(w, call)
    return _divide(w, call)


def _unary(w: TorchWriter, kind: str, x: str) -> str:
    if kind == "neg":
        return f"-{x}"
    if kind == "not":
        return f"~{x}"
    assert kind in _FUNCTION
    return f"torch.{kind}({x})"


def _extremum(w: TorchWriter, call: Elementwise) -> str:
    """`torch.maximum` takes two tensors; `clamp` takes a number and keeps NaN as well."""
    a, b = call.operands
    name = "maximum" if call.kind == "max" else "minimum"
    for tensor, other in ((a, b), (b, a)):
        number = w.number(other)
        if number is not None and w.number(tensor) is None and "nan" not in number:
            return f"torch.clamp({w.tensor(tensor)}, {'min' if call.kind == 'max' else 'max'}={number})"
    return f"torch.{name}({w.tensor(a)}, {w.tensor(b)})"


def _divide_floats(w: TorchWriter, call: Elementwise) -> str:
    """The dividend is a tensor: torch takes a number over a tensor as the number times a reciprocal, which rounds twice."""
    left, right = call.operands
    number = w.number(right)
    divisor = number if number is not None else w.tensor(right)
    return f"{w.tensor(left)} / {divisor}" if call.kind == "div" else f"torch.fmod({w.tensor(left)}, {divisor})"


def _divide(w: TorchWriter, call: Elementwise) -> str:
    """Integer quotient and remainder; only a divisor that may be 0 or -1 needs the guarded function."""
    left, right = call.operands
    assert right is not None
    value = w.scalars.get(str(right.value))
    if value is not None and value not in (0, -1):
        divisor = w.number(right)
        if call.kind == "div":
            return f'torch.div({w.tensor(left)}, {divisor}, rounding_mode="trunc")'
        return f"torch.fmod({w.tensor(left)}, {divisor})"
    return f"{w.use('_' + call.kind)}({w.tensor(left)}, {w.tensor(right)})"


def _shift(w: TorchWriter, call: Elementwise) -> str:
    known = shift_text(w, call)
    return known or f"{w.use('_' + call.kind)}({w.tensor(call.operands[0])}, {w.tensor(call.operands[1])}, {INTEGER_BITS[call.dtype]})"


def _wide(w: TorchWriter, call: Elementwise) -> str:
    """u16, u32, u64: the support function of this kind computes on int64 and brings the result back."""
    operands = ", ".join(w.tensor(o) for o in call.operands)
    return f'{w.use("_unsigned")}("{call.kind}", {operands})'


def compare(w: TorchWriter, call: Compare) -> str:
    """Two operands of one dtype."""
    first = call.operand(0)
    if first.dtype in UNSIGNED_WIDE:
        return f'{w.use("_unsigned_compare")}("{call.kind}", {w.tensor(first)}, {w.tensor(call.operands[1])})'
    left, right = w.operands(*call.operands)
    return f"{left} {COMPARE[call.kind]} {right}"


def select(w: TorchWriter, call: Select) -> str:
    """`torch.where`; a known scalar stands as a number beside a tensor."""
    condition = w.tensor(call.operands[0])
    if call.dtype in UNSIGNED_WIDE:
        a, b = (f"{w.tensor(o)}.view({SIGNED_VIEW[call.dtype]})" for o in call.operands[1:])
        return f"torch.where({condition}, {a}, {b}).view({DTYPES[call.dtype]})"
    a, b = w.operands(*call.operands[1:])
    return f"torch.where({condition}, {a}, {b})"


def convert(w: TorchWriter, call: Convert) -> str:
    """To another dtype, by the rules of casts: truncating and saturating to integers, rounding once to short floats."""
    source = call.operand(0)
    x = w.tensor(source)
    return convert_text(w, x, source, call.dtype)


def convert_text(w: TorchWriter, x: str, source: Operand, dtype: str) -> str:
    """`x`, a tensor of `source`'s dtype, as `dtype`."""
    if dtype == "bool":
        return f"{x} != 0" if source.dtype not in UNSIGNED_WIDE else f"{x}.view({SIGNED_VIEW[source.dtype]}) != 0"
    if source.dtype in FLOATS and dtype in INTEGER_BITS:
        return f"{w.use('_truncate')}({x}, {DTYPES[dtype]})"
    if dtype in SHORT_FLOATS and (source.dtype == "f64" or source.dtype in ("i32", "i64", "u32", "u64")):
        return f"{w.use('_round_once')}({x}, {DTYPES[dtype]})"
    if source.dtype == "u64" and dtype in FLOATS:
        return f"{w.use('_unsigned_to_float')}({x}, {DTYPES[dtype]})"
    return f"{x}.to({DTYPES[dtype]})"


WRITERS = {Elementwise: elementwise, Compare: compare, Select: select, Convert: convert}
