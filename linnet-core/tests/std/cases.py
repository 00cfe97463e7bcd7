"""Calls of linalg and of nn: attention, activations, cache, decoding, embedding, linear, mlp, norm, rope and softmax.

In: nothing.  Out: `CASES`.
"""

from __future__ import annotations

import numpy as np
import reference
from op_case import Input, OpCase, floats, given, integers, scalar

_EDGES = [[-1e4, -100.0, -20.0, -3.0, -1.0, -0.5, -1e-3, -0.0], [0.0, 1e-3, 0.5, 1.0, 3.0, 20.0, 100.0, 1e4]]
_BATCH_MASK = [[[True, False, True], [False, False, False]], [[False, True, False], [True, True, True]]]
_INTEGERS = ("i32",)

CASES = [
    # linalg
    OpCase("dot", "linalg::{dot}", "dot(a, b)", "$T", {"a": floats(7), "b": floats(7, seed=1)}, reference.dot),
    OpCase(
        "dot of integers",
        "linalg::{dot}",
        "dot(a, b)",
        "i32",
        {"a": integers(5, low=-9, high=9), "b": integers(5, low=-9, high=9, seed=1)},
        reference.dot,
        _INTEGERS,
    ),
    OpCase("dot of nothing", "linalg::{dot}", "dot(a, b)", "$T", {"a": floats(0), "b": floats(0)}, reference.dot),
    OpCase("outer", "linalg::{outer}", "outer(a, b)", "Tensor[3, 4; T]", {"a": floats(3), "b": floats(4)}, reference.outer),
    OpCase("matmul", "linalg::{matmul}", "matmul(a, b)", "Tensor[3, 5; T]", {"a": floats(3, 4), "b": floats(4, 5)}, reference.matmul),
    OpCase("square matmul", "linalg::{matmul}", "matmul(a, a)", "Tensor[4, 4; T]", {"a": floats(4, 4)}, lambda a: reference.matmul(a, a)),
    OpCase(
        "matmul that wraps",
        "linalg::{matmul}",
        "matmul(a, b)",
        "Tensor[2, 2; i32]",
        {"a": given([[65536, 1], [2, 3]], "i32"), "b": given([[65536, 5], [7, -1]], "i32")},
        reference.matmul,
        _INTEGERS,
    ),
    OpCase(
        "batched matmul",
        "linalg::{batched_matmul}",
        "batched_matmul(a, b)",
        "Tensor[2, 3, 3, 5; T]",
        {"a": floats(2, 3, 3, 4), "b": floats(2, 3, 4, 5)},
        reference.matmul,
    ),
    OpCase(
        "batched matmul of no batch",
        "linalg::{batched_matmul}",
        "batched_matmul(a, b)",
        "Tensor[3, 5; T]",
        {"a": floats(3, 4), "b": floats(4, 5)},
        reference.matmul,
    ),
    OpCase("transpose", "linalg::{transpose}", "transpose(x)", "Tensor[3, 2; T]", {"x": floats(2, 3)}, lambda x: x.T),
    OpCase("square transpose", "linalg::{transpose}", "transpose(x)", "Tensor[3, 3; T]", {"x": floats(3, 3)}, lambda x: x.T),
    OpCase(
        "transpose of bools",
        "linalg::{transpose}",
        "transpose(x)",
        "Tensor[3, 2; bool]",
        {"x": given([[True, False, True], [False, False, True]], "bool")},
        lambda x: x.T,
        _INTEGERS,
    ),
    # linear, embedding, mlp
    OpCase(
        "linear",
        "nn.linear::{linear}",
        "linear(x, w)",
        "Tensor[2, 3, 5; T]",
        {"x": floats(2, 3, 4), "w": floats(5, 4)},
        lambda x, w: reference.linear(x, w),
    ),
    OpCase(
        "linear with bias",
        "nn.linear::{linear}",
        "linear(x, w, some(b))",
        "Tensor[2, 5; T]",
        {"x": floats(2, 4), "w": floats(5, 4), "b": floats(5)},
        lambda x, w, b: reference.linear(x, w, b),
    ),
    OpCase(
        "linear of a vector",
        "nn.linear::{linear}",
        "linear(x, w, bias = some(b))",
        "Tensor[5; T]",
        {"x": floats(4), "w": floats(5, 4), "b": floats(5)},
        lambda x, w, b: reference.linear(x, w, b),
    ),
    OpCase(
        "embedding",
        "nn.embedding::{embedding}",
        "embedding(ids, table)",
        "Tensor[2, 3, 4; T]",
        {"ids": given([[0, 6, 3], [3, 1, 6]], "i32"), "table": floats(7, 4)},
        reference.embedding,
    ),
    OpCase(
        "embedding of one id",
        "nn.embedding::{embedding}",
        "embedding(ids, table)",
        "Tensor[4; T]",
        {"ids": scalar(5, "i32"), "table": floats(7, 4)},
        lambda ids, table: table[ids],
    ),
    OpCase(
        "swiglu",
        "nn.mlp::{swiglu}",
        "swiglu(x, g, u, d)",
        "Tensor[2, 3, 4; T]",
        {"x": floats(2, 3, 4), "g": floats(6, 4, scale=0.5), "u": floats(6, 4, seed=1, scale=0.5), "d": floats(4, 6, scale=0.5)},
        lambda x, g, u, d: reference.swiglu(x, g, u, d),
    ),
    # activations and softmax
    *(
        OpCase(f"{name} over the line", f"nn.activations::{{{name}}}", f"{name}(x)", "Tensor[2, 8; T]", {"x": given(_EDGES)}, formula)
        for name, formula in (
            ("relu", reference.relu),
            ("sigmoid", reference.sigmoid),
            ("silu", reference.silu),
            ("gelu", reference.gelu),
            ("gelu_erf", reference.gelu_erf),
        )
    ),
    OpCase("gelu of a scalar", "nn.activations::{gelu}", "gelu(x)", "$T", {"x": Input("T", np.asarray(0.75))}, reference.gelu),
    OpCase("softmax", "nn.softmax::{softmax}", "softmax(x)", "Tensor[2, 3, 5; T]", {"x": floats(2, 3, 5, scale=3.0)}, reference.softmax),
    OpCase("softmax of a vector", "nn.softmax::{softmax}", "softmax(x)", "Tensor[5; T]", {"x": floats(5)}, reference.softmax),
    OpCase(
        "softmax of large scores",
        "nn.softmax::{softmax}",
        "softmax(x)",
        "Tensor[2, 3; T]",
        {"x": given([[1e4, 1e4, 0.0], [-1e30, -1e30, -1e30]])},
        reference.softmax,
    ),
    # norm
    OpCase(
        "rms_norm",
        "nn.norm::{rms_norm}",
        "rms_norm(x, w)",
        "Tensor[2, 3, 8; T]",
        {"x": floats(2, 3, 8), "w": floats(8, seed=1)},
        lambda x, w: reference.rms_norm(x, w),
    ),
    OpCase(
        "rms_norm with a large eps",
        "nn.norm::{rms_norm}",
        "rms_norm(x, w, eps = 0.5)",
        "Tensor[8; T]",
        {"x": floats(8), "w": floats(8, seed=1)},
        lambda x, w: reference.rms_norm(x, w, 0.5),
    ),
    OpCase(
        "rms_norm of zeros",
        "nn.norm::{rms_norm}",
        "rms_norm(x, w)",
        "Tensor[2, 4; T]",
        {"x": given(np.zeros((2, 4))), "w": floats(4)},
        lambda x, w: np.zeros((2, 4)),
    ),
    OpCase(
        "layer_norm",
        "nn.norm::{layer_norm}",
        "layer_norm(x, w)",
        "Tensor[2, 8; T]",
        {"x": floats(2, 8, shift=2.0), "w": floats(8, seed=1)},
        lambda x, w: reference.layer_norm(x, w),
    ),
    OpCase(
        "layer_norm with bias and eps",
        "nn.norm::{layer_norm}",
        "layer_norm(x, w, some(b), 1e-2)",
        "Tensor[2, 3, 8; T]",
        {"x": floats(2, 3, 8, shift=-1.0), "w": floats(8, seed=1), "b": floats(8, seed=2)},
        lambda x, w, b: reference.layer_norm(x, w, b, 1e-2),
    ),
    OpCase(
        "batch_norm",
        "nn.norm::{batch_norm}",
        "batch_norm(x, m, v, w, b)",
        "Tensor[2, 3, 2, 4; T]",
        {"x": floats(2, 3, 2, 4), "m": floats(3), "v": given([0.5, 1.0, 2.0]), "w": floats(3, seed=1), "b": floats(3, seed=2)},
        lambda x, m, v, w, b: reference.batch_norm(x, m, v, w, b),
    ),
    *(
        OpCase(
            f"group_norm of {groups} groups",
            "nn.norm::{group_norm}",
            f"group_norm<2, 6, 2, 3, {groups}, T>(x, w, b)",
            "Tensor[2, 6, 2, 3; T]",
            {"x": floats(2, 6, 2, 3, shift=1.0), "w": floats(6, seed=1), "b": floats(6, seed=2)},
            lambda x, w, b, groups=groups: reference.group_norm(x, w, b, groups),
        )
        for groups in (1, 3, 6)
    ),
    # attention
    *(
        OpCase(
            f"causal_mask {queries} by {keys}",
            "nn.attention::{causal_mask}",
            f"causal_mask<{queries}, {keys}>()",
            f"Tensor[{queries}, {keys}; bool]",
            {},
            lambda queries=queries, keys=keys: reference.causal_mask(queries, keys),
            _INTEGERS,
        )
        for queries, keys in ((4, 4), (2, 5), (5, 2), (1, 3))
    ),
    OpCase(
        "attention",
        "nn.attention::{attention}",
        "attention(q, k, v, 0.5)",
        "Tensor[2, 2, 3, 4; T]",
        {"q": floats(2, 2, 3, 4), "k": floats(2, 2, 5, 4), "v": floats(2, 2, 5, 4, seed=1)},
        lambda q, k, v: reference.attention(q, k, v, 0.5),
    ),
    OpCase(
        "causal attention",
        "nn.attention::{attention, causal_mask}",
        "attention(q, k, v, 0.5, some(causal_mask<4, 4>()))",
        "Tensor[2, 2, 4, 4; T]",
        {"q": floats(2, 2, 4, 4), "k": floats(2, 2, 4, 4, seed=1), "v": floats(2, 2, 4, 4, seed=2)},
        lambda q, k, v: reference.attention(q, k, v, 0.5, reference.causal_mask(4, 4)),
    ),
    OpCase(
        "attention with a row of nothing",
        "nn.attention::{attention}",
        "attention(q, k, v, scale, mask = some(m))",
        "Tensor[1, 1, 2, 4; T]",
        {
            "q": floats(1, 1, 2, 4),
            "k": floats(1, 1, 3, 4),
            "v": given(np.arange(12.0).reshape(1, 1, 3, 4)),
            "scale": scalar(0.5),
            "m": given([[True, True, True], [False, False, False]], "bool"),
        },
        lambda q, k, v, scale, m: reference.attention(q, k, v, scale, m),
    ),
    OpCase(
        "attention_rows",
        "nn.attention::{attention_rows}",
        "attention_rows(q, k, v, 0.5, m)",
        "Tensor[2, 2, 2, 4; T]",
        {"q": floats(2, 2, 2, 4), "k": floats(2, 2, 3, 4), "v": floats(2, 2, 3, 4, seed=1), "m": given(_BATCH_MASK, "bool")},
        lambda q, k, v, m: reference.attention(q, k, v, 0.5, m),
    ),
    *(
        OpCase(
            f"grouped_attention with {heads} key heads of 6",
            "nn.attention::{grouped_attention}",
            "grouped_attention(q, k, v, 0.5)",
            "Tensor[2, 6, 3, 4; T]",
            {"q": floats(2, 6, 3, 4), "k": floats(2, heads, 5, 4), "v": floats(2, heads, 5, 4, seed=1)},
            lambda q, k, v: reference.attention(q, k, v, 0.5),
        )
        for heads in (1, 2, 6)
    ),
    OpCase(
        "grouped_attention with one query and a mask",
        "nn.attention::{grouped_attention}",
        "grouped_attention(q, k, v, 0.5, some(m))",
        "Tensor[2, 4, 1, 4; T]",
        {
            "q": floats(2, 4, 1, 4),
            "k": floats(2, 2, 5, 4),
            "v": floats(2, 2, 5, 4, seed=1),
            "m": given([[True, True, False, True, False]], "bool"),
        },
        lambda q, k, v, m: reference.attention(q, k, v, 0.5, m),
    ),
    OpCase(
        "grouped_attention_rows",
        "nn.attention::{grouped_attention_rows}",
        "grouped_attention_rows(q, k, v, 0.5, m)",
        "Tensor[2, 4, 2, 4; T]",
        {"q": floats(2, 4, 2, 4), "k": floats(2, 2, 3, 4), "v": floats(2, 2, 3, 4, seed=1), "m": given(_BATCH_MASK, "bool")},
        lambda q, k, v, m: reference.attention(q, k, v, 0.5, m),
    ),
    OpCase(
        "sink_attention",
        "nn.attention::{sink_attention}",
        "sink_attention(q, k, v, s, 0.5, m)",
        "Tensor[2, 4, 2, 4; T]",
        {
            "q": floats(2, 4, 2, 4),
            "k": floats(2, 2, 3, 4),
            "v": floats(2, 2, 3, 4, seed=1),
            "s": given([-1.0, 0.0, 1.5, 9.0]),
            "m": given(_BATCH_MASK, "bool"),
        },
        lambda q, k, v, s, m: reference.attention(q, k, v, 0.5, m, s),
    ),
    # cache
    *(
        OpCase(
            f"write_at {at}",
            "nn.cache::{write_at}",
            "write_at(cache, value, at)",
            "Tensor[2, 3, 5, 4; T]",
            {"cache": floats(2, 3, 5, 4), "value": floats(2, 3, 1, 4), "at": scalar(at, "i32")},
            reference.write_at,
        )
        for at in (0, 4, -1, 5, 2147483647, -2147483648)
    ),
    *(
        OpCase(
            f"write_span {at}",
            "nn.cache::{write_span}",
            "write_span(cache, value, at)",
            "Tensor[2, 3, 5, 4; T]",
            {"cache": floats(2, 3, 5, 4), "value": floats(2, 3, 3, 4), "at": scalar(at, "i32")},
            reference.write_at,
        )
        for at in (0, 2, 3, 4, 5, -1, -2, -3, 2147483647, -2147483648)
    ),
    OpCase(
        "write_span longer than the cache",
        "nn.cache::{write_span}",
        "write_span(cache, value, at)",
        "Tensor[1, 2, 3, 4; T]",
        {"cache": floats(1, 2, 3, 4), "value": floats(1, 2, 5, 4), "at": scalar(-1, "i32")},
        reference.write_at,
    ),
    OpCase(
        "write_rows",
        "nn.cache::{write_rows}",
        "write_rows(cache, value, at)",
        "Tensor[4, 3, 5, 4; T]",
        {"cache": floats(4, 3, 5, 4), "value": floats(4, 3, 1, 4), "at": given([3, 0, -1, 5], "i32")},
        reference.write_rows,
    ),
    *(
        OpCase(
            f"write_slot {slot} from {at}",
            "nn.cache::{write_slot}",
            "write_slot(cache, value, slot, at)",
            "Tensor[3, 2, 5, 4; T]",
            {"cache": floats(3, 2, 5, 4), "value": floats(1, 2, 2, 4), "slot": scalar(slot, "i32"), "at": scalar(at, "i32")},
            lambda cache, value, slot, at: reference.write_slots(cache, value, slot, at),
        )
        for slot, at in ((1, 2), (2, 4), (0, -1), (3, 0), (-1, 0))
    ),
    *(
        OpCase(
            f"write_slots {slots} from {at}",
            "nn.cache::{write_slots}",
            "write_slots(cache, value, slots, at)",
            "Tensor[4, 2, 5, 4; T]",
            {"cache": floats(4, 2, 5, 4), "value": floats(2, 2, 2, 4), "slots": given(slots, "i32"), "at": scalar(at, "i32")},
            reference.write_slots,
        )
        for slots, at in (([3, 1], 2), ([0, 2], 4), ([2, 4], -1), ([-1, 0], 0))
    ),
    # rope
    OpCase("rotate_half", "nn.rope::{rotate_half}", "rotate_half(x)", "Tensor[2, 3, 6; T]", {"x": floats(2, 3, 6)}, reference.rotate_half),
    OpCase(
        "rope",
        "nn.rope::{rope}",
        "rope(x, c, s)",
        "Tensor[2, 3, 4, 6; T]",
        {"x": floats(2, 3, 4, 6), "c": floats(4, 6), "s": floats(4, 6, seed=1)},
        lambda x, c, s: reference.rope(x, c, s),
    ),
    OpCase(
        "rope_rows",
        "nn.rope::{rope_rows}",
        "rope_rows(x, c, s)",
        "Tensor[2, 3, 4, 6; T]",
        {"x": floats(2, 3, 4, 6), "c": floats(2, 4, 6), "s": floats(2, 4, 6, seed=1)},
        lambda x, c, s: reference.rope(x, c, s),
    ),
    # decoding
    OpCase("argmax", "nn.decoding::{argmax}", "argmax(x)", "Tensor[2, 3; i32]", {"x": floats(2, 3, 7)}, reference.argmax),
    OpCase("argmax of a vector", "nn.decoding::{argmax}", "argmax(x)", "i32", {"x": floats(7)}, reference.argmax),
    OpCase(
        "argmax with ties, infinities and NaN",
        "nn.decoding::{argmax}",
        "argmax(x)",
        "Tensor[4; i32]",
        {"x": given([[1.0, 3.0, 3.0], [-np.inf, -np.inf, -np.inf], [np.nan, 1.0, 2.0], [2.0, np.inf, np.nan]])},
        reference.argmax,
    ),
    OpCase(
        "argmax of integers",
        "nn.decoding::{argmax}",
        "argmax(x)",
        "Tensor[2; i32]",
        {"x": given([[-5, -2, -2], [7, 7, 1]], "i32")},
        reference.argmax,
        _INTEGERS,
    ),
]
