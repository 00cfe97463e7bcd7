"""The target an entry is recorded for when no other is named: it takes the library calls that GE has operations for.

In: calls of one entry.  Out: their results' names, or why the Graph Engine has no operation for one, so that the op's own body follows.
It has no text of its own: the recording is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import UsageError
from linnet_core.graph.calls import LaunchKernel, NativeCall
from linnet_core.graph.target import Capabilities
from linnet_core.python_source.target import SourceTarget
from linnet_ge.from_graph.native import fault

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call


class GraphEngineTarget(SourceTarget):
    """Names results and declines what GE has no operation for."""

    name: str = "ge"
    capabilities: Capabilities = Capabilities(
        broadcasts_elementwise=True,
        supports_while=True,
        supports_counted=True,
        supports_remat=True,
        supports_placement=True,
    )

    def declines(self, call: Call) -> str | None:
        """Library calls without an operation, and kernels."""
        match call:
            case NativeCall():
                return fault(call, self.scalars)
            case LaunchKernel():
                return "the Graph Engine launches no kernels"
        return None

    def source(self) -> str:
        """Raises `UsageError`: what was recorded is what a dump shows."""
        raise UsageError("the target `ge` prints no source; `--dump ge-readable` prints the graph")
