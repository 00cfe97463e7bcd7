"""What every loader of a framework makes of one small model: right calls, calls and loads that are refused.

In: nothing.  Out: the model's text, its sizes and weights as NumPy arrays, and tables of cases.  A backend's tests give the way to load and
the way to call; what is said is the same everywhere but for the word for an array, which no case holds.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from msgspec import Struct

from linnet_core.errors import DocumentError, LinnetError, UsageError

SOURCE = """module m

use std.nn.cache::{write_at}
use std.nn.linear::{Linear}

block Layer<H: Dim, N: Dim, T: Float> where N > 0 {
    sub up: Linear<H, H, T>
    state rows: Tensor[1, 1, N, H; T]

    pub fn keep(x: Tensor[H; T], at: i32) -> Tensor[N, H; T] {
        rows = write_at(rows, reshape(up.forward(x), [1, 1, 1, H]), at)
        return reshape(rows, [N, H])
    }
}

block M<H: Dim, N: Dim, L: Dim, T: Float = f32> where H > 1, N > 0 {
    sub layers: [Layer<H, N, T>; L]
    sub head: Linear<H, H, T>
    sub more: Linear<H, H, T>?
    buffer scale: T
    state total: Tensor[H; T]
    state seen: Tensor[H; T]

    pub entry forward<B: Dim>(x: Tensor[B, H; T]) -> Tensor[B, H; T] { return head.forward(x) * scale }

    pub entry keep(x: Tensor[H; T], at: i32) -> Tensor[N, H; T] {
        var y = fill<T>([N, H], 0.0)
        static for layer in layers { y = y + layer.keep(x, at) }
        return y
    }

    pub entry add(x: Tensor[H; T]) -> Tensor[H; T] {
        total = total + x
        return total
    }

    pub entry remember(x: Tensor[H; T]) -> Tensor[H; T] {
        let before = seen
        seen = x
        return before
    }

    pub entry peek() -> Tensor[1, 1, N, H; T] { return layers[0].rows }

    pub entry steps<K: Dim>(x: T) -> Tensor[K; T] { return fill<T>([K], x) }

    pub entry scaled<F: Float>(x: Tensor[H; F], by: F = 2.0, n: i32 = 4) -> Tensor[H; F] { return x * by + cast<F>(n) }
}
"""
SIZES: dict[str, Any] = {"H": 2, "N": 3, "L": 2}
WEIGHTS: dict[str, np.ndarray] = {
    "layers.0.up.weight": np.array([[1.0, 0.0], [0.0, 1.0]], np.float32),
    "layers.1.up.weight": np.array([[0.0, 0.0], [1.0, 1.0]], np.float32),
    "head.weight": np.array([[2.0, 0.0], [0.0, 3.0]], np.float32),
    "head.bias": np.array([1.0, 0.0], np.float32),
    "scale": np.array(2.0, np.float32),
}
#: The states by path, in the order of declaration.
STATES = ("layers.0.rows", "layers.1.rows", "total", "seen")
X = np.array([1.0, 2.0], np.float32)
#: What `forward` makes of `X[None]` under `WEIGHTS`.
FORWARD = [[6.0, 12.0]]
_BF16 = np.dtype(ml_dtypes.bfloat16)
_NARROW = {name: each.astype(_BF16) for name, each in WEIGHTS.items()}


def without(*names: str) -> dict[str, np.ndarray]:
    """The weights but for some."""
    return {name: each for name, each in WEIGHTS.items() if name not in names}


class Answer(Struct, frozen=True, eq=False):
    """A call of `entry` (None: the model itself) on a model loaded with `options`, and its result; states begin as zeros."""

    id: str
    entry: str | None
    inputs: tuple[Any, ...]
    result: Any
    named: dict[str, Any] = {}
    generics: dict[str, Any] | None = None
    options: dict[str, Any] = {}


class Refusal(Struct, frozen=True, eq=False):
    """A call that does not fit, which is a `RuntimeFailure`, and what stands in its message."""

    id: str
    entry: str | None
    inputs: tuple[Any, ...]
    said: str
    named: dict[str, Any] = {}


class RefusedLoad(Struct, frozen=True, eq=False):
    """A load that is refused, the error, and the lines of its message, or what stands in the only one."""

    id: str
    options: dict[str, Any]
    error: type[LinnetError]
    said: str | list[str]


ANSWERS = (
    Answer("the model itself", None, (X[None],), FORWARD),
    Answer("two rows", "forward", (np.stack([X, X]),), [*FORWARD, *FORWARD]),
    Answer("an input by name", "forward", (), FORWARD, named={"x": X[None]}),
    Answer("no rows", "forward", (np.zeros((0, 2), np.float32),), []),
    Answer("a number", "keep", (X, 1), [[0.0, 0.0], [1.0, 5.0], [0.0, 0.0]]),
    Answer("a number by name", "keep", (X,), [[1.0, 5.0], [0.0, 0.0], [0.0, 0.0]], named={"at": np.array(0, np.int32)}),
    Answer("a generic by name", "steps", (2.5,), [2.5, 2.5], generics={"K": 2}),
    Answer("a generic that the model was given", "steps", (2.5,), [2.5], options={"generics": {**SIZES, "K": 1}}),
    Answer("sizes of NumPy", None, (X[None],), FORWARD, options={"generics": {name: np.int64(size) for name, size in SIZES.items()}}),
    Answer("defaults", "scaled", (X,), [6.0, 8.0]),
    Answer("a number for a default", "scaled", (X, 3.0), [7.0, 10.0]),
    Answer("a default left out before another", "scaled", (X, None, 1), [3.0, 5.0]),
    Answer("a default by name", "scaled", (X,), [3.0, 5.0], named={"n": 1}),
    Answer("a dtype that another input bound", "scaled", (X.astype(_BF16), 2), [6.0, 8.0]),
    Answer("floats of another width", None, (X[None],), FORWARD, options={"weights": _NARROW, "cast_dtype": True}),
    Answer("a model in bf16", None, (X[None].astype(_BF16),), FORWARD, options={"weights": _NARROW, "generics": {**SIZES, "T": "bf16"}}),
    Answer("an optional that is not held", None, (X[None],), [[4.0, 12.0]], options={"weights": without("head.bias")}),
    Answer(
        "a tensor bound twice",
        "keep",
        (X, 0),
        [[3.0, 8.0], [0.0, 0.0], [0.0, 0.0]],
        options={"weights": without("layers.1.up.weight"), "bindings": {"layers.1.up.weight": "head.weight"}},
    ),
    Answer(
        "names by a pattern",
        "keep",
        (X, 0),
        [[1.0, 5.0], [0.0, 0.0], [0.0, 0.0]],
        options={
            "weights": {name.replace("layers.", "h."): each for name, each in WEIGHTS.items()},
            "bindings": {"layers[*].up.weight": "h[*].up.weight"},
        },
    ),
    Answer("rows that do not follow each other in memory", None, (np.asfortranarray(np.stack([X, 2 * X])),), [[6.0, 12.0], [10.0, 24.0]]),
    Answer(
        "weights in another order in memory",
        None,
        (X[None],),
        FORWARD,
        options={"weights": {name: np.array(each, order="F") for name, each in WEIGHTS.items()}},
    ),
)

REFUSALS = (
    Refusal("rank", None, (X,), "entry `forward`, input `x`: [B, H] has 2 axes, 1 were given ([2])"),
    Refusal("dtype", None, (X[None].astype(np.float64),), "entry `forward`, input `x`: f32 is wanted, f64 was given"),
    Refusal("arity", None, (), "entry `forward` takes 1 inputs (x), 0 were given"),
    Refusal("too many", None, (X, X, X), "entry `forward` takes 1 inputs (x), 3 were given"),
    Refusal("size", None, (np.zeros((1, 3), np.float32),), "entry `forward`, input `x`: axis 1 has size 3, `H` is 2"),
    Refusal("a list", None, ([[1.0, 2.0]],), "or a number is due, not list"),
    Refusal("a float for an integer", "keep", (X, 1.5), "entry `keep`, input `at`: i32 is wanted, 1.5 was given"),
    Refusal("a large integer", "keep", (X, 2**31), "entry `keep`, input `at`: i32 is wanted, 2147483648 was given"),
    Refusal("an integer of more than 64 bits", "keep", (X, 2**63), "input `at`: i32 is wanted, 9223372036854775808 was given"),
    Refusal("an integer that cannot be written", "keep", (X, 10**5000), "input `at`: i32 is wanted, an integer of 16610 bits was given"),
    Refusal("a bool for an integer", "keep", (X, True), "input `at`: i32 is wanted, True was given"),
    Refusal("an unknown input", "keep", (X,), "entry `keep` takes no further input `to`; there are: at", named={"to": 1}),
    Refusal("a missing input", "keep", (), "entry `keep`: no value for `x`", named={"at": 1}),
    Refusal("no default", "scaled", (), "entry `scaled` takes 3 inputs (x, by, n), 0 were given"),
    Refusal("a generic", "steps", (1.0,), "entry `steps`: no input says what `K` is; give by name"),
)

_WRONG = {**WEIGHTS, "head.weight": np.zeros(3, np.float32), "scale": np.zeros((), np.int32), "extra\n": np.zeros(1, np.float32)}
REFUSED_LOADS = (
    RefusedLoad(
        "everything at once",
        {"weights": {**_WRONG, "more.bias": np.zeros(2, np.float32)}, "cast_dtype": True},
        DocumentError,
        [
            "the mapping of weights does not fit the model:",
            "  `head.weight` (f32[2, 2]) is stored as f32[3]",
            "  `scale` (f32) is stored as i32",
            "  `extra\\n` is used by no parameter",
            "  `more.bias` is used by no parameter: `more` is left out because `more.weight` is missing",
        ],
    ),
    RefusedLoad("a missing tensor", {"weights": without("head.weight")}, DocumentError, "`head.weight` (f32[2, 2]) is missing"),
    RefusedLoad("another width", {"weights": _NARROW}, DocumentError, "is stored as bf16"),
    RefusedLoad(
        "a binding of nothing",
        {"bindings": {"heads.weight": "head.weight"}},
        DocumentError,
        "`heads.weight` is bound, and the model has no such parameter; did you mean `head.weight`",
    ),
    RefusedLoad("no arrays", {"weights": {**WEIGHTS, "scale": 2.0}}, UsageError, "`scale` is no "),
    RefusedLoad("no names", {"weights": {3: np.zeros(1)}}, UsageError, "names are strings, and one is of type int"),
    RefusedLoad("an unknown generic", {"generics": {**SIZES, "Q": 1}}, UsageError, "has no generic `Q`"),
    RefusedLoad("generics without names", {"generics": [2]}, UsageError, "generics: values by name are due, not list"),
    RefusedLoad("bindings without names", {"bindings": ["a"]}, UsageError, "bindings: a file or names by path are due, not list"),
    RefusedLoad("an unknown policy", {"numerics": "loose"}, UsageError, "numerics is one of exact, equivalent, fast"),
)


def cases(table: tuple[Any, ...]) -> list[Any]:
    """The rows of a table as pytest takes them."""
    import pytest

    return [pytest.param(row, id=row.id) for row in table]
