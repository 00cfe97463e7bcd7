"""The torch target: takes calls, says which it declines, and prints the module.

In: calls of one entry.  Out: Python source with `constants` and `main`.  Passes run over the list of steps in this order: spell, prune, constants, in place,
release; then the text is written, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from linnet_core.graph.calls import Call, Contract, LaunchKernel, NativeCall, ResultType
from linnet_core.graph.target import Capabilities
from linnet_core.python_source.constants import split_constants
from linnet_core.python_source.prune import prune
from linnet_core.python_source.target import SourceTarget
from linnet_torch.emit import contract, native
from linnet_torch.module import Entry, module_text
from linnet_torch.passes.in_place import write_in_place
from linnet_torch.passes.spell import spell
from linnet_torch.writer import Writer

if TYPE_CHECKING:
    from linnet_core.python_source.steps import Step


class TorchTarget(SourceTarget):
    """Prints straight-line PyTorch.  `numerics` is `exact`, `equivalent` or `fast`."""

    name: ClassVar[str] = "torch"
    capabilities: ClassVar[Capabilities] = Capabilities(broadcasts_elementwise=True, supports_while=True, supports_counted=True)

    def __init__(self, numerics: str) -> None:
        super().__init__()
        self._numerics = numerics

    def declines(self, call: Call) -> str | None:
        """Contractions with more axes than letters, kernels, and library calls `emit/native.py` does not write."""
        match call:
            case Contract():
                return contract.declines(call)
            case NativeCall():
                return native.declines(call, self.scalars)
            case LaunchKernel():
                return "kernels are not written by this target"
        return None

    def source(self) -> str:
        """The module's text."""
        steps = prune(spell(self.steps, self.scalars, self._numerics))
        hoisted, body = split_constants(steps)
        body, in_place = write_in_place(body)
        entry = Entry(self.inputs, self.parameters, self.states, hoisted, body, in_place)
        return module_text(entry, Writer(self.scalars, self._all_types(steps), self._numerics))

    def _all_types(self, steps: list[Step]) -> dict[str, ResultType]:
        types = dict(self.types)
        for step in steps:
            types.update(zip(step.results, step.call.result_types(), strict=True))
        return types
