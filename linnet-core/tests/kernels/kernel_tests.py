"""What a target's tests of kernels share: the programs, run once in one process.

In: a target's name.  Out: case -> what `kernel_runs.py` says of it, and how many kernels ran.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def run_all(target: str) -> dict[str, Any]:
    """Every program on the target."""
    command = [sys.executable, str(HERE / "kernel_runs.py"), target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "ran": done.stderr.count("ran\n")}


def check(found: dict[str, Any], refusals: list[str | None]) -> None:
    """A kernel computes what the op's body does, a replay prints the same, and it is launched or not as is due."""
    assert found.get("failure") is None
    assert found["refusals"] == refusals
    assert found["same"]
    assert all(found["dtypes"])
    assert found["replays"]
