"""Calls of the paged and the sink attention, and of what writes and finds tokens in pages.

In: nothing.  Out: `CASES`.
"""

from __future__ import annotations

import numpy as np
from op_case import OpCase, floats, given, integers
from reference import attention, write_tokens


def slot(table, size, row, position):
    """Where a position of a row lies in the pool."""
    return table[row, position // size] * size + position % size


def paged(query, key, value, table, size, rows, positions, scale):
    """Query `n` of row `rows[n]` over that row's positions up to `positions[n]`, gathered one by one; all of them where it sees none."""
    y = np.empty(query.shape)
    for n, (row, last) in enumerate(zip(rows, positions, strict=True)):
        count = table.shape[1] * size
        at = [slot(table, size, row, s) for s in range(min(last + 1, count) if last >= 0 else count)]
        scores = scale if last >= 0 else 0.0
        y[n] = attention(query[n : n + 1], key[:, :, at], value[:, :, at], scores)[0]
    return y


def _paged_attention(heads: int, key_heads: int, table: list[list[int]], size: int, positions: list[int], slots: int) -> OpCase:
    rows, pages = np.shape(table)
    return OpCase(
        f"paged_attention of {heads} over {key_heads} heads, pages {table} of {size}, positions {positions}",
        "nn.attention::{paged_attention}",
        f"paged_attention<{rows}, {heads}, {key_heads}, {slots}, {pages}, {size}, 4, T>(q, k, v, table, at, 0.5)",
        f"Tensor[{rows}, {heads}, 1, 4; T]",
        {
            "q": floats(rows, heads, 1, 4),
            "k": floats(1, key_heads, slots, 4),
            "v": floats(1, key_heads, slots, 4, seed=1),
            "table": given(table, "i32"),
            "at": given(positions, "i32"),
        },
        lambda q, k, v, table, at: paged(q, k, v, table, size, range(len(q)), at, 0.5),
    )


def _prefill(table: list[list[int]], size: int, rows: list[int], positions: list[int], slots: int) -> OpCase:
    return OpCase(
        f"paged_prefill_attention, pages {table} of {size}, rows {rows}, positions {positions}",
        "nn.attention::{paged_prefill_attention}",
        f"paged_prefill_attention<{len(rows)}, 4, 2, {slots}, {len(table)}, {len(table[0])}, {size}, 4, T>(q, k, v, table, rows, at, 0.5)",
        f"Tensor[1, 4, {len(rows)}, 4; T]",
        {
            "q": floats(1, 4, len(rows), 4),
            "k": floats(1, 2, slots, 4),
            "v": floats(1, 2, slots, 4, seed=1),
            "table": given(table, "i32"),
            "rows": given(rows, "i32"),
            "at": given(positions, "i32"),
        },
        lambda q, k, v, table, rows, at: paged(q.transpose(2, 1, 0, 3), k, v, table, size, rows, at, 0.5).transpose(2, 1, 0, 3),
    )


def _sinks(heads: int, key_heads: int, sinks: list[float], queries: int = 2) -> OpCase:
    masks = np.array([[[True, False, True], [False, False, False]], [[False, True, False], [True, True, True]]])[:, :queries]
    return OpCase(
        f"sink_attention of {queries} queries, {heads} over {key_heads} heads, sinks {sinks}",
        "nn.attention::{sink_attention}",
        "sink_attention(q, k, v, s, 0.5, m)",
        f"Tensor[2, {heads}, {queries}, 4; T]",
        {
            "q": floats(2, heads, queries, 4),
            "k": floats(2, key_heads, 3, 4),
            "v": floats(2, key_heads, 3, 4, seed=1),
            "s": given(sinks),
            "m": given(masks, "bool"),
        },
        lambda q, k, v, s, m: attention(q, k, v, 0.5, m, s),
        ("f32", "bf16", "f16"),
    )


CASES = [
    _paged_attention(4, 2, [[2, 0], [1, 3]], 2, [3, 1], 8),
    _paged_attention(2, 2, [[1, 2], [0, 3]], 3, [2, 3], 12),
    _paged_attention(6, 1, [[0, 1, 2]], 1, [0], 3),
    _paged_attention(2, 1, [[1]], 4, [3], 9),
    # behind the last position a table may name what is no page
    _paged_attention(4, 2, [[2, -1], [1, 99]], 2, [1, 0], 8),
    # a row that sees nothing is the mean of all its positions
    _paged_attention(2, 2, [[1, 2], [0, 3]], 2, [-1, 3], 8),
    # and one beyond its pages sees all of them
    _paged_attention(2, 2, [[1, 2]], 2, [7], 8),
    OpCase(
        "paged_attention of no row",
        "nn.attention::{paged_attention}",
        "paged_attention<0, 2, 1, 8, 2, 2, 4, T>(q, k, v, table, at, 0.5)",
        "Tensor[0, 2, 1, 4; T]",
        {
            "q": floats(0, 2, 1, 4),
            "k": floats(1, 1, 8, 4),
            "v": floats(1, 1, 8, 4),
            "table": integers(0, 2, low=0, high=4),
            "at": integers(0, low=0, high=4),
        },
        lambda q, k, v, table, at: np.zeros(q.shape),
    ),
    _prefill([[2, 0], [1, 3]], 2, [0, 0, 0, 1, 1], [0, 1, 2, 0, 3], 8),
    _prefill([[2, 0], [2, 3]], 2, [0, 1, 1], [3, 1, 2], 8),
    _prefill([[1, -1], [0, 99]], 3, [1, 0, 1], [2, 1, 0], 6),
    _prefill([[1, 0]], 2, [0, 0], [-1, 1], 4),
    _sinks(4, 2, [-1.0, 0.0, 1.5, 9.0]),
    _sinks(2, 2, [-1e4, 1e4], 1),
    _sinks(3, 1, [0.5, 0.25, -0.5], 1),
    *(
        OpCase(
            f"write_tokens to {list(zip(rows, positions, strict=True))}",
            "nn.cache::{write_tokens}",
            "write_tokens(cache, value, rows, positions)",
            "Tensor[3, 2, 4, 2; T]",
            {
                "cache": floats(3, 2, 4, 2),
                "value": floats(1, 2, len(rows), 2, seed=1),
                "rows": given(rows, "i32"),
                "positions": given(positions, "i32"),
            },
            write_tokens,
        )
        for rows, positions in (
            ([0, 0, 2, 1], [0, 3, 1, 3]),
            ([2], [3]),
            ([0, 1, 2, -1, 3], [4, -1, 0, 0, 0]),
            ([0, 0, 0], [4, 0, -4]),
            ([3, -3], [0, 1]),
            ([2147483647, -2147483648], [2147483647, -2147483648]),
        )
    ),
    OpCase(
        "write_tokens in no row",
        "nn.cache::{write_tokens}",
        "write_tokens(cache, value, rows, positions)",
        "Tensor[0, 2, 4, 2; T]",
        {"cache": floats(0, 2, 4, 2), "value": floats(1, 2, 1, 2), "rows": given([0], "i32"), "positions": given([1], "i32")},
        write_tokens,
    ),
    *(
        OpCase(
            f"page_slots of pages of {size} at {positions}",
            "nn.cache::{page_slots}",
            f"page_slots<3, 2, {size}>(table, positions)",
            "Tensor[3; i32]",
            {"table": given([[5, 0], [1, 7], [2, 3]], "i32"), "positions": given(positions, "i32")},
            lambda table, positions, size=size: np.array([slot(table, size, r, p) for r, p in enumerate(positions)], np.int32),
            ("i32",),
        )
        for size, positions in ((4, [0, 7, 3]), (4, [4, 3, 5]), (1, [0, 1, 1]), (64, [63, 64, 127]))
    ),
]
