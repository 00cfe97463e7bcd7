"""What an export is asked to place, to offload and to shard, checked against the entry and the target.

In: the wishes of an `ExportRequest`, by block path.  Out: `PlacementRequest`, which knows for each path its slot and the listed blocks it
stands in; or an error that names the option and says what there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from linnet_core.errors import SourceError, UsageError
from linnet_core.graph.able import or_another
from linnet_core.graph.nodes import MAX_SLOTS
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.check.program import Block
    from linnet_core.graph.bind import Bindings
    from linnet_core.graph.export import ExportRequest
    from linnet_core.graph.hierarchy import Hierarchy
    from linnet_core.graph.target import Target
    from linnet_core.ir.roots import Entry


class PlacementRequest(Struct, frozen=True, eq=False):
    """`place` are slots by path prefix; `away` the blocks whose parameters are offloaded or, where `shards`, sharded."""

    place: Mapping[str, int]
    away: frozenset[str]
    shards: bool
    _slots: dict[str, int] = field(default_factory=dict)
    _around: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def slots(self) -> int:
        """How many devices there are."""
        return max(self.place.values(), default=0) + 1

    def slot_of(self, path: str) -> int:
        """The slot of the longest prefix of `path` that is placed, else 0."""
        found = self._slots.get(path)
        if found is None:
            found = self._slots[path] = next((self.place[part] for part in _prefixes(path) if part in self.place), 0)
        return found

    def away_around(self, path: str) -> tuple[str, ...]:
        """The offloaded or sharded blocks that are at or above `path`, outermost first."""
        found = self._around.get(path)
        if found is None:
            found = self._around[path] = tuple([part for part in _prefixes(path) if part in self.away])[::-1]
        return found


def _prefixes(path: str) -> list[str]:
    """The path and what it stands in, longest first."""
    parts = path.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)]


def check_options(request: ExportRequest, entry: Entry, target: Target) -> None:
    """E6001 for what this entry, this target or another option rules out; `UsageError` for a slot that is none."""
    flag = _flag(request)
    if entry.block is None:
        message = f"{flag} speaks of the blocks of a model, and the entry `{entry.name}` stands outside all blocks"
        raise refused(message, entry, help=f"leave out {flag}, or export an entry of a block")
    if request.fully_shard and not target.capabilities.supports_fully_shard:
        message = f"the target `{target.name}` cannot gather sharded parameters"
        raise refused(message, entry, help=or_another(flag, "supports_fully_shard"))
    if request.fully_shard and (request.place or request.offload):
        other = "--place" if request.place else "--offload"
        message = f"parameters are either sharded or placed: --fully-shard and {other} exclude each other"
        raise refused(message, entry, help=f"leave out --fully-shard or {other}")
    if not request.fully_shard and not target.capabilities.supports_placement:
        raise refused(f"the target `{target.name}` cannot place", entry, help=or_another(flag, "supports_placement"))
    for path, slot in request.place.items():
        if slot < 0:
            raise UsageError(f"--place {path}={slot}: a slot cannot be negative")
        if slot >= MAX_SLOTS:
            raise UsageError(f"--place {path}={slot}: a slot is less than {MAX_SLOTS}")


def placement_request(request: ExportRequest, root: Block, bindings: Bindings, hierarchy: Hierarchy) -> PlacementRequest:
    """The request, with an array of blocks that is offloaded or sharded as each of its elements; `UsageError` for what is no block."""
    for path, slot in request.place.items():
        blocks_at(f"--place {path}={slot}", path, root, bindings, hierarchy)
    flag = "--fully-shard" if request.fully_shard else "--offload"
    listed = request.fully_shard or request.offload
    away = [block for path in listed for block in blocks_at(f"{flag} {path}", path, root, bindings, hierarchy)]
    return PlacementRequest(dict(request.place), frozenset(away), bool(request.fully_shard))


def blocks_at(said: str, path: str, root: Block, bindings: Bindings, hierarchy: Hierarchy) -> Sequence[str]:
    """The blocks that `path` names; `UsageError` that starts with what was `said` and names what there is."""
    blocks = hierarchy.blocks_at(root, bindings, path)
    if blocks is None:
        above, known = hierarchy.nearest(root, bindings, path)
        where = f"`{above}`" if above else f"the root block `{root.name}`"
        there = f"; there are: {', '.join(known)}" if known else ""
        raise UsageError(f"{said}: {where} has {'no such block' if known else 'no blocks'}{there}")
    return blocks


def _flag(request: ExportRequest) -> str:
    return "--fully-shard" if request.fully_shard else "--place" if request.place else "--offload"


def refused(message: str, entry: Entry, help: str) -> SourceError:
    """E6001: an option that goes with the entry or the target in no way."""
    return SourceError([Diagnostic("E6001", message, entry.function.span, help=help)])
