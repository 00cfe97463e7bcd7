"""Tables on a terminal and in a pipe; names of files reach neither raw, and no word is taken for markup."""

from __future__ import annotations

import io

import pytest

from linnet_ge.commands.tables import Column, Page, byte_words, counted

COLUMNS = [Column("name"), Column("count", right=True)]
ROWS = [("a[/b]:cat:", 1), ("x\x1b[2J\n", 12)]


class Stream(io.TextIOWrapper):
    """A stdout that is a terminal, or not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def printed(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> str:
    stream = Stream(terminal)
    monkeypatch.setattr("sys.stdout", stream)
    page = Page()
    page.line("a\ttitle", "bold")
    page.table(COLUMNS, ROWS, indent=2)
    page.table(COLUMNS, [])
    page.print()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]  # a BytesIO


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "40")


def test_a_pipe_gets_plain_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "1")
    monkeypatch.setenv("COLUMNS", "5")
    assert printed(monkeypatch, False) == "a\\ttitle\n  name        count\n  a[/b]:cat:      1\n  x\\x1b[2J\\n     12\n"


def test_a_terminal_gets_a_table_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    text = printed(monkeypatch, True)
    assert "a[/b]:cat:" in text
    assert "x\\x1b[2J\\n" in text
    assert "\x1b[1ma\\ttitle\x1b[0m" in text
    assert "\x1b[2J" not in text


def test_colour_can_be_switched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in printed(monkeypatch, True)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1m" in printed(monkeypatch, False)


def test_a_narrow_terminal_gets_whole_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "10")
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(monkeypatch, True) == printed(monkeypatch, False)


def test_words_for_numbers() -> None:
    assert [counted(1, "node"), counted(0, "node")] == ["1 node", "0 nodes"]
    assert [byte_words(512), byte_words(1536), byte_words(5 << 40)] == ["512 B", "1.5 KiB", "5120.0 GiB"]
