"""Modules as files of source, or all of them as one.

In: a `Module` of Core IR whose names may all be written.  Out: the text of each module by its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.program import Block, Enum_, Struct_
from linnet_core.check.types import OptionalType
from linnet_core.errors import InternalError
from linnet_core.ir.module import Constant, Function
from linnet_core.ir.uses import uses_of
from linnet_core.linnet_source.body import Body
from linnet_core.linnet_source.constants import Constants
from linnet_core.linnet_source.functions import function_text, generics_text, local_names, public, where_text
from linnet_core.linnet_source.imports import import_order, may_import
from linnet_core.linnet_source.layout import Item, items_of, module_of, modules_in_order
from linnet_core.linnet_source.names import Names
from linnet_core.linnet_source.spelling import Spelling

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.check.program import Generic
    from linnet_core.ir.module import Module


def module_texts(module: Module) -> dict[str, str]:
    """The text of every module, not laid out yet, in load order."""
    order = modules_in_order(module)
    writers = {name: _Writer(module, name, order) for name in order}
    gaps = _Gaps()
    bodies = {name: writers[name].items(gaps) for name in order}
    imports = import_order(order, {name: writer.needs for name, writer in writers.items()})
    return {name: "\n\n".join([f"module {name}", *_uses(writers[name], imports[name], module), *bodies[name]]) + "\n" for name in order}


def one_module_text(module: Module) -> str:
    """All modules as one, named as the root; what is not the root's has another name where its own is taken."""
    order = modules_in_order(module)
    names = _merged_names(module, order)
    writer = _Writer(module, module.name, order, names)
    parts = [text for name in order for text in writer.items(_Gaps(silent=True), name)]
    return "\n\n".join([f"module {module.name}", *parts]) + "\n"


def _merged_names(module: Module, order: list[str]) -> dict[str, str]:
    """A name for every item at module level, by key."""
    items = {name: items_of(module, [name]) for name in order}
    taken = _local_names(module, order) | {item.name for item in items[module.name]}
    names = {item.key: item.name for item in items[module.name]}
    for name in order[:-1]:
        parts = name.split(".")
        for item in items[name]:
            spelled, used = item.name, 0
            while spelled in taken:
                used += 1
                prefix = "_".join(parts[-used:]) if used <= len(parts) else f"{'_'.join(parts)}_{used}"
                spelled = f"{prefix}_{item.name}"
            taken.add(spelled)
            names[item.key] = spelled
    return names


def _local_names(module: Module, modules: Iterable[str]) -> set[str]:
    """Every name that locals, generics and members of the modules have."""
    wanted = set(modules)
    functions = [function for key, function in module.functions.items() if module_of(key) in wanted]
    blocks = [block for key, block in module.blocks.items() if module_of(key) in wanted]
    owners = (*blocks, *module.structs.values(), *module.enums.values())
    found = local_names(functions) | {generic.name for owner in owners for generic in owner.generics}
    found |= {member.name for block in blocks for member in block.members}
    return found | {function.name.rpartition(".")[2] for function in functions if function.block is not None}


class _Gaps:
    """Ids of generics that nothing of the plan has: those of aliases.  An alias that nothing uses takes them again."""

    def __init__(self, *, silent: bool = False) -> None:
        self.next = 0
        self.silent = silent

    def before(self, generics: tuple[Generic, ...]) -> int:
        """How many ids are missing before these."""
        if not generics or self.silent:
            return 0
        missing = max(0, generics[0].id - self.next)
        self.next = max(self.next, generics[-1].id + 1)
        return missing


class _Writer:
    """Writes the items of one module, and notes what it imports."""

    def __init__(self, module: Module, name: str, order: Sequence[str], merged: dict[str, str] | None = None) -> None:
        self.module = module
        self.name = name
        self.merged = merged
        self.order = order
        self.needs: set[str] = set()
        #: Name of an import by the key of the item.
        self.imported: dict[str, str] = {}
        self.spelling = Spelling(self.item_name)
        own = items_of(module, [name])
        self.own = {item.name for item in own}
        self.taken = self.own | _local_names(module, [name])

    def item_name(self, key: str) -> str:
        """What an item is called here."""
        if self.merged is not None:
            return self.merged.get(key, key.rpartition("::")[2].rpartition(".")[2])
        owner, _, path = key.partition("::")
        if owner == self.name:
            return path.rpartition(".")[2]
        if key not in self.imported:
            spelled, parts, used = path, owner.split("."), 0
            while spelled in self.taken:
                used += 1
                spelled = f"{'_'.join(parts[-used:])}_{path}" + "_" * max(0, used - len(parts))
            self.taken.add(spelled)
            self.imported[key] = spelled
            self.needs.add(owner)
        return self.imported[key]

    def items(self, gaps: _Gaps, name: str | None = None) -> list[str]:
        """The texts of the module's items, in order."""
        items = items_of(self.module, [name or self.name])
        _mark_gaps(items, gaps)
        return [text for item in items for text in self._item(item)]

    def _constants(self, key: str) -> Constants:
        """The constants that an item may name, its own module's first; a constant only those that are computed in fewer operations, so that
        none comes to need itself, and those of its module wherever it can."""
        own = self.module.constants.get(key)
        usable = [
            constant
            for constant in self.module.constants.values()
            if self._may_name(constant, key) and (own is None or len(constant.body.ops) < len(own.body.ops))
        ]
        near = [constant for constant in usable if module_of(constant.name) == module_of(key)]
        far = [constant for constant in usable if module_of(constant.name) != module_of(key)]
        hidden = self._hidden(key) if near else set[str]()
        seen = {_last(constant.name): constant for constant in sorted(near, key=lambda one: one.name.count("."))}
        near = [constant for constant in near if seen[_last(constant.name)] is constant and _last(constant.name) not in hidden]
        return Constants([*near, *far], near if own is not None else ())

    def _hidden(self, key: str) -> set[str]:
        """Names that mean something nearer than an item of the module where the item `key` stands."""
        function = self.module.functions.get(key)
        found = set[str]() if function is None else local_names([function])
        for block in (self.module.blocks.get(owner) for owner in _owners(key)):
            if block is not None:
                found.update(one.name for one in (*block.generics, *block.members))
                found.update(_last(name) for name, method in self.module.functions.items() if method.block == block.key)
        return found

    def _may_name(self, constant: Constant, key: str) -> bool:
        """Whether the item `key` may name it: one of its module or its blocks, a public one of a module that was loaded before."""
        owner, _, _ = constant.name.rpartition(".")
        if "::" in owner:
            return owner in _owners(key)
        user, other = module_of(key), module_of(constant.name)
        if user == other or self.merged is not None:
            return True
        return constant.public and self.order.index(other) < self.order.index(user) and may_import(user, other, self.module.name)

    def _item(self, item: Item) -> list[str]:
        name = self.merged.get(item.key, item.name) if self.merged is not None else item.name
        texts = [self._alias(item.gap, name)] if item.gap else []
        match item.declared:
            case Function():
                texts.append(function_text(item.declared, name, self.module, self.spelling, self._constants(item.key)))
            case Block():
                texts.append(self._block(item, item.declared, name))
            case Struct_():
                texts.append(self._struct(item.declared, name))
            case Enum_():
                variants = ", ".join(item.declared.variants)
                generics = generics_text(item.declared.generics, self.spelling)
                texts.append(f"{public(item.declared.public)}enum {name}{generics} {{ {variants} }}")
            case Constant():
                texts.append(self._constant(item.declared, name))
            case _:
                raise InternalError(f"an item `{item.key}` without a declaration")
        return texts

    def _alias(self, count: int, name: str) -> str:
        """An alias with generics, which a plan knows only by the ids they took."""
        alias = f"Before_{name}"
        while alias in self.taken:
            alias += "_"
        self.taken.add(alias)
        generics = ", ".join(f"N{at}: Dim" for at in range(count))
        remark = "/// Stands for aliases, whose names a plan does not keep, so that generics are numbered as they were."
        return f"{remark}\ntype {alias}<{generics}> = bool"

    def _struct(self, struct: Struct_, name: str) -> str:
        fields = "\n".join(f"{field.name}: {self.spelling.type(field.type)}" for field in struct.fields)
        return f"{public(struct.public)}struct {name}{generics_text(struct.generics, self.spelling)} {{\n{fields}\n}}"

    def _block(self, item: Item, block: Block, name: str) -> str:
        members = []
        for member in block.members:
            optional = " = none" if member.kind in ("param", "sub") and isinstance(member.type, OptionalType) else ""
            members.append(f"{member.kind} {member.name}: {self.spelling.type(member.type)}{optional}")
        head = f"{public(block.public)}block {name}{generics_text(block.generics, self.spelling)}{where_text(block.constraints)}"
        inner = [text for each in item.items for text in self._item(each)]
        return "\n\n".join([f"{head} {{", *(["\n".join(members)] if members else []), *inner]) + "\n}"

    def _constant(self, constant: Constant, name: str) -> str:
        uses = uses_of([constant.body])
        body = Body(self.module, self.spelling, uses, Names(()), self._constants(constant.name))
        body.has_statements = False
        [piece], _ = body.statements(constant.body)
        annotation = "" if constant.contextual else f": {self.spelling.type(constant.type)}"
        return f"{public(constant.public)}const {name}{annotation} = {piece.text}"


def _owners(key: str) -> list[str]:
    """The keys of the blocks around an item, the outermost first."""
    return [key[:at] for at, character in enumerate(key) if character == "." and "::" in key[:at]]


def _last(key: str) -> str:
    """The item's own name."""
    return key.rpartition("::")[2].rpartition(".")[2]


def _mark_gaps(items: list[Item], gaps: _Gaps) -> None:
    """Say before which item ids are missing: types first, then blocks, then functions, as the checker numbers them."""
    every = list(_preorder(items))
    for kinds in ((Struct_, Enum_), (Block,), (Function,)):
        found = [(item, item.declared.generics) for item in every if isinstance(item.declared, kinds)]
        for item, generics in sorted(found, key=lambda pair: [generic.id for generic in pair[1]]):
            item.gap += gaps.before(generics)
    total = sum(item.gap for item in every if isinstance(item.declared, Block | Function))
    for item in every:
        if isinstance(item.declared, Block | Function):
            item.gap = 0
    if items and total:
        last = next((item for item in items if isinstance(item.declared, Block | Function)), items[-1])
        last.gap += total


def _preorder(items: list[Item]) -> Iterable[Item]:
    for item in items:
        yield item
        yield from _preorder(item.items)


def _uses(writer: _Writer, order: list[str], module: Module) -> list[str]:
    """The imports of a module, in one paragraph."""
    lines = []
    for owner in order:
        parts = [_part(key, name) for key, name in sorted(writer.imported.items(), key=lambda pair: pair[1]) if module_of(key) == owner]
        path = _import_path(writer.name, owner)
        if not parts:
            offered = next((item.name for item in items_of(module, [owner]) if getattr(item.declared, "public", False)), None)
            parts = [] if offered is None else [f"{offered} as _{offered}"]
        lines.append(f"use {path}::{{{', '.join(parts)}}}" if parts else f"use {path}")
    return ["\n".join(lines)] if lines else []


def _part(key: str, name: str) -> str:
    path = key.partition("::")[2]
    return path if path == name else f"{path} as {name}"


def _import_path(importer: str, owner: str) -> str:
    """`std.a.b`, `crate.a.b`, or the dependency's name and path."""
    package, _, rest = owner.partition(".")
    if package == importer.partition(".")[0] and package != "std":
        return f"crate.{rest}" if rest else "crate"
    return owner
