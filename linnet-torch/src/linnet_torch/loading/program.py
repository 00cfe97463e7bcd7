"""The program of a module: what its entries run, printed when sizes are first met.

In: a `Model`, the optional members that are not there, and `Options`.  Out: `Program`, shared by a module and its copies.  It is pickled as
the text of its plan and its sizes; a function that was printed is printed again where it is needed.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any

import torch
from msgspec import Struct

from linnet_core.graph.placement_request import PlacementRequest
from linnet_core.loading.generated import GeneratedModule
from linnet_core.loading.model import Model, reopen
from linnet_core.loading.source import default_source, entry_source
from linnet_torch.target import TorchTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from linnet_core.graph.bind import Bindings

#: Printing raises a limit of the whole interpreter and puts it back: one thread at a time.
_PRINTING = RLock()


class Options(Struct, frozen=True, kw_only=True):
    """How entries are printed and run.

    `backend` is one of torch.compile, `devices` the slots', the first being the module's own; `place` and `offload` are those of an export.
    """

    devices: tuple[torch.device, ...]
    backend: str | Callable[..., object] | None = None
    prepare: bool = False
    place: dict[str, int] = {}
    offload: tuple[str, ...] = ()


class Program:
    """Printed modules by entry and sizes, their constants by device, their functions as torch.compile gives them."""

    def __init__(self, model: Model, absent: frozenset[str], options: Options) -> None:
        self.model = model
        self.absent = absent
        self.options = options
        self._placement = PlacementRequest(options.place, frozenset(options.offload), False)
        self._generated: dict[Any, GeneratedModule] = {}
        self._constants: dict[Any, tuple[Any, ...]] = {}
        self._mains: dict[int, Callable[..., tuple[Any, ...]]] = {}

    def __copy__(self) -> Program:
        return self

    def __deepcopy__(self, memo: object) -> Program:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        model = self.model
        generics = {} if model.block is None else {each.name: model.bindings.value(each) for each in model.block.generics}
        root = None if model.block is None else model.block.key
        return _again, ((model.plan, generics, model.further, root, model.numerics, model.defaults), sorted(self.absent), self.options)

    @property
    def devices(self) -> tuple[torch.device, ...]:
        """The device of each slot."""
        return self.options.devices

    @property
    def offload(self) -> bool:
        """Whether parameters wait on the host."""
        return bool(self.options.offload)

    def device_of(self, path: str, *, is_parameter: bool) -> torch.device:
        """Where the tensor at `path` is kept: on its slot's device, or on the host where its block is offloaded."""
        if is_parameter and self._placement.away_around(path):
            return torch.device("cpu")
        return self.devices[self._placement.slot_of(path)]

    def generated(self, entry: str, bindings: Bindings, kind: str) -> GeneratedModule:
        """The printed module of an entry.

        `kind` is `fast`, `whole` where nothing may be prepared, or `functional` where states must outlive a call for autograd too.
        """
        in_place, prepare = kind != "functional", kind == "fast" and self.options.prepare
        key = (entry, bindings.key(), in_place, prepare)
        with _PRINTING:
            found = self._generated.get(key)
            if found is None:
                options = (f"in_place={in_place}", f"prepare={prepare}", "pack=False")  # entries of few and many rows share weights
                request: Mapping[str, Any] = {"place": self.options.place, "offload": self.options.offload}
                target = TorchTarget(self.model.numerics, prepare=prepare, pack=False, in_place=in_place)
                text, path = entry_source(self.model, entry, bindings, self.absent, lambda: target, "linnet_torch", options, **request)
                found = self._generated[key] = GeneratedModule(text, path)
        return found

    def default(self, entry: str, name: str, bindings: Bindings, device: torch.device) -> torch.Tensor:
        """The default of an input under the sizes of a call."""
        with _PRINTING:
            text, path = default_source(self.model, entry, name, bindings, lambda: TorchTarget(self.model.numerics), "linnet_torch")
            generated = GeneratedModule(text, path)
        with torch.inference_mode(False), torch.no_grad():
            return generated.main(*generated.constants(device))[0]

    def main(self, generated: GeneratedModule) -> Callable[..., tuple[Any, ...]]:
        """The function to call."""
        if self.options.backend is None:
            return generated.main
        with _PRINTING:
            found = self._mains.get(id(generated))
            if found is None:
                found = self._mains[id(generated)] = torch.compile(generated.main, backend=self.options.backend)
        return found

    def constants(self, generated: GeneratedModule, where: Any) -> tuple[Any, ...]:
        """Its constants, made once a device, or once for all devices of a placed module."""
        key = (id(generated), where)
        if key not in self._constants:
            with torch.inference_mode(False), torch.no_grad():
                self._constants[key] = generated.constants(where)
        return self._constants[key]


def _again(model: tuple[Any, ...], absent: list[str], options: Options) -> Program:
    return Program(reopen(*model), frozenset(absent), options)
