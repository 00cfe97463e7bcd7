"""Run an entry from its source on any target, the whole way, as the tests of programs need it.

In: a path, an entry, bindings and NumPy arrays by name and path.  Out: the results in order and the new states by path.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.cli.export import Common, export_entry, target_plugin
from linnet_core.graph.calls import Finish, Input, Parameter, State
from linnet_core.graph.nodes import flat_nodes

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from linnet_core.graph.nodes import Graph
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


@lru_cache(maxsize=256)
def _program(target: str, path: str, options: tuple[tuple[str, Any], ...], bindings: tuple[str, ...]) -> Program:
    given: dict[str, Any] = dict(options)
    plugin = target_plugin(target)
    common = Common(
        path=path,
        root=given.get("root"),
        entry=given.get("entry"),
        bind=list(bindings),
        preset=given.get("preset"),
        numerics=given.get("numerics", "equivalent"),
        optionals=given.get("optionals", "absent"),
        absent=None,
        no_library=given.get("no_library", False),
        no_optimize=given.get("no_optimize", False),
        std=None,
    )
    own = {option.name: option.default for option in plugin.options}
    exported = export_entry(plugin, common, own)
    graph = exported.recording.graph
    calls = [node.call for node in flat_nodes(graph.nodes)]
    return Program(
        plugin,
        graph,
        exported.target.source(),
        tuple(call for call in calls if isinstance(call, Input)),
        tuple(call for call in calls if isinstance(call, Parameter)),
        tuple(call for call in calls if isinstance(call, State)),
        next(call for call in calls if isinstance(call, Finish)),
    )


def program(target: str, path: str, bindings: Mapping[str, Any] | None = None, **options: Any) -> Program:
    """Export `path` for `target`; `options` are those of the command line (`entry`, `root`, `preset`, `numerics`, `no_library`)."""
    texts = tuple(f"{name}={value}" for name, value in (bindings or {}).items())
    return _program(target, path, tuple(sorted(options.items())), texts)
