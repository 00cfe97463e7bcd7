"""The table of operations against what is documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from linnet_core.ir.ops import OPS, WORDS

PAGE = Path(__file__).parents[3] / "docs" / "language" / "core-ir.md"


def documented() -> dict[str, str]:
    """The attributes the page's table gives each kind (several kinds may share a row)."""
    rows: dict[str, str] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            kinds, _, attributes, *_ = line.strip("|").split("|")
            rows |= dict.fromkeys(re.findall(r"`([a-z_.]+)`", kinds), attributes)
    return rows


def test_every_operation_is_documented_and_nothing_else() -> None:
    assert list(documented()) == list(OPS)


@pytest.mark.parametrize("kind", OPS)
def test_attributes_are_documented(kind: str) -> None:
    assert re.findall(r"`([a-z]+)`", documented()[kind]) == [attr.name for attr in OPS[kind].attrs]


@pytest.mark.parametrize("kind", OPS)
def test_a_row_is_consistent(kind: str) -> None:
    row = OPS[kind]
    assert row.most is None or row.least <= row.most
    assert row.leading <= row.least
    assert not row.ends_region or (row.results == 0 and row.effect)
    assert not row.many or row.regions
    names = [attr.name for attr in row.attrs]
    assert len(set(names)) == len(names)
    assert all(words for words in WORDS.values())
