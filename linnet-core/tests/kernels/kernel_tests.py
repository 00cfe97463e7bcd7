"""What a target's tests of kernels share: the programs, run once in one process, and documents of launches.

In: a target's name or the target.  Out: case -> what `kernel_runs.py` says of it, and how many kernels ran; documents as JSON values.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kernel_programs import NOT_SAID, program

from linnet_core.graph.document import decode, document
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.replay import replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.target import Target

HERE = Path(__file__).parent


def run_all(target: str) -> dict[str, Any]:
    """Every program on the target."""
    command = [sys.executable, str(HERE / "kernel_runs.py"), target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "ran": done.stderr.count("ran\n")}


def check(found: dict[str, Any], case: str, refusals: list[str | None]) -> None:
    """A kernel computes what it says and what the op's body does, a replay prints the same, and it is launched or not as is due."""
    assert found.get("failure") is None
    assert found["refusals"] == refusals
    assert found["same"]
    assert found["said"] is (case not in NOT_SAID)
    assert all(found["dtypes"])
    assert found["replays"]


def check_gradients(found: dict[str, Any]) -> None:
    """The body is differentiated, or the op's own gradient taken, also by `--grad`; ranges of the graph give what it gives."""
    for given in (found["gradients"], found["by_option"]):
        for gradient, due in zip(given, found["due"], strict=True):
            assert gradient == pytest.approx(due, rel=1e-6)
    assert found["refused_by_option"] == ["a gradient is that of the op's own body"] * 2
    assert found["sliced"]


def recorded(text: str, bindings: dict[str, Any], make: Callable[[], Target]) -> dict[str, Any]:
    """The document of the export."""
    return document(export(program(text), ExportRequest(bindings=bindings), make()).graph)


def launches(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The `launch_kernel` nodes, those of calls too."""
    return [found for node in nodes for found in ([node] if node["op"] == "launch_kernel" else launches(node.get("body", [])))]


def replayed(graph: dict[str, Any], target: Target) -> str:
    """The source of a document that was perhaps edited."""
    replay(decode(json.dumps(graph).encode()), target)
    return target.source()
