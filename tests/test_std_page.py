"""docs/language/std.md says what the sources of the standard library say.

`pytest tests/test_std_page.py --update` writes it anew.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pages import ROOT
from public_items import Item, about, items, modules

from linnet_core.ir.library_calls import LIBRARY_CALLS, LibraryCall

if TYPE_CHECKING:
    import pytest

PAGE = ROOT / "docs" / "language" / "std.md"

HEAD = """# The standard library

Written anew from the sources by `pytest tests/test_std_page.py --update`; the sources, with the bodies that define every value, are in
`linnet-core/src/linnet_core/std/`.

Of every public item: its signature as written, what it computes, what must hold of its sizes, and which calls of a target's library may
stand for it. A library call is `exact` (the bits of the body), `ieee-equivalent` (but for such as the sign of zero),
`numerically-equivalent` (but for rounding) or `approximate`; `--numerics exact`, `equivalent` and `fast` allow the first, the first three
and all. A target takes a call or declines it; declined, the body is computed. What happens at the edges is in
[semantics.md](semantics.md).
"""


def page() -> str:
    """The whole text."""
    texts = {name: path.read_text(encoding="utf-8") for name, path in modules().items()}
    contents = "\n".join(
        f"- [{name}](#{anchor(name)}): {', '.join(f'`{item.name}`' for item in items(text))}" for name, text in texts.items()
    )
    return "\n".join([HEAD, contents, *(section(name, text) for name, text in texts.items())])


def section(module: str, text: str) -> str:
    """A module and its items."""
    return "\n".join([f"\n## {module}\n\n{about(text)}", *(entry(module, item) for item in items(text))])


def entry(module: str, item: Item) -> str:
    """An item: signature, documentation, preconditions, library calls."""
    lines = [item.head, *(f"    {line}" for member in item.members for line in member.splitlines())]
    parts = [f"\n### {item.name}\n", "```text", *lines, "```", "", item.doc]
    if required := preconditions(item.head):
        parts += ["", f"Requires {', '.join(f'`{fact}`' for fact in required)}."]
    calls = [library_call(row) for row in LIBRARY_CALLS if row.op == f"{module}::{item.name}"]
    return "\n".join([*parts, *(["", "Library calls:", "", *calls] if calls else [])])


def preconditions(head: str) -> list[str]:
    """The facts of the where clause."""
    _, found, facts = " ".join(head.split()).partition(" where ")
    return [fact.strip() for fact in facts.split(",") if fact.strip()] if found else []


def library_call(row: LibraryCall) -> str:
    """One row of the table of library calls."""
    requirements = f": {'; '.join(row.requirements)}" if row.requirements else ""
    return f"- `{row.implementation}`, {row.legality}{requirements}"


def anchor(heading: str) -> str:
    """The name of a heading in a link."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_the_page_is_what_the_sources_say(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update"):
        PAGE.write_text(page() + "\n", encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page() + "\n", "write it anew with --update"


def test_every_library_call_of_the_table_is_on_the_page() -> None:
    text = page()
    there = {f"{module}::{item.name}" for module, path in modules().items() for item in items(path.read_text(encoding="utf-8"))}
    assert [row.op for row in LIBRARY_CALLS if row.op not in there] == []
    assert [row.implementation for row in LIBRARY_CALLS if f"- `{row.implementation}`, {row.legality}" not in text] == []


def test_an_entry_says_everything() -> None:
    item = Item("op", "conv1d", "`y = x`", "pub op conv1d<\n    K: Dim,\n>()\nwhere K > 0, K % 2 == 0", ("param w: f32",))
    text = entry("std.nn.conv", item)
    assert text.startswith(
        "\n### conv1d\n\n```text\npub op conv1d<\n    K: Dim,\n>()\nwhere K > 0, K % 2 == 0\n    param w: f32\n```\n\n`y = x`\n"
    )
    assert "Requires `K > 0`, `K % 2 == 0`." in text
    assert text.endswith("- `torch.nn.functional.conv1d`, numerically-equivalent: Stride and Pad are known")
