"""Names that are nearly meant: nearest first, and soon found among very many."""

from __future__ import annotations

from linnet_core.text import near
from linnet_core.text.near import near_names


def test_the_nearest_come_first() -> None:
    assert near_names("sofmax", ["softmax", "softmin", "max"]) == ["softmax"]


def test_of_very_many_names_a_bounded_number_is_compared(monkeypatch) -> None:
    compared: list[str] = []
    real = near._distance
    monkeypatch.setattr(near, "_distance", lambda left, right: compared.append(right) or real(left, right))
    known = [f"some_function_name_{n}" for n in range(5000)]
    assert near_names("some_functon_name_12", known)[0] == "some_function_name_12"
    assert len(compared) <= 200
