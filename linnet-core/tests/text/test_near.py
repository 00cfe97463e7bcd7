"""Names that are nearly meant: nearest first, and soon found among very many."""

from __future__ import annotations

import random

import pytest

from linnet_core.text import near
from linnet_core.text.near import near_names


def test_the_nearest_come_first() -> None:
    assert near_names("sofmax", ["softmax", "softmin", "max"]) == ["softmax"]


def test_of_very_many_names_a_bounded_number_is_compared(monkeypatch) -> None:
    compared: list[str] = []
    real = near._distance
    monkeypatch.setattr(near, "_distance", lambda left, right, limit: compared.append(right) or real(left, right, limit))
    known = [f"some_function_name_{n}" for n in range(5000)]
    assert near_names("some_functon_name_12", known)[0] == "some_function_name_12"
    assert len(compared) <= 200


@pytest.mark.parametrize(
    ("left", "right", "edits"),
    [
        pytest.param("softmax", "softmax", 0, id="none"),
        pytest.param("softmax", "sofmax", 1, id="a letter less"),
        pytest.param("softmax", "softtmax", 1, id="a letter more"),
        pytest.param("softmax", "softmex", 1, id="a change"),
        pytest.param("softmax", "sotfmax", 1, id="a swap"),
        pytest.param("softmax", "osftmxa", 2, id="two swaps"),
        pytest.param("softmax", "ftmaxes", 4, id="beyond the limit"),
        pytest.param("ab", "cdefg", 4, id="another length"),
        pytest.param("", "abc", 3, id="nothing"),
        pytest.param("abc", "", 3, id="to nothing"),
    ],
)
def test_edits_are_counted_up_to_the_limit(left, right, edits) -> None:
    assert near._distance(left, right, 3) == edits


@pytest.mark.parametrize("seed", range(3))
def test_the_limit_changes_no_count_within_it(seed) -> None:
    draw = random.Random(seed)
    for _ in range(300):
        left, right = ("".join(draw.choices("abc", k=draw.randrange(7))) for _ in range(2))
        assert near._distance(left, right, 2) == min(near._distance(left, right, 9), 3)


def test_very_long_names_are_compared() -> None:
    name = "x" * 100_000
    assert near_names(name + "y", [name, name[3:] + "zzz", "y" * 100_000]) == [name]
