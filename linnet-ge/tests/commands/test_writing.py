"""The text of dumps goes to a file as it is, and to a terminal without anything that could move its cursor."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from linnet_ge.commands.writing import write_text

HOSTILE = b"%a\x1b[2J\xff\x00 \xe2\x80\xae \xe6\xa8\xa1\r\n\tb\n"


class Stream(io.TextIOWrapper):
    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), "utf-8")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "written"),
    [
        pytest.param(False, HOSTILE, id="a pipe"),
        pytest.param(True, "%a\u241b[2J\ufffd\u2400 \ufffd \u6a21\u240d\n\tb\n".encode(), id="a terminal"),
    ],
)
def test_what_a_terminal_would_obey_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, terminal: bool, written: bytes) -> None:
    stream = Stream(terminal)
    monkeypatch.setattr(sys, "stdout", stream)
    write_text(HOSTILE)
    stream.flush()
    assert stream.buffer.getvalue() == written  # pyright: ignore[reportAttributeAccessIssue]  # of BytesIO
    write_text(HOSTILE, str(tmp_path / "a"))
    assert (tmp_path / "a").read_bytes() == HOSTILE
