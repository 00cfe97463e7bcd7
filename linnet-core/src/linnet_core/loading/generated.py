"""A printed module that was executed, read by what it documents of itself.

In: source that a target of ours printed.  Out: `GeneratedModule`: the names of its leaves in the order `main` takes them, its functions,
and what `main` takes besides inputs and states.  Only documented names are read, so that a target may print more; no framework is known.
"""

from __future__ import annotations

import itertools
import linecache
import sys
import weakref
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_NUMBERS = itertools.count(1)


class GeneratedModule:
    """The namespace of a printed module.

    `main` takes inputs, parameters, states, constants, prepared values and, where `slots` is not 0, a tuple of devices, in the order of
    these lists, and answers `results` values and then the states of `next_states`; the tensors of the states in `in_place` are overwritten.
    """

    def __init__(self, source: str, path: str | None = None) -> None:
        self.source = source
        name = f"linnet_printed_{next(_NUMBERS)}"
        self.path = path or f"<{name}>"
        # a traceback, and Triton, show the lines of the text that runs, whatever becomes of the file
        linecache.cache[self.path] = (len(source), None, source.splitlines(keepends=True), self.path)
        module = ModuleType(name)
        module.__file__ = self.path
        # torch's tracer looks for the module of a function by its name; who keeps a function keeps its names, not the module
        sys.modules[name] = module
        weakref.finalize(self, sys.modules.pop, name, None)
        self._names: dict[str, Any] = module.__dict__
        exec(compile(source, self.path, "exec"), self._names)
        places = {f"p{at}": at for at in range(len(self.parameters))}
        self._taken = [places[name] for name in self.get("PREPARE_INPUTS", ())]
        self._gone = frozenset(self.get("PREPARED_ONLY", ()))

    @property
    def main(self) -> Callable[..., tuple[Any, ...]]:
        """The entry."""
        return self._names["main"]

    def constants(self, *where: Any) -> tuple[Any, ...]:
        """The constants, made anew; targets that place them take where: a device, or a tuple of `slots` devices."""
        return tuple(self._names["constants"](*where))

    def prepare(self, parameters: Sequence[Any], *where: Any) -> tuple[Any, ...]:
        """The values of `prepared`, made anew of all `parameters`; nothing where the module prepares nothing."""
        if "prepare" not in self._names:
            return ()
        return tuple(self._names["prepare"](*[parameters[at] for at in self._taken], *where))

    def arguments(self, parameters: Sequence[Any], *where: Any) -> tuple[list[Any], list[Any]]:
        """What `main` takes: parameters as `held` has them, and constants and prepared values, which come last."""
        return self.held(parameters), [*self.constants(*where), *self.prepare(parameters, *where)]

    def held(self, parameters: Sequence[Any]) -> list[Any]:
        """The parameters, None for those in `prepared_only`."""
        return [None if path in self._gone else each for path, each in zip(self.parameters, parameters, strict=True)]

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs."""
        return self._names["INPUTS"]

    @property
    def parameters(self) -> list[str]:
        """Paths of the parameters and buffers."""
        return self._names.get("PARAMETERS", [])

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

    @property
    def prepared(self) -> list[str]:
        """A key for each prepared value: equal keys of one model, equal values."""
        return self._names.get("PREPARED", [])

    @property
    def prepare_inputs(self) -> list[str]:
        """Paths of the parameters that prepared values are made of."""
        return [self.parameters[at] for at in self._taken]

    @property
    def prepared_only(self) -> frozenset[str]:
        """Those of them that `main` does not read."""
        return self._gone

    @property
    def slots(self) -> int:
        """How many devices it takes; 0 where it takes none."""
        return self._names.get("SLOTS", 0)

    def places(self) -> Iterable[tuple[str, int | None]]:
        """For each parameter and state the slot its tensor must be on; None where it may be anywhere."""
        yield from zip(self.parameters, self.get("PARAMETER_SLOTS", ()), strict=False)
        yield from zip(self.states, self.get("STATE_SLOTS", ()), strict=False)

    def get(self, name: str, default: Any = None) -> Any:
        """Another documented name of the module, or `default` where this one has none."""
        return self._names.get(name, default)
