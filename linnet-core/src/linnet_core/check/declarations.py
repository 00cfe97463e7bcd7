"""Aliases, structs and enums.

In: their entities.  Out: the same with types resolved.  E2122 for an alias or struct that is made of itself, E1205 for two
fields or variants of one name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.constants import ensure_const, report_defined_by_itself
from linnet_core.check.describe import RENAME
from linnet_core.check.environment import AliasInfo, ConstInfo, EnumInfo, StructInfo
from linnet_core.check.generics import ensure_generics
from linnet_core.check.knots import circles, dependency_order, through
from linnet_core.check.mentioned_names import mentioned_names
from linnet_core.check.program import Enum_, Field, Struct_
from linnet_core.check.resolve_types import resolve_type
from linnet_core.check.scopes import item_context
from linnet_core.check.type_size import MOST_PARTS, count_parts
from linnet_core.check.types import ERROR, OptionalType, StructType, TupleType
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.check.environment import Checker, Item
    from linnet_core.check.types import Type
    from linnet_core.syntax import tree
    from linnet_core.text.span import Span


def ensure_alias(info: AliasInfo, checker: Checker) -> None:
    """Work out what an alias stands for, once; its type is `ERROR` when that was reported, and its generics are known all the same."""
    ensure_generics(info, checker)
    if info.state == "done":
        return
    if info.state == "busy":
        report_defined_by_itself(checker.busy[checker.busy.index(info) :], checker)
        info.type = ERROR
        info.state = "done"
        return
    info.state = "busy"
    checker.busy.append(info)
    type = resolve_type(info.syntax.type, item_context(info, checker), members=True)
    checker.busy.pop()
    if info.state == "busy":
        info.type = type if _has_room(type, info, checker) else ERROR
        info.state = "done"


def _has_room(type: Type, info: AliasInfo, checker: Checker) -> bool:
    """Whether a type is small enough to be written out."""
    if count_parts(type) <= MOST_PARTS:
        return True
    name = info.syntax.name
    checker.diagnostics.report(
        "E6003",
        f"type `{name.text}` has more than {MOST_PARTS} parts",
        name.span,
        help="hold fewer of them, or one tensor with an axis more",
    )
    return False


def check_struct(info: StructInfo, checker: Checker) -> None:
    """Resolve a struct's fields."""
    ctx = item_context(info, checker)
    _check_distinct((field.name for field in info.syntax.fields), "fields", checker)
    fields = tuple(Field(field.name.text, resolve_type(field.type, ctx)) for field in info.syntax.fields)
    if len({field.name for field in fields}) < len(fields):
        fields = tuple(Field(field.name, ERROR) for field in fields)  # Which of two is meant is not known, nor what is left out.
    info.decl = Struct_(info.qualified.rpartition("::")[2], info.module.name, info.syntax.public, info.generics, fields)
    info.state = "done"


def check_enum(info: EnumInfo, checker: Checker) -> None:
    """Collect an enum's variants."""
    _check_distinct(info.syntax.variants, "variants", checker)
    variants = tuple(dict.fromkeys(variant.text for variant in info.syntax.variants))
    info.decl = Enum_(info.qualified.rpartition("::")[2], info.module.name, info.syntax.public, info.generics, variants)


def _check_distinct(names: Iterable[tree.Name], what: str, checker: Checker) -> None:
    first: dict[str, Span] = {}
    for name in names:
        if name.text in first:
            message = f"two {what} are named `{name.text}`"
            related = (Label(first[name.text], "the first"),)
            checker.diagnostics.report("E1205", message, name.span, label="the second", related=related, help=RENAME)
        else:
            first[name.text] = name.span


def check_struct_cycles(structs: list[StructInfo], checker: Checker) -> None:
    """E2122 for structs of a module that hold values of themselves."""
    keys = {(info.module.name, info.qualified.rpartition("::")[2]): info.qualified for info in structs}
    holds = {
        info.qualified: [keys[key] for field in (info.decl.fields if info.decl else ()) for key in _structs_in(field.type) if key in keys]
        for info in structs
    }
    report_circles(holds, {info.qualified: info.syntax.name for info in structs}, "struct", "holds a value of itself", checker)


def _structs_in(type: Type) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    waiting = [type]
    while waiting:
        match waiting.pop():
            case StructType() as struct:
                found.append((struct.module, struct.name))
            case TupleType() as tuple_type:
                waiting.extend(tuple_type.elements)
            case OptionalType() as optional:
                waiting.append(optional.inner)
            case _:
                pass
    return found


def report_circles(holds: dict[str, list[str]], names: dict[str, tree.Name], what: str, message: str, checker: Checker) -> None:
    """E2122 once for each set of declarations that lead back to themselves, at the earliest of them."""
    for first, *others in circles(holds):
        way = through([names[key].text for key in others])
        related = [Label(names[key].span, "through this") for key in others]
        help = f"take one of the {'members' if what == 'block' else 'fields'} out: what holds itself has no end"
        checker.diagnostics.report("E2122", f"{what} `{names[first].text}` {message}{way}", names[first].span, related=related, help=help)


def check_types_in_order(items: Iterable[Item], checker: Checker) -> None:
    """Resolve a module's aliases, structs, enums and constants, each after those it names, so that none waits for another."""
    infos = {item.qualified: item for item in items if isinstance(item, AliasInfo | StructInfo | EnumInfo | ConstInfo)}
    needs = {key: _needed(info) for key, info in infos.items()}
    transparent = {key: info for key, info in infos.items() if isinstance(info, AliasInfo | ConstInfo)}
    for circle in circles({key: needs[key] for key in transparent}):
        report_defined_by_itself([transparent[key] for key in circle], checker)
        for key in circle:
            transparent[key].state = "done"
    for key in dependency_order(needs):
        _ensure(infos[key], checker)


def _needed(info: AliasInfo | StructInfo | EnumInfo | ConstInfo) -> list[str]:
    """Qualified names of the items around it that a declaration names."""
    own = {generic.name.text for generic in getattr(info.syntax, "generics", ())}
    found: list[str] = []
    for name in mentioned_names((info.syntax,)):
        scope, item = info.parent, None
        while scope is not None and item is None:
            scope, item = scope.parent, scope.items.get(name)
        item = item or info.module.items.get(name)
        if item is not None and name not in own:
            found.append(item.qualified)
    return found


def _ensure(info: AliasInfo | StructInfo | EnumInfo | ConstInfo, checker: Checker) -> None:
    match info:
        case AliasInfo():
            ensure_alias(info, checker)
        case StructInfo():
            ensure_generics(info, checker)
            check_struct(info, checker)
        case EnumInfo():
            ensure_generics(info, checker)
            check_enum(info, checker)
        case ConstInfo():
            ensure_const(info, checker)
