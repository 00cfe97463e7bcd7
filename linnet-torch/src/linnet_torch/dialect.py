"""How PyTorch is written, for the shared printer of modules.

In: calls and flags.  Out: expressions, imports, the first lines of `main`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.support import sources
from linnet_torch.emit import WRITERS
from linnet_torch.support import FUNCTIONS

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call
    from linnet_core.python_source.module import Entry
    from linnet_torch.writer import TorchWriter


class TorchDialect:
    """The dialect `torch`."""

    title = "PyTorch"
    constants_parameters = "_device"
    decorators: tuple[str, ...] = ()
    copied = ".clone()"

    def expression(self, writer: TorchWriter, call: Call) -> str:
        """By the table of `emit/`."""
        return WRITERS[type(call)](writer, call)

    def index(self, writer: TorchWriter, number: str) -> str:
        """A tensor on the device."""
        return f"torch.tensor({number}, device={writer.device})"

    def imports(self, flags: frozenset[str]) -> list[str]:
        """torch, and its functional module where it is used."""
        return ["import torch", *(["import torch.nn.functional as F"] if "functional" in flags else [])]

    def prelude(self, entry: Entry, flags: frozenset[str]) -> list[str]:
        """The device is that of the first argument."""
        if "device" not in flags:
            return []
        return [f"_device = {entry.leaves[0]}.device" if entry.leaves else '_device = torch.device("cpu")']

    def support(self, used: frozenset[str]) -> list[str]:
        """By the table of `support.py`."""
        return sources(FUNCTIONS, used)
