"""The call this target makes itself; it never stands in a document.

In: a library call that writes a cache.  Out: `CacheWrite`, which may write in place.
"""

from __future__ import annotations

from linnet_core.graph.calls import Call, ResultType


class CacheWrite(Call, frozen=True, kw_only=True, tag="numpy.cache_write"):
    """Operands of the library call: the cache first, then what is written and where.  `in_place` says that nothing else reads the
    old cache.
    """

    implementation: str
    in_place: bool = False

    def result_types(self) -> tuple[ResultType, ...]:
        """The cache's own type."""
        cache = self.operand(0)
        return (ResultType(cache.shape, cache.dtype),)
