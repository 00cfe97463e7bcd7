"""`linnet ge lint`: what is wrong with dumps.

In: files, `-` for stdin.  Out: one line a finding, `FILE:LINE: CODE node `NAME`: ...`, or with `--json` the document `ge-lint-1`.  The exit
status is 1 where there is a problem, or a file is no dump; notes do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.cli.options import Indent
from linnet_core.errors import LinnetError, UsageError

if TYPE_CHECKING:
    from linnet_ge.commands.tables import Page
    from linnet_ge.formats.files import Opened
    from linnet_ge.tools.findings import Finding

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Dumps of any format; `-` reads stdin.")]
Json = Annotated[bool, typer.Option("--json", help="Print the findings as JSON, schema ge-lint-1.")]
Notes = Annotated[bool, typer.Option("--notes/--no-notes", help="Say what is in doubt or unused, too.")]
#: As many lines are printed of each rule and file; the document has all.
MOST = 20


def command(files: Files, *, notes: Notes = True, json: Json = False, indent: Indent = False) -> None:
    """Check dumps: names, edges, counts of users, cycles, indices of inputs, graphs."""
    from linnet_core.cli.output import say
    from linnet_ge.commands.tables import Page
    from linnet_ge.commands.writing import print_json
    from linnet_ge.formats.files import open_dump
    from linnet_ge.tools.lint import lint

    failed = False
    documents: list[dict[str, Any]] = []
    page = Page()
    for file in files:
        try:
            opened = open_dump(file)
        except UsageError:
            raise
        except LinnetError as error:
            failed = True
            say(f"linnet: {error}")
            continue
        found = [one for one in lint(opened) if notes or one.severity == "problem"]
        failed = failed or any(one.severity == "problem" for one in found)
        if json:
            documents.append(_document(opened, found))
        else:
            show(page, opened, found)
    if json:
        print_json({"version": 1, "format": "ge-lint", "files": documents}, "ge-lint-1", indent)
    else:
        page.print()
    if failed:
        raise typer.Exit(1)


def _document(opened: Opened, found: list[Finding]) -> dict[str, Any]:
    from msgspec import to_builtins

    findings = [{**to_builtins(one), "severity": one.severity} for one in found]
    return {"file": opened.file, "kind": opened.dump.kind, "findings": findings}


def show(page: Page, opened: Opened, found: list[Finding]) -> None:
    """One line a finding, then how many there were."""
    from collections import Counter

    from linnet_ge.commands.tables import counted

    printed: Counter[str] = Counter()
    for one in found:
        printed[one.code] += 1
        if printed[one.code] <= MOST:
            place = ":".join(str(part) for part in (opened.file, one.line) if part is not None)
            graph = f"graph `{one.graph}`: " if one.graph is not None and len(opened.dump.graphs) > 1 else ""
            node = f"node `{one.node}`: " if one.node is not None else ""
            note = "note: " if one.severity == "note" else ""
            page.line(f"{place}: {one.code} {note}{graph}{node}{one.message}", "" if note else "red")
    for code, count in sorted(printed.items()):
        if count > MOST:
            page.line(f"{opened.file}: {code} {count - MOST} more (`--json` has all)")
    problems = sum(one.severity == "problem" for one in found)
    rest = len(found) - problems
    words = [counted(problems, "problem")] * bool(problems or not rest) + [counted(rest, "note")] * bool(rest)
    page.line(f"{opened.file}: {', '.join(words) if problems or rest else 'no problems'}", "bold")
