"""The documentation is true: every command prints what is shown, every snippet runs, every path and link exists."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from pages import ROOT, Block, blocks, commands, links, pages, paths, shows

from linnet_core.cli.app import COMMANDS
from linnet_core.plugins import hookspecs
from linnet_core.text.codes import CODES


def named(found: list[Path]) -> list[object]:
    """The pages as parameters of a test."""
    return [pytest.param(page, id=page.relative_to(ROOT).as_posix()) for page in found]


@pytest.fixture
def runtime(page: Path) -> None:
    """What the page of linnet-jax runs needs jax, and so do snippets that import it; what names the dump format needs linnet-ge."""
    if "linnet-jax" in page.parts or any("import jax" in block.text for block in of(page, "python")):
        pytest.importorskip("jax", reason="jax is not installed here; the environment `all` has it")
    if any("ge-readable" in block.text for block in of(page, "console")):
        try:
            distribution("linnet-ge")
        except PackageNotFoundError:
            pytest.skip("linnet-ge is not installed here; the environment `all` has it")


PAGES = named(pages())


def holding(language: str) -> list[object]:
    """The pages with a block of this language; what the page of a diagnostic shows is for `test_diagnostic_pages.py`."""
    return named([page for page in pages() if page.stem not in CODES and of(page, language)])


def of(page: Path, language: str) -> list[Block]:
    return [block for block in blocks(page.read_text(encoding="utf-8")) if block.language == language]


SKIPPED_VARIABLES = ("FORCE_COLOR", "NO_COLOR", "GITHUB_ACTIONS", "COLUMNS")

#: What a fenced block may be: run and compared, run, checked by the checker, or no more than a form.
LANGUAGES = {"console", "python", "linnet", "sh", "", "toml", "json", "text"}


def environment() -> dict[str, str]:
    """Ours without what changes output, with the `linnet` of this interpreter first."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("LINNET_") and k not in SKIPPED_VARIABLES}
    return {**kept, "PATH": os.pathsep.join([os.path.dirname(sys.executable), kept.get("PATH", "")])}


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder that looks like the root of the checkout and may be written to."""
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (tmp_path / entry.name).symlink_to(entry)
    return tmp_path


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder, env=environment(), check=False
    )


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("page", holding("console"))
def test_commands_print_what_is_shown(page: Path, desk: Path) -> None:
    for block in of(page, "console"):
        for one in commands(block):
            done = run(one.command, desk)
            assert done.returncode == block.status, f"{page}:{block.line}: {one.command}\n{done.stdout}"
            assert shows(done.stdout, one.output), f"{page}:{block.line}: {one.command}\nprints\n{done.stdout}"


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("page", holding("python"))
def test_snippets_run(page: Path, desk: Path) -> None:
    code = "\n".join(block.text for block in of(page, "python") if block.file is None)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=desk, env=environment(), check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", holding("linnet"))
def test_programs_check(page: Path, desk: Path) -> None:
    for number, block in enumerate(of(page, "linnet")):
        if block.file is None:
            (desk / f"program{number}.linnet").write_text(block.text, encoding="utf-8")
            done = run(f"linnet check program{number}.linnet", desk)
            assert (done.returncode, done.stdout) == (0, ""), f"{page}:{block.line}"


@pytest.mark.parametrize("page", PAGES)
def test_files_are_shown_as_they_are(page: Path) -> None:
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.file is not None:
            assert shows((ROOT / block.file).read_text(encoding="utf-8"), block.text), f"{page}:{block.line}: {block.file}"


@pytest.mark.parametrize("page", PAGES)
def test_links_and_paths_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    missing = [link for link in links(text) if not (page.parent / link).exists()]
    missing += [path for path in paths(text) if not (ROOT / path).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_it_is(page: Path) -> None:
    assert {block.language for block in blocks(page.read_text(encoding="utf-8"))} <= LANGUAGES


def test_continuous_integration_runs_the_test_command_of_the_readme() -> None:
    lines = [line for block in of(ROOT / "README.md", "sh") for line in block.text.splitlines()]
    assert "pip install tox && tox" in lines
    install, run_tests = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-2:]
    assert install.endswith("pip install --quiet --upgrade pip tox")
    assert run_tests.endswith(" tox")


def test_every_page_of_docs_is_found_from_its_index() -> None:
    index = ROOT / "docs" / "README.md"
    found, pending = set(), [index]
    while pending:
        page = pending.pop()
        if page not in found and page.suffix == ".md":
            found.add(page)
            pending += [(page.parent / link).resolve() for link in links(page.read_text(encoding="utf-8"))]
    assert sorted(set((ROOT / "docs").rglob("*.md")) - found) == []


def hooks() -> list[str]:
    """The names of the hooks, in order."""
    return [name for name in vars(hookspecs) if name.startswith("linnet_")]


@pytest.mark.parametrize("hook", hooks())
def test_a_hook_has_a_page_with_its_signature_and_an_example(hook: str) -> None:
    specification = getattr(hookspecs, hook)
    page = ROOT / "docs" / "plugins" / f"{hook}.md"
    signature = inspect.signature(specification)
    assert of(page, "text")[0].text == f"{hook}({', '.join(signature.parameters)}) -> {signature.return_annotation}\n"
    assert f"def {hook}(" in "".join(block.text for block in of(page, "python"))
    assert "Example:" in specification.__doc__
    assert f"]({hook}.md)" in (page.parent / "README.md").read_text(encoding="utf-8")


def test_every_diagnostic_code_is_documented_with_its_meaning() -> None:
    text = (ROOT / "docs" / "language" / "codes.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if re.match(r"\| \[?[EW]\d{4}\b", line)]
    assert [re.sub(r"\[(\w+)\]\(diagnostics/\1\.md\)", r"\1", row) for row in rows] == [
        f"| {code.code} | {code.meaning} |" for code in CODES.values()
    ]


def test_the_guide_lists_the_standard_library() -> None:
    guide = (ROOT / "docs" / "language" / "guide.md").read_text(encoding="utf-8")
    listed = {row[1]: set(re.findall(r"`(\w+)`", row[2])) for row in re.finditer(r"^\| `(std[\w.]+)` \| (.*) \|$", guide, re.MULTILINE)}
    std = ROOT / "linnet-core" / "src" / "linnet_core" / "std"
    there = {
        ".".join(("std", *file.relative_to(std).with_suffix("").parts)): set(
            re.findall(r"^pub \w+ (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        )
        for file in std.rglob("*.linnet")
    }
    assert there
    assert listed == there


def test_every_diagnostic_code_is_provoked_by_a_test() -> None:
    texts = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("*/tests/**/*.py"))
    assert [code for code in CODES if code not in texts] == []


def test_every_command_and_variable_is_documented() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    sources = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("linnet-*/src/**/*.py"))
    variables = set(re.findall(r"\"(LINNET_[A-Z_]+)\"", sources))
    assert {"LINNET_STD", "LINNET_TRACEBACK"} <= variables
    assert [name for name in sorted(variables) if f"`{name}`" not in text] == []
    assert [name for name in COMMANDS if f"\n  {name} " not in text] == []


# The checks above can fail.

PAGE = """
```console status=1
$ false &&
> true
a ...
...
z
```
<!-- file: docs/map.md -->
```linnet
module m
```
[here](there.md#part) `docs/gone.md` `docs/decisions/NAME.md` `no/path`
"""


def test_a_page_is_taken_apart() -> None:
    console, program = blocks(PAGE)
    assert (console.language, console.status, console.line) == ("console", 1, 2)
    assert [(c.command, c.output) for c in commands(console)] == [("false &&\ntrue", "a ...\n...\nz\n")]
    assert (program.text, program.file) == ("module m\n", "docs/map.md")
    assert links(PAGE) == ["there.md"]
    assert paths(PAGE) == ["docs/gone.md", "docs/decisions/"]


@pytest.mark.parametrize(
    ("output", "shown", "same"),
    [
        pytest.param("a\nb\n", "a\nb\n", True, id="the same"),
        pytest.param("a\nb\n", "a\n", False, id="a line too few"),
        pytest.param("a\nb\n", "a\nc\n", False, id="another line"),
        pytest.param("a\nb\nc\n", "a\n...\nc\n", True, id="an excerpt"),
        pytest.param("a\nb\nc\n", "a\n...\nd\n", False, id="an excerpt of something else"),
        pytest.param("a long line\n", "a long...\n", True, id="the start of a line"),
        pytest.param("a short line\n", "a long...\n", False, id="the start of another line"),
        pytest.param("a.b\n", "axb\n", False, id="no pattern"),
        pytest.param("", "", True, id="nothing"),
        pytest.param("a\n", "", False, id="nothing shown"),
    ],
)
def test_an_output_is_compared(output: str, shown: str, same: bool) -> None:
    assert shows(output, shown) is same
