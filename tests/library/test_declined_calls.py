"""A library call is taken, or it is declined with a reason and the op's body is what runs.

That what runs is right the other tests of this folder hold, on every policy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from every_case import CASES
from running import program

from linnet_core.ir.library_calls import LIBRARY_CALLS, LibraryCall, Numerics

if TYPE_CHECKING:
    from pathlib import Path

_POLICIES: dict[str, Numerics] = {"exact": "exact", "ieee-equivalent": "equivalent", "numerically-equivalent": "equivalent"}
_MODULES = ("std.quant", "std.nn.loss", "std.nn.moe", "std.nn.parallel")
ROWS = [pytest.param(row, id=f"{row.op} {row.implementation}") for row in LIBRARY_CALLS if row.op.split("::")[0] in _MODULES]


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("row", ROWS)
def test_a_library_call_is_taken_or_its_body_runs(target: str, row: LibraryCall, tmp_path: Path) -> None:
    module, name = row.op.removeprefix("std.").split("::")
    case = next(case for case in CASES if case.use == f"{module}::{{{name}}}")
    path = tmp_path / "case.linnet"
    path.write_text(case.program("bf16"), encoding="utf-8")
    one = program(target, str(path), entry="run", numerics=_POLICIES.get(row.legality, "fast"))
    reasons = {reason for implementation, reason in one.declined if implementation == row.implementation}
    assert (row.implementation in one.taken) != (len(reasons) == 1)
    assert all(reasons)


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_inputs_are_taken_in_order_by_the_library(target: str, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.use == "quant::{take_inputs}")
    path = tmp_path / "case.linnet"
    path.write_text(case.program("bf16"), encoding="utf-8")
    one = program(target, str(path), entry="run", numerics="exact")
    assert (one.taken, one.declined) == (("torch.index_select",), ())
