"""Every Linnet file of the project is in the one style, and the public programs keep their trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from linnet_core.errors import SourceError
from linnet_core.syntax.format import format_text
from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import Source

ROOT = Path(__file__).parents[1]
CASES = ROOT.parent / "shared" / "cases" / "language"
#: Programs that stand as their authors wrote them, many of them with a mistake.
OWN_CASES = ROOT / "linnet-core" / "tests" / "language_cases"


def files(folder: Path, but: Path | None = None) -> list[object]:
    """The `.linnet` files below a folder as parameters of a test, hidden folders and one other left out."""
    found = [path for path in folder.rglob("*.linnet") if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    found = [path for path in found if but is None or not path.is_relative_to(but)]
    return [pytest.param(path, id=path.relative_to(folder).as_posix()) for path in sorted(found)]


def public_cases() -> list[object]:
    none = pytest.param(Path(), id="none", marks=pytest.mark.skip(reason="the shared cases are not beside this checkout"))
    return files(CASES) if CASES.is_dir() else [none]


@pytest.mark.parametrize("path", files(ROOT, but=OWN_CASES))
def test_a_file_of_the_project_is_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text, f"`linnet fmt {path.relative_to(ROOT)}` rewrites it"


@pytest.mark.parametrize("path", public_cases())
def test_a_public_program_is_formatted_once(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    diagnostics = Diagnostics()
    parse(Source(str(path), text), diagnostics)
    if diagnostics.found:
        with pytest.raises(SourceError):
            format_text(text)
        return
    once = format_text(text)
    assert format_text(once) == once
    assert "".join(once.replace(",", "").split()) == "".join(text.replace(",", "").split())
