"""One entry at one signature: gather what `main` takes, run it, put the states back.

In: the printed module, and where each parameter and state is kept.  Out: `Call`.  A tensor is looked up in its block's own table at every
call, so that moved, replaced or functional parameters are those that run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch._C._functorch import is_functorch_wrapped_tensor

from linnet_torch.loading.prepared import same, stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from linnet_core.loading.generated import GeneratedModule
    from linnet_torch.loading.prepared import PreparedValues, Stamp

#: A block, its table, and the name in it.
Slot = tuple[torch.nn.Module, dict[str, Any], str]


class Call:
    """Runs `main` of `generated`; `states` are all states of the model by path.

    `where` is the device, or the tuple of devices of a placed module.  `prepared` are the values of all entries.  `complete` makes a tensor
    of an input that is none.
    """

    def __init__(
        self,
        generated: GeneratedModule,
        main: Callable[..., tuple[Any, ...]],
        constants: tuple[Any, ...],
        where: Any,
        parameters: Sequence[Slot],
        states: dict[str, Slot],
        prepared: PreparedValues,
        complete: Sequence[Callable[[Any], torch.Tensor] | None],
    ) -> None:
        self.generated = generated
        self._main = main
        self._where = where
        self._parameters = [(table, name) for _, table, name in parameters]
        self._owners = parameters
        self._read = [states[path][1:] for path in generated.states]
        self._written = [states[path][1:] for path in generated.next_states]
        self._all = [slot[1:] for slot in states.values()]
        self._results = generated.results
        self._constants = constants
        self._last = where if generated.slots else None
        self._prepared = prepared if generated.prepared else None
        self._taken = [generated.parameters.index(path) for path in generated.prepare_inputs]
        self._stamps: list[Stamp] | None = None
        self._complete = complete if any(complete) else None
        #: What `main` takes behind the states.
        self._extra = self._behind(())
        #: Positions in what `main` answers that share memory with something else that lives on; found at the first run.
        self._copied: frozenset[int] | None = None

    @property
    def prepares(self) -> bool:
        """Whether it reads prepared values, which pass no gradient on."""
        return self._prepared is not None

    def completed(self, inputs: Sequence[Any]) -> Sequence[torch.Tensor]:
        """The inputs as tensors."""
        if self._complete is None:
            return inputs
        return [x if make is None else make(x) for x, make in zip(inputs, self._complete, strict=True)]

    def can_prepare(self, parameters: Sequence[Any]) -> bool:
        """Whether the weights are tensors with memory: inside a transform of torch, or in a trace, they only stand for some."""
        if torch.compiler.is_compiling():
            return False
        if self._stamps is not None and all(parameters[at] is held[0] for at, held in zip(self._taken, self._stamps, strict=True)):
            return True
        return not any(_stands_for(parameters[at]) for at in self._taken)

    def parameters(self) -> list[Any]:
        """The parameters as they stand; one that is parametrized is computed by its block."""
        try:
            return [table[name] for table, name in self._parameters]
        except KeyError:
            return [table[name] if name in table else getattr(block, name) for block, table, name in self._owners]

    def __call__(self, inputs: Sequence[torch.Tensor], parameters: Sequence[Any]) -> Any:
        """The entry's result: a tensor, or a tuple of them."""
        read = [table[name] for table, name in self._read]
        if self._prepared is not None:
            self._refresh(self._prepared, parameters)
        answer = self._main(*inputs, *parameters, *read, *self._extra)
        if self._copied is None:
            self._copied = self._shared(answer, inputs, parameters)
        if self._copied:
            answer = tuple([each.clone() if at in self._copied else each for at, each in enumerate(answer)])
        for (table, name), value in zip(self._written, answer[self._results :], strict=True):
            if value is not table[name]:
                table[name] = _kept(value)
        results = answer[: self._results]
        return results[0] if len(results) == 1 else results

    def accept(self, parameters: Sequence[Any]) -> None:
        """Go on with what is prepared: the weights it was made of are what changed."""
        if self._stamps is not None:
            self._stamps = [stamp(parameters[at]) for at in self._taken]

    def _refresh(self, values: PreparedValues, parameters: Sequence[Any]) -> None:
        """Prepare at the first call, and where a weight is not what it was."""
        stamps = [stamp(parameters[at]) for at in self._taken]
        if self._stamps is None or not same(self._stamps, stamps):
            self._extra = self._behind(values.of(self.generated, parameters, stamps, self._where))
            self._stamps = stamps

    def _behind(self, prepared: Sequence[Any]) -> tuple[Any, ...]:
        return (*self._constants, *prepared, *([] if self._last is None else [self._last]))

    def _shared(self, answer: Sequence[Any], inputs: Iterable[Any], parameters: Iterable[Any]) -> frozenset[int]:
        """Results that a later call would overwrite, and states that something else may."""
        found: set[int] = set()
        lasting = [*answer[self._results :], *(table[name] for table, name in self._all), *self._extra[len(self._constants) :]]
        states = _storages([each for each in lasting if isinstance(each, torch.Tensor)])
        found.update(at for at, each in enumerate(answer[: self._results]) if _storages([each]) & states)
        taken = _storages(inputs) | _storages(parameters)
        for at, ((table, name), value) in enumerate(zip(self._written, answer[self._results :], strict=True), self._results):
            own = _storages([table[name]])
            others = taken | _storages(t[n] for t, n in self._all if t is not table or n != name)
            if _storages([value]) & (others - own):
                found.add(at)
            taken |= _storages([value])
        return frozenset(found)


def _stands_for(tensor: torch.Tensor) -> bool:
    """Whether it is a wrapper, as of `torch.func` or of a trace, and no tensor of its own."""
    return is_functorch_wrapped_tensor(tensor) or type(tensor) not in (torch.Tensor, torch.nn.Parameter)


def _kept(value: torch.Tensor) -> torch.Tensor:
    """A state between calls: outside every graph, and writable outside inference mode."""
    if not value.is_inference():
        return value.detach()
    with torch.inference_mode(False):
        return value.clone()


def _storages(tensors: Iterable[torch.Tensor]) -> set[int]:
    """Where the elements are; tensors without any share nothing, and what only stands for a tensor is known by its storage."""
    found: set[int] = set()
    for each in tensors:
        if each is not None and each.numel() and each.device.type != "meta":
            try:
                found.add(each.untyped_storage().data_ptr())
            except (RuntimeError, NotImplementedError):
                found.add(id(each))
    return found
