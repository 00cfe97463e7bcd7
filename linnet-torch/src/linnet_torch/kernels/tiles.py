"""What is computed on tiles, in Triton.

In: a call.  Out: the text of its value, or None where Triton has none that keeps the language's meaning; `WRITERS` has a function a kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.check.types import INTEGERS
from linnet_core.graph.calls import (
    Broadcast,
    Compare,
    Constant,
    Contract,
    Convert,
    Cumsum,
    Elementwise,
    Iota,
    Reduce,
    Reshape,
    Select,
    Transpose,
)
from linnet_core.python_source.tile_writer import turned
from linnet_core.python_source.writer import scalar_text, shape_text
from linnet_torch.kernels.memory import over
from linnet_torch.kernels.types import FLOATS, HALVES, TYPES, rounded, widened

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_torch.kernels.writer import TritonWriter

_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "bitand": "&", "bitor": "|", "bitxor": "^", "and": "&", "or": "|"}
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_FUNCTIONS = {"exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "abs": "abs"}


def _contract(writer: TritonWriter, call: Contract) -> str:
    """`tl.dot`, in f32."""
    left, right, result = turned(call)
    operands = [f"tl.trans({o.value})" if turn else str(o.value) for o, turn in ((call.operand(0), left), (call.operand(1), right))]
    precision = "" if writer.fast else ', input_precision="ieee"'
    text = f"tl.dot({', '.join(operands)}{precision})"
    return rounded(f"tl.trans({text})" if result else text, call.dtype)


def _constant(writer: TritonWriter, call: Constant) -> str:
    return f"tl.full((), {_number(call)}, {TYPES[call.dtype]})"


def _number(call: Constant) -> str:
    value: Any = call.literal.value
    return scalar_text(float(value)) if call.dtype in FLOATS else scalar_text(value)


def _iota(writer: TritonWriter, call: Iota) -> str:
    return f"tl.arange(0, {call.length}).to(tl.int64)"


def _convert(writer: TritonWriter, call: Convert) -> str | None:
    x = call.operand(0)
    if x.dtype in FLOATS and call.dtype in INTEGERS:
        return None  # Triton does not promise to saturate
    if call.dtype in HALVES and x.dtype not in (*HALVES, "f32"):
        return None  # it may round twice
    return f"{x.value} != 0" if call.dtype == "bool" else f"{x.value}.to({TYPES[call.dtype]})"


def _compare(writer: TritonWriter, call: Compare) -> str:
    a, b = (widened(str(o.value), o.dtype) for o in (call.operand(0), call.operand(1)))
    return f"{a} {_COMPARE[call.kind]} {b}"


def _select(writer: TritonWriter, call: Select) -> str:
    condition, a, b = (str(call.operand(at).value) for at in range(3))
    return f"tl.where({condition}, {a}, {b})"


def _elementwise(writer: TritonWriter, call: Elementwise) -> str | None:
    parts = [widened(str(call.operand(at).value), call.dtype) for at in range(len(call.operands))]
    text = _unary(call.kind, parts[0], call.dtype) if len(parts) == 1 else _binary(call.kind, parts[0], parts[1], call.dtype)
    return None if text is None else rounded(text, call.dtype)


def _unary(kind: str, x: str, dtype: str) -> str | None:
    match kind:
        case "neg":
            return f"-{x}" if dtype in FLOATS else f"0 - {x}"
        case "not":
            return f"~{x}"
        case "abs" if dtype.startswith("u"):
            return x
        case "sqrt":
            return f"tl.sqrt({x})" if dtype == "f64" else f"tl.sqrt_rn({x})"
        case "rsqrt":
            return f"1.0 / tl.sqrt({x})" if dtype == "f64" else f"tl.div_rn(1.0, tl.sqrt_rn({x}))"
        case _:
            return f"tl.{_FUNCTIONS[kind]}({x})" if kind in _FUNCTIONS else None


def _binary(kind: str, a: str, b: str, dtype: str) -> str | None:
    if kind in _SYMBOLS:
        return f"{a} {_SYMBOLS[kind]} {b}"
    match kind:
        case "min" | "max" if dtype == "bool":
            return f"{a} {'&' if kind == 'min' else '|'} {b}"
        case "min" | "max":
            nan = ", propagate_nan=tl.PropagateNan.ALL" if dtype in FLOATS else ""
            return f"tl.{kind}imum({a}, {b}{nan})"
        case "div" if dtype in FLOATS:
            return f"{a} / {b}" if dtype == "f64" else f"tl.div_rn({a}, {b})"
        case "rem" if dtype in FLOATS:
            return f"{a} % {b}"
        case "div" | "rem":
            return _divided(kind, a, b, dtype)
        case _:
            return None


def _divided(kind: str, a: str, b: str, dtype: str) -> str:
    """By 0 all bits set, and the dividend for the rest; the lowest by -1 wraps, which hardware need not."""
    signed = dtype.startswith("i")
    special = f"({b} == 0) | ({b} == -1)" if signed else f"{b} == 0"
    safe = f"tl.where({special}, 1, {b}).to({TYPES[dtype]})"
    if kind == "rem":
        rest = f"{a} % {safe}"
        return f"tl.where({b} == 0, {a}, {f'tl.where({b} == -1, 0, {rest})' if signed else rest}).to({TYPES[dtype]})"
    quotient = f"tl.where({b} == -1, 0 - {a}, {a} // {safe})" if signed else f"{a} // {safe}"
    last = "-1" if signed else str(2 ** int(dtype[1:]) - 1)
    return f"tl.where({b} == 0, {last}, {quotient}).to({TYPES[dtype]})"


def _broadcast(writer: TritonWriter, call: Broadcast) -> str | None:
    x = call.operand(0)
    if not call.shape:
        return str(x.value)
    if not x.shape:
        return f"tl.full({shape_text(call.shape)}, {x.value}, {TYPES[x.dtype]})"
    order = sorted(range(len(call.dims)), key=call.dims.__getitem__)
    if order != list(range(len(order))):
        permuted = f"tl.permute({x.value}, {shape_text(tuple(order))})"
        return over(type(x)(permuted, x.shape, x.dtype), call.shape, tuple(sorted(call.dims)))
    return over(x, call.shape, call.dims)


def _reshape(writer: TritonWriter, call: Reshape) -> str | None:
    x = call.operand(0)
    if not call.shape:
        return None
    if not x.shape:
        return f"tl.full({shape_text(call.shape)}, {x.value}, {TYPES[x.dtype]})"
    return f"tl.reshape({x.value}, {shape_text(call.shape)})"


def _transpose(writer: TritonWriter, call: Transpose) -> str:
    return f"tl.permute({call.operand(0).value}, {shape_text(call.permutation)})"


def _reduce(writer: TritonWriter, call: Reduce) -> str | None:
    x = call.operand(0)
    text = str(x.value)
    if call.kind in ("any", "all"):
        text = f"{text}.to(tl.int32)"
    elif call.kind == "sum":
        text = widened(text, x.dtype)
    elif call.kind == "prod" or x.dtype == "bool":
        return None
    for axis in reversed(call.dims):
        text = _reduced(call.kind, text, axis, x.dtype)
    if call.kind in ("any", "all"):
        return f"({text}) != 0"
    return f"({text}).to({TYPES[x.dtype]})"


def _reduced(kind: str, text: str, axis: int, dtype: str) -> str:
    if kind in ("max", "min") and dtype in FLOATS:
        return f"tl.reduce({text}, {axis}, _linnet_{kind})"
    function = {"any": "max", "all": "min"}.get(kind, kind)
    return f"tl.{function}({text}, {axis})"


def _cumsum(writer: TritonWriter, call: Cumsum) -> str | None:
    x = call.operand(0)
    if x.dtype in INTEGERS and x.dtype not in ("i32", "i64", "u32", "u64"):
        return None
    return rounded(f"tl.cumsum({widened(str(x.value), x.dtype)}, {call.axis})", x.dtype)


#: How each kind is written.
WRITERS: dict[type, Callable[[TritonWriter, Any], str | None]] = {
    Broadcast: _broadcast,
    Compare: _compare,
    Constant: _constant,
    Contract: _contract,
    Convert: _convert,
    Cumsum: _cumsum,
    Elementwise: _elementwise,
    Iota: _iota,
    Reduce: _reduce,
    Reshape: _reshape,
    Select: _select,
    Transpose: _transpose,
}
