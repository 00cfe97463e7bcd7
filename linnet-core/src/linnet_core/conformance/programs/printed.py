"""Programs in the language, printed and run by a target, with or without library calls.

In: a target, the text of a program whose entry is `run`, arrays by name.  Out: results, states, source, and which library calls were taken
and declined.
"""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.check.load_program import load_program
from linnet_core.conformance.case import fresh
from linnet_core.graph.calls import Finish, Input, NativeCall, Parameter, State
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.nodes import flat_nodes
from linnet_core.ir.lowered import lowered

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from linnet_core.ir.module import Module
    from linnet_core.plugins.target import TargetPlugin


class Printed(Struct, eq=False):
    """An entry as a target printed it."""

    plugin: TargetPlugin
    source: str
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    states: tuple[str, ...]
    next_states: tuple[str, ...]
    returns: int
    #: Implementations of the library calls in the order they were made, those that were taken and those declined with a reason.
    taken: tuple[str, ...]
    declined: tuple[tuple[str, str], ...]

    def run(self, arrays: Mapping[str, np.ndarray]) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
        """Results in order, and the next states by path; `arrays` holds inputs by name, parameters and states by path."""
        assert self.plugin.run is not None, "the kit is for targets that run what they print"
        leaves = [[arrays[name] for name in names] for names in (self.inputs, self.parameters, self.states)]
        values = list(self.plugin.run(self.source, *leaves))
        return values[: self.returns], dict(zip(self.next_states, values[self.returns :], strict=True))

    @property
    def main(self) -> str:
        """The text of `main`."""
        return self.source[self.source.index("def main(") :]


@lru_cache(maxsize=512)
def module(text: str, numerics: Any) -> Module:
    """The Core IR of a program, kept."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.linnet"
        path.write_text(text, encoding="utf-8")
        _, program = load_program(str(path), None)
    return lowered(program, numerics, optimize=True)


def printed(
    text: str,
    plugin: TargetPlugin,
    numerics: Any = "equivalent",
    *,
    library: bool = True,
    bind: Mapping[str, Any] | None = None,
    **own: Any,
) -> Printed:
    """The entry `run` of a program, whose `module` line is added; `own` are options of the target."""
    lowered_module = module(f"module m\n\n{text}", numerics)
    emitter = fresh(plugin, numerics, **own)
    recording = export(lowered_module, ExportRequest(entry="run", bindings=dict(bind or {}), numerics=numerics, library=library), emitter)
    calls = [node.call for node in flat_nodes(recording.graph.nodes) if not node.declined]
    finish = next(call for call in calls if isinstance(call, Finish))
    return Printed(
        plugin,
        emitter.source(),
        tuple(call.name for call in calls if isinstance(call, Input)),
        tuple(call.path for call in calls if isinstance(call, Parameter)),
        tuple(call.path for call in calls if isinstance(call, State)),
        finish.states,
        finish.returns,
        tuple(call.implementation for call in calls if isinstance(call, NativeCall)),
        tuple((d.call.implementation, d.reason) for d in recording.declines if isinstance(d.call, NativeCall)),
    )
