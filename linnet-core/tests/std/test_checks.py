"""Every module of the standard library checks by itself, without an error and without a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

import linnet_core
from linnet_core.check.check import check
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

STD = Path(linnet_core.__file__).parent / "std"
MODULES = sorted(STD.rglob("*.linnet"))


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(STD).with_suffix(""))) for path in MODULES])
def test_the_module_checks(path: Path) -> None:
    diagnostics = Diagnostics()
    package = load(str(path), diagnostics=diagnostics)
    assert package is not None
    assert check(package, diagnostics) is not None
    assert [f"{found.code}: {found.message}" for found in diagnostics.found] == []
