"""A printed module that was executed, read by what it documents of itself.

In: source that a target of ours printed.  Out: `GeneratedModule`: the names of its leaves in the order `main` takes them, and its
functions.  Only documented names are read, so that a target may print more.
"""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

#: What a module that is not on a disk is called in tracebacks.
PRINTED = "<printed by linnet>"


class GeneratedModule:
    """The namespace of a printed module.

    `main` takes inputs, parameters, states and constants in the order of these lists, and answers `results` values and then the states
    of `next_states`; the tensors of the states in `in_place` are overwritten.
    """

    def __init__(self, source: str, path: str | None = None) -> None:
        self.source = source
        self.path = path or PRINTED
        if path is not None:
            # a traceback shows the lines of the text that runs, whatever becomes of the file
            linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
        self._names: dict[str, Any] = {"__name__": "linnet_printed", "__file__": self.path}
        exec(compile(source, self.path, "exec"), self._names)

    @property
    def main(self) -> Callable[..., tuple[Any, ...]]:
        """The entry."""
        return self._names["main"]

    def constants(self, *where: Any) -> tuple[Any, ...]:
        """The constants, made anew; targets that place them take where."""
        return tuple(self._names["constants"](*where))

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs."""
        return self._names["INPUTS"]

    @property
    def parameters(self) -> list[str]:
        """Paths of the parameters and buffers."""
        return self._names["PARAMETERS"]

    @property
    def states(self) -> list[str]:
        """Paths of the states it reads."""
        return self._names["STATES"]

    @property
    def next_states(self) -> list[str]:
        """Paths of the states it writes."""
        return self._names["NEXT_STATES"]

    @property
    def results(self) -> int:
        """How many results come before the states."""
        return self._names["RESULTS"]

    @property
    def in_place(self) -> frozenset[str]:
        """The states whose tensor `main` overwrites."""
        return frozenset(self._names.get("IN_PLACE", ()))

    def get(self, name: str, default: Any = None) -> Any:
        """Another documented name of the module, or `default` where this one has none."""
        return self._names.get(name, default)
