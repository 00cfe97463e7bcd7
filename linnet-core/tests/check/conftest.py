"""What the checker's tests share: programs written in the test, checked as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import Struct

from linnet_core.check.check import check
from linnet_core.check.program import Let
from linnet_core.check.show_types import show
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostic, Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from linnet_core.check.program import Program


class Checked(Struct):
    """The outcome of a check."""

    program: Program | None
    found: tuple[Diagnostic, ...]

    @property
    def places(self) -> list[tuple[str, int]]:
        """Code and line of each diagnostic."""
        return [(found.code, found.span.source.line_of(found.span.start) if found.span else 0) for found in self.found]

    @property
    def only(self) -> Diagnostic:
        """The one diagnostic there is."""
        assert len(self.found) == 1, self.found
        return self.found[0]

    @property
    def spot(self) -> tuple[str, str, int, int]:
        """Code, words, line and column of the one diagnostic there is."""
        found = self.only
        assert found.span is not None
        at = found.span.source.position(found.span.start)
        return found.code, found.span.text, at.line, at.column

    @property
    def errors(self) -> list[tuple[str, str]]:
        """Code and the words under the primary span of each error."""
        return [(found.code, found.span.text if found.span else "") for found in self.found if found.severity == "error"]

    def type_of(self, name: str) -> str:
        """The type of the local `name` that some function of the root module binds."""
        assert self.program is not None, self.found
        bound = [
            statement.local
            for function in self.program.root.functions
            for statement in function.body
            if isinstance(statement, Let) and statement.local.name == name
        ]
        assert bound, f"no local {name}"
        return show(bound[0].type)


def run(path: Path) -> Checked:
    """Load and check a file or a package."""
    diagnostics = Diagnostics()
    package = load(str(path), diagnostics=diagnostics)
    program = check(package, diagnostics) if package is not None else None
    return Checked(program, diagnostics.found)


@pytest.fixture
def check_text(tmp_path: Path) -> Callable[[str], Checked]:
    """Checks one module; `module test` is written before the text, on its first line."""

    def checked(text: str) -> Checked:
        file = tmp_path / "test.linnet"
        file.write_text("module test " + text, encoding="utf-8")
        return run(file)

    return checked


@pytest.fixture
def marked() -> Callable[[str], tuple[int, int]]:
    """Line and column of what follows the mark `/*!*/` in a text that is given to `check_text`."""

    def place(text: str) -> tuple[int, int]:
        before, _, _ = ("module test " + text).partition("/*!*/")
        assert before != "module test " + text, "no mark"
        return before.count("\n") + 1, len(before.rpartition("\n")[2]) + len("/*!*/") + 1

    return place


@pytest.fixture
def check_package(tmp_path: Path) -> Callable[[dict[str, str]], Checked]:
    """Checks a package named `demo` of several files, given by path below `src`."""

    def checked(files: dict[str, str]) -> Checked:
        (tmp_path / "linnet.toml").write_text('[package]\nname = "demo"\nversion = "0.1.0"\nlanguage = "0.1"\n', encoding="utf-8")
        for name, text in files.items():
            file = tmp_path / "src" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return run(tmp_path)

    return checked
