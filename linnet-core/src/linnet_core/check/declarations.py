"""Aliases, structs and enums.

In: their entities.  Out: the same with types resolved.  E2122 for an alias or struct that is made of itself, E1205 for two
fields or variants of one name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.environment import StructInfo
from linnet_core.check.generics import ensure_generics
from linnet_core.check.program import Enum_, Field, Struct_
from linnet_core.check.resolve_types import resolve_type
from linnet_core.check.scopes import item_context
from linnet_core.check.types import ERROR, OptionalType, StructType, TupleType
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.check.environment import AliasInfo, Checker, EnumInfo
    from linnet_core.check.types import Type
    from linnet_core.syntax import tree
    from linnet_core.text.span import Span


def ensure_alias(info: AliasInfo, checker: Checker, span: Span) -> None:
    """Work out what an alias named at `span` stands for, once; its type is `ERROR` when that was reported."""
    if info.state == "done":
        return
    if info.state == "busy":
        name = info.syntax.name
        checker.diagnostics.report(
            "E2122", f"type `{name.text}` is defined by itself", name.span, related=(Label(span, f"needs `{name.text}` again"),)
        )
        info.type = ERROR
        info.state = "done"
        return
    info.state = "busy"
    ensure_generics(info, checker)
    type = resolve_type(info.syntax.type, item_context(info, checker), members=True)
    if info.state == "busy":
        info.type = type
        info.state = "done"


def check_struct(info: StructInfo, checker: Checker) -> None:
    """Resolve a struct's fields."""
    ctx = item_context(info, checker)
    _check_distinct((field.name for field in info.syntax.fields), "fields", checker)
    fields = tuple(Field(field.name.text, resolve_type(field.type, ctx)) for field in info.syntax.fields)
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
            checker.diagnostics.report("E1205", message, name.span, label="the second", related=related)
        else:
            first[name.text] = name.span


def check_struct_cycles(structs: list[StructInfo], checker: Checker) -> None:
    """E2122 for each struct of a module that holds a value of itself."""
    by_key = {(info.module.name, info.qualified.rpartition("::")[2]): info for info in structs}
    holds: dict[str, list[str]] = {}
    for info in structs:
        found = [key for field in (info.decl.fields if info.decl else ()) for key in _structs_in(field.type)]
        holds[info.qualified] = [by_key[key].qualified for key in found if key in by_key]
    report_cycles(holds, {info.qualified: info.syntax.name for info in structs}, "struct", "holds a value of itself", checker)


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


def report_cycles(edges: dict[str, list[str]], names: dict[str, tree.Name], what: str, message: str, checker: Checker) -> None:
    """E2122 once for each declaration in the graph that leads back to itself without passing one already reported."""
    reported: set[str] = set()
    for start in edges:
        if start not in reported and reaches(start, start, edges, reported):
            reported.add(start)
            checker.diagnostics.report("E2122", f"{what} `{names[start].text}` {message}", names[start].span)


def reaches(start: str, goal: str, edges: dict[str, list[str]], without: set[str]) -> bool:
    """Whether a path of at least one edge leads from `start` to `goal`, not through nodes of `without`."""
    seen: set[str] = set()
    waiting = list(edges.get(start, ()))
    while waiting:
        node = waiting.pop()
        if node == goal:
            return True
        if node not in seen and node not in without:
            seen.add(node)
            waiting.extend(edges.get(node, ()))
    return False
