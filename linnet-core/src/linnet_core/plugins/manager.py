"""Importing plugins on demand, calling their hooks one by one, naming the culprit of anything that goes wrong.

In: names from `metadata.py`.  Out: targets, dump formats, command groups, schemas.  A plugin that cannot be imported, breaks a
contract or raises costs one line on stderr and is left out; it never stops a command and is never passed over in silence.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from linnet_core.plugins.commands import CommandGroup
from linnet_core.plugins.dump_format import DumpFormat
from linnet_core.plugins.metadata import Listed, listed
from linnet_core.plugins.project import PROJECT
from linnet_core.plugins.schemas import SchemaFile
from linnet_core.plugins.target import TargetPlugin

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Set to anything, a failing plugin's own traceback is shown.
RAISE_VARIABLE = "LINNET_RAISE_PLUGIN_ERRORS"

T = TypeVar("T", TargetPlugin, DumpFormat, CommandGroup, SchemaFile)


class Loaded(Struct, eq=False):
    """A plugin after the attempt to import it: what it gives, or why it gives nothing."""

    listed: Listed
    problem: str | None = None
    targets: tuple[TargetPlugin, ...] = ()
    dump_formats: tuple[DumpFormat, ...] = ()
    commands: tuple[CommandGroup, ...] = ()
    schemas: tuple[SchemaFile, ...] = ()


_loaded: dict[str, Loaded] = {}


def load(name: str) -> Loaded | None:
    """The plugin of that name, imported at the first call; None when no such plugin is listed (or it is switched off)."""
    if name in _loaded:
        return _loaded[name]
    entry = listed().get(name)
    if entry is None or entry.disabled:
        return None
    loaded = _loaded[name] = _import(entry)
    if entry.shadowed:
        others = ", ".join(entry.shadowed)
        _complain(f"plugin `{name}` is claimed by {entry.distribution} and by {others}; {entry.distribution}'s is used")
    if loaded.problem is not None:
        _complain(f"plugin `{name}` of {entry.distribution} is left out: {loaded.problem}")
    return loaded


def load_all() -> Iterator[Loaded]:
    """Every listed plugin that is not switched off, imported, names ascending."""
    for name in listed():
        loaded = load(name)
        if loaded is not None:
            yield loaded


def find_target(name: str) -> TargetPlugin | None:
    """The target of that name, importing its plugin only."""
    loaded = load(name)
    return next((t for t in loaded.targets if t.name == name), None) if loaded is not None else None


def target_names() -> tuple[str, ...]:
    """The names of all targets that work, importing every plugin."""
    return tuple(t.name for loaded in load_all() for t in loaded.targets)


def dump_formats() -> dict[str, DumpFormat]:
    """All dump formats by name, importing every plugin; of two of one name the first counts, and the other is said to be left out."""
    found: dict[str, tuple[str, DumpFormat]] = {}
    for loaded in load_all():
        for made in loaded.dump_formats:
            first, _ = found.setdefault(made.name, (loaded.listed.name, made))
            if first != loaded.listed.name:
                _complain(
                    f"the dump format `{made.name}` of the plugin `{loaded.listed.name}` is left out: `{first}` gives one of that name"
                )
    return {name: made for name, (_, made) in found.items()}


def _complain(message: str) -> None:
    print(f"linnet: {message}", file=sys.stderr)


def _import(entry: Listed) -> Loaded:
    loaded = Loaded(entry)
    try:
        # whatever a plugin prints while it is imported must not end up in a document on stdout
        with contextlib.redirect_stdout(sys.stderr):
            module = importlib.import_module(entry.module.partition(":")[0])
            _collect(loaded, module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a plugin may even raise SystemExit
        if os.environ.get(RAISE_VARIABLE):
            raise
        loaded.problem = " ".join(f"{type(error).__name__}: {error}".split())
        loaded.targets, loaded.dump_formats, loaded.commands, loaded.schemas = (), (), (), ()
    return loaded


def _collect(loaded: Loaded, module: Any) -> None:
    """Register `module` alone and call each hook it implements."""
    import pluggy

    from linnet_core.plugins import hookspecs

    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(module, name=loaded.listed.name)
    manager.check_pending()
    if not manager.get_hookcallers(module):
        raise TypeError("it implements no hook (are they marked with `hookimpl`?)")
    hook = manager.hook
    loaded.targets = _checked(hook.linnet_targets(), TargetPlugin, "linnet_targets")
    loaded.dump_formats = _checked(hook.linnet_dump_formats(), DumpFormat, "linnet_dump_formats")
    loaded.commands = _checked(hook.linnet_commands(), CommandGroup, "linnet_commands")
    loaded.schemas = _checked(hook.linnet_schemas(), SchemaFile, "linnet_schemas")
    for given in (*loaded.targets, *loaded.commands):
        if given.name != loaded.listed.name:
            raise ValueError(f"it gives `{given.name}` under the entry point `{loaded.listed.name}`; the names must be equal")


def _checked(answers: list[Any], wanted: type[T], hook: str) -> tuple[T, ...]:
    """The flat list of what a hook gave; raises TypeError when something in it is not a `wanted`."""
    values: list[T] = []
    for answer in answers:
        if not isinstance(answer, list):
            raise TypeError(f"{hook} gave {type(answer).__name__}, not a list of {wanted.__name__}")
        for value in answer:
            if not isinstance(value, wanted):
                raise TypeError(f"{hook} gave {type(value).__name__} where {wanted.__name__} is due")
            fault = value.fault()
            if fault is not None:
                raise ValueError(f"{hook}: {fault}")
            values.append(value)
    return tuple(values)
