"""Writes into a cache at a position of run time.

In: `native_call` of cache `[rows, heads, positions, width]`, value, position.  Out: the cache written, as the body says it: positions
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
    written, value = _span(m, cache, value, at)
    return _written(m, m.reshape(written, (cache.shape[2], 1)), value, cache)


def is_of_several_slots(call: NativeCall) -> bool:
    """Whether a write of rows is `write_slots`, which `rows` does not write."""
    return len(call.operands) > 3 and bool(call.operand(2).shape)


def rows(m: Making, call: NativeCall) -> Source:
    """`write_rows` (each row at its own position) and `write_slot` (positions of one row)."""
    if len(call.operands) == 3:
        cache, value, at = m.operands(call)
        batch, positions = cache.shape[0], cache.shape[2]
        place = m.reshape(_counted(m, positions), (1, 1, positions, 1))
        here = m.reshape(m.cast(at, "i32"), (batch, 1, 1, 1))
        written = m.scope.add("Equal", {"x1": place, "x2": here}, (batch, 1, positions, 1), "bool")
        return _written(m, written, value, cache)
    cache, value, slot, at = m.operands(call)
    batch, positions = cache.shape[0], cache.shape[2]
    inside, value = _span(m, cache, value, at)
    row = m.scope.add("Equal", {"x1": _counted(m, batch), "x2": m.cast(slot, "i32")}, (batch,), "bool")
    both = {"x1": m.reshape(row, (batch, 1, 1, 1)), "x2": m.reshape(inside, (positions, 1))}
    return _written(m, m.scope.add("LogicalAnd", both, (batch, 1, positions, 1), "bool"), value, cache)


def _span(m: Making, cache: Source, value: Source, at: Source) -> tuple[Source, Source]:
    """Which positions are written, and the value that each would get."""
    positions, count = cache.shape[2], value.shape[2]
    offset = m.scope.add("Sub", {"x1": _counted(m, positions), "x2": m.cast(at, "i32")}, (positions,), "i32")
    zero = m.integer(0, "i32")
    if count == 1:
        return m.scope.add("Equal", {"x1": offset, "x2": zero}, (positions,), "bool"), value
    low = m.scope.add("GreaterEqual", {"x1": offset, "x2": zero}, (positions,), "bool")
    high = m.scope.add("Less", {"x1": offset, "x2": m.integer(count, "i32")}, (positions,), "bool")
    written = m.scope.add("LogicalAnd", {"x1": low, "x2": high}, (positions,), "bool")
    ends = {"clip_value_min": zero, "clip_value_max": m.integer(count - 1, "i32")}
    source = m.scope.add("ClipByValue", {"x": offset, **ends}, (positions,), "i32")
    shape = (*value.shape[:2], positions, value.shape[3])
    return written, m.scope.add("GatherV2", {"x": value, "indices": source, "axis": m.integer(2, "i32")}, shape, value.dtype)


def _written(m: Making, written: Source, value: Source, cache: Source) -> Source:
    return m.scope.add("SelectV2", {"condition": written, "then": value, "else": cache}, cache.shape, cache.dtype)


def _counted(m: Making, length: int) -> Source:
    bounds = {name: m.integer(value, "i32") for name, value in (("start", 0), ("limit", length), ("delta", 1))}
    return m.scope.add("Range", bounds, (length,), "i32")
