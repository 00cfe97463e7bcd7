"""Entries made of calls by hand, printed and run by the numpy target.

In: a function that makes calls, and arrays for its inputs and states.  Out: the source, or what it answers; and comparisons to the bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from linnet_core.graph.calls import Call, Constant, Finish, Input, Literal, Operand, State
from linnet_core.graph.target import Declined
from linnet_core.targets.numpy.runner import run
from linnet_core.targets.numpy.target import NumpyTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

DTYPES: dict[str, Any] = {
    "bool": np.bool_,
    **{f"{kind}{bits}": np.dtype(f"{kind}{bits // 8}").type for kind in "iu" for bits in (8, 16, 32, 64)},
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}
SIGNED = ("i8", "i16", "i32", "i64")
INTEGERS = (*SIGNED, "u8", "u16", "u32", "u64")
FLOATS = ("f16", "bf16", "f32", "f64")


class Hand:
    """Calls to one target, written as expressions: `hand(Reshape(...))` answers the operand of the result."""

    def __init__(self) -> None:
        self.target = NumpyTarget("exact")
        #: Paths and final values of the states.
        self.finals: list[tuple[str, Operand]] = []

    def __call__(self, call: Call) -> Operand:
        (result,) = self.all(call)
        return result

    def all(self, call: Call) -> tuple[Operand, ...]:
        """Every result of a call."""
        names = self.target.emit(call)
        assert not isinstance(names, Declined), names.reason
        return tuple(Operand(name, type.shape, type.dtype) for name, type in zip(names, call.result_types(), strict=True))

    def constant(self, value: float | bool, dtype: str) -> Operand:
        """A constant of rank 0."""
        kind = "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int) else "real"
        return self(Constant(literal=Literal(kind, value), dtype=dtype))

    def finish(self, results: Sequence[Operand]) -> None:
        """The last call: `results`, then the states of `finals`."""
        paths = tuple(path for path, _ in self.finals)
        operands = (*results, *(operand for _, operand in self.finals))
        self.target.emit(Finish(module="m", block="", entry="run", returns=len(results), states=paths, operands=operands))


def printed(build: Any, inputs: Sequence[np.ndarray], states: Sequence[np.ndarray] = ()) -> str:
    """The source of the entry whose calls `build(hand, *leaves)` makes."""
    hand = Hand()
    leaves = [hand(Input(name=f"x{i}", shape=a.shape, dtype=NAMES[a.dtype])) for i, a in enumerate(inputs)]
    leaves += [hand(State(path=f"s{i}", shape=a.shape, dtype=NAMES[a.dtype])) for i, a in enumerate(states)]
    results = build(hand, *leaves)
    hand.finish(results if isinstance(results, (tuple, list)) else (results,))
    return hand.target.source()


def answers(build: Any, *inputs: np.ndarray, states: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
    """What the printed entry answers."""
    return list(run(printed(build, inputs, states), inputs, (), states))


def answer(build: Any, *inputs: np.ndarray) -> np.ndarray:
    """The one result of the printed entry."""
    (result,) = answers(build, *inputs)
    return result


def array(values: Any, dtype: str) -> np.ndarray:
    """An array of a dtype of the language; rounded from f64 as NumPy and ml_dtypes do, so exact values should be given."""
    return np.array(values, dtype=DTYPES[dtype])


def bits(values: np.ndarray) -> np.ndarray:
    """What tells every float apart, all NaN being one value."""
    if values.dtype.kind in "fV":
        wide = values.astype(np.float64)
        return np.where(np.isnan(wide), np.float64("nan"), wide).view(np.int64)
    return values


def assert_same(given: np.ndarray, wanted: np.ndarray) -> None:
    """Equal in dtype, shape and every bit; any NaN equals any other."""
    given, wanted = np.asarray(given), np.asarray(wanted)
    assert (given.dtype, given.shape) == (wanted.dtype, wanted.shape)
    assert np.array_equal(bits(given), bits(wanted)), f"{given!r} for {wanted!r}"
