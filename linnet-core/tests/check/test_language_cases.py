"""Programs of the language, each with what the checker must find in it: nothing, or one code at one place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from linnet_core.check.check import check
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

CASES = Path(__file__).parents[1] / "language_cases"
MANIFEST = json.loads((CASES / "manifest.json").read_text(encoding="utf-8"))["cases"]


def _found(file: str) -> list[tuple[str, int, int]]:
    diagnostics = Diagnostics()
    package = load(str(CASES / file), diagnostics=diagnostics)
    if package is not None:
        check(package, diagnostics)
    places = []
    for found in diagnostics.found:
        assert found.span is not None
        at = found.span.source.position(found.span.start)
        places.append((found.code, at.line, at.column))
    return places


@pytest.mark.parametrize("case", [pytest.param(case, id=case["file"]) for case in MANIFEST])
def test_the_program_gives_the_expected_code_at_the_expected_place(case: dict[str, str]) -> None:
    expected = [] if case["expect"] == "ok" else [(case["expect"], case["line"], case["column"])]
    assert _found(case["file"]) == expected


def test_every_program_is_in_the_manifest() -> None:
    single = {path.relative_to(CASES).as_posix() for folder in ("valid", "invalid") for path in (CASES / folder).glob("*.linnet")}
    packages = {
        path.relative_to(CASES).as_posix() for folder in ("valid", "invalid") for path in (CASES / folder).iterdir() if path.is_dir()
    }
    named = [case["file"] for case in MANIFEST]
    assert len(named) == len(set(named))
    assert single == {name for name in named if name.count("/") == 1}
    assert packages == {"/".join(name.split("/")[:2]) for name in named if name.count("/") > 1}
