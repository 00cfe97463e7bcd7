"""The public cases: programs with the code and line that are expected of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from linnet_core.check.check import check
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

CASES = Path(__file__).parents[4] / "shared" / "cases" / "language"
MANIFEST = CASES / "manifest.json"


def _cases() -> list[object]:
    if not MANIFEST.exists():
        return [pytest.param({}, id="none", marks=pytest.mark.skip(reason="the shared cases are not beside this checkout"))]
    return [pytest.param(case, id=case["file"]) for case in json.loads(MANIFEST.read_text(encoding="utf-8"))["cases"]]


def _found(file: str) -> list[tuple[str, int]]:
    diagnostics = Diagnostics()
    package = load(str(CASES / file), diagnostics=diagnostics)
    if package is not None:
        check(package, diagnostics)
    return [(found.code, found.span.source.line_of(found.span.start) if found.span else 0) for found in diagnostics.found]


@pytest.mark.parametrize("case", _cases())
def test_case_gives_the_expected_code_at_the_expected_line(case: dict[str, object]) -> None:
    found = _found(str(case["file"]))
    if case["expect"] == "ok":
        assert found == []
    else:
        assert [code for code, _ in found] == [case["expect"]]
        assert case["line"] in (None, found[0][1])
