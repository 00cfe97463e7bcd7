"""Calls of std.nn.moe and of the experts of std.quant.

In: nothing.  Out: `CASES`.
"""

from __future__ import annotations

import loss_reference as reference
import numpy as np
from msgspec import Struct
from op_case import Input, OpCase, floats, given, integers
from quant_reference import mxfp4

_FLOATS = ("f32", "bf16", "f16", "f64")
_EDGE = ("f32", "bf16")


class _Sizes(Struct, frozen=True):
    """Rows, chosen experts a row, experts, inputs, outputs."""

    rows: int
    chosen: int
    experts: int
    inputs: int
    outputs: int

    def __str__(self) -> str:
        return f"{self.rows} rows, {self.chosen} of {self.experts} experts, {self.inputs} to {self.outputs}"


_PLAIN = (
    _Sizes(3, 2, 4, 5, 6),
    _Sizes(1, 1, 1, 1, 1),
    _Sizes(0, 2, 3, 4, 5),
    _Sizes(2, 3, 2, 4, 5),
    _Sizes(2, 2, 3, 0, 4),
    _Sizes(2, 2, 3, 4, 0),
    _Sizes(2, 0, 3, 4, 5),
)
_BLOCKS = (_Sizes(3, 2, 4, 64, 5), _Sizes(1, 1, 1, 32, 1), _Sizes(0, 2, 3, 32, 4), _Sizes(2, 3, 2, 32, 3), _Sizes(2, 2, 2, 0, 3))

#: What runs in every dtype.
_MAIN = {str(_PLAIN[0]), str(_BLOCKS[0])}


def _x(s: _Sizes) -> Input:
    return floats(s.rows, s.chosen, s.inputs)


def _experts(s: _Sizes) -> Input:
    return integers(s.rows, s.chosen, low=0, high=s.experts, dtype="i64")


def _weight(s: _Sizes) -> Input:
    return floats(s.experts, s.outputs, s.inputs, seed=1)


def _shares(s: _Sizes) -> Input:
    return floats(s.rows, s.chosen, seed=2)


def _case(name: str, module: str, id: str, arguments: str, result: str, inputs: dict[str, Input], formula) -> OpCase:
    dtypes = _FLOATS if id in _MAIN else _EDGE
    return OpCase(f"{name} of {id}", f"{module}::{{{name}}}", f"{name}({arguments})", result, inputs, formula, dtypes)


def _plain(s: _Sizes) -> list[OpCase]:
    each, summed = f"Tensor[{s.rows}, {s.chosen}, {s.outputs}; T]", f"Tensor[{s.rows}, {s.outputs}; T]"
    inputs = {"x": _x(s), "w": _weight(s), "e": _experts(s)}
    row = {**inputs, "x": floats(s.rows, s.inputs)}
    return [
        _case("linear_experts", "nn.moe", str(s), "x, w, e", each, inputs, lambda x, w, e: reference.linear_experts(x, w, e)),
        _case("linear_experts_shared", "nn.moe", str(s), "x, w, e", each, row, lambda x, w, e: reference.linear_experts(x, w, e)),
        _case(
            "combine_experts",
            "nn.moe",
            str(s),
            "x, w, e, s",
            summed,
            {**inputs, "s": _shares(s)},
            lambda x, w, e, s: reference.combine_experts(x, w, e, s),
        ),
    ]


def _blocks(s: _Sizes) -> list[OpCase]:
    """The same of weights in MXFP4, scales about 1."""
    groups = s.inputs // 32
    each, summed = f"Tensor[{s.rows}, {s.chosen}, {s.outputs}; T]", f"Tensor[{s.rows}, {s.outputs}; T]"
    weight = {
        "b": integers(s.experts, s.outputs, groups, 16, low=0, high=256, dtype="u8"),
        "c": integers(s.experts, s.outputs, groups, low=123, high=129, dtype="u8"),
    }
    own, row = {"x": _x(s), **weight, "e": _experts(s)}, {"x": floats(s.rows, s.inputs), **weight, "e": _experts(s)}
    one = {**row, "x": floats(s.rows, 1, s.inputs)}

    def linear(x, b, c, e):
        return reference.linear_experts(x, mxfp4(b, c), e)

    return [
        _case("mxfp4_experts", "quant", str(s), "x, b, c, e", each, own, linear),
        _case("mxfp4_experts_shared", "quant", str(s), "x, b, c, e", each, one, lambda x, b, c, e: linear(x[:, 0], b, c, e)),
        _case("mxfp4_linear_experts_shared", "quant", str(s), "x, b, c, e", each, row, linear),
        _case(
            "mxfp4_combine_experts",
            "quant",
            str(s),
            "x, b, c, e, s",
            summed,
            {**own, "s": _shares(s)},
            lambda x, b, c, e, s: reference.combine_experts(x, mxfp4(b, c), e, s),
        ),
    ]


def _one_expert_is_broken() -> list[OpCase]:
    """Expert 1 holds NaN and infinity, and no row but the last takes it."""
    s = _Sizes(3, 2, 3, 4, 5)
    weight = np.array(_weight(s).values)
    weight[1, 0] = np.nan
    weight[1, 1] = np.inf
    inputs = {"x": _x(s), "w": given(weight), "e": given([[0, 2], [2, 2], [1, 0]], "i64")}
    row = {**inputs, "x": floats(s.rows, s.inputs)}
    each, summed, id = f"Tensor[{s.rows}, {s.chosen}, {s.outputs}; T]", f"Tensor[{s.rows}, {s.outputs}; T]", "a broken expert"
    return [
        _case("linear_experts", "nn.moe", id, "x, w, e", each, inputs, lambda x, w, e: reference.linear_experts(x, w, e)),
        _case("linear_experts_shared", "nn.moe", id, "x, w, e", each, row, lambda x, w, e: reference.linear_experts(x, w, e)),
        _case(
            "combine_experts",
            "nn.moe",
            id,
            "x, w, e, s",
            summed,
            {**inputs, "s": _shares(s)},
            lambda x, w, e, s: reference.combine_experts(x, w, e, s),
        ),
    ]


CASES = [
    *(case for sizes in _PLAIN for case in _plain(sizes)),
    *(case for sizes in _BLOCKS for case in _blocks(sizes)),
    *_one_expert_is_broken(),
]
