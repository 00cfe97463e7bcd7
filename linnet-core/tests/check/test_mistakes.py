"""Programs with exactly one thing wrong: one error, at its place, with a help; and doing what the help says repairs the program.

The programs are in `mistakes/CODE.txt`, a line `== what is wrong` before each.  `‹ ›` stand around the primary span, `⟨ ⟩` around the words
that the first words in backticks of the help take the place of, and `@` where a `where` may stand.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest
from msgspec import Struct

import linnet_core.check
from linnet_core.text.codes import CODES
from linnet_core.text.diagnostic import Diagnostics

FOLDER = Path(__file__).parent / "mistakes"
ROOM = Path(linnet_core.check.__file__).parent
#: Rules of kernels have a table of their own, `test_kernels.py`.
OF_KERNELS = ("E2126", "E2127")


class Mistake(Struct, frozen=True):
    """A program with its marks, the code and a name for it."""

    code: str
    name: str
    marked: str

    @property
    def program(self) -> str:
        return without_marks(self.marked)

    @property
    def start(self) -> int:
        """Offset in characters of the primary span."""
        return len(without_marks(self.marked.partition("‹")[0]))

    @property
    def words(self) -> str:
        """What stands under the primary span."""
        return without_marks(self.marked.partition("‹")[2].partition("›")[0])


def without_marks(text: str) -> str:
    return re.sub("[‹›⟨⟩@]", "", text)


def read(path: Path) -> list[Mistake]:
    parts = re.split(r"^== (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [Mistake(path.stem, name, f"\n{text}") for name, text in zip(parts[::2], parts[1::2], strict=True)]


MISTAKES = [mistake for path in sorted(FOLDER.glob("*.txt")) for mistake in read(path)]
REPAIRED = [mistake for mistake in MISTAKES if re.search("[⟨@]", mistake.marked)]


def named(mistakes: list[Mistake]) -> list[object]:
    return [pytest.param(mistake, id=f"{mistake.code} {mistake.name}") for mistake in mistakes]


@pytest.mark.parametrize("mistake", named(MISTAKES))
def test_one_mistake_is_one_error_at_its_place(check_text, mistake):
    found = check_text(mistake.program).only
    text = found.span.source.text
    shift = len(text) - len(mistake.program)
    assert (found.code, found.span.text) == (mistake.code, mistake.words)
    assert len(text.encode()[: found.span.start].decode()) == mistake.start + shift


@pytest.mark.parametrize("mistake", named(MISTAKES))
def test_every_error_says_what_would_help(check_text, mistake):
    help = check_text(mistake.program).only.help
    assert help, "a diagnostic says how to repair the program"
    assert ("`where " in help) == ("@" in mistake.marked), "a `where` that is offered is pasted by the test below"


@pytest.mark.parametrize("mistake", named(REPAIRED))
def test_doing_what_the_help_says_repairs_the_program(check_text, mistake):
    help = check_text(mistake.program).only.help
    repaired = mistake.marked
    if "@" in repaired:
        offered = re.search("`where (.*)`", help)
        assert offered is not None, help
        is_more = re.search(r"where [^{]*@", repaired)
        repaired = repaired.replace("@", f", {offered[1]} " if is_more else f"where {offered[1]} ")
    else:
        offered = re.search("`(.*?)`", help)
        assert offered is not None, help
        repaired = re.sub("⟨.*⟩", lambda _: offered[1], repaired)
    assert check_text(without_marks(repaired)).errors == []


def test_every_code_of_types_and_sizes_has_its_mistakes():
    codes = [code for code in CODES if code[:3] in ("E21", "E22") and code not in OF_KERNELS]
    assert sorted({mistake.code for mistake in MISTAKES}) == codes
    assert len(MISTAKES) >= 150


def test_every_place_that_reports_one_of_the_codes_is_met_by_a_program(check_text, monkeypatch):
    met: set[tuple[str, int]] = set()
    report = Diagnostics.report

    def watched(self, *arguments, **named):
        frame = sys._getframe(1)
        while frame is not None and Path(frame.f_code.co_filename).parent == ROOM:
            met.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
            frame = frame.f_back
        report(self, *arguments, **named)

    monkeypatch.setattr(Diagnostics, "report", watched)
    for mistake in MISTAKES:
        check_text(mistake.program)
    missed = [place for place in places() if not any((place[0], line) in met for line in range(place[1], place[2] + 1))]
    assert missed == []


def places() -> list[tuple[str, int, int]]:
    """File, first and last line of every call in the room that is given one of the codes."""
    found: list[tuple[str, int, int]] = []
    codes = {mistake.code for mistake in MISTAKES}
    for path in sorted(ROOM.glob("*.py")):
        if path.name.startswith("kernel"):
            continue
        calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        given = [call for call in calls if any(isinstance(each, ast.Constant) and each.value in codes for each in arguments(call))]
        found.extend((path.name, call.lineno, call.end_lineno or call.lineno) for call in given)
    return found


def arguments(call: ast.Call) -> list[ast.expr]:
    """Its positional arguments, and both sides of `code or "E2202"`."""
    return [each for given in call.args for each in (given.values if isinstance(given, ast.BoolOp) else [given])]
