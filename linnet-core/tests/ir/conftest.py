"""What the tests of the Core IR share: programs written in the test, lowered; this folder and that of the standard library's
tests are on the path."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from linnet_core.check.check import check
from linnet_core.ir.lower import lower
from linnet_core.ir.show import function_lines
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Module

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "std"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


@pytest.fixture
def lowered(tmp_path: Path) -> Callable[[str], Module]:
    """Lowers one module; `module test` is written before the text."""

    def run(text: str) -> Module:
        file = tmp_path / "test.linnet"
        file.write_text("module test\n" + text, encoding="utf-8")
        diagnostics = Diagnostics()
        package = load(str(file), diagnostics=diagnostics)
        program = check(package, diagnostics) if package is not None else None
        assert program is not None, [(d.code, d.message, d.span and d.span.text) for d in diagnostics.found]
        return lower(program)

    return run


@pytest.fixture
def body(lowered: Callable[[str], Module]) -> Callable[[str, str], str]:
    """The text form of one function of a program, without its first line and indentation."""

    def run(text: str, name: str) -> str:
        lines = function_lines(lowered(text).functions[f"test::{name}"])[1:]
        return "\n".join(line.removeprefix("    ") for line in lines)

    return run
