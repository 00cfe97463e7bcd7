"""Entries made of calls by hand, printed and run by the numpy target.

In: a function that makes calls, and arrays for its inputs and states.  Out: the source, or what it answers; and comparisons to the bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linnet_core.conformance import hand
from linnet_core.conformance.arrays import ALL, FLOATS, INTEGERS, SIGNED
from linnet_core.conformance.compare import difference
from linnet_core.targets.numpy.runner import run
from linnet_core.targets.numpy.target import NumpyTarget
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DTYPES", "FLOATS", "INTEGERS", "SIGNED", "Hand", "answer", "answers", "array", "assert_same", "printed"]

DTYPES: dict[str, Any] = {name: numpy_dtype(name).type for name in ALL}


class Hand(hand.Hand):
    """Calls to a numpy target of its own."""

    target: NumpyTarget

    def __init__(self) -> None:
        super().__init__(NumpyTarget("exact"))


def printed(build: Any, inputs: Sequence[np.ndarray], states: Sequence[np.ndarray] = ()) -> str:
    """The source of the entry whose calls `build(hand, *leaves)` makes."""
    hand = Hand()
    leaves = [hand.input(f"x{i}", a) for i, a in enumerate(inputs)]
    leaves += [hand.state(f"s{i}", a) for i, a in enumerate(states)]
    results = build(hand, *leaves)
    hand.finish(*(results if isinstance(results, (tuple, list)) else (results,)))
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


def assert_same(given: np.ndarray, wanted: np.ndarray) -> None:
    """Equal in dtype, shape and every bit; any NaN equals any other."""
    assert difference(np.asarray(given), np.asarray(wanted)) is None
