"""Every diagnostic code has a page, and what the page shows is true: the wrong program gives the text shown, the repaired one is clean.

A page is `docs/language/diagnostics/CODE.md`; docs/language/diagnostics/README.md says how one is written.  The text that is shown is
rewritten by `pytest tests/test_diagnostic_pages.py --update`; the difference is for a person to look at.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from msgspec import Struct
from pages import ROOT, Block, Command, blocks, commands, links

from linnet_core.cli.app import run
from linnet_core.syntax.format.door import format_text
from linnet_core.text.codes import CODES

FOLDER = ROOT / "docs" / "language" / "diagnostics"
#: The name of a program that no line before its block names.
MODEL = "model.linnet"
FILES = ("linnet", "toml")


class Section(Struct, frozen=True):
    """What stands under one heading: the files it writes and the commands it shows."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def files(self) -> dict[str, str]:
        """The text of each file by its name."""
        return {block.name or MODEL: block.text for block in self.blocks if block.language in FILES}

    @property
    def consoles(self) -> list[Block]:
        """The blocks with a command and what it prints."""
        return [block for block in self.blocks if block.language == "console"]


def sections(text: str) -> list[Section]:
    """The parts of a page that begin with `## Wrong...` and `## Repaired...`, in order."""
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)[1:]
    return [Section(title, tuple(blocks(part))) for title, part in zip(parts[::2], parts[1::2], strict=True)]


def examples(text: str) -> list[tuple[Section, Section]]:
    """Each wrong program with the repaired one below it."""
    found = sections(text)
    return list(zip(found[::2], found[1::2], strict=True))


def write(files: dict[str, str], folder: Path) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def linnet(command: str) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a command line that begins with `linnet`, run here."""
    program, *arguments = shlex.split(command)
    assert program == "linnet", command
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(arguments)
    return status, out.getvalue(), err.getvalue()


def only_command(section: Section) -> Command:
    """The one command that a section shows."""
    (block,) = section.consoles
    (command,) = commands(block)
    return command


def page_of(code: str) -> str:
    return (FOLDER / f"{code}.md").read_text(encoding="utf-8")


def written_pages() -> list[str]:
    """The names of the pages there are, without the one about them."""
    return sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no variable that changes what is printed."""
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "LINNET_STD"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert written_pages() == sorted(CODES)


@pytest.mark.parametrize("code", written_pages())
def test_a_page_is_named_by_its_code_and_the_meaning_in_the_table(code: str) -> None:
    assert page_of(code).startswith(f"# {code}: {CODES[code].meaning}\n")


@pytest.mark.parametrize("code", written_pages())
def test_a_page_says_what_the_code_means_and_has_pairs_of_wrong_and_repaired(code: str) -> None:
    text = page_of(code)
    meaning = text.partition("\n")[2].partition("\n## ")[0]
    assert len(meaning.split()) >= 15, "say what the code means and why there is the rule"
    headings = [section.title for section in sections(text)]
    assert headings
    assert len(headings) == len(set(headings)), "tell the pairs apart: `Wrong: a tuple`"
    titles = [heading.partition(":")[0] for heading in headings]
    assert titles == ["Wrong", "Repaired"] * (len(titles) // 2)


@pytest.mark.parametrize("code", written_pages())
def test_the_wrong_program_gives_the_text_that_is_shown(code: str, desk: Path, request: pytest.FixtureRequest) -> None:
    for number, (wrong, _) in enumerate(examples(page_of(code))):
        folder = desk / str(number)
        write(wrong.files, folder)
        shown = only_command(wrong)
        with contextlib.chdir(folder):
            status, out, err = linnet(shown.command)
        if request.config.getoption("--update"):
            rewrite(code, wrong, err)
            shown = Command(shown.command, err)
        assert (status, out) == (1, "")
        assert err == shown.output
        assert re.findall(r"^(?:error|warning) (\w+):", err, re.MULTILINE) == [code], "one root cause gives one error"
        assert re.search("^ += help: ", err, re.MULTILINE), "a diagnostic says how to repair the program"


def rewrite(code: str, section: Section, printed: str) -> None:
    """Put what is printed now into the page."""
    (block,) = section.consoles
    (command,) = commands(block)
    path = FOLDER / f"{code}.md"
    before, heading, rest = path.read_text(encoding="utf-8").partition(f"## {section.title}\n")
    rest = rest.replace(f"$ {command.command}\n{command.output}```", f"$ {command.command}\n{printed}```", 1)
    path.write_text(before + heading + rest, encoding="utf-8", newline="\n")


@pytest.mark.parametrize("code", written_pages())
def test_the_repaired_program_is_clean(code: str, desk: Path) -> None:
    for number, (wrong, repaired) in enumerate(examples(page_of(code))):
        folder = desk / str(number)
        write({**wrong.files, **repaired.files}, folder)
        command = only_command(repaired if repaired.consoles else wrong).command
        with contextlib.chdir(folder):
            assert linnet(f"linnet check --strict {shlex.split(command)[-1]}") == (0, "", "")
            status, _, err = linnet(command)
        assert (status, err) == (0, "")
        assert repaired.files or repaired.consoles, "show what is repaired"


@pytest.mark.parametrize("code", written_pages())
def test_the_repaired_program_is_laid_out_as_the_formatter_does(code: str, request: pytest.FixtureRequest) -> None:
    path = FOLDER / f"{code}.md"
    for _, repaired in examples(page_of(code)):
        for name, text in repaired.files.items():
            neat = text if name.endswith(".toml") else format_text(text)
            if request.config.getoption("--update"):
                page = path.read_text(encoding="utf-8").replace(f"```linnet\n{text}```", f"```linnet\n{neat}```")
                path.write_text(page, encoding="utf-8", newline="\n")
            else:
                assert text == neat


def test_the_list_of_codes_links_each_page(request: pytest.FixtureRequest) -> None:
    index = ROOT / "docs" / "language" / "codes.md"
    text = index.read_text(encoding="utf-8")
    linked = re.sub(r"^\| (\w\d{4}) \|", link_of, text, flags=re.MULTILINE)
    if request.config.getoption("--update"):
        index.write_text(linked, encoding="utf-8", newline="\n")
        text = linked
    assert text == linked
    assert [link for link in links(text) if link.startswith("diagnostics/") and not link.endswith(("/", "README.md"))] == [
        f"diagnostics/{code}.md" for code in CODES if code in written_pages()
    ]


def link_of(row: re.Match[str]) -> str:
    """The start of a row of the table, with a link where there is a page."""
    return f"| [{row[1]}](diagnostics/{row[1]}.md) |" if row[1] in written_pages() else row[0]


def without_help(source: str) -> list[str]:
    """The codes that a module reports without a help, in a call that names the code."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and node.args]
    reports = [(node, node.args[0].value) for node in calls if isinstance(node.args[0], ast.Constant)]
    return [
        str(code)
        for node, code in reports
        if code in CODES and len(node.args) > 1 and all(keyword.arg != "help" for keyword in node.keywords)
    ]


def test_every_diagnostic_is_reported_with_a_help() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): without_help(path.read_text(encoding="utf-8")) for path in ROOT.glob("linnet-*/src/**/*.py")
    }
    assert {path: codes for path, codes in found.items() if codes} == {}


# The parts above do what they say.


def test_a_report_without_help_is_found() -> None:
    assert without_help('report("E1201", "m", span)\nreport("E1202", "m", span, help="h")\nDiagnostic("E1203", "m", None)') == [
        "E1201",
        "E1203",
    ]


PAGE = """# E1001: a thing

## Wrong

`src/a.linnet`:

```linnet
module a
```

```console status=1
$ linnet check src/a.linnet
error E1001: a
```

## Repaired: so

```linnet
module b
```
"""


def test_a_page_is_taken_into_its_examples() -> None:
    ((wrong, repaired),) = examples(PAGE)
    assert (wrong.title, wrong.files) == ("Wrong", {"src/a.linnet": "module a\n"})
    assert only_command(wrong) == Command("linnet check src/a.linnet", "error E1001: a\n")
    assert (repaired.title, repaired.files, repaired.consoles) == ("Repaired: so", {MODEL: "module b\n"}, [])


def test_a_command_is_run_and_what_it_prints_is_given(desk: Path) -> None:
    write({MODEL: "module model\n", "bad.linnet": "module\n"}, desk)
    assert linnet(f"linnet check {MODEL}") == (0, "", "")
    status, out, err = linnet("linnet check bad.linnet")
    assert (status, out) == (1, "")
    assert err.startswith("error E1101: ")
