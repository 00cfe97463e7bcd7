"""Which entry is meant.

In: a Core IR module and what the command line says.  Out: `Entry`: the entry, and the block that is its root (None for a module-level
entry).  Only entries of the root file's module count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import UsageError
from linnet_core.ir.entries import declared_name, entries_by_block

if TYPE_CHECKING:
    from linnet_core.check.program import Block, Generic
    from linnet_core.ir.module import Function, Module


class Entry(Struct, frozen=True):
    """An entry and its root block."""

    function: Function
    block: Block | None

    @property
    def name(self) -> str:
        """The entry's name as it was declared."""
        return declared_name(self.function)

    @property
    def generics(self) -> tuple[Generic, ...]:
        """Everything a binding may name: the block's generics, then the entry's own."""
        return (*(self.block.generics if self.block else ()), *self.function.generics)


def find_entry(module: Module, root: str | None = None, entry: str | None = None) -> Entry:
    """The entry called `entry` (or the only one) of the block `root`, of the only block with entries, or of the module.

    `UsageError` when there is none, or when more than one could be meant.
    """
    by_block = entries_by_block(module)
    if root is not None:
        owner = f"{module.name}::{root}" if "::" not in root else root
        if owner not in module.blocks:
            raise UsageError(f"there is no block `{root}`; {_blocks_with_entries(by_block)}")
        if not by_block.get(owner):
            raise UsageError(f"block `{root}` has no entry; {_blocks_with_entries(by_block)}")
        return _choose(module, owner, by_block[owner], entry)
    own = by_block.get(None, {})
    blocks = {owner: found for owner, found in by_block.items() if owner is not None}
    if entry is not None and entry in own:
        for owner, found in blocks.items():
            if entry in found:
                raise UsageError(f"`{entry}` is an entry of the module and of block `{_short(owner)}`; choose the block with --root")
        return _choose(module, None, own, entry)
    if not blocks:
        if not own:
            raise UsageError(f"module `{module.name}` has no entry")
        return _choose(module, None, own, entry)
    if len(blocks) > 1:
        raise UsageError(f"several blocks have entries; choose one with --root: {', '.join(_short(owner) for owner in blocks)}")
    owner, found = next(iter(blocks.items()))
    return _choose(module, owner, found, entry)


def _choose(module: Module, owner: str | None, entries: dict[str, Function], name: str | None) -> Entry:
    where = f"block `{_short(owner)}`" if owner else f"module `{module.name}`"
    if name is None:
        if len(entries) > 1:
            raise UsageError(f"{where} has several entries; choose one with --entry: {', '.join(entries)}")
        name = next(iter(entries))
    if name not in entries:
        raise UsageError(f"{where} has no entry `{name}`; there are: {', '.join(entries)}")
    return Entry(entries[name], module.blocks[owner] if owner else None)


def _short(owner: str) -> str:
    return owner.rpartition("::")[2]


def _blocks_with_entries(by_block: dict[str | None, dict[str, Function]]) -> str:
    names = [_short(owner) for owner in by_block if owner]
    return f"blocks with entries: {', '.join(names)}" if names else "no block of this file has an entry"
