"""Modules that import each other do so as modules: whoever takes a name out of one that is still being made cannot be imported first."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from pages import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PACKAGES = ("linnet_core", "linnet_torch", "linnet_jax", "linnet_ge")


def texts() -> dict[str, str]:
    """The text of every module of the packages, by its name."""
    found: dict[str, str] = {}
    for package in PACKAGES:
        folder = ROOT / package.replace("_", "-") / "src"
        for path in sorted((folder / package).rglob("*.py")):
            found[".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return found


def at_once(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run when a module is imported."""
    for statement in body:
        match statement:
            case ast.Import() | ast.ImportFrom():
                yield statement
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=orelse):
                yield from at_once(orelse)
            case ast.If(body=first, orelse=orelse):
                yield from at_once([*first, *orelse])
            case ast.Try(body=first, handlers=handlers):
                yield from at_once([*first, *[inner for handler in handlers for inner in handler.body]])
            case _:
                pass


def imports(modules: Mapping[str, str]) -> dict[str, dict[str, bool]]:
    """What each module imports of the others; true where a name is taken out of it."""
    found: dict[str, dict[str, bool]] = {}
    for module, text in modules.items():
        known = found[module] = {}
        for statement in at_once(ast.parse(text).body):
            origin = f"{statement.module}" if isinstance(statement, ast.ImportFrom) else None
            for alias in statement.names:
                whole = alias.name if origin is None else f"{origin}.{alias.name}"
                name, takes = (whole, False) if origin is None or whole in modules else (origin, True)
                if name in modules:
                    known[name] = known.get(name, False) or takes
    return found


def reached(start: str, edges: Mapping[str, Mapping[str, bool]]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = [name for name in edges[waiting.pop()] if name not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return seen


def broken(modules: Mapping[str, str]) -> list[tuple[str, str]]:
    """A module and one that it takes a name out of, where the second imports the first again."""
    edges = imports(modules)
    behind = {module: reached(module, edges) for module in edges}
    return [(module, other) for module, known in edges.items() for other, takes in known.items() if takes and module in behind[other]]


def test_every_module_can_be_imported_first() -> None:
    assert broken(texts()) == []


@pytest.mark.parametrize(
    ("first", "found"),
    [
        pytest.param("from p import b", [], id="as modules"),
        pytest.param("from p.b import name", [("p.a", "p.b")], id="a name"),
        pytest.param("import p.b", [], id="by its full name"),
        pytest.param("def f():\n    from p.b import name", [], id="where it is wanted"),
        pytest.param("if TYPE_CHECKING:\n    from p.b import name", [], id="for types"),
        pytest.param("if TYPE_CHECKING:\n    pass\nelse:\n    from p.b import name", [("p.a", "p.b")], id="not for types"),
        pytest.param("try:\n    from p.b import name\nexcept ImportError:\n    pass", [("p.a", "p.b")], id="in a try"),
    ],
)
def test_a_circle_is_seen(first: str, found: list[tuple[str, str]]) -> None:
    assert broken({"p": "", "p.a": first, "p.b": "from p import c", "p.c": "from p import a"}) == found
