"""How PyTorch is written, for the shared printer of modules.

In: calls and flags.  Out: expressions, imports, the first lines of `main`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.dialect import DifferentiableDialect
from linnet_core.python_source.support import sources
from linnet_torch import regions
from linnet_torch.expressions import WRITERS
from linnet_torch.kernels import launch
from linnet_torch.support import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.python_source.module import Entry
    from linnet_core.python_source.outline import Body
    from linnet_core.python_source.region_text import GradientText, Part
    from linnet_core.python_source.regions import Launched
    from linnet_torch.marks import Marks
    from linnet_torch.writer import TorchWriter

#: The names of `main` that functions of the module are given, by the flags that ask for them.
_LOCAL = {"_device": "device", "devices": "devices"}


class TorchDialect(DifferentiableDialect):
    """The dialect `torch`."""

    title = "PyTorch"
    decorators: tuple[str, ...] = ()
    copied = ".clone()"
    metadata: tuple[str, ...] = ()

    def __init__(self, *, placed: bool = False, marks: Marks | None = None) -> None:
        self.constants_parameters = "devices" if placed else "_device"
        self._marks = marks

    def expression(self, writer: TorchWriter, call: Call) -> str:
        """By the table of `emit/`."""
        return WRITERS[type(call)](writer, call)

    def repeated_decorators(self, writer: TorchWriter, body: Body, taken: Sequence[int]) -> tuple[str, ...]:
        """What `marks.py` found."""
        views = None if self._marks is None else self._marks.views(body, taken)
        if views is None:
            return ()
        writer.support.add("_region")
        return (f"@_region({', '.join(map(str, views))})",)

    def index(self, writer: TorchWriter, number: str) -> str:
        """A tensor on the device."""
        return f"torch.tensor({number}, device={writer.device})"

    def imports(self, flags: frozenset[str]) -> list[str]:
        """torch, and its functional module and what computes again where they are used."""
        return [
            "import torch",
            *(["import torch.nn.functional as F"] if "functional" in flags else []),
            *(["from torch.utils.checkpoint import checkpoint"] if "checkpoint" in flags else []),
            *(launch.IMPORTS.strip("\n").split("\n") if "kernels" in flags else []),
        ]

    def prelude(self, entry: Entry, flags: frozenset[str]) -> list[str]:
        """The device is that of the first argument."""
        if "device" not in flags:
            return []
        return [f"_device = {entry.read[0]}.device" if entry.read else '_device = torch.device("cpu")']

    def support(self, used: frozenset[str]) -> list[str]:
        """By the table of `support.py`."""
        return sources(FUNCTIONS, used)

    def own_gradient(self, name: str, text: GradientText) -> list[str]:
        """A function before a `torch.autograd.Function`."""
        return regions.own_gradient(name, text)

    def recomputed(self, writer: TorchWriter, name: str, arguments: Sequence[str]) -> str:
        """`torch.utils.checkpoint.checkpoint`."""
        return regions.recomputed(writer, name, arguments)

    def launched(self, name: str, parameters: Sequence[str], arguments: Sequence[str], body: Part, call: Launched) -> list[str]:
        """A Triton kernel and what launches it."""
        return launch.launched(name, parameters, arguments, body, call)

    def local_names(self, flags: Iterable[str]) -> tuple[str, ...]:
        """The device, or the devices."""
        return tuple([name for name, flag in _LOCAL.items() if flag in flags])

    def local_flags(self, names: Iterable[str]) -> set[str]:
        """Theirs."""
        return {flag for name, flag in _LOCAL.items() if name in names}
