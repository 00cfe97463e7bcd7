"""One entry at one signature: gather what `main` takes, run it, put the states back.

In: the printed module, and where each parameter and state is kept.  Out: `Call`.  A tensor is looked up in its block's own table at every
call, so that moved, replaced or functional parameters are those that run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from linnet_core.loading.generated import GeneratedModule

#: A table of a block, and the name in it.
Slot = tuple[dict[str, Any], str]


class Call:
    """Runs `main` of `generated`; `states` are all states of the model by path."""

    def __init__(
        self,
        generated: GeneratedModule,
        main: Callable[..., tuple[Any, ...]],
        constants: tuple[Any, ...],
        parameters: Sequence[Slot],
        states: dict[str, Slot],
    ) -> None:
        self.generated = generated
        self._main = main
        self._constants = constants
        self.parameters = parameters
        self._read = [states[path] for path in generated.states]
        self._written = [states[path] for path in generated.next_states]
        self._all = list(states.values())
        self._results = generated.results
        #: Positions in what `main` answers that share memory with something else that lives on; found at the first run.
        self._copied: frozenset[int] | None = None

    def __call__(self, inputs: Sequence[torch.Tensor]) -> Any:
        """The entry's result: a tensor, or a tuple of them."""
        read = [table[name] for table, name in self._read]
        parameters = [table[name] for table, name in self.parameters]
        answer = self._main(*inputs, *parameters, *read, *self._constants)
        if self._copied is None:
            self._copied = self._shared(answer, inputs, parameters)
        if self._copied:
            answer = tuple([each.clone() if at in self._copied else each for at, each in enumerate(answer)])
        for (table, name), value in zip(self._written, answer[self._results :], strict=True):
            if value is not table[name]:
                table[name] = _kept(value)
        results = answer[: self._results]
        return results[0] if len(results) == 1 else results

    def _shared(self, answer: Sequence[Any], inputs: Iterable[Any], parameters: Iterable[Any]) -> frozenset[int]:
        """Results that a later call would overwrite, and states that something else may."""
        found: set[int] = set()
        states = _storages(answer[self._results :]) | _storages(table[name] for table, name in self._all)
        found.update(at for at, each in enumerate(answer[: self._results]) if _storages([each]) & states)
        taken = _storages(inputs) | _storages(parameters)
        for at, ((table, name), value) in enumerate(zip(self._written, answer[self._results :], strict=True), self._results):
            own = _storages([table[name]])
            others = taken | _storages(t[n] for t, n in self._all if t is not table or n != name)
            if _storages([value]) & (others - own):
                found.add(at)
            taken |= _storages([value])
        return frozenset(found)


def _kept(value: torch.Tensor) -> torch.Tensor:
    """A state between calls: outside every graph, and writable outside inference mode."""
    if not value.is_inference():
        return value.detach()
    with torch.inference_mode(False):
        return value.clone()


def _storages(tensors: Iterable[torch.Tensor]) -> set[int]:
    """Where the elements are; tensors without any share nothing."""
    return {each.untyped_storage().data_ptr() for each in tensors if each.numel() and each.device.type != "meta"}
