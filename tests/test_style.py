"""Every Linnet file of the project is in the one style, and the public programs keep their trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from linnet_core.errors import SourceError
from linnet_core.syntax.format import format_text

ROOT = Path(__file__).parents[1]
CASES = ROOT.parent / "shared" / "cases" / "language"


def files(folder: Path) -> list[object]:
    """The `.linnet` files below a folder as parameters of a test, hidden folders left out."""
    found = [path for path in folder.rglob("*.linnet") if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    return [pytest.param(path, id=path.relative_to(folder).as_posix()) for path in sorted(found)]


def public_cases() -> list[object]:
    none = pytest.param(Path(), id="none", marks=pytest.mark.skip(reason="the shared cases are not beside this checkout"))
    return files(CASES) if CASES.is_dir() else [none]


@pytest.mark.parametrize("path", files(ROOT))
def test_a_file_of_the_project_is_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    whole = f"module test\n\n{text}" if text.startswith("use ") else text  # a test writes the first line of some
    assert format_text(whole) == whole, f"`linnet fmt {path.relative_to(ROOT)}` rewrites it"


@pytest.mark.parametrize("path", public_cases())
def test_a_public_program_is_formatted_once(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    try:
        once = format_text(text)
    except SourceError as error:
        assert all(found.code.startswith("E1") for found in error.diagnostics)
        return
    assert format_text(once) == once
    assert "".join(once.replace(",", "").split()) == "".join(text.replace(",", "").split())
