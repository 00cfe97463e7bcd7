"""Cases in text files: `===` and a name, text as it is written, `---`, text as it is formatted.

In: the name of a file beside this one.  Out: parameters of a test, `before` and `after`, named.
"""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def cases(name: str) -> list[object]:
    """The cases of a file, in order."""
    _, *parts = (HERE / name).read_text(encoding="utf-8").split("\n=== ")
    return [_case(part) for part in parts]


def _case(part: str) -> object:
    """One case; the line end before `---` and an empty line at the end belong to neither text."""
    name, _, texts = part.partition("\n")
    before, _, after = texts.partition("\n---\n")
    return pytest.param(before, after.rstrip("\n") + "\n", id=name)
