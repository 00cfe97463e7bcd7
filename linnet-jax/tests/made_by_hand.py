"""Entries made of calls by hand, printed and run by the jax target and by the numpy target, which is the reference.

In: a function that makes calls, arrays for its inputs.  Out: the results of both targets; comparisons that say what differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from linnet_core.graph.calls import Call, Constant, Finish, Input, Literal, Operand, State
from linnet_core.graph.target import Declined
from linnet_core.targets.numpy import runner as numpy_runner
from linnet_core.targets.numpy.target import NumpyTarget
from linnet_jax import runner as jax_runner
from linnet_jax.target import JaxTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.python_source.target import SourceTarget

    #: Makes the calls of one entry from the operands of its inputs and states; answers its results.
    Build = Callable[["Hand", list[Operand]], Operand | tuple[Operand, ...]]

#: Dtypes of the language as NumPy has them.
NUMPY_DTYPES: dict[str, Any] = {
    "bool": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}
_NAMES = {np.dtype(dtype): name for name, dtype in NUMPY_DTYPES.items()}


class Hand:
    """Calls to one target, written as expressions: `hand(Reshape(...))` answers the operand of the result."""

    def __init__(self, target: SourceTarget) -> None:
        self.target = target
        self.finals: list[tuple[str, Operand]] = []

    def __call__(self, call: Call) -> Operand:
        """The one result of a call."""
        (result,) = self.all(call)
        return result

    def all(self, call: Call) -> tuple[Operand, ...]:
        """Every result of a call."""
        names = self.target.emit(call)
        assert not isinstance(names, Declined), names.reason
        return tuple(Operand(name, type.shape, type.dtype) for name, type in zip(names, call.result_types(), strict=True))

    def input(self, name: str, array: np.ndarray) -> Operand:
        """An input of the array's shape and dtype."""
        return self(Input(name=name, shape=array.shape, dtype=_NAMES[array.dtype]))

    def state(self, path: str, array: np.ndarray) -> Operand:
        """A state of the array's shape and dtype."""
        return self(State(path=path, shape=array.shape, dtype=_NAMES[array.dtype]))

    def constant(self, value: float | bool, dtype: str) -> Operand:
        """A constant of rank 0."""
        kind = "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int) else "real"
        return self(Constant(literal=Literal(kind, value), dtype=dtype))

    def finish(self, *results: Operand) -> None:
        """The last call: `results`, then the states noted in `finals`."""
        paths = tuple(path for path, _ in self.finals)
        operands = (*results, *(operand for _, operand in self.finals))
        self.target.emit(Finish(module="m", block="", entry="run", returns=len(results), states=paths, operands=operands))


def finished(target: SourceTarget, build: Build, arrays: Sequence[np.ndarray], states: Sequence[np.ndarray] = ()) -> SourceTarget:
    """The target after all calls of an entry."""
    hand = Hand(target)
    leaves = [hand.input(f"x{i}", array) for i, array in enumerate(arrays)]
    leaves += [hand.state(f"s{i}", array) for i, array in enumerate(states)]
    results = build(hand, leaves)
    hand.finish(*(results if isinstance(results, tuple) else (results,)))
    return target


def on_jax(
    build: Build, arrays: Sequence[np.ndarray], states: Sequence[np.ndarray] = (), numerics: str = "equivalent"
) -> Sequence[np.ndarray]:
    """What the printed JAX answers."""
    return jax_runner.run(finished(JaxTarget(numerics), build, arrays, states).source(), arrays, (), states)


def on_numpy(build: Build, arrays: Sequence[np.ndarray], states: Sequence[np.ndarray] = ()) -> Sequence[np.ndarray]:
    """What the printed NumPy answers."""
    return numpy_runner.run(finished(NumpyTarget("exact"), build, arrays, states).source(), arrays, (), states)


def difference(given: np.ndarray, wanted: np.ndarray, tolerance: float | None = None) -> str | None:
    """What differs, None when nothing does.

    Without a tolerance every bit counts, all NaN being one value; with one, `max |a - b| <= tolerance * max(1, max |b|)` over the finite
    values.
    """
    if given.dtype != wanted.dtype or given.shape != wanted.shape:
        return f"{given.dtype}{list(given.shape)} for {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype.kind not in "fV":
        return None if np.array_equal(given, wanted) else f"{given!r} for {wanted!r}"
    a, b = given.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(b)
    if not np.array_equal(np.where(finite, 0.0, a), np.where(finite, 0.0, b), equal_nan=True):
        return f"{given!r} for {wanted!r}"
    a, b = a[finite], b[finite]
    if tolerance is None:
        return None if np.array_equal(a, b) and np.array_equal(np.signbit(a), np.signbit(b)) else f"{given!r} for {wanted!r}"
    largest = float(np.abs(a - b).max(initial=0.0))
    return None if largest <= tolerance * max(1.0, float(np.abs(b).max(initial=0.0))) else f"off by {largest}: {given!r} for {wanted!r}"


def assert_agree(
    build: Build,
    arrays: Sequence[np.ndarray],
    states: Sequence[np.ndarray] = (),
    tolerance: float | None = None,
    numerics: str = "equivalent",
) -> None:
    """Both targets answer the same."""
    given, wanted = on_jax(build, arrays, states, numerics), on_numpy(build, arrays, states)
    assert len(given) == len(wanted)
    for one, other in zip(given, wanted, strict=True):
        differing = difference(np.asarray(one), np.asarray(other), tolerance)
        assert differing is None, differing
