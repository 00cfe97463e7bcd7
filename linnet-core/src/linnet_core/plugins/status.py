"""What `linnet plugins` shows of every installed plugin.

In: the manager.  Out: `Status` rows and the JSON document `plugins-1`.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from linnet_core.plugins.manager import load
from linnet_core.plugins.metadata import listed


class Status(Struct, frozen=True):
    """One plugin: `state` is `ok`, `disabled` or `failed` (then `problem` says why)."""

    name: str
    distribution: str
    version: str
    module: str
    state: Literal["ok", "disabled", "failed"]
    problem: str | None
    shadowed: tuple[str, ...]
    targets: tuple[str, ...]
    dump_formats: tuple[str, ...]
    commands: tuple[str, ...]
    schemas: tuple[str, ...]


def statuses() -> tuple[Status, ...]:
    """Every listed plugin, names ascending, each imported unless it is switched off."""
    return tuple(_status(name) for name in listed())


def _status(name: str) -> Status:
    entry = listed()[name]
    loaded = load(name)
    state: Literal["ok", "disabled", "failed"] = "disabled" if loaded is None else "failed" if loaded.problem else "ok"
    return Status(
        name=entry.name,
        distribution=entry.distribution,
        version=entry.version,
        module=entry.module,
        state=state,
        problem=loaded.problem if loaded is not None else None,
        shadowed=entry.shadowed,
        targets=tuple(t.name for t in loaded.targets) if loaded is not None else (),
        dump_formats=tuple(d.name for d in loaded.dump_formats) if loaded is not None else (),
        commands=tuple(c.name for c in loaded.commands) if loaded is not None else (),
        schemas=tuple(s.name for s in loaded.schemas) if loaded is not None else (),
    )


def plugins_document() -> dict[str, Any]:
    """The JSON document of `linnet plugins --json`."""
    import msgspec

    from linnet_core.plugins import INTERFACE

    return {"version": 1, "interface": INTERFACE, "plugins": [msgspec.to_builtins(s) for s in statuses()]}
