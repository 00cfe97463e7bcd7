"""Blocks that the way back computes again instead of keeping what they computed.

In: the wishes of an `ExportRequest`, checked against the entry and the target; then every call of a block's method.  Out: `begin_remat` and
`end_remat` around the calls of the listed blocks.  A call from inside such a call, of the same block or of one below it that is listed too,
is part of it: of the same block it opens no pair of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.able import or_another
from linnet_core.graph.calls import BeginRemat, EndRemat
from linnet_core.graph.placement_request import blocks_at, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.graph.bind import Bindings
    from linnet_core.graph.emitter import Emitter
    from linnet_core.graph.hierarchy import Hierarchy
    from linnet_core.graph.target import Target
    from linnet_core.graph.values import Value
    from linnet_core.ir.roots import Entry


def check_remat(entry: Entry, target: Target) -> None:
    """E6001 for an entry outside all blocks, and for a target that cannot recompute."""
    if entry.block is None:
        message = f"--remat speaks of the blocks of a model, and the entry `{entry.name}` stands outside all blocks"
        raise refused(message, entry, help="leave out --remat, or export an entry of a block")
    if not target.capabilities.supports_remat:
        raise refused(f"the target `{target.name}` cannot compute a block again", entry, help=or_another("--remat", "supports_remat"))


class Remat:
    """The listed blocks, an array standing for each of its elements, and which of them are being computed."""

    def __init__(self, paths: Sequence[str], entry: Entry, bindings: Bindings, hierarchy: Hierarchy, emitter: Emitter) -> None:
        """`UsageError` for a path that names no block."""
        root = entry.block
        assert root is not None
        self._paths = frozenset(block for path in paths for block in blocks_at(f"--remat {path}", path, root, bindings, hierarchy))
        self._emitter = emitter
        self._open: list[str] = []

    def around(self, path: str, run: Callable[[], Sequence[Value]]) -> Sequence[Value]:
        """`run`, between a pair if it is the call of a listed block."""
        if path not in self._paths or path in self._open:
            return run()
        self._emitter.names(BeginRemat())
        self._open.append(path)
        results = run()
        self._open.pop()
        self._emitter.names(EndRemat())
        return results
