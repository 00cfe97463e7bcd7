"""Numbers: literals, dimensions, module constants.

In: typed expressions.  Out: `RULES` (see `lower_body.py`), and the text of floats.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from linnet_core.check import program as p
from linnet_core.check.types import I64, DimType, ScalarType, Type, dtype_class
from linnet_core.errors import InternalError
from linnet_core.ir.lower_body import Body, Rule, Steps
from linnet_core.ir.module import Value

if TYPE_CHECKING:
    from linnet_core.check.types import DType

#: Significant bits and lowest exponent of the dtypes narrower than f64 (IEEE 754-2019, table 3.5; bf16 has f32's exponents).
_NARROW: dict[str, tuple[int, int]] = {"f16": (11, -14), "bf16": (8, -126), "f32": (24, -126)}


def float_text(value: float, text: str | None, dtype: DType) -> str:
    """What a `const.float` holds: the shortest text that reads back to one f64.

    That f64 is the nearest to the decimal `text`, except where rounding it again to a narrow `dtype` would give another value than rounding
    the decimal once: then it is the latter.  The two can only differ where the f64 lies in the middle of two narrow values.
    """
    nearest = float(value)
    if text is None or dtype not in _NARROW or not 1e-60 < abs(nearest) < math.inf:
        return repr(nearest)
    bits, lowest = _NARROW[str(dtype)]
    half_unit = max(math.frexp(nearest)[1] - 1, lowest) - bits
    if math.fmod(math.ldexp(nearest, -half_unit), 2.0) not in (1.0, -1.0):
        return repr(nearest)
    from fractions import Fraction

    exact, middle = Fraction(text.replace("_", "")), Fraction(nearest)
    if exact == middle:
        return repr(nearest)
    step = math.ldexp(1.0, half_unit)
    return repr(nearest + step if exact > middle else nearest - step)


def lower_literal(body: Body, node: p.Literal) -> Value:
    """A number or bool at its dtype; an integer literal in a float context is a float constant."""
    if not isinstance(node.type, ScalarType):
        raise InternalError(f"a literal of type {node.type}")
    dtype = node.type.dtype
    if dtype == "bool":
        return body.emit("const.bool", (), node.type, node.span, {"value": int(node.value)})
    if isinstance(node.value, float) or dtype_class(dtype) == "float":
        return body.emit("const.float", (), node.type, node.span, {"value": float_text(node.value, node.text, dtype)})
    return body.emit("const.int", (), node.type, node.span, {"value": int(node.value)})


def lower_dim_value(body: Body, node: p.DimValue) -> Value:
    """A dimension is an i64; where another dtype is due a cast follows."""
    value = body.emit("const.dim", (), I64, node.span, {"value": node.dim})
    if node.type == I64 or isinstance(node.type, DimType):
        return value
    return body.emit("cast", (value,), node.type, node.span)


def lower_const_ref(body: Body, node: p.ConstRef) -> Value | Steps:
    """A module constant's expression, once per region that uses it."""
    made = body.constant((node.const, node.type))
    return made if made is not None else _inline_constant(body, node)


def _inline_constant(body: Body, node: p.ConstRef) -> Steps:
    const = body.program.constants[node.const]
    outer = body.locals, body.indices
    body.locals, body.indices = {}, {}
    value = yield _at_type(const.value, node.type) if const.contextual else const.value
    body.locals, body.indices = outer
    if const.contextual and value.type != node.type and not isinstance(node.type, DimType):
        value = body.emit("cast", (value,), node.type, node.span)
    body.keep_constant((node.const, node.type), value)
    return value


def _at_type(value: p.Expr, type: Type) -> p.Expr:
    """The value of an untyped constant at the type its use gave it."""
    match value:
        case p.Literal():
            return p.Literal(type, value.span, value.value, value.text)
        case p.DimValue():
            return p.DimValue(type, value.span, value.dim)
        case _:
            return value


RULES: dict[type, Rule] = {
    p.Literal: lower_literal,
    p.DimValue: lower_dim_value,
    p.ConstRef: lower_const_ref,
}
