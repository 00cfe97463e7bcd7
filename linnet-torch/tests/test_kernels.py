"""Kernels that printed PyTorch launches compute what their ops do, in Triton's interpreter; none is run on a GPU here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from kernel_programs import PROGRAMS

HERE = Path(__file__).parent
#: What cannot be written, and why.
DECLINED = {"a tile of seven": "a tile is [7], and Triton's sizes are powers of two"}


@pytest.fixture(scope="module")
def runs() -> dict[str, Any]:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    pytest.importorskip("triton", reason="Triton is not installed, and its interpreter runs these kernels")
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    done = subprocess.run([sys.executable, str(HERE / "kernel_runs.py")], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "ran": done.stderr.count("ran\n")}


@pytest.mark.parametrize("case", PROGRAMS)
def test_a_kernel_computes_what_its_op_does(runs: dict[str, Any], case: str) -> None:
    found = runs[case]
    assert found["refusals"] == [DECLINED.get(case)]
    assert found["same"]
    assert all(found["dtypes"])
    assert found["replays"]


def test_each_kernel_that_is_written_is_launched(runs: dict[str, Any]) -> None:
    assert runs["ran"] == len(PROGRAMS) - len(DECLINED)
