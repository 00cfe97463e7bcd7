"""Calls this target makes itself; they never stand in a document.

In: a `select` whose condition is one bool, a library call that writes a cache.  Out: `Branch`, which evaluates one arm; `CacheWrite`, which may write in place.
"""

from __future__ import annotations

from linnet_core.graph.calls import Call, Operand, ResultType, Shape
from linnet_core.python_source.steps import Step


class Branch(Call, frozen=True, kw_only=True, tag="numpy.branch"):
    """`if condition: then; value else: otherwise; value`.

    Operands: the condition, then every name the arms read from outside (values included when they are made outside).  Result: `shape`, `dtype`.
    """

    then: tuple[Step, ...]
    then_value: Operand
    otherwise: tuple[Step, ...]
    otherwise_value: Operand
    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)


class CacheWrite(Call, frozen=True, kw_only=True, tag="numpy.cache_write"):
    """Operands of the library call: the cache first, then what is written and where.  `in_place` says that nothing else reads the old cache."""

    implementation: str
    in_place: bool = False

    def result_types(self) -> tuple[ResultType, ...]:
        """The cache's own type."""
        cache = self.operand(0)
        return (ResultType(cache.shape, cache.dtype),)
