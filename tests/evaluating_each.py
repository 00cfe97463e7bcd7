"""One export twice: with the bodies of alike blocks evaluated once, and each of them.

In: a module, a request, a target.  Out: `Twice`: what shows of both, and how often a body was emitted again in the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.errors import LinnetError
from linnet_core.graph import repeated_blocks
from linnet_core.graph.document import encode
from linnet_core.graph.export import ExportRequest, export
from linnet_core.plugins.manager import find_target

if TYPE_CHECKING:
    from linnet_core.graph.target import Target
    from linnet_core.ir.module import Module


class Twice(Struct):
    """What shows of an export: document, source, decisions; or the failure."""

    once: tuple[Any, ...]
    each: tuple[Any, ...]
    again: int = 0

    @property
    def succeeded(self) -> bool:
        """Whether there was something to compare but a failure."""
        return len(self.each) > 1


def fresh_target(name: str, numerics: str) -> Target:
    """A new target with its default options."""
    plugin = find_target(name)
    assert plugin is not None
    return plugin.make({"numerics": numerics, **{option.name: option.default for option in plugin.options}})


def _shown(module: Module, request: ExportRequest, target: Target) -> tuple[Any, ...]:
    try:
        recording = export(module, request, target)
    except LinnetError as failure:
        return (repr(getattr(failure, "diagnostics", failure)),)
    return encode(recording.graph), target.source(), recording.decisions, recording.kernels, recording.declines


def twice(monkeypatch: Any, module: Module, request: ExportRequest, target: Any) -> Twice:
    """Export to two targets that `target()` makes."""
    said: list[bool] = []
    say_again = repeated_blocks.say_again

    def counted(*arguments: Any) -> Any:
        found = say_again(*arguments)
        said.append(found is not None)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(repeated_blocks, "say_again", counted)
        once = _shown(module, request, target())
    return Twice(once, _shown(module, replace(request, reuse_bodies=False), target()), sum(said))
