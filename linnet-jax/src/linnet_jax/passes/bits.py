"""What finds out whether an entry needs 64 bits.

In: steps, and the scalars known.  Out: `Bits`.  The positions that gathers take, iotas and sizes are i64 in the language and small in
almost every model: where the values of every i64 are bounded by 32 bits, whatever is given, i32 holds them and nothing is switched on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.integers import integer_range
from linnet_core.graph.calls import (
    BeginCounted,
    Broadcast,
    Concat,
    Convert,
    Elementwise,
    Finish,
    Gather,
    Input,
    Iota,
    NativeCall,
    Parameter,
    Reduce,
    Reshape,
    Select,
    Slice,
    State,
    Transpose,
)
from linnet_core.python_source.region_calls import CloseRemat, OpenLaunch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import Call, LaunchKernel
    from linnet_core.python_source.fold import Scalar
    from linnet_core.python_source.steps import Step

#: The least and the greatest value an integer may take.
_Interval = tuple[int, int]

_LOW, _HIGH = integer_range("i32")
_WIDE = ("i64", "u64", "f64")
_MOVING = (Reshape, Transpose, Broadcast, Slice, Gather)


class Bits(Struct, frozen=True):
    """`wide`: 64-bit dtypes are switched on.  `narrow`: every i64 is held in i32.  `outside`: an argument or a result has 64 bits."""

    wide: bool
    narrow: bool
    outside: bool


def bits_needed(steps: Sequence[Step], known: Mapping[str, Scalar]) -> Bits:
    """What the entry needs."""
    dtypes = {type.dtype for step in steps for type in step.call.result_types()}
    launches = [step.call for step in steps if isinstance(step.call, OpenLaunch)]
    in_kernels = any(_is_wide(call.launch) or not {o.dtype for o in call.operands if o is not None}.isdisjoint(_WIDE) for call in launches)
    if dtypes.isdisjoint(_WIDE) and not in_kernels:
        return Bits(wide=False, narrow=False, outside=False)
    leaves = [type.dtype for step in steps if isinstance(step.call, Input | Parameter | State) for type in step.call.result_types()]
    results = [o.dtype for step in steps if isinstance(step.call, Finish) for o in step.call.operands if o is not None]
    outside = not set(_WIDE).isdisjoint((*leaves, *results))
    narrow = not outside and not in_kernels and dtypes.isdisjoint(("u64", "f64")) and _all_fit(steps, known)
    return Bits(wide=not narrow, narrow=narrow, outside=outside)


def _is_wide(launch: LaunchKernel) -> bool:
    """Whether the text of a kernel computes in 64 bits, or a result has them."""
    spelled = ("jnp.int64", "jnp.uint64", "jnp.float64")
    return any(word in launch.program.body for word in spelled) or not set(launch.result_dtypes).isdisjoint(_WIDE)


def _all_fit(steps: Sequence[Step], known: Mapping[str, Scalar]) -> bool:
    """Whether the values of every i64 are known to be of 32 bits."""
    found: dict[str, _Interval] = {}
    for step in steps:
        for name, type in zip(step.results, step.call.result_types(), strict=True):
            if type.dtype != "i64":
                continue
            value = known.get(name)
            if value is not None:
                interval: _Interval | None = (int(value), int(value))
            elif isinstance(step.call, CloseRemat):  # which hands each operand on
                interval = found.get(str(step.call.operand(step.results.index(name)).value))
            else:
                interval = _interval(step.call, name == step.results[0], found)
            if interval is None or interval[0] < _LOW or interval[1] > _HIGH:
                return False
            found[name] = interval
    return True


def _interval(call: Call, first: bool, found: Mapping[str, _Interval]) -> _Interval | None:
    """The bounds of a result (`first`: the first of its call); None when nothing is known of them."""
    match call:
        case Iota(length=length):
            return (0, max(length - 1, 0))
        case BeginCounted(start=start, stop=stop) if first:
            return (start, max(stop - 1, start))
        case Convert():
            return (0, 1) if (dtype := call.operand(0).dtype) == "bool" else _of_dtype(dtype)
        case Select():
            return _union([found.get(str(o.value)) for o in call.operands[1:] if o is not None])
        case Concat():
            return _union([found.get(str(o.value)) for o in call.operands if o is not None])
        case Reduce(kind="max" | "min") if 0 not in call.operand(0).shape:
            return found.get(str(call.operand(0).value))
        case NativeCall(implementation="torch.nn.functional.embedding"):
            return found.get(str(call.operand(1).value))
        case Elementwise():
            return _elementwise(call.kind, [found.get(str(o.value)) for o in call.operands if o is not None])
    return found.get(str(call.operand(0).value)) if isinstance(call, _MOVING) else None


def _of_dtype(dtype: str) -> _Interval | None:
    return None if dtype[0] not in "iu" else integer_range(dtype)


def _union(intervals: Sequence[_Interval | None]) -> _Interval | None:
    ends = [i for i in intervals if i is not None]
    return (min(low for low, _ in ends), max(high for _, high in ends)) if ends and len(ends) == len(intervals) else None


def _elementwise(kind: str, operands: Sequence[_Interval | None]) -> _Interval | None:
    """By the ends of the operands, for kinds that grow or fall along each of them."""
    match kind, operands:
        case "neg", [(low, high)]:
            return (-high, -low)
        case "abs", [(low, high)]:
            return (0, max(abs(low), abs(high)))
        case "add", [(a, b), (c, d)]:
            return (a + c, b + d)
        case "sub", [(a, b), (c, d)]:
            return (a - d, b - c)
        case "mul", [(a, b), (c, d)]:
            products = (a * c, a * d, b * c, b * d)
            return (min(products), max(products))
        case "min", [(a, b), (c, d)]:
            return (min(a, c), min(b, d))
        case "max", [(a, b), (c, d)]:
            return (max(a, c), max(b, d))
        case "div", [(a, b), (c, d)] if c > 0:
            return (_toward_zero(a, c if a < 0 else d), _toward_zero(b, c if b > 0 else d))
        case "rem", [(a, b), (c, d)] if c > 0:
            return (max(a, 1 - d) if a < 0 else 0, min(b, d - 1) if b > 0 else 0)
    return None


def _toward_zero(a: int, b: int) -> int:
    """The quotient by a positive number, truncated."""
    return a // b if a >= 0 else -(-a // b)
