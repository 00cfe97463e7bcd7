"""Calls of std.quant, but for its experts.

In: nothing.  Out: `CASES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import quant_reference as decode
import reference
from op_case import Input, OpCase, floats, given, integers, scalar

if TYPE_CHECKING:
    from collections.abc import Callable

_FLOATS = ("f32", "bf16", "f16", "f64")
_ONCE = ("f32",)


def _scales(*shape: int) -> Input:
    return Input("f32", 0.01 + integers(*shape, low=0, high=100).values / 1000)


def _int8(shape: tuple[int, ...]) -> OpCase:
    generics = f"<[{', '.join(map(str, shape[:-1]))}], {shape[-1]}, T>"
    return OpCase(
        f"dequantize_int8 of {list(shape)}",
        "quant::{dequantize_int8}",
        f"dequantize_int8{generics}(q, s)",
        f"Tensor[{', '.join(map(str, shape))}; T]",
        {"q": integers(*shape, low=-128, high=128, dtype="i8"), "s": _scales(*shape[:-1])},
        lambda q, s: decode.int8(q, s),
        _FLOATS,
    )


def _unpacked(name: str, dtype: str, bytes: Input, number: Callable[[int], int]) -> OpCase:
    rows, half = np.shape(bytes.values)
    return OpCase(
        f"{name} of [{rows}, {half}]",
        f"quant::{{{name}}}",
        f"{name}(p)",
        f"Tensor[{rows}, {2 * half}; {dtype}]",
        {"p": bytes},
        lambda p: decode.unpack(p, number) if p.size else np.zeros((rows, 2 * half), np.int64),
        _ONCE,
    )


def _int4(rows: int, half: int) -> OpCase:
    return OpCase(
        f"dequantize_int4 of [{rows}, {half}]",
        "quant::{dequantize_int4}",
        f"dequantize_int4<{rows}, {half}, T>(p, s)",
        f"Tensor[{rows}, {2 * half}; T]",
        {"p": integers(rows, half, low=-128, high=128, dtype="i8"), "s": _scales(rows)},
        lambda p, s: decode.int4(p, s),
        _FLOATS,
    )


def _groups(rows: int, groups: int, half: int) -> dict[str, Input]:
    return {
        "p": integers(rows, groups, half, low=0, high=256, dtype="u8"),
        "s": floats(rows, groups, seed=1, scale=0.1),
        "z": integers(rows, groups, low=0, high=16, dtype="u8"),
    }


def _int4_groups(rows: int, groups: int, half: int) -> OpCase:
    return OpCase(
        f"dequantize_int4_groups of [{rows}, {groups}, {half}]",
        "quant::{dequantize_int4_groups}",
        "dequantize_int4_groups(p, s, z)",
        f"Tensor[{rows}, {groups * 2 * half}; T]",
        _groups(rows, groups, half),
        lambda p, s, z: decode.int4_groups(p, s, z),
        _FLOATS,
    )


def _linear_int4_groups(shape: tuple[int, ...], rows: int, groups: int, half: int, *, bias: bool) -> OpCase:
    inputs = {"x": floats(*shape, groups * 2 * half), **_groups(rows, groups, half)}
    return OpCase(
        f"linear_int4_groups of {list(shape)} to {rows}, {groups} groups of {2 * half}{', with bias' if bias else ''}",
        "quant::{linear_int4_groups}",
        f"linear_int4_groups(x, p, s, z, {'some(b)' if bias else 'none'})",
        f"Tensor[{', '.join(map(str, (*shape, rows)))}; T]",
        {**inputs, "b": floats(rows, seed=3)} if bias else inputs,
        lambda x, p, s, z, b=None: reference.linear(x, decode.int4_groups(p, s, z), b),
        _FLOATS,
    )


def _take_inputs(shape: tuple[int, ...], order: list[int]) -> OpCase:
    return OpCase(
        f"take_inputs {order} of {list(shape)}",
        "quant::{take_inputs}",
        "take_inputs(x, o)",
        f"Tensor[{', '.join(map(str, shape))}; T]",
        {"x": floats(*shape), "o": given(np.array(order, np.int32), "i32")},
        lambda x, o: np.stack([x[..., at] for at in o], axis=-1) if len(o) else x,
        _FLOATS,
    )


def _mxfp4(experts: int, rows: int, groups: int) -> OpCase:
    return OpCase(
        f"dequantize_mxfp4 of [{experts}, {rows}, {groups}]",
        "quant::{dequantize_mxfp4}",
        f"dequantize_mxfp4<{experts}, {rows}, {groups}, T>(b, s)",
        f"Tensor[{experts}, {rows}, {groups * 32}; T]",
        {
            "b": integers(experts, rows, groups, 16, low=0, high=256, dtype="u8"),
            "s": integers(experts, rows, groups, low=120, high=130, dtype="u8"),
        },
        lambda b, s: decode.mxfp4(b, s) if b.size else np.zeros((experts, rows, groups * 32)),
        _FLOATS,
    )


def _dequantize_fp8(shape: tuple[int, ...]) -> OpCase:
    return OpCase(
        f"dequantize_fp8 of {list(shape)}",
        "quant::{dequantize_fp8}",
        "dequantize_fp8(q, s)",
        f"Tensor[{', '.join(map(str, shape))}; T]",
        {"q": integers(*shape, low=0, high=256, dtype="u8"), "s": floats(*shape[:-1], 1, scale=0.1)},
        lambda q, s: decode.fp8(q) * s,
        _FLOATS,
    )


def _linear_fp8(shape: tuple[int, ...], out: int, *, bias: bool) -> OpCase:
    # Bytes without the exponents' top bit: weights below 2.
    weight = integers(out, shape[-1], low=0, high=64, dtype="u8")
    signs = integers(out, shape[-1], low=0, high=2, seed=1).values * 128
    inputs = {"x": floats(*shape), "w": given(weight.values + signs, "u8"), "s": floats(out, 1, seed=2)}
    return OpCase(
        f"linear_fp8 of {list(shape)} to {out}{', with bias' if bias else ''}",
        "quant::{linear_fp8}",
        f"linear_fp8(x, w, s{', some(b)' if bias else ''})",
        f"Tensor[{', '.join(map(str, (*shape[:-1], out)))}; T]",
        {**inputs, "b": floats(out, seed=3)} if bias else inputs,
        lambda x, w, s, b=None: reference.linear(x, decode.fp8(w) * s, b),
        _FLOATS,
    )


CASES = [
    *(_int8(shape) for shape in ((3, 5), (2, 3, 4), (4,), (0, 3), (3, 0), (1, 1))),
    _unpacked("unpack_int4", "i8", given([[-97, -128], [15, 127], [-1, 0]], "i8"), decode.signed),
    _unpacked("unpack_int4", "i8", given(np.arange(-128, 128)[None], "i8"), decode.signed),
    _unpacked("unpack_int4", "i8", given(np.zeros((2, 0)), "i8"), decode.signed),
    _unpacked("unpack_int4", "i8", given(np.zeros((0, 2)), "i8"), decode.signed),
    _unpacked("unpack_uint4", "u8", given([[0x9F, 0x80], [15, 127], [255, 0]], "u8"), int),
    _unpacked("unpack_uint4", "u8", given(np.arange(256)[None], "u8"), int),
    _unpacked("unpack_uint4", "u8", given(np.zeros((2, 0)), "u8"), int),
    *(_int4(rows, half) for rows, half in ((3, 4), (1, 1), (0, 2))),
    *(_int4_groups(*sizes) for sizes in ((3, 2, 4), (1, 1, 1), (0, 2, 2), (2, 0, 2))),
    _linear_int4_groups((2, 3), 5, 2, 4, bias=True),
    _linear_int4_groups((3,), 5, 2, 4, bias=False),
    _linear_int4_groups((), 2, 1, 1, bias=True),
    _linear_int4_groups((0,), 2, 1, 2, bias=False),
    _take_inputs((2, 3, 4), [3, 0, 1, 2]),
    _take_inputs((5,), [4, 4, 0, 1, 0]),
    _take_inputs((2, 1), [0]),
    _take_inputs((0, 2), [1, 0]),
    _take_inputs((2, 0), []),
    *(_mxfp4(*sizes) for sizes in ((2, 3, 2), (1, 1, 1), (0, 2, 1), (2, 0, 1), (2, 1, 0))),
    OpCase("decode_fp8 of a byte", "quant::{decode_fp8}", "decode_fp8(q)", "f32", {"q": scalar(0x39, "u8")}, decode.fp8, _ONCE),
    OpCase(
        "decode_fp8 of nothing",
        "quant::{decode_fp8}",
        "decode_fp8(q)",
        "Tensor[2, 0; f32]",
        {"q": given(np.zeros((2, 0)), "u8")},
        decode.fp8,
        _ONCE,
    ),
    *(_dequantize_fp8(shape) for shape in ((3, 5), (2, 3, 4), (4,), (0, 3), (3, 0))),
    _linear_fp8((2, 3, 4), 5, bias=True),
    _linear_fp8((4,), 5, bias=False),
    _linear_fp8((0, 4), 5, bias=False),
]
