"""The numpy target: takes calls, and declines all but exact library calls.

In: calls of one entry.  Out: names, or why a call is declined; and Python source with `constants` and `main`, which `source.py` makes.
"""

from __future__ import annotations

from linnet_core.graph.calls import Call, LaunchKernel, NativeCall
from linnet_core.graph.target import Capabilities
from linnet_core.python_source.target import SourceTarget
from linnet_core.targets.numpy.emit import native


class NumpyTarget(SourceTarget):
    """Prints straight-line NumPy.  `numerics` changes only what the exporter offers; `prepare` says that weights are prepared once,
    `unroll` that a block body which repeats is printed for each layer."""

    name: str = "numpy"
    capabilities: Capabilities = Capabilities(broadcasts_elementwise=True, supports_while=True, supports_counted=True)

    def __init__(self, numerics: str, *, prepare: bool = False, unroll: bool = False) -> None:
        super().__init__()
        self.numerics = numerics
        self.prepare = prepare
        self.unroll = unroll

    def declines(self, call: Call) -> str | None:
        """Kernels, and library calls that may round differently from their bodies."""
        match call:
            case NativeCall():
                return native.declines(call)
            case LaunchKernel():
                return "kernels are not written by this target"
        return None

    def source(self) -> str:
        """The module's text."""
        from linnet_core.targets.numpy.source import source  # all that prints; where calls are only recorded, it is not wanted

        return source(self)
