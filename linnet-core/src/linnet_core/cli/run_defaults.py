"""What a run takes for the inputs it is not given: the declared defaults of the entry's parameters.

In: a program and the entry that is run.  Out: an array a parameter.  A default is an expression, so it is exported under the same sizes
and run on the same target, as an entry of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.cli.export import export_to

if TYPE_CHECKING:
    import numpy as np

    from linnet_core.check.program import Program
    from linnet_core.graph.export import ExportRequest
    from linnet_core.ir.module import Module
    from linnet_core.plugins.target import TargetPlugin


class Defaults:
    """The defaults of one entry."""

    def __init__(self, plugin: TargetPlugin, program: Program, module: Module, request: ExportRequest, own: dict[str, Any]) -> None:
        from linnet_core.ir.roots import find_entry

        self._plugin = plugin
        self._program = program
        self._module = module
        self._request = request
        self._own = own
        self._entry = program.functions[find_entry(module, request.root, request.entry).function.name]
        self._positions = {p.local.name: at for at, p in enumerate(self._entry.params) if p.default is not None}

    def __contains__(self, name: str) -> bool:
        """Whether the parameter has a default."""
        return name in self._positions

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """The value of a default under the sizes of the run."""
        import msgspec

        from linnet_core.ir.entries import declared_name
        from linnet_core.ir.lower_default import lower_default
        from linnet_core.plugins.guard import blaming

        entry = lower_default(self._program, self._entry, self._positions[name])
        module = msgspec.structs.replace(self._module, functions={**self._module.functions, entry.name: entry})
        request = msgspec.structs.replace(self._request, root=None, entry=declared_name(entry), absent=frozenset(), gradient=False)
        assert self._plugin.run is not None, "a target that runs nothing is refused before"
        source = export_to(self._plugin, module, request, self._own).target.source()
        with blaming(self._plugin.name):
            (array,) = self._plugin.run(source, [], [], [])
        return array
