"""What a name stands for where it is written.

In: a name and the `BodyContext` of the place.  Out: its entity, innermost scope first: index of index notation, local, the
function's generics, the block's members, the block's items and generics, items of blocks around it, the module's items,
imports, the prelude.  Finding a name marks the local, member or import as used.  E1201, E1203.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.environment import (
    ConstInfo,
    EnumInfo,
    GenericRef,
    MemberEntity,
    ModuleInfo,
    PreludeFunction,
    PreludeType,
    UnknownEntity,
)
from linnet_core.check.reserved import (
    DTYPES_ELSEWHERE,
    FORMULAS_ELSEWHERE,
    FUNCTIONS,
    KINDS,
    PRELUDE,
    REDUCTIONS,
    TYPE_NAMES,
    WORDS_ELSEWHERE,
)
from linnet_core.modules.offered import offered_by_std
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import BlockInfo, Checker, Entity, Item
    from linnet_core.text.span import Span

UNKNOWN = UnknownEntity()
#: How many names of a module are listed.
_MOST_OFFERED = 8


def lookup(name: str, ctx: BodyContext, span: Span, *, report: bool = True, help: str | None = None) -> Entity | None:
    """The entity `name` stands for; None when there is none (reported as E1201 unless told not to) or it is broken.

    `help` says how such a thing is declared, for a name that is like no other.
    """
    found = _find(name, ctx)
    if found is None:
        if report:
            report_unknown(name, ctx, span, help)
        return None
    if isinstance(found, UnknownEntity):
        return None
    if name in PRELUDE and not isinstance(found, PreludeFunction | PreludeType):
        return None  # Reported where it was declared.
    return _ready(found, ctx.checker, span, report)


def lookup_field_path(node: tree.Field, ctx: BodyContext, *, report: bool = True) -> Entity | None:
    """The item `module.item` stands for; None when what is left of the point is no module.

    `UnknownEntity` when it is a module without such a public item (reported): the caller stays silent.
    """
    if not isinstance(node.base, tree.Ref):
        return None
    module = lookup(node.base.name, ctx, node.base.span, report=False)
    if not isinstance(module, ModuleInfo):
        return None
    return module_item(module, node.name, ctx.checker, report=report)


def module_item(module: ModuleInfo, name: tree.Name, checker: Checker, *, report: bool = True) -> Entity:
    """The public item of another module, or `UnknownEntity` (E1201, E1203 reported)."""
    if name.text in module.unclear:
        return UNKNOWN
    entity = module.items.get(name.text)
    if entity is None:
        if report:
            public = [key for key, item in module.items.items() if is_public(item)]
            checker.diagnostics.report(
                "E1201",
                f"module `{module.name}` has no item `{name.text}`",
                name.span,
                help=did_you_mean(name.text, public) or _offer(public),
            )
        return UNKNOWN
    if not is_public(entity):
        if report:
            declared = entity.syntax.name.span
            checker.diagnostics.report(
                "E1203",
                f"`{name.text}` is private to module `{module.name}`",
                name.span,
                label="private",
                related=(Label(declared, "declared without `pub`"),),
                help=f"declare it `pub` in `{module.name}`",
            )
        return UNKNOWN
    return _ready(entity, checker, name.span, report) or UNKNOWN


def _offer(public: list[str]) -> str:
    """What a module has for others."""
    if not public:
        return "nothing in it is `pub`"
    more = f" and {len(public) - _MOST_OFFERED} more" if len(public) > _MOST_OFFERED else ""
    return f"it offers {listed(public[:_MOST_OFFERED])}{more}"


def is_public(item: Item) -> bool:
    """Whether an item was declared `pub`."""
    return item.syntax.public


def _ready(entity: Entity, checker: Checker, span: Span, report: bool) -> Entity | None:
    """The entity, its value worked out when it is a constant; None for one that cannot be used (reported)."""
    if not isinstance(entity, ConstInfo):
        return entity
    from linnet_core.check.constants import ensure_const

    if not ensure_const(entity, checker):
        return None
    if entity.string:
        if report:
            checker.diagnostics.report(
                "E1208", f"`{entity.syntax.name.text}` is a string, which nothing can use yet", span, help="write the value itself"
            )
        return None
    return entity


def _find(name: str, ctx: BodyContext) -> Entity | None:
    index = ctx.find_index(name)
    if index is not None:
        return index
    use = ctx.find_local(name)
    if use is not None:
        use.used = True
        return use.local
    generic = ctx.generics.get(name)
    if generic is not None:
        return GenericRef(generic)
    if ctx.block is not None:
        found = _find_in_block(name, ctx.block)
        if found is not None:
            return found
    return _find_outside(name, ctx)


def _find_in_block(name: str, block: BlockInfo) -> Entity | None:
    if name in block.unclear:
        return UNKNOWN
    member = block.members.get(name)
    if member is not None:
        block.used_members.add(name)
        return MemberEntity(block, member)
    item = block.items.get(name)
    if item is not None:
        return item
    for generic in block.generics:
        if generic.name == name:
            return GenericRef(generic)
    return None


def _find_outside(name: str, ctx: BodyContext) -> Entity | None:
    outer = ctx.parent
    while outer is not None:
        item = UNKNOWN if name in outer.unclear else outer.items.get(name)
        if item is not None:
            return item
        outer = outer.parent
    if name in ctx.module.unclear:
        return UNKNOWN
    item = ctx.module.items.get(name)
    if item is not None:
        return item
    imported = ctx.module.imports.get(name)
    if imported is not None:
        imported.used = True
        return imported.entity
    if name in FUNCTIONS:
        return PreludeFunction(name)
    return PreludeType(name) if name in TYPE_NAMES else None


def report_unknown(name: str, ctx: BodyContext, span: Span, help: str | None = None) -> None:
    """E1201 for `name`, with near names or else `help`, or with the block it belongs to when an item inside it cannot name it.

    A name is reported once in a declaration: its further uses have the same cause.  Nor is it where a generic of the declaration has a
    name of the prelude (reported): what the text calls that generic is known once it is renamed.
    """
    owner = ctx.function or ctx.kernel or ctx.block
    if owner is not None and any(generic.name.text in PRELUDE for generic in owner.syntax.generics):
        return
    places = [info.qualified for info in (ctx.block, ctx.function, ctx.kernel) if info is not None]
    if any((place, name) in ctx.checker.unknown for place in places):
        return
    if places:
        ctx.checker.unknown.add((places[-1], name))
    outer = ctx.parent
    while outer is not None:
        declared = next((each for each in (*outer.syntax.members, *outer.syntax.generics) if each.name.text == name), None)
        if declared is not None:
            message = f"`{name}` belongs to block `{outer.syntax.name.text}`, and an item declared inside it cannot name it"
            related = (Label(declared.name.span, "declared here"),)
            ctx.checker.diagnostics.report("E1201", message, span, related=related, help=_pass_help(declared))
            return
        outer = outer.parent
    ctx.checker.diagnostics.report(
        "E1201", f"unknown name `{name}`", span, help=_later_generic(name, ctx) or _unknown_help(name, ctx, span) or help
    )


def _later_generic(name: str, ctx: BodyContext) -> str | None:
    """The help when it is a generic of this declaration that is not declared yet: a default speaks of those before it."""
    owner = ctx.function or ctx.kernel or ctx.block
    if owner is None or all(generic.name.text != name for generic in owner.syntax.generics):
        return None
    return "a default speaks only of generics that are declared before it"


def _pass_help(declared: tree.Member | tree.GenericParam) -> str:
    """How an item inside a block comes to what belongs to the block."""
    if isinstance(declared, tree.Member):
        return "move the item out of the block and give it a parameter for the value"
    star = "*" if declared.pack else ""
    return f"give the item a generic of its own: `<{star}{declared.name.text}: {declared.kind.text}>`"


def _unknown_help(name: str, ctx: BodyContext, span: Span) -> str | None:
    if name in REDUCTIONS:
        return f"a reduction lists its indices: `{name}[i] x[i]`"
    if name in DTYPES_ELSEWHERE and span.source.text.startswith("(", span.end):
        return f"convert it: `cast<{DTYPES_ELSEWHERE[name]}>(...)`"
    elsewhere = DTYPES_ELSEWHERE.get(name) or WORDS_ELSEWHERE.get(name)
    if elsewhere is not None:
        return f"did you mean `{elsewhere}`?"
    if ctx.checker.offered is None:
        ctx.checker.offered = offered_by_std(ctx.checker.std)
    module = ctx.checker.offered.get(name)
    if module is not None:
        return f"import it: `use {module}::{{{name}}}`"
    variants = [f"{enum}.{name}" for enum in _enums_with(name, ctx)]
    if variants:
        return f"a variant stands behind its enum: {listed(variants)}"
    return did_you_mean(name, visible_names(ctx)) or FORMULAS_ELSEWHERE.get(name)


def _enums_with(variant: str, ctx: BodyContext) -> list[str]:
    """The enums this place can name that have the variant, as they are called here."""
    visible: list[tuple[str, Entity]] = [] if ctx.block is None else list(ctx.block.items.items())
    visible += [*ctx.module.items.items(), *((name, each.entity) for name, each in ctx.module.imports.items())]
    return [
        name for name, entity in visible if isinstance(entity, EnumInfo) and any(each.text == variant for each in entity.syntax.variants)
    ]


def visible_names(ctx: BodyContext) -> Iterator[str]:
    """Every name that can stand at this place, innermost first."""
    for bindings in reversed(ctx.indices):
        yield from (binding.name for binding in bindings)
    for frame in reversed(ctx.frames):
        yield from frame.names
    yield from ctx.generics
    if ctx.block is not None:
        yield from ctx.block.members
        yield from ctx.block.items
        yield from (generic.name for generic in ctx.block.generics)
    outer = ctx.parent
    while outer is not None:
        yield from outer.items
        outer = outer.parent
    yield from ctx.module.items
    yield from ctx.module.imports
    yield from FUNCTIONS
    yield from (name for name in TYPE_NAMES if name not in KINDS)
