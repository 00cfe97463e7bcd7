"""Which block of a file is its root.

In: a module and the name asked for, if any.  Out: the block, or `UsageError` that says what to ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import UsageError
from linnet_core.ir.entries import entries_by_block

if TYPE_CHECKING:
    from linnet_core.check.program import Block
    from linnet_core.ir.module import Module


def choose_root(module: Module, name: str | None) -> Block:
    """The block of the root file called `name` (or `module::name`), or the only one of that file that declares an entry."""
    blocks = [block for block in module.blocks.values() if block.module == module.name]
    if name is not None:
        for block in blocks:
            if name in (block.name, block.key):
                return block
        known = ", ".join(block.name for block in blocks)
        raise UsageError(f"`{module.name}` has no block `{name}`; " + (f"there are: {known}" if known else "it has none"))
    with_entries = entries_by_block(module)
    found = [block for block in blocks if block.key in with_entries]
    if not found:
        raise UsageError(f"no block of `{module.name}` declares an entry; pass --functions to print its functions")
    if len(found) > 1:
        raise UsageError(f"several blocks of `{module.name}` declare entries: {', '.join(b.name for b in found)}; choose one with --root")
    return found[0]
