"""Calls of std.random.

In: nothing.  Out: `CASES`.
"""

from __future__ import annotations

import numpy as np
import random_reference as reference
from op_case import Input, OpCase, floats, given, scalar

_FLOATS = ("f32", "bf16", "f16", "f64")
_ONCE = ("f32",)
_KEY = given([0, 7], "i64")
_OTHER = given([0xDEADBEEF, 0x12345678], "i64")
#: Keys whose first, and second, uniform number is 0.
ZERO_FIRST, ZERO_SECOND = (0, 780233), (0, 385443)


def _words(name: str, count: int, key: Input) -> OpCase:
    shape = f"{count}, 2" if name == "split" else str(count)
    return OpCase(
        f"{name} {count} of {key.values.tolist()}",
        f"random::{{{name}}}",
        f"{name}<{count}>(k)",
        f"Tensor[{shape}; i64]",
        {"k": key},
        lambda k: getattr(reference, name)(k, count),
        _ONCE,
    )


def _numbers(name: str, count: int, key: Input, dtypes: tuple[str, ...] = _ONCE) -> OpCase:
    return OpCase(
        f"{name} {count} of {key.values.tolist()}",
        f"random::{{{name}}}",
        f"{name}<{count}, T>(k)",
        f"Tensor[{count}; T]",
        {"k": key},
        lambda k: getattr(reference, name)(k, count),
        dtypes,
    )


def _fold_in(data: int) -> OpCase:
    return OpCase(
        f"fold_in {data}",
        "random::{fold_in}",
        "fold_in(k, d)",
        "Tensor[2; i64]",
        {"k": _KEY, "d": scalar(data, "i32")},
        lambda k, d: np.array(reference.threefry2x32(k, (0, int(d)))),
        _ONCE,
    )


def _categorical(id: str, logits: Input, key: Input = _KEY, dtypes: tuple[str, ...] = _ONCE) -> OpCase:
    return OpCase(
        f"categorical {id}",
        "random::{categorical}",
        "categorical(k, x)",
        f"Tensor[{np.shape(logits.values)[0]}; i32]",
        {"k": key, "x": logits},
        lambda k, x: reference.categorical(k, x),
        dtypes,
    )


CASES = [
    OpCase(
        "threefry2x32 of any counters",
        "random::{threefry2x32}",
        "threefry2x32(k, c)",
        "Tensor[4, 2; i64]",
        {"k": _OTHER, "c": given([[0, 0], [1, 2], [2**32 - 1, 2**32 - 1], [0x243F6A88, 0x85A308D3]], "i64")},
        lambda k, c: np.array([reference.threefry2x32(k, pair) for pair in c]),
        _ONCE,
    ),
    OpCase(
        "threefry2x32 of numbers beyond a word",
        "random::{threefry2x32}",
        "threefry2x32(k, c)",
        "Tensor[2, 2; i64]",
        {"k": given([-1, 2**40 + 5], "i64"), "c": given([[-1, -(2**63)], [2**32 + 3, 2**63 - 1]], "i64")},
        lambda k, c: np.array([reference.threefry2x32(k, pair) for pair in c]),
        _ONCE,
    ),
    *(_words(name, count, key) for name in ("bits", "split") for count, key in ((0, _KEY), (1, _KEY), (9, _KEY), (5, _OTHER))),
    *(_fold_in(data) for data in (0, 2, -1, 2147483647, -2147483648)),
    *(_numbers(name, 9, _KEY, _FLOATS) for name in ("uniform", "normal")),
    *(_numbers(name, count, key) for name in ("uniform", "normal") for count, key in ((0, _KEY), (1, _KEY), (6, _OTHER))),
    _numbers("normal", 2, given(ZERO_FIRST, "i64")),
    _categorical("of rows", floats(5, 7, scale=2.0), dtypes=_FLOATS),
    _categorical("of other rows", floats(5, 7, seed=1, scale=2.0), _OTHER),
    _categorical("of no rows", floats(0, 3)),
    _categorical("of one position", floats(4, 1)),
    _categorical("of positions that may not be drawn", given([[-np.inf, 0.0, -np.inf], [0.0, -np.inf, 1.0]])),
    _categorical("of rows in which nothing may be drawn", given(np.full((2, 3), -np.inf))),
    _categorical("whose uniform number is 0", given([[0.0, 4.0, 5.0]]), given(ZERO_FIRST, "i64")),
    _categorical("whose uniform number is 0 where nothing may be drawn", given([[-np.inf, 0.0]]), given(ZERO_FIRST, "i64")),
    _categorical("whose second uniform number is 0", given([[1.0, -4.0], [0.0, 0.5]]), given(ZERO_SECOND, "i64")),
]
