"""Which block is the root, and which entry is meant.

In: a checked program or a Core IR module, and the names the command line gives, if any.  Out: the root block, or the entry with the block
it belongs to; `UsageError` that says what to ask for.  Only blocks and entries of the root file's module count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import UsageError
from linnet_core.ir.entries import declared_name, entries_by_block

if TYPE_CHECKING:
    from typing import Any

    from linnet_core.check.program import Block, Generic
    from linnet_core.ir.entries import Declarations, Form
    from linnet_core.ir.module import Function, Module


class Entry(Struct, frozen=True):
    """An entry and its root block; None for an entry of the module itself."""

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


def find_root(module: Module, name: str | None) -> Block:
    """The block of the root file called `name` (or `module::name`), or the only one of that file that declares an entry."""
    if name is not None:
        return _named(module, name)
    found = _with_entries(module)
    if not found:
        raise UsageError(f"no block of `{module.name}` declares an entry; pass --functions to print its functions")
    return _only(module, found)


def find_block(module: Module, name: str | None) -> Block:
    """The block called `name`, or the root; in a file without entries its only block, which is all that can be meant."""
    own = _own_blocks(module)
    if name is not None or _with_entries(module):
        return find_root(module, name)
    if len(own) != 1:
        known = f"choose one with --root: {', '.join(block.name for block in own)}" if own else "there is none"
        raise UsageError(f"no block of `{module.name}` declares an entry; {known}")
    return own[0]


def find_entry(module: Module, root: str | None = None, entry: str | None = None) -> Entry:
    """The entry that `chosen_entry` finds in a lowered module."""
    return Entry(*chosen_entry(module, root, entry))


def chosen_entry(module: Declarations[Form], root: str | None = None, entry: str | None = None) -> tuple[Form, Block | None]:
    """The entry called `entry` (or the only one) of the block `root`, of the only block with entries, or of the module; and that block.

    `UsageError` when there is none, or when more than one could be meant.
    """
    by_block = entries_by_block(module)
    if root is not None:
        block = _named(module, root)
        if block.key not in by_block:
            raise UsageError(f"block `{root}` has no entry; {_names_of(_with_entries(module))}")
        return _choose(module, block, by_block[block.key], entry)
    own = by_block.get(None, {})
    blocks = _with_entries(module)
    if entry is not None and entry in own:
        for block in blocks:
            if entry in by_block[block.key]:
                raise UsageError(f"`{entry}` is an entry of the module and of block `{block.name}`; choose the block with --root")
        return _choose(module, None, own, entry)
    if blocks:
        block = _only(module, blocks)
        return _choose(module, block, by_block[block.key], entry)
    if not own:
        raise UsageError(f"module `{module.name}` has no entry")
    return _choose(module, None, own, entry)


def _own_blocks(module: Declarations[Any]) -> list[Block]:
    """The blocks of the root file."""
    return [block for block in module.blocks.values() if block.module == module.name]


def _with_entries(module: Declarations[Any]) -> list[Block]:
    """Those that declare an entry."""
    by_block = entries_by_block(module)
    return [block for block in _own_blocks(module) if block.key in by_block]


def _named(module: Declarations[Any], name: str) -> Block:
    for block in _own_blocks(module):
        if name in (block.name, block.key):
            return block
    known = ", ".join(block.name for block in _own_blocks(module))
    raise UsageError(f"`{module.name}` has no block `{name}`; {f'there are: {known}' if known else 'it has none'}")


def _only(module: Declarations[Any], blocks: list[Block]) -> Block:
    if len(blocks) > 1:
        names = ", ".join(block.name for block in blocks)
        raise UsageError(f"several blocks of `{module.name}` declare entries: {names}; choose one with --root")
    return blocks[0]


def _choose(module: Declarations[Form], block: Block | None, entries: dict[str, Form], name: str | None) -> tuple[Form, Block | None]:
    where = f"block `{block.name}`" if block else f"module `{module.name}`"
    if name is None:
        if len(entries) > 1:
            raise UsageError(f"{where} has several entries; choose one with --entry: {', '.join(entries)}")
        name = next(iter(entries))
    if name not in entries:
        raise UsageError(f"{where} has no entry `{name}`; there are: {', '.join(entries)}")
    return entries[name], block


def _names_of(blocks: list[Block]) -> str:
    names = ", ".join(block.name for block in blocks)
    return f"blocks with entries: {names}" if names else "no block of this file has an entry"
