"""Writes into a cache at a position of run time.

In: `native_call` of cache `[rows, heads, positions, width]`, value and position.  Out: the cache written, as the op's body says it: positions
are compared and selected, so that what falls outside writes nothing.  GE's scatters leave that open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_core.graph.calls import NativeCall
    from linnet_ge.from_graph.making import Making
    from linnet_ge.from_graph.scope import Source


def span(m: Making, call: NativeCall) -> Source:
    """`write_at` and `write_span`: the positions from `at` on become `value`, in every row."""
    cache, value, at = m.operands(call)
    positions, count = cache.shape[2], value.shape[2]
    place = m.scope.add("Range", {name: m.integer(n, "i32") for name, n in _bounds(positions)}, (positions,), "i32")
    offset = m.scope.add("Sub", {"x1": place, "x2": m.cast(at, "i32")}, (positions,), "i32")
    if count == 1:
        written = m.scope.add("Equal", {"x1": offset, "x2": m.integer(0, "i32")}, (positions,), "bool")
    else:
        low = m.scope.add("GreaterEqual", {"x1": offset, "x2": m.integer(0, "i32")}, (positions,), "bool")
        high = m.scope.add("Less", {"x1": offset, "x2": m.integer(count, "i32")}, (positions,), "bool")
        written = m.scope.add("LogicalAnd", {"x1": low, "x2": high}, (positions,), "bool")
        ends = {"clip_value_min": m.integer(0, "i32"), "clip_value_max": m.integer(count - 1, "i32")}
        source = m.scope.add("ClipByValue", {"x": offset, **ends}, (positions,), "i32")
        value = m.scope.add("GatherV2", {"x": value, "indices": source, "axis": m.integer(2, "i32")}, cache.shape, cache.dtype)
    inputs = {"condition": m.reshape(written, (positions, 1)), "then": value, "else": cache}
    return m.scope.add("SelectV2", inputs, cache.shape, cache.dtype)


def _bounds(positions: int) -> tuple[tuple[str, int], ...]:
    return ("start", 0), ("limit", positions), ("delta", 1)
