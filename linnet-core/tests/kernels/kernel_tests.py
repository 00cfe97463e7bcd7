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
from kernel_programs import ADD, NOT_SAID, SOFTMAX, program

from linnet_core.errors import DocumentError
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


#: Fields of a program, and text that no writer writes.
FOREIGN = [
    pytest.param("body", "v0 = __builtins__", id="dunder"),
    pytest.param("body", "v0 = pl.tl.os.system(m0_x)", id="attribute"),
    pytest.param("body", "v0 = torch.load(m0_x)", id="another module"),
    pytest.param("body", "", id="nothing"),
    pytest.param("parameters", ["m0_x", "m1_y", "m2_s", "m3_z=print()"], id="parameter"),
]


def check_decline(make: Callable[[], Target]) -> None:
    """A kernel that cannot be written is a decline in the document, and its replay launches nothing."""
    graph = recorded(SOFTMAX, {"R": 3, "C": 7}, make)
    (launch,) = launches(graph["nodes"])
    assert launch["declined"] is True
    assert launch["program"] == {"parameters": ["m0_x", "m1_y"], "body": "", "atomics": {}}
    assert launch["results"] == []
    assert "_launch" not in replayed(graph, make())


def check_foreign(make: Callable[[], Target], field: str, value: Any) -> None:
    """A document with such text in a program is refused."""
    graph = recorded(ADD, {"N": 13, "T": "f32"}, make)
    (launch,) = launches(graph["nodes"])
    launch["program"][field] = value
    with pytest.raises(DocumentError, match=rf"nodes\[\d+\]\.body\[0\]\.program\.{field}.*launch_kernel which the document says was taken"):
        replayed(graph, make())


def check_contradicted(make: Callable[[], Target]) -> None:
    """A document whose launch has no body, or one that gives nothing, is refused."""
    graph = recorded(SOFTMAX, {"R": 3, "C": 8}, make)
    (launch,) = launches(graph["nodes"])
    (region,) = launch.pop("regions")
    with pytest.raises(DocumentError, match=r"no node makes this value"):
        replayed(graph, make())
    launch["regions"] = [{**region, "results": []}]
    with pytest.raises(DocumentError, match=r"nodes\[\d+\]\.body\[0\]\.regions\[0\]\.results: 1 results are due, not 0"):
        replayed(graph, make())
