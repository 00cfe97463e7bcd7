"""The names of each module: its items, what a block declares, and what imports bind.

In: loaded modules in load order.  Out: `ModuleInfo`s holding an entity for every declaration, signatures not yet resolved.
E1204 (two items of one name), E1205 (two members), E1207 (a prelude name), E1201 and E1203 of imports, E2127 (a kernel
inside a block).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.describe import RENAME
from linnet_core.check.environment import (
    AliasInfo,
    BlockInfo,
    ConstInfo,
    EnumInfo,
    FunctionInfo,
    ImportedName,
    KernelInfo,
    ModuleInfo,
    StructInfo,
)
from linnet_core.check.names import UNKNOWN, module_item
from linnet_core.check.reserved import PRELUDE
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import near_names

if TYPE_CHECKING:
    from linnet_core.check.environment import Checker, Entity, Item
    from linnet_core.modules.load import Module
    from linnet_core.text.span import Span


def collect(module: Module, checker: Checker, known: dict[int, ModuleInfo]) -> ModuleInfo:
    """The names of one module.  `known` holds those of the modules before it, by identity of the loaded module."""
    info = ModuleInfo(module)
    places: dict[str, Span] = {}
    meant: dict[str, Span] = {}
    for use in module.tree.uses:
        target = module.imports.get(use)
        meant |= _collect_use(use, known.get(id(target)) if target is not None else None, info, places, checker)
    for item in module.tree.items:
        _add_item(item, info, info.items, None, places, checker)
    for name, span in meant.items():
        if name not in info.items:
            info.imports.setdefault(name, ImportedName(UNKNOWN, span))
    return info


def _collect_use(use: tree.Use, target: ModuleInfo | None, info: ModuleInfo, places: dict[str, Span], checker: Checker) -> dict[str, Span]:
    """Bind what one `use` names; an import that leads nowhere binds its names all the same, so that uses stay silent.

    Returns the names that misspelt ones are likely meant to be, whose uses are to stay silent as well.
    """
    meant: dict[str, Span] = {}
    if use.names is None:
        _import(use.path.parts[-1], target or UNKNOWN, info, places, checker)
        return meant
    for name in use.names:
        entity = UNKNOWN if target is None else module_item(target, name.name, checker)
        if target is not None and name.name.text not in target.items:
            meant |= dict.fromkeys(near_names(name.name.text, target.items), name.name.span)
        help = f"import it under another name: `{name.name.text} as other`"
        _import(name.alias or name.name, entity, info, places, checker, help)
    return meant


def _import(name: tree.Name, entity: Entity, info: ModuleInfo, places: dict[str, Span], checker: Checker, help: str = RENAME) -> None:
    if _may_declare(name, places, info, checker, "E1204", "two items are named", help):
        info.imports[name.text] = ImportedName(entity, name.span)


def _may_declare(
    name: tree.Name, places: dict[str, Span], scope: ModuleInfo | BlockInfo, checker: Checker, code: str, message: str, help: str = RENAME
) -> bool:
    """Whether a name is free in its scope; it is taken from now on."""
    if name.text in PRELUDE:
        scope.unclear.add(name.text)
        checker.diagnostics.report(
            "E1207",
            f"`{name.text}` is a name of the prelude",
            name.span,
            label="cannot be declared again",
            help=f"choose another name: `{name.text}_` is one",
        )
        return False
    first = places.get(name.text)
    if first is not None:
        scope.unclear.add(name.text)
        related = (Label(first, "the first"),)
        checker.diagnostics.report(code, f"{message} `{name.text}`", name.span, label="the second", related=related, help=help)
        return False
    places[name.text] = name.span
    return True


def _add_item(
    item: tree.Item, info: ModuleInfo, items: dict[str, Item], block: BlockInfo | None, places: dict[str, Span], checker: Checker
) -> None:
    if not _may_declare(item.name, places, block or info, checker, "E1204", "two items are named"):
        return
    name = item.name.text
    qualified = f"{info.name}::{name}" if block is None else f"{block.qualified}.{name}"
    key = info.name, qualified.rpartition("::")[2]
    match item:
        case tree.Const():
            items[name] = ConstInfo(info, item, qualified, block)
        case tree.Alias():
            items[name] = AliasInfo(info, item, qualified, block)
        case tree.StructDecl():
            items[name] = checker.structs[key] = StructInfo(info, item, qualified, block)
        case tree.EnumDecl():
            items[name] = checker.enums[key] = EnumInfo(info, item, qualified, block)
        case tree.Function():
            items[name] = FunctionInfo(info, item, qualified, block)
        case tree.Kernel():
            if block is not None:
                help = "move it out of the block"
                checker.diagnostics.report(
                    "E2127", "a kernel stands at module level, not in a block", item.name.span, label="declared in one", help=help
                )
            items[name] = KernelInfo(info, item, qualified)
        case tree.Block():
            items[name] = checker.blocks[key] = _collect_block(item, info, qualified, block, checker)


def _collect_block(node: tree.Block, info: ModuleInfo, qualified: str, parent: BlockInfo | None, checker: Checker) -> BlockInfo:
    block = BlockInfo(info, node, qualified, parent)
    places: dict[str, Span] = {}
    for member in node.members:
        _may_declare(member.name, places, block, checker, "E1205", "two members are named")
    members = dict(places)
    for item in node.items:
        first = members.get(item.name.text)
        if first is not None:
            block.unclear.add(item.name.text)
            message = f"a member and an item are both named `{item.name.text}`"
            related = (Label(first, "the first"),)
            checker.diagnostics.report("E1205", message, item.name.span, label="the second", related=related, help=RENAME)
            continue
        _add_item(item, info, block.items, block, places, checker)
    return block
