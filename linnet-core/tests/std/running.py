"""Run an entry from its source on any target, the whole way, as the tests of programs need it.

In: a path, an entry, bindings and NumPy arrays by name and path.  Out: the results in order and the new states by path.
"""

from __future__ import annotations

import hashlib
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.check.load_program import load_program
from linnet_core.graph.calls import Finish, Input, NativeCall, Parameter, State
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.nodes import flat_nodes
from linnet_core.ir.lowered import lowered
from linnet_core.plugins.manager import find_target

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from linnet_core.check.program import Program as CheckedProgram
    from linnet_core.graph.nodes import Graph
    from linnet_core.ir.library_calls import Numerics
    from linnet_core.ir.module import Module
    from linnet_core.modules.load import Package
    from linnet_core.plugins.target import TargetPlugin


class Program(Struct, eq=False):
    """One entry, exported: its graph, its source, and what a run must be given in which order."""

    plugin: TargetPlugin
    graph: Graph
    source: str
    inputs: tuple[Input, ...]
    parameters: tuple[Parameter, ...]
    states: tuple[State, ...]
    finish: Finish
    #: Library calls that were declined, by implementation, with the target's reasons, and those that were taken.
    declined: tuple[tuple[str, str], ...]
    taken: tuple[str, ...]

    def run(
        self,
        inputs: Mapping[str, np.ndarray],
        parameters: Mapping[str, np.ndarray] | None = None,
        states: Mapping[str, np.ndarray] | None = None,
    ) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
        """The results in order, and every written state by path."""
        assert self.plugin.run is not None
        values = self.plugin.run(
            self.source,
            [inputs[leaf.name] for leaf in self.inputs],
            [(parameters or {})[leaf.path] for leaf in self.parameters],
            [(states or {})[leaf.path] for leaf in self.states],
        )
        count = self.finish.returns
        return list(values[:count]), dict(zip(self.finish.states, values[count:], strict=True))


_FOLDER = tempfile.TemporaryDirectory()


def source_file(text: str) -> str:
    """The path of a file with this text, the same for the same text: what was made of it once need not be made again."""
    path = Path(_FOLDER.name) / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.linnet"
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    return str(path)


@lru_cache(maxsize=64)
def _checked(path: str) -> tuple[Package, CheckedProgram]:
    return load_program(path, None)


@lru_cache(maxsize=64)
def _module(path: str, numerics: Numerics, optimize: bool) -> tuple[Package, Module]:
    package, checked = _checked(path)
    return package, lowered(checked, numerics, optimize=optimize)


@lru_cache(maxsize=256)
def _program(
    target: str,
    path: str,
    bindings: tuple[tuple[str, Any], ...],
    entry: str | None,
    root: str | None,
    preset: str | None,
    numerics: Numerics,
    optionals: str,
    library: bool,
    optimize: bool,
    gradient: bool,
    unroll: bool,
) -> Program:
    plugin = find_target(target)
    assert plugin is not None, f"the target {target} is not installed"
    package, module = _module(path, numerics, optimize)
    presets = package.manifest.presets if package.manifest is not None else {}
    request = ExportRequest(
        root=root,
        entry=entry,
        bindings={name: str(value) for name, value in bindings},
        preset=presets[preset] if preset is not None else {},
        optionals=optionals == "present",
        numerics=numerics,
        library=library,
        gradient=gradient,
    )
    emitter = plugin.make({"numerics": numerics, **{option.name: option.default for option in plugin.options}, "unroll": unroll})
    recording = export(module, request, emitter)
    graph = recording.graph
    calls = [node.call for node in flat_nodes(graph.nodes)]
    return Program(
        plugin,
        graph,
        emitter.source(),
        tuple(call for call in calls if isinstance(call, Input)),
        tuple(call for call in calls if isinstance(call, Parameter)),
        tuple(call for call in calls if isinstance(call, State)),
        next(call for call in calls if isinstance(call, Finish)),
        tuple((found.call.implementation, found.reason) for found in recording.declines if isinstance(found.call, NativeCall)),
        tuple(node.call.implementation for node in flat_nodes(graph.nodes) if isinstance(node.call, NativeCall) and not node.declined),
    )


def program(
    target: str,
    path: str,
    bindings: Mapping[str, Any] | None = None,
    *,
    entry: str | None = None,
    root: str | None = None,
    preset: str | None = None,
    numerics: Numerics = "equivalent",
    optionals: str = "absent",
    no_library: bool = False,
    no_optimize: bool = False,
    gradient: bool = False,
    unroll: bool = False,
) -> Program:
    """Export `path` for `target`; the options are those of the command line."""
    sizes = tuple((bindings or {}).items())
    return _program(target, path, sizes, entry, root, preset, numerics, optionals, not no_library, not no_optimize, gradient, unroll)
