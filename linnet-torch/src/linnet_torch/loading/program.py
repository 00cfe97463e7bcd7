"""The program of a module: what its entries run, printed when sizes are first met.

In: a `Model` and the optional members that are not there.  Out: `Program`, shared by a module and its copies.  It is pickled as the text
of its plan and its sizes; a function that was printed is printed again where it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from linnet_core.loading.generated import GeneratedModule
from linnet_core.loading.model import Model, reopen
from linnet_core.loading.source import entry_source
from linnet_torch.target import TorchTarget

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.bind import Bindings


class Program:
    """Printed modules by entry and sizes, their constants by device, their functions as torch.compile gives them."""

    def __init__(self, model: Model, absent: frozenset[str], backend: str | None) -> None:
        self.model = model
        self.absent = absent
        self.backend = backend
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
        return _again, (model.plan, generics, model.further, root, model.numerics, sorted(self.absent), self.backend)

    def generated(self, entry: str, bindings: Bindings, *, in_place: bool) -> GeneratedModule:
        """The printed module of an entry; `in_place` off where states must outlive a call for autograd."""
        key = (entry, bindings.key(), in_place)
        found = self._generated.get(key)
        if found is None:
            options = ("torch", f"in_place={in_place}")
            text, path = entry_source(self.model, entry, bindings, self.absent, lambda: self._target(in_place), options)
            found = self._generated[key] = GeneratedModule(text, path)
        return found

    def main(self, generated: GeneratedModule) -> Callable[..., tuple[Any, ...]]:
        """The function to call."""
        if self.backend is None:
            return generated.main
        found = self._mains.get(id(generated))
        if found is None:
            found = self._mains[id(generated)] = torch.compile(generated.main, backend=self.backend)
        return found

    def constants(self, generated: GeneratedModule, device: torch.device) -> tuple[Any, ...]:
        """Its constants, made once a device."""
        key = (id(generated), device)
        if key not in self._constants:
            with torch.inference_mode(False), torch.no_grad():
                self._constants[key] = generated.constants(device)
        return self._constants[key]

    def _target(self, in_place: bool) -> TorchTarget:
        return TorchTarget(self.model.numerics, in_place=in_place)


def _again(plan: str, generics: dict[str, Any], further: dict[str, Any], root: str | None, numerics: str, *rest: Any) -> Program:
    absent, backend = rest
    return Program(reopen(plan, generics, further, root, numerics), frozenset(absent), backend)
