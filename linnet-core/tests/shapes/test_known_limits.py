"""The table of what is true and not proved, held both ways: a row that is false is a mistake, one that is proved is to be taken out."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from linnet_core.shapes import Constraint, prove
from linnet_core.shapes.budget import STEPS

PAGE = Path(__file__).parents[3] / "docs" / "language" / "prover.md"
TEXT = PAGE.read_text(encoding="utf-8")
SIZES = range(17)


def _rows() -> list[object]:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("|")]
    found = [(re.findall(r"`([^`]*)`", facts), claim.strip("`")) for facts, claim, _ in rows if claim.startswith("`")]
    return [pytest.param(facts, claim, id=f"{claim} from {' and '.join(facts) or 'nothing'}") for facts, claim in found]


def test_the_page_has_a_table_and_the_number_of_steps() -> None:
    assert len(_rows()) >= 10
    assert TEXT.count(f"{STEPS:,} steps") == 2


@pytest.mark.parametrize(("facts", "goal"), _rows())
def test_a_known_limit_is_true_and_is_not_proved(given, claim, facts, goal) -> None:
    known, constraint = given(*facts), claim(goal)
    assert not _fails_at(constraint, known.constraints)
    assert not prove(constraint, known), "it is proved now: take the row out of the page"


def test_a_false_row_would_be_seen(given, claim) -> None:
    assert _fails_at(claim("A % 4 == 2"), given("A % 2 == 0").constraints)


def _fails_at(claim: Constraint, facts: tuple[Constraint, ...]) -> bool:
    """Whether some small sizes satisfy the facts and not the claim."""
    ids = sorted({id for each in [claim, *facts] for id in each.symbols()})
    for sizes in itertools.product(SIZES, repeat=len(ids)):
        assigned = dict(zip(ids, sizes, strict=True))
        try:
            if all(fact.holds(assigned) for fact in facts) and not claim.holds(assigned):
                return True
        except ZeroDivisionError:
            continue
    return False
