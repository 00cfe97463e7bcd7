"""Kernels that printed PyTorch launches compute what their ops do, in Triton's interpreter; none is run on a GPU here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "linnet-core" / "tests" / "kernels"))

from kernel_programs import PROGRAMS
from kernel_tests import check, run_all

#: What is not launched, and why.
DECLINED: dict[str, list[str | None]] = {
    "a tile of seven": ["a tile is [7], and Triton's sizes are powers of two"],
    "tanh": ["Triton has no such `elementwise`"],
    "floats to integers": ["Triton has no such `convert`"],
    "integers to halves": ["Triton has no such `convert`"],
    "case: a condition that does not": ["`N % 8 == 0` of kernel `program::rows` does not hold: 4 == 0 is false"],
}
LAUNCHED: dict[str, list[str | None]] = {"case: a package": [None, None]}


@pytest.fixture(scope="module")
def runs() -> dict[str, Any]:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    pytest.importorskip("triton", reason="Triton is not installed, and its interpreter runs these kernels")
    return run_all("torch")


@pytest.mark.parametrize("case", PROGRAMS)
def test_a_kernel_computes_what_its_op_does(runs: dict[str, Any], case: str) -> None:
    check(runs[case], DECLINED.get(case) or LAUNCHED.get(case, [None]))


def test_each_kernel_that_is_written_is_launched(runs: dict[str, Any]) -> None:
    launched = [refusal for case in PROGRAMS for refusal in runs[case]["refusals"] if refusal is None]
    # one is left to its body, since Triton's interpreter does not round to bf16
    assert runs["ran"] == len(launched) - 1
