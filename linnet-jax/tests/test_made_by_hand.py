"""The comparison the other tests rest on sees every kind of difference, and two targets that disagree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from made_by_hand import Hand, assert_agree, difference

from linnet_core.graph.calls import Elementwise, Operand

NAN, INF = float("nan"), float("inf")


def f32(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


@pytest.mark.parametrize(
    ("given", "wanted", "tolerance"),
    [
        pytest.param(f32(0.0), f32(-0.0), None, id="sign of zero"),
        pytest.param(f32(1.0), np.array([1.0]), None, id="dtype"),
        pytest.param(f32(1.0), f32(1.0).reshape(1, 1), None, id="shape"),
        pytest.param(np.array([1]), np.array([2]), 1.0, id="integers are never near"),
        pytest.param(f32(1.0), np.nextafter(f32(1.0), f32(2.0)), None, id="the last bit"),
        pytest.param(f32(1.1), f32(1.0), 1e-2, id="beyond the tolerance"),
        pytest.param(f32(NAN), f32(1.0), 1e-2, id="nan is near nothing"),
        pytest.param(f32(1.0), f32(NAN), 1e-2, id="nothing is near nan"),
        pytest.param(f32(INF), f32(1.0), 1e-2, id="inf is near nothing"),
        pytest.param(f32(-INF), f32(INF), 1e-2, id="other infinity"),
    ],
)
def test_a_difference_is_seen(given: np.ndarray, wanted: np.ndarray, tolerance: float | None) -> None:
    assert difference(given, wanted, tolerance) is not None


@pytest.mark.parametrize(
    ("given", "wanted", "tolerance"),
    [
        pytest.param(f32(NAN, -0.0, INF), f32(NAN, -0.0, INF), None, id="bit for bit"),
        pytest.param(f32(1.001, INF, NAN), f32(1.0, INF, NAN), 1e-2, id="near"),
        pytest.param(f32(), f32(), None, id="nothing"),
    ],
)
def test_agreement_is_seen(given: np.ndarray, wanted: np.ndarray, tolerance: float | None) -> None:
    assert difference(given, wanted, tolerance) is None


def test_targets_that_disagree_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(hand: Hand, x: list[Operand]) -> Any:
        return hand(Elementwise(kind="neg", shape=(2,), dtype="f32", operands=(x[0],)))

    assert_agree(build, [f32(1.0, 2.0)])
    monkeypatch.setattr("made_by_hand.on_numpy", lambda *_: [f32(-1.0, 2.0)])
    with pytest.raises(AssertionError, match=r"array\(\[-1\., -2\.\]"):
        assert_agree(build, [f32(1.0, 2.0)])
