"""The rooms stand in the order of the data, everywhere they are listed.

Every module says what goes in, what comes out, and why it ignores a type.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
from pages import ROOT

CORE = ROOT / "linnet-core" / "src" / "linnet_core"
TORCH = ROOT / "linnet-torch" / "src" / "linnet_torch"
JAX = ROOT / "linnet-jax" / "src" / "linnet_jax"
GE = ROOT / "linnet-ge" / "src" / "linnet_ge"
MODULES = sorted([*CORE.rglob("*.py"), *TORCH.rglob("*.py"), *JAX.rglob("*.py"), *GE.rglob("*.py")])
#: The standard library is data, and no room of the map.
NO_ROOMS = {"std"}


def docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def layers(package: str = "linnet_core") -> list[set[str]]:
    """The contract of import-linter, first room first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    [contract] = [c for c in settings["contracts"] if c.get("containers") == [package]]
    assert contract["exhaustive"]
    return [{room.strip() for room in layer.split("|")} for layer in reversed(contract["layers"])]


def listed_in_docstring(package: Path = CORE) -> list[str]:
    return re.findall(r"^    (\w+)(?:\.py|/)?  ", docstring(package / "__init__.py"), re.MULTILINE)


def listed_in_map() -> list[tuple[int, str, list[str]]]:
    """Number, room and doors of each row of the map."""
    text = (ROOT / "docs" / "map.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \|.*\| ([^|]*) \|$", text, re.MULTILINE)
    return [(int(number), room, re.findall(r"`([\w.]+)`", doors)) for number, room, doors in rows]


def follows(rooms: list[str], order: list[set[str]]) -> bool:
    """Whether `rooms` lists all of `order`, layer by layer, in any order inside one."""
    at = 0
    for layer in order:
        if set(rooms[at : at + len(layer)]) != layer:
            return False
        at += len(layer)
    return at == len(rooms)


def test_the_docstring_of_the_package_lists_the_rooms_in_order() -> None:
    assert follows([room for room in listed_in_docstring() if room not in NO_ROOMS], layers())


def test_the_rooms_of_dumps_are_listed_in_order() -> None:
    assert follows(listed_in_docstring(GE), layers("linnet_ge"))
    numbers = {room: int(at) for room, at in re.findall(r"^    (\w+)(?:\.py|/) +(\d+) ", docstring(GE / "__init__.py"), re.MULTILINE)}
    for at, layer in enumerate(layers("linnet_ge"), start=1):
        assert {numbers[room] for room in layer} == {at}


def test_the_map_lists_the_rooms_in_order() -> None:
    rows = listed_in_map()
    assert follows([room for _, room, _ in rows], layers())
    numbers = {room: number for number, room, _ in rows}
    for at, layer in enumerate(layers(), start=1):
        assert {numbers[room] for room in layer} == {at}


def test_every_folder_is_a_room() -> None:
    folders = {p.name for p in CORE.iterdir() if p.is_dir() and p.name != "__pycache__"} | {"errors"}
    assert folders - NO_ROOMS == set().union(*layers())


@pytest.mark.parametrize(("room", "door"), [pytest.param(r, d, id=f"{r}.{d}") for _, r, doors in listed_in_map() for d in doors])
def test_a_door_of_the_map_exists(room: str, door: str) -> None:
    *path, name = door.split(".")
    place = CORE.joinpath(room, *path)
    module = next(p for p in (place.with_suffix(".py"), place / "__init__.py") if p.exists())
    tree = ast.parse(module.read_text(encoding="utf-8"))
    named = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    named |= {a.asname or a.name for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names}
    assert name in named


def test_an_order_can_be_wrong() -> None:
    assert follows(["a", "c", "b"], [{"a"}, {"b", "c"}])
    assert not follows(["b", "a", "c"], [{"a"}, {"b", "c"}])
    assert not follows(["a", "b"], [{"a"}, {"b", "c"}])
    assert not follows(["a", "b", "c", "d"], [{"a"}, {"b", "c"}])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_says_what_goes_in_and_what_comes_out(path: Path) -> None:
    """Files of a family say it once, in the docstring of their folder; hooks and doors only hand things on."""
    text = docstring(path)
    assert text, "no docstring"
    shared = path.parent.name in ("emit", "families")
    if shared:
        text = docstring(path.parent / "__init__.py")
    if path.name not in ("__init__.py", "__main__.py", "hooks.py", "project.py") or shared:
        assert "In:" in text
        assert "Out:" in text


IGNORED = re.compile(r"#\s*(?:type|pyright): ignore(?:\[[^\]]*\])?(?P<reason>\s+#\s+\w.*)?$")


def without_reason(text: str) -> list[int]:
    """The lines that ignore a type and do not say why."""
    found = [(line, IGNORED.search(words)) for line, words in enumerate(text.splitlines(), start=1)]
    return [line for line, match in found if match and not match["reason"]]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_an_ignored_type_has_its_reason(path: Path) -> None:
    assert without_reason(path.read_text(encoding="utf-8")) == []


def test_a_reason_can_be_missing() -> None:
    lines = [
        "f(x)  # type: ignore[arg-type]",
        "f(x)  # pyright: ignore",
        "f(x)  # type: ignore[arg-type]  # a word of the table",
        "f(x)  # why",
    ]
    assert without_reason("\n".join(lines)) == [1, 2]


def files(folder: Path) -> set[str]:
    return {p.name for p in folder.glob("*.py")}


#: Files of `emit/` beside those of the families: calls a target makes itself before it prints, and the part of `native.py` on images.
_BESIDE = {"attention.py", "cache.py", "images.py"}
FURTHER = {"linnet-torch": _BESIDE | {"packed.py", "upright.py"}, "linnet-jax": _BESIDE, "numpy": set()}


@pytest.mark.parametrize(
    ("target", "folder"),
    [
        pytest.param("numpy", CORE / "targets" / "numpy" / "emit", id="numpy"),
        pytest.param("linnet-torch", TORCH / "emit", id="torch"),
        pytest.param("linnet-jax", JAX / "emit", id="jax"),
    ],
)
def test_emitters_are_named_as_the_families_of_calls(target: str, folder: Path) -> None:
    families = files(CORE / "graph" / "calls") - {"values.py"}
    assert files(folder) - FURTHER[target] <= families
    assert FURTHER[target] <= files(folder)
    needed = {"__init__.py", "inputs.py", "elementwise.py", "shape.py", "reduce.py", "contract.py", "gather.py", "native.py"}
    assert needed <= files(folder)


def test_the_targets_have_the_same_files() -> None:
    own = {"hooks.py", "target.py", "source.py", "dialect.py", "writer.py", "expressions.py", "calls.py", "support.py", "runner.py"}
    shared = {"__init__.py", *own}
    assert shared <= files(CORE / "targets" / "numpy")
    assert shared <= files(TORCH)
    assert shared <= files(JAX)


def names_in(text: str) -> set[str]:
    """Files and folders that a docstring lists, one a line or behind another."""
    lines = [line for line in text.split("\n") if re.match(r"    \w+(\.py|/)  ", line)]
    return {name for line in lines for name in re.findall(r"\b\w+(?:\.py|/(?=  ))", line)}


LISTING = [path for path in MODULES if path.name == "__init__.py" and names_in(docstring(path))]


@pytest.mark.parametrize("path", LISTING, ids=lambda path: str(path.parent.relative_to(ROOT)))
def test_a_room_that_lists_its_files_lists_them_all(path: Path) -> None:
    folders = {f"{inner.parent.name}/" for inner in path.parent.glob("*/__init__.py")}
    assert names_in(docstring(path)) == (files(path.parent) - {"__init__.py"}) | folders


def test_rooms_that_list_their_files_are_found() -> None:
    rooms = {"numpy", "gradient", "linnet_torch", "linnet_jax", "linnet_ge", "readable", "tools", "passes"}
    assert {path.parent.name for path in LISTING} >= rooms
