"""Loops, constants and states: what passes over a whole entry may get wrong.

In: nothing.  Out: their cases, which count bit for bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linnet_core.conformance.programs.case import ProgramCase

if TYPE_CHECKING:
    from collections.abc import Iterator

_X = np.arange(6, dtype=np.float32).reshape(2, 3)

_EXCHANGE = """pub entry run(a: Tensor[2; f32], b: Tensor[2; f32], n: i32) -> (Tensor[2; f32], Tensor[2; f32]) {
    var x = a
    var y = b
    var i: i32 = 0
    while i < n {
        let t = x
        x = y
        y = t
        i = i + 1
    }
    return (x, y)
}
"""
_NESTED = """pub entry run(n: i32) -> i32 {
    var total: i32 = 0
    var i: i32 = 0
    while i < n {
        var j: i32 = 0
        while j < i {
            total = total + i * j
            j = j + 1
        }
        i = i + 1
    }
    return total
}
"""
_STEADY = """pub entry run(x: Tensor[3; f32], n: i32) -> (i32, Tensor[3; f32]) {
    var value = x
    var i: i32 = 0
    while i < n {
        value = value + cast<f32>(iota(3))
        i = i + 1
    }
    return (i, value)
}
"""
_COUNTED = """pub entry run(x: Tensor[2, 3; f32]) -> (Tensor[2, 3; f32], Tensor[3, 2, 3; f32]) {
    var value = x
    let seen = for i in 5..8 {
        value = value + cast<f32>(i)
        yield value
    }
    return (value, seen)
}
"""
_ZEROS = """pub entry run(x: Tensor[2; f32]) -> (Tensor[2; f32], Tensor[2; f32]) {
    return (x * 0.0, x * (-0.0))
}
"""
_CONSTANTS = """pub entry run() -> (Tensor[3; i64], f32) {
    return (iota(3) * 3000000000, 0.1)
}
"""
_AS_IT_IS = """pub block Holder {
    state kept: Tensor[2, 3; f32]

    pub entry run(x: Tensor[2, 3; f32]) -> (Tensor[2, 3; f32], Tensor[2, 3; f32], Tensor[6; f32]) {
        let before = kept
        kept = x
        return (x, before, reshape(x, [6]))
    }
}
"""


def cases() -> Iterator[ProgramCase]:
    """All of them."""
    pair = {"a": np.array([1, 2], np.float32), "b": np.array([3, 4], np.float32)}
    exchanges = tuple([{**pair, "n": np.asarray(n, np.int32)} for n in range(4)])
    yield ProgramCase(name="a loop exchanges what it carries", text=_EXCHANGE, arrays=exchanges)
    yield ProgramCase(name="loops in loops", text=_NESTED, arrays=tuple([{"n": np.asarray(n, np.int32)} for n in (0, 1, 5)]))
    turns = tuple([{"x": _X[1], "n": np.asarray(n, np.int32)} for n in (0, 1, 5)])
    yield ProgramCase(name="what a loop computes alike in every turn", text=_STEADY, arrays=turns)
    yield ProgramCase(name="a counted loop", text=_COUNTED, arrays=({"x": _X},))
    yield ProgramCase(name="zeros of different signs", text=_ZEROS, arrays=({"x": np.array([1, -1], np.float32)},))
    yield ProgramCase(name="constants alone", text=_CONSTANTS, arrays=({},))
    yield ProgramCase(name="arguments answered as they are", text=_AS_IT_IS, arrays=({"x": _X, "kept": -_X},))
