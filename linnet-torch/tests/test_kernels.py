"""Kernels that printed PyTorch launches compute what their ops do, in Triton's interpreter; none is run on a GPU here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "linnet-core" / "tests" / "kernels"))

from kernel_programs import PROGRAMS
from kernel_tests import FOREIGN, check, check_contradicted, check_decline, check_foreign, check_gradients, run_all

from linnet_torch.target import TorchTarget

#: What is not launched, and why.
DECLINED: dict[str, list[str | None]] = {
    "a tile of seven": ["a tile is [7], and Triton's sizes are powers of two"],
    "tanh": ["Triton has no `tanh` of f32 tiles"],
    "floats to integers": ["Triton does not convert f32 to i32 as the language does"],
    "integers to halves": ["Triton does not convert i32 to f16 as the language does"],
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
    check(runs[case], case, DECLINED.get(case) or LAUNCHED.get(case, [None]))


def test_each_kernel_that_is_written_is_launched(runs: dict[str, Any]) -> None:
    launched = [refusal for case in PROGRAMS for refusal in runs[case]["refusals"] if refusal is None]
    # one is left to its body, since Triton's interpreter does not round to bf16
    assert runs["ran"] == len(launched) - 1


def test_gradients_are_those_of_the_body_or_of_the_op(runs: dict[str, Any]) -> None:
    check_gradients(runs["gradients"])


def target() -> TorchTarget:
    return TorchTarget("equivalent")


def test_a_kernel_that_cannot_be_written_is_a_decline_in_the_document() -> None:
    check_decline(target)


@pytest.mark.parametrize(("field", "value"), [*FOREIGN, pytest.param("body", "v0 = tl.load(m0_x)\nimport os", id="import")])
def test_text_that_no_writer_writes_is_not_printed(field: str, value: Any) -> None:
    check_foreign(target, field, value)


def test_a_document_that_says_otherwise_than_the_target_is_refused() -> None:
    check_contradicted(target)
