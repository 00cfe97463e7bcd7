"""What the programs beside this file must give, worked out by hand or from the language's rules.

In: nothing.  Out: `ROWS`: a program's entry, what it is given, and the arrays that must come back, bit for bit where `tolerance`
is zero.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from msgspec import Struct

BF16 = ml_dtypes.bfloat16
NAN, INF = float("nan"), float("inf")


class Row(Struct, frozen=True):
    """One run.  `inputs` by the entry's names, `parameters` and `states` by path; results in order."""

    id: str
    file: str
    entry: str
    inputs: dict[str, np.ndarray]
    results: tuple[np.ndarray, ...]
    bindings: dict[str, Any] = {}
    root: str | None = None
    parameters: dict[str, np.ndarray] = {}
    states: dict[str, np.ndarray] = {}
    #: The states after the run, by path: exactly these come back.
    next_states: dict[str, np.ndarray] = {}
    tolerance: float = 0.0


def f32(*values: Any) -> np.ndarray:
    return np.array(values, np.float32)


def i32(*values: Any) -> np.ndarray:
    return np.array(values, np.int32)


def i64(*values: Any) -> np.ndarray:
    return np.array(values, np.int64)


def u8(*values: Any) -> np.ndarray:
    return np.array(values, np.uint8)


def i8(*values: Any) -> np.ndarray:
    return np.array(values, np.int8)


def bools(*values: Any) -> np.ndarray:
    return np.array(values, np.bool_)


def one(value: Any, dtype: Any) -> np.ndarray:
    return np.asarray(value, dtype)


_LOWEST = {"i8": -(2**7), "i32": -(2**31), "i64": -(2**63)}
_DTYPE: dict[str, Any] = {"i8": np.int8, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "f16": np.float16, "bf16": BF16}


def _division() -> list[Row]:
    file = "integer_division.linnet"
    rows = [
        Row(
            "truncates",
            file,
            "divide",
            {"a": i32(-7, 7, -8, 8), "b": i32(2, -2, 3, -3)},
            (i32(-3, -3, -2, -2), i32(-1, 1, -2, 2)),
            {"N": 4, "T": "i32"},
        ),
        Row("is exact in i64", file, "by_one", {"a": i64(-9007199254740993)}, (i64(-9007199254740993),), {"N": 1}),
        Row(
            "float remainder is fmod",
            file,
            "float_remainder",
            {"a": f32(-1.0, 5.5, 1.0, INF, 2.0), "b": f32(1.0, -2.0, 0.0, 2.0, INF)},
            (f32(-0.0, 1.5, NAN, NAN, 2.0),),
            {"N": 5},
        ),
        Row("compile-time integers floor", file, "floored", {}, (i64(-4, -4),)),
        Row(
            "unsigned by zero",
            file,
            "divide",
            {"a": u8(7, 0, 255), "b": u8(0, 0, 2)},
            (u8(255, 255, 127), u8(7, 0, 1)),
            {"N": 3, "T": "u8"},
        ),
    ]
    for name, lowest in _LOWEST.items():
        dtype = _DTYPE[name]
        rows += [
            Row(
                f"lowest {name} by -1 wraps",
                file,
                "divide",
                {"a": np.full(8, lowest, dtype), "b": np.full(8, -1, dtype)},
                (np.full(8, lowest, dtype), np.zeros(8, dtype)),
                {"N": 8, "T": name},
            ),
            Row(
                f"{name} by zero",
                file,
                "divide",
                {"a": np.array([lowest, 5, -5, 0, 1, 2, 3, 4], dtype), "b": np.zeros(8, dtype)},
                (np.full(8, -1, dtype), np.array([lowest, 5, -5, 0, 1, 2, 3, 4], dtype)),
                {"N": 8, "T": name},
            ),
        ]
    return rows


def _narrow_sums() -> list[Row]:
    file = "narrow_sums.linnet"
    wrapped = np.array([[(65536 * 65536 + 7) % 2**32, 65536 * 5 + 9]], np.int64).astype(np.int32)
    return [
        Row("bytes", file, "bytes", {"x": u8(200, 100, 50)}, (u8(200, 44, 94), one(94, np.uint8), u8(201, 101, 51)), {"N": 3}),
        Row(
            "signed bytes",
            file,
            "signed",
            {"x": i8(100, 3, -128)},
            (one(0, np.int8), one(-25, np.int8), i8(100, 3, -128)),
            {"N": 3},
        ),
        Row("product of two", file, "signed", {"x": i8(100, 3)}, (one(44, np.int8), one(103, np.int8), i8(100, 3)), {"N": 2}),
        Row("rank 0", file, "scalars", {"a": one(250, np.uint8), "b": one(10, np.uint8)}, (one(4, np.uint8), one(196, np.uint8))),
        Row(
            "a contraction wraps",
            file,
            "product",
            {"a": i32([65536, 1]), "b": i32([65536, 5], [7, 9])},
            (wrapped,),
            {"M": 1, "K": 2, "N": 2, "T": "i32"},
        ),
        Row(
            "a contraction of bytes stays a byte",
            file,
            "product",
            {"a": u8([200, 100]), "b": u8([2], [3])},
            (u8([700 % 256]),),
            {"M": 1, "K": 2, "N": 1, "T": "u8"},
        ),
    ]


def _short_float_sums() -> list[Row]:
    file = "short_float_sums.linnet"
    rows = []
    for name, count in (("bf16", 512), ("f16", 4096)):
        dtype = _DTYPE[name]
        ones = np.ones(count, dtype)
        running = np.arange(1, count + 1, dtype=np.float32).astype(dtype)
        rows += [
            Row(
                f"{count} ones in {name}",
                file,
                "totals",
                {"x": ones},
                (one(count, dtype), one(count, np.float32), running),
                {"N": count, "T": name},
            ),
            Row(
                f"a contraction of {count} ones in {name}",
                file,
                "product",
                {"a": ones.reshape(1, count), "b": ones.reshape(count, 1)},
                (np.full((1, 1), count, dtype),),
                {"M": 1, "K": count, "N": 1, "T": name},
            ),
            Row(f"{count} halves in {name}", file, "halves", {"x": ones}, (one(count // 2, dtype),), {"N": count, "T": name}),
        ]
    return rows


def _nan_extremes() -> list[Row]:
    file = "nan_extremes.linnet"
    x, y = f32(1, NAN, 3), f32(NAN, 2, 3)
    return [
        Row("of two", file, "pairs", {"x": x, "y": y}, (f32(NAN, NAN, 3), f32(NAN, NAN, 3)), {"N": 3}),
        Row(
            "of a row",
            file,
            "rows",
            {"x": f32([1, NAN, 3], [NAN, 1, 2], [1, 2, NAN], [1, INF, -INF])},
            (f32(NAN, NAN, NAN, INF), f32(NAN, NAN, NAN, -INF)),
            {"R": 4, "C": 3},
        ),
        Row("compared", file, "compared", {"x": x, "y": x}, (bools(True, False, True), bools(False, True, False)), {"N": 3}),
    ]


def _casts() -> list[Row]:
    file = "casts.linnet"
    top32, top64 = 2**31 - 1, 2**63 - 1
    values = f32(2.9, -2.9, 300.7, 1e20, NAN, -0.0, INF, -INF, 2147483648.0, 127.5)
    return [
        Row(
            "float to integer truncates and saturates",
            file,
            "from_float",
            {"x": values},
            (
                u8(2, 0, 255, 255, 0, 0, 255, 0, 255, 127),
                i8(2, -2, 127, 127, 0, 0, 127, -128, 127, 127),
                i32(2, -2, 300, top32, 0, 0, top32, -(2**31), top32, 127),
                i64(2, -2, 300, top64, 0, 0, top64, -(2**63), 2**31, 127),
                bools(True, True, True, True, True, False, True, True, True, True),
            ),
            {"N": 10},
        ),
        Row(
            "integer to integer keeps the low bits",
            file,
            "from_integer",
            {"x": i32(300, -1, -129, 127)},
            (u8(44, 255, 127, 127), i8(44, -1, 127, 127), i64(300, -1, -129, 127)),
            {"N": 4},
        ),
        Row(
            "rounds once",
            file,
            "narrowed",
            {"x": np.array([1.0004882821813226, 1.0039062509313226]), "i": i32(16842753, -16842753)},
            (
                np.array([1.0009765625, 1.00390625], np.float16),
                np.array([1.0, 1.0078125], BF16),
                np.array([16908288, -16908288], BF16),
            ),
        ),
        Row("literals round once", file, "literals", {}, (np.array([0.0999755859375], np.float16), np.array([0.10009765625], BF16))),
    ]


def _shifts() -> list[Row]:
    file = "shifts.linnet"
    return [
        Row(
            "by the width and more",
            file,
            "wide",
            {"a": i32(1, -1), "b": u8(1, 255)},
            (i32(0, 0), i32(0, -1), u8(0, 0), u8(0, 0)),
        ),
        Row(
            "by run-time amounts",
            file,
            "by",
            {"a": i32(1, -8, -8, 5, -5, 1), "n": i32(31, 1, 40, -1, -1, 0)},
            (i32(-(2**31), -16, 0, 0, 0, 1), i32(0, -4, -1, 0, -1, 1)),
            {"N": 6, "T": "i32"},
        ),
        Row(
            "of bytes",
            file,
            "by",
            {"a": u8(255, 255, 255, 1), "n": u8(1, 7, 8, 255)},
            (u8(254, 128, 0, 0), u8(127, 1, 0, 0)),
            {"N": 4, "T": "u8"},
        ),
    ]


def _masked_rows() -> list[Row]:
    file = "masked_rows.linnet"
    generator = np.random.Generator(np.random.PCG64(8))
    rows = []
    for entry, heads, batch_mask in (("plain", 1, False), ("grouped", 2, False), ("rows", 1, True), ("grouped_rows", 2, True)):
        # The keys are equal, so a row that sees all and a row that sees nothing both take the mean.
        mask = bools([True, True, True], [False, False, False])
        rows.append(
            Row(
                f"{entry}: a row of nothing is the mean",
                file,
                entry,
                {
                    "q": generator.standard_normal((1, heads, 2, 4)).astype(np.float32),
                    "k": np.ones((1, 1, 3, 4), np.float32),
                    "v": np.arange(12, dtype=np.float32).reshape(1, 1, 3, 4),
                    "m": mask[None] if batch_mask else mask,
                },
                (np.broadcast_to(f32(4, 5, 6, 7), (1, heads, 2, 4)),),
                {"Q": 2, "K": 3, "D": 4, "T": "f32", **({"H": 1} if heads == 1 else {})},
                tolerance=1e-5,
            )
        )
    rows.append(
        Row(
            "sinks: a row of nothing goes to the sink",
            file,
            "sinks",
            {
                "q": np.ones((1, 2, 1, 4), np.float32),
                "k": np.ones((1, 1, 3, 4), np.float32),
                "v": np.ones((1, 1, 3, 4), np.float32),
                "s": f32(0.5, -3.0),
                "m": bools([[False, False, False]]),
            },
            (np.zeros((1, 2, 1, 4), np.float32),),
            {"Q": 1, "K": 3, "D": 4, "T": "f32"},
            tolerance=1e-5,
        )
    )
    rows.append(
        Row(
            "early: queries before every key",
            file,
            "early",
            {
                "q": np.ones((1, 1, 3, 4), np.float32),
                "k": np.ones((1, 1, 2, 4), np.float32),
                "v": f32([[[2, 4, 6, 8], [4, 8, 12, 16]]]),
            },
            (f32([[[3, 6, 9, 12], [2, 4, 6, 8], [3, 6, 9, 12]]]),),
            {"Q": 3, "K": 2, "D": 4, "T": "f32"},
            tolerance=1e-5,
        )
    )
    return rows


def _empty_axes() -> list[Row]:
    file = "empty_axes.linnet"
    nothing = {"x": np.zeros((2, 0), np.float32), "k": np.zeros((2, 0), np.int32), "b": np.zeros((2, 0), np.bool_)}
    no_rows = {"x": np.zeros((0, 3), np.float32), "k": np.zeros((0, 3), np.int32), "b": np.zeros((0, 3), np.bool_)}
    top = 2**31 - 1
    return [
        Row(
            "identities",
            file,
            "reduce",
            nothing,
            (f32(-INF, -INF), i32(top, top), f32(1, 1), f32(0, 0), bools(True, True), bools(False, False)),
            {"R": 2, "C": 0},
        ),
        Row(
            "no rows",
            file,
            "reduce",
            no_rows,
            (f32(), i32(), f32(), f32(), bools(), bools()),
            {"R": 0, "C": 3},
        ),
        Row(
            "a contraction over nothing",
            file,
            "contract",
            {"a": np.zeros((2, 0), np.float32), "b": np.zeros((0, 3), np.float32)},
            (np.zeros((2, 3), np.float32),),
            {"M": 2, "K": 0, "N": 3},
        ),
    ]


def _float_rewrites() -> list[Row]:
    file = "float_rewrites.linnet"
    x = f32(INF, NAN, -0.0)
    return [
        Row("by zero", file, "by_zero", {"x": x}, (f32(NAN, NAN, -0.0), f32(NAN, NAN, 0.0), f32(INF, NAN, 0.0)), {"N": 3}),
        Row("neutral", file, "neutral", {"x": x}, (x, x, x), {"N": 3}),
        Row("an arm not taken", file, "untaken_arm", {"x": f32(-1, -4, 0, 4)}, (f32(-1, -4, 0, 2),), {"N": 4}),
    ]


def _indices() -> list[Row]:
    file = "indices.linnet"
    table = np.arange(10, dtype=np.float32)
    return [
        Row("rows", file, "row", {"t": table, "at": i32(9, 0)}, (f32(9, 0),)),
        Row(
            "a cell",
            file,
            "cell",
            {"t": np.arange(30, dtype=np.float32).reshape(10, 3), "i": one(4, np.int32), "j": one(2, np.int32)},
            (one(14, np.float32),),
        ),
        Row("inside", file, "guarded", {"t": table, "i": one(7, np.int32)}, (one(7, np.float32),)),
    ]


def _states() -> list[Row]:
    file, root = "states.linnet", "Log"
    x, last = f32(1, 2), {"last": f32(10, 20)}
    bindings = {"N": 2}
    return [
        Row("read, write, read", file, "step", {"x": x}, (f32(10, 20), f32(3, 5)), bindings, root, {}, last, {"last": f32(2, 4)}),
        Row("written only", file, "store", {"x": x}, (x,), bindings, root, {}, {}, {"last": f32(2, 3)}),
        Row("kept", file, "choose", {"x": x, "keep": one(True, np.bool_)}, (f32(10, 20),), bindings, root, {}, last, {"last": f32(10, 20)}),
        Row("replaced", file, "choose", {"x": x, "keep": one(False, np.bool_)}, (x,), bindings, root, {}, last, {"last": x}),
        Row("three turns", file, "times", {"x": x, "n": one(3, np.int32)}, (f32(13, 26),), bindings, root, {}, last, {"last": f32(13, 26)}),
        Row("no turn", file, "times", {"x": x, "n": one(0, np.int32)}, (f32(10, 20),), bindings, root, {}, last, {"last": f32(10, 20)}),
    ]


def _blocks() -> list[Row]:
    ones = {name: f32(1) for name in ("lambda", "torch", "np", "v1", "p0", "s0", "in_v1", "print", "__import__", "None")}
    weights = {"training": f32(2), "forward": f32(3), "state_dict": f32(4)}
    return [
        Row(
            "one child, twice",
            "called_twice.linnet",
            "run",
            {"x": f32(1, 2)},
            (f32(9, 50),),
            {"H": 2},
            "Twice",
            {"lin.w": f32(3, 5)},
        ),
        Row(
            "names of others",
            "foreign_names.linnet",
            "run",
            ones,
            (f32(16),),
            {"H": 1},
            "Module",
            weights,
            {"buffers": f32(6)},
            {"buffers": f32(7)},
        ),
        Row(
            "a block called torch",
            "foreign_names.linnet",
            "constants",
            {"_device": f32(5), "main": f32(2)},
            (f32(12),),
            {"F": 1},
            "torch",
            {"Tensors": f32(4)},
        ),
        Row("an entry called main", "foreign_names.linnet", "main", {"def": f32(1)}, (f32(3),), {"H": 1}, "Module", weights),
    ]


def _loops() -> list[Row]:
    file = "loops.linnet"

    def turns(n: int) -> np.ndarray:
        return one(n, np.int32)

    return [
        Row("five turns", file, "triangle", {"x": f32(1), "turns": turns(5)}, (f32(11), turns(5)), {"N": 1}),
        Row("no turn", file, "triangle", {"x": f32(1), "turns": turns(0)}, (f32(1), turns(0)), {"N": 1}),
        Row("trading places", file, "swaps", {"a": turns(1), "b": turns(2), "turns": turns(3)}, (turns(2), turns(1))),
        Row("unrolled", file, "unrolled", {"x": f32(1)}, (f32(15),), {"N": 1}),
    ]


def _scans() -> list[Row]:
    file = "scans.linnet"
    return [
        Row("squares", file, "squares", {}, (i64(0, 1, 4, 9),)),
        Row(
            "of no turn", file, "totals", {"xs": np.zeros((0, 2), np.float32)}, (np.zeros((0, 2), np.float32), f32(1, 1)), {"T": 0, "H": 2}
        ),
        Row("of two turns", file, "totals", {"xs": f32([1, 2], [3, 4])}, (f32([2, 3], [5, 7]), f32(5, 7)), {"T": 2, "H": 2}),
        Row("that starts elsewhere", file, "from", {}, (i64(5, 6, 7), f32(2.5, 3.0, 3.5)), {"A": 5}),
    ]


def _others() -> list[Row]:
    return [
        Row("past 32 bits", "wide_integers.linnet", "past_32_bits", {"x": i64(1)}, (i64(4294967297),)),
        Row("multiples", "wide_integers.linnet", "multiples", {}, (i64(0, 3000000000, 6000000000),)),
        Row(
            "a square beyond f16",
            "norms.linnet",
            "of_ones",
            {"x": np.full((1, 4), 300.0, np.float16)},
            (np.ones((1, 4), np.float16),),
            {"B": 1, "H": 4, "T": "f16"},
        ),
    ]


ROWS = [
    *_division(),
    *_narrow_sums(),
    *_short_float_sums(),
    *_nan_extremes(),
    *_casts(),
    *_shifts(),
    *_masked_rows(),
    *_empty_axes(),
    *_float_rewrites(),
    *_indices(),
    *_states(),
    *_blocks(),
    *_loops(),
    *_scans(),
    *_others(),
]
