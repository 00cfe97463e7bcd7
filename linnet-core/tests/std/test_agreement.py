"""The comparison the other tests rest on sees every kind of difference."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import assert_all, differences

NAN, INF = float("nan"), float("inf")


def f32(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


@pytest.mark.parametrize(
    ("given", "wanted", "tolerance"),
    [
        pytest.param(f32(0.0), f32(-0.0), 0.0, id="sign of zero"),
        pytest.param(f32(1.0), f32(NAN), 0.0, id="nan wanted"),
        pytest.param(f32(1.0), np.array([1.0]), 0.0, id="dtype"),
        pytest.param(f32(1.0), f32(1.0).reshape(1, 1), 0.0, id="shape"),
        pytest.param(np.array([1]), np.array([2]), 1.0, id="integers are never near"),
        pytest.param(f32(1.1), f32(1.0), 1e-2, id="beyond the tolerance"),
        pytest.param(f32(NAN), f32(1.0), 1e-2, id="nan is near nothing"),
        pytest.param(f32(1.0), f32(NAN), 1e-2, id="nothing is near nan"),
        pytest.param(f32(INF), f32(1.0), 1e-2, id="inf is near nothing"),
        pytest.param(f32(-INF), f32(INF), 1e-2, id="other infinity"),
        pytest.param(f32(1e30, 1.0), f32(INF, 1.0), 1e-2, id="an infinity widens no limit"),
    ],
)
def test_a_difference_is_seen(given: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    assert differences(given, wanted, tolerance) is not None


@pytest.mark.parametrize(
    ("given", "wanted", "tolerance"),
    [
        pytest.param(f32(NAN, -0.0, INF), f32(NAN, -0.0, INF), 0.0, id="bit for bit"),
        pytest.param(f32(1.001, INF, NAN), f32(1.0, INF, NAN), 1e-2, id="near"),
        pytest.param(f32(100.5, 0.0), f32(100.0, 0.5), 1e-2, id="measured by the largest value"),
        pytest.param(f32(), f32(), 1e-2, id="nothing"),
    ],
)
def test_agreement_is_seen(given: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    assert differences(given, wanted, tolerance) is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param([np.ones(2)], "1 results instead of 2", id="one result too few"),
        pytest.param([np.ones(2), np.ones(2), np.ones(2)], "3 results instead of 2", id="one too many"),
        pytest.param([np.ones(2), np.array([0.0, 0.1])], "result 1: ", id="another value in the second"),
        pytest.param([np.ones(2), np.zeros(2, np.float32)], "result 1: ", id="another dtype"),
    ],
)
def test_a_wrong_list_is_seen(given: list[np.ndarray], message: str) -> None:
    wanted = [np.ones(2), np.zeros(2)]
    assert_all(wanted, wanted)
    with pytest.raises(AssertionError, match=message):
        assert_all(given, wanted, 1e-3)
