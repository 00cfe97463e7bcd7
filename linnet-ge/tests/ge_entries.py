"""Entries on their way to GE: what records the calls of one, and a plugin for linnet's conformance kit that computes what was written.

In: calls.  Out: the graph, or results computed from the dump made of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ge_machine
import numpy as np

from linnet_core.graph.calls import Call
from linnet_core.graph.nodes import Graph
from linnet_core.graph.record import Recorder
from linnet_core.graph.target import Capabilities, Declined
from linnet_core.plugins import TargetPlugin
from linnet_ge.from_graph.build import dump_of


class Taking:
    """A target that takes everything but library calls and kernels that are not in `takes`."""

    name = "taking"
    capabilities = Capabilities(broadcasts_elementwise=True, supports_while=True, supports_counted=True)

    def __init__(self, takes: frozenset[str] = frozenset()) -> None:
        self.takes = takes
        self.made = 0

    def emit(self, call: Call, regions: Mapping[str, Any] | None = None) -> tuple[str, ...] | Declined:
        """A fresh name a result."""
        if call.op in ("native_call", "launch_kernel") and getattr(call, "implementation", "") not in self.takes:
            return Declined("it is not taken here")
        self.made += len(call.result_types())
        return tuple(f"v{self.made - at}" for at in range(len(call.result_types())))

    def begin_call(self, header: Any) -> None:
        """Nothing."""

    def end_call(self, results: Any) -> None:
        """Nothing."""

    def source(self) -> str:
        """Nothing."""
        return ""


class _Recorded(Recorder):
    def source(self) -> str:
        """A name for the graph, which `_run` is given.

        A document would not do: the kit's calls spread operands as targets may, and documents say the spread shapes.
        """
        _GRAPHS.append(self.graph())
        return str(len(_GRAPHS) - 1)


_GRAPHS: list[Graph] = []


def _run(source: str, inputs: Sequence[np.ndarray], parameters: Sequence[np.ndarray], states: Sequence[np.ndarray]) -> list[np.ndarray]:
    return ge_machine.results(dump_of(_GRAPHS[int(source)]), [*inputs, *parameters, *states])


PLUGIN = TargetPlugin("ge-machine", "what is written for GE, computed", ".txt", lambda options: _Recorded(Taking()), run=_run)


def exported(text: str, folder: Path, takes: frozenset[str] = frozenset(), **request: Any) -> Graph:
    """The graph of a program's entry."""
    from linnet_core.check.check import check
    from linnet_core.graph.export import ExportRequest, export
    from linnet_core.ir.lower import lower
    from linnet_core.modules.load import load
    from linnet_core.text.diagnostic import Diagnostics

    path = folder / "program.linnet"
    path.write_text("module program\n" + text, encoding="utf-8")
    diagnostics = Diagnostics()
    package = load(str(path), diagnostics=diagnostics)
    diagnostics.raise_errors()
    assert package is not None
    program = check(package, diagnostics)
    diagnostics.raise_errors()
    assert program is not None
    return export(lower(program), ExportRequest(**request), Taking(takes)).graph
