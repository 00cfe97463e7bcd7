"""Entries made of calls by hand.

In: a target, a function that makes calls, arrays for its inputs and states.  Out: the target, which has taken the whole entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Call, Constant, Finish, Input, Literal, Operand, State
from linnet_core.graph.target import Declined
from linnet_core.weights.arrays import dtype_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from linnet_core.graph.target import Target

    #: Makes the calls of one entry from the operands of its inputs and states; answers its results.
    Build = Callable[["Hand", list[Operand]], Operand | tuple[Operand, ...]]


class Hand:
    """Calls to one target, written as expressions: `hand(Reshape(...))` answers the operand of the result."""

    def __init__(self, target: Target) -> None:
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
        return self(Input(name=name, shape=array.shape, dtype=dtype_name(array.dtype)))

    def state(self, path: str, array: np.ndarray) -> Operand:
        """A state of the array's shape and dtype."""
        return self(State(path=path, shape=array.shape, dtype=dtype_name(array.dtype)))

    def constant(self, value: float | bool, dtype: str) -> Operand:
        """A constant of rank 0."""
        kind = "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int) else "real"
        return self(Constant(literal=Literal(kind, value), dtype=dtype))

    def finish(self, *results: Operand) -> None:
        """The last call: `results`, then the states noted in `finals`."""
        paths = tuple(path for path, _ in self.finals)
        operands = (*results, *(operand for _, operand in self.finals))
        self.target.emit(Finish(module="m", block="", entry="run", returns=len(results), states=paths, operands=operands))


def finished(target: Target, build: Build, arrays: Sequence[np.ndarray], states: Sequence[np.ndarray] = ()) -> Target:
    """The target after all calls of an entry."""
    hand = Hand(target)
    leaves = [hand.input(f"x{i}", array) for i, array in enumerate(arrays)]
    leaves += [hand.state(f"s{i}", array) for i, array in enumerate(states)]
    results = build(hand, leaves)
    hand.finish(*(results if isinstance(results, tuple) else (results,)))
    return target
