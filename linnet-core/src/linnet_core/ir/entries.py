"""The entries of a module.

In: a Core IR module.  Out: the entries of the root file by block and name; those of imported modules do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_core.ir.module import Function, Module


def entries_by_block(module: Module) -> dict[str | None, dict[str, Function]]:
    """The entries by key of their block (None: of the module itself) and name as declared, in order of declaration."""
    found: dict[str | None, dict[str, Function]] = {}
    for function in module.functions.values():
        owner = function.name.rpartition("::")[0]
        if function.kind == "entry" and owner == module.name:
            found.setdefault(function.block, {})[declared_name(function)] = function
    return found


def declared_name(function: Function) -> str:
    """The name as it was declared, without module and block."""
    return function.name.rpartition("::")[2].rpartition(".")[2]
