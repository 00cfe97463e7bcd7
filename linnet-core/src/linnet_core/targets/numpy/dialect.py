"""How NumPy is written, for the shared printer of modules.

In: calls and flags.  Out: expressions, imports, and the lines of one arm of an `if`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.module import print_steps
from linnet_core.targets.numpy.calls import Branch
from linnet_core.targets.numpy.emit import WRITERS

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call, Operand
    from linnet_core.python_source.module import Entry
    from linnet_core.python_source.steps import Step
    from linnet_core.targets.numpy.writer import NumpyWriter

_INDENT = "    "


class NumpyDialect:
    """The dialect `numpy`."""

    title = "NumPy"
    constants_parameters = ""
    #: Nothing is said about values: they are what docs/language/semantics.md says.
    decorators = ('@np.errstate(all="ignore")',)

    def expression(self, writer: NumpyWriter, call: Call) -> str:
        """By the table of `emit/`."""
        return WRITERS[type(call)](writer, call)

    def statements(self, writer: NumpyWriter, step: Step) -> list[str] | None:
        """A branch takes several lines."""
        call = step.call
        if not isinstance(call, Branch):
            return None
        name = step.results[0]
        lines = [f"if {writer.tensor(call.operands[0])}:", *self._arm(writer, name, call.then, call.then_value), "else:"]
        return [*lines, *self._arm(writer, name, call.otherwise, call.otherwise_value)]

    def _arm(self, writer: NumpyWriter, name: str, steps: tuple[Step, ...], value: Operand) -> list[str]:
        """The lines of one arm, indented; what they need is added to what the branch needs."""
        tensors, support, flags = writer.tensors, writer.support, writer.flags
        lines: list[str] = []
        depth = 1
        for p in print_steps(list(steps), writer, self):
            lines.extend(_INDENT * depth + line for line in p.lines)
            depth += p.change
            lines.extend(_INDENT * depth + line for line in p.after)
            tensors.extend(p.tensors)
            support.update(p.support)
            flags.update(p.flags)
        writer.tensors, writer.support, writer.flags = tensors, support, flags
        return [*lines, f"{_INDENT}{name} = {writer.tensor(value)}"]

    def index(self, writer: NumpyWriter, number: str) -> str:
        """A NumPy scalar."""
        return f"np.int64({number})"

    def imports(self, flags: frozenset[str]) -> list[str]:
        """NumPy, and bf16 where it is used."""
        return [*(["from ml_dtypes import bfloat16"] if "bf16" in flags else []), "import numpy as np"][::-1]

    def prelude(self, entry: Entry, flags: frozenset[str]) -> list[str]:
        """None."""
        return []

    def support(self, used: frozenset[str]) -> list[str]:
        """By the table of `support.py`."""
        from linnet_core.targets.numpy.support import support_text

        return support_text(used)
