"""A bar on a terminal's stderr, nothing anywhere else."""

from __future__ import annotations

import io

import pytest

from linnet_ge.commands.progress import progress


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, count: int) -> str:
    stream = Stream(terminal)
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress(count, "reading [/b] dumps") as done:
        for _ in range(count):
            done()
    return stream.getvalue()


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, terminal=True, count=3)
    assert "reading [/b] dumps" in text
    assert "3/3" in text


def test_nothing_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert shown(monkeypatch, terminal=False, count=3) == ""
    assert shown(monkeypatch, terminal=True, count=1) == ""
