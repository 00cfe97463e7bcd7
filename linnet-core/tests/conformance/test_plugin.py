"""The kit as other packages run it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KIT = ("-m", "pytest", "-q", "-p", "linnet_core.conformance.plugin", "--pyargs", "linnet_core.conformance", "-p", "no:cacheprovider")


def kit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *KIT, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_it_runs_on_a_target_by_name(tmp_path: Path) -> None:
    done = kit(tmp_path, "--linnet-target", "numpy", "-k", "test_case and constant")
    assert (done.returncode, done.stdout.splitlines()[-1].partition(",")[0]) == (0, "13 passed")


def test_a_target_there_is_not_is_an_error_of_usage(tmp_path: Path) -> None:
    done = kit(tmp_path, "--linnet-target", "nothing")
    assert done.returncode == 4
    assert "the target `nothing` is not installed; there are: " in done.stderr
