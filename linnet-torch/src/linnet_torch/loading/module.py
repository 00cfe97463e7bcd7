"""`LinnetModule`: the members of a model as modules, its entries as methods.

In: a program and tensors by path.  Out: a `torch.nn.Module` like any other: parameters under their paths, states as buffers that no
`state_dict` holds, `forward` and every other entry.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from linnet_core.errors import RuntimeFailure, UsageError
from linnet_core.loading.entries import bind_named, by_position, input_names, known_entry, main_entry
from linnet_core.loading.inputs import declared_inputs
from linnet_core.loading.reports import whole_reports
from linnet_torch.loading.block import Block, Changes
from linnet_torch.loading.call import Call
from linnet_torch.loading.numbers import bind_call, number, signature
from linnet_torch.loading.prepared import PreparedValues, release, released_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from linnet_core.graph.bind import Bindings
    from linnet_core.loading.generated import GeneratedModule
    from linnet_torch.loading.block import Tensors
    from linnet_torch.loading.call import Slot
    from linnet_torch.loading.program import Program


class LinnetModule(Block):
    """A model.  `load` makes one."""

    def __init__(self, program: Program, tensors: Tensors) -> None:
        super().__init__(program.model.tree, tensors, program.absent, Changes(placed=len(program.devices) > 1))
        self._program = program
        self._calls: dict[Any, Call] = {}
        self._seen = 0
        self._prepared = PreparedValues()
        self._backend_device = program.devices[0]

    def _get_name(self) -> str:
        return self._node.block or self._program.model.name

    def __getstate__(self) -> dict[str, Any]:
        # a call holds the tables of this module, which a copy does not share
        return {**self.__dict__, "_calls": {}, "_prepared": PreparedValues()}

    def __getattr__(self, name: str) -> Any:
        """An entry, where no parameter, buffer or block has the name."""
        try:
            return super().__getattr__(name)
        except AttributeError:
            program = self.__dict__.get("_program")
            if program is None or name not in program.model.entries:
                raise
        return partial(self._named, name)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.entries]

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries in the order of declaration."""
        return tuple(self._program.model.entries)

    @property
    def state_paths(self) -> tuple[str, ...]:
        """The paths of the states."""
        return tuple(self._states())

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The entry `forward`, or the only one."""
        return self._named(main_entry(self._program.model), *inputs, **named)

    def run_entry(self, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None = None) -> Any:
        """The result of entry `name`; `generics` are values for those of its own that no input says.

        An input is a tensor of the declared dtype on the module's (first) device, a number of Python where a scalar is declared, or None
        for one that has a default.  Raises `RuntimeFailure` for inputs that do not fit, and what torch raises in the run.
        """
        if self._seen != self._changes.count:
            self.refresh()
        key = (name, torch.is_grad_enabled(), tuple([signature(each) for each in inputs]), repr(generics) if generics else None)
        kind = "fast"
        call = self._calls.get((kind, key))
        if call is None:
            call = self._keep(kind, key, name, inputs, generics)
        given = call.completed(inputs)
        parameters = call.parameters()
        if call.generated.in_place or call.prepares:
            kind = self._kind(call, given, parameters)
            if kind != "fast":
                call = self._calls.get((kind, key)) or self._keep(kind, key, name, inputs, generics)
                parameters = call.parameters()
        return call(given, parameters)

    def reset_state(self) -> None:
        """Make every state zeros."""
        with torch.inference_mode(False):
            for _, table, name in self._states().values():
                table[name] = torch.zeros_like(table[name])

    def refresh(self) -> None:
        """Forget what was found out of the weights: constants by device and prepared values are made again at the next call."""
        self._seen = self._changes.count
        self._calls.clear()
        self._prepared.clear()

    def release_prepared(self) -> tuple[str, ...]:
        """Give up the memory of parameters that, of all calls so far, only the preparing read; their paths.

        They stay in the module and its `state_dict` as tensors of the device `meta`, until weights are loaded again.  Buffers stay.
        """
        calls = list(self._calls.values())
        read = {
            path
            for call in calls
            for path in call.generated.parameters
            if path not in ((call.prepares and call.generated.prepared_only) or ())
        }
        only = {path for call in calls if call.prepares for path in call.generated.prepared_only} - read
        slots = {path: self._slot(path) for path in sorted(only)}
        tensors = {id(table[name]) for path, (_, table, name) in slots.items() if isinstance(table.get(name), torch.nn.Parameter)}
        shared = {id(each) for path, each in self.named_parameters(remove_duplicate=False) if path not in slots}
        found = [path for path, (_, table, name) in slots.items() if id(table.get(name)) in tensors - shared]
        for path in found:
            _, table, name = slots[path]
            if released_from(table[name]) is None:
                table[name] = release(table[name])
            self._prepared.released(path, table[name])
        for call in calls:
            call.accept(call.parameters())
        return tuple(found)

    def set_trainable(self, which: bool | str | Iterable[str]) -> tuple[str, ...]:
        """Let gradients reach the parameters whose path matches one of the globs (True: all floats), and no others; their paths."""
        globs = ["*"] if which is True else [] if which is False else [which] if isinstance(which, str) else list(which)
        names = [name for name, each in self.named_parameters() if each.is_floating_point()]
        for glob in globs:
            if which is not True and not any(fnmatchcase(name, glob) for name in names):
                raise UsageError(f"no parameter that can be trained matches `{glob}`")
        found = tuple(name for name in names if any(fnmatchcase(name, glob) for glob in globs))
        for name, each in self.named_parameters():
            each.requires_grad_(name in found)
        return found

    def generated_source(self, entry: str | None = None, inputs: Sequence[Any] = (), generics: Mapping[str, Any] | None = None) -> str:
        """The printed source of an entry, at the sizes of `inputs` or of all its `generics`."""
        with whole_reports():
            model = self._program.model
            name = known_entry(model, entry or main_entry(model))
            bound = bind_call(model, name, inputs, generics) if inputs or not generics else bind_named(model, name, generics)
            return self._program.generated(name, bound, "fast").source

    def _named(self, entry: str, /, *inputs: Any, generics: Mapping[str, Any] | None = None, **named: Any) -> Any:
        """An entry with inputs by position and by name; those that are left out take their defaults."""
        return self.run_entry(entry, by_position(self._program.model, entry, inputs, named), generics)

    def _kind(self, call: Call, inputs: Sequence[Any], parameters: Sequence[Any]) -> str:
        """`fast`; `whole` where nothing that is prepared can stand for a weight; `functional` where a gradient has to see the states."""
        if torch.is_grad_enabled() and (any(x.requires_grad for x in inputs) or any(p.requires_grad for p in parameters)):
            return "functional"
        return "fast" if not call.prepares or call.can_prepare(parameters) else "whole"

    def _keep(self, kind: str, key: Any, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None) -> Call:
        """The call of one kind at one signature, from here on."""
        program = self._program
        known_entry(program.model, name)
        with whole_reports():
            bound = bind_call(program.model, name, inputs, generics)
            generated = program.generated(name, bound, kind)
            self._check_places(name, generated)
            device = self._device()
            self._check_inputs(name, inputs, device, generated)
            where = program.devices if generated.slots else device
            complete = [self._completion(name, at, each, bound, device) for at, each in enumerate(inputs)]
            tables = [self._slot(path) for path in generated.parameters]
        states = self._states()
        call = Call(
            generated, program.main(generated), program.constants(generated, where), where, tables, states, self._prepared, complete
        )
        self._calls[(kind, key)] = call
        return call

    def _completion(self, entry: str, at: int, value: Any, bound: Bindings, device: torch.device) -> Callable[[Any], torch.Tensor] | None:
        """What makes a tensor of an input that is none."""
        if isinstance(value, torch.Tensor):
            return None
        declared = declared_inputs(self._program.model.entries[entry])[at]
        if value is None:
            default = self._program.default(entry, declared.name, bound, device)
            return lambda _: default.clone()
        return partial(number, entry, declared.name, bound.dtype(declared.dtype), device)

    def _check_places(self, entry: str, generated: GeneratedModule) -> None:
        """`RuntimeFailure` for a tensor that is not where the program reads it."""
        for path in generated.parameters:
            _, table, name = self._slot(path)
            if path not in generated.prepared_only and released_from(table.get(name)) is not None:
                raise RuntimeFailure(f"entry `{entry}`: `{path}` is needed and was released after preparing; load its weights again")
        for path, slot in generated.places():
            _, table, name = self._slot(path)
            wanted = None if slot is None else self._program.devices[slot]
            if wanted is not None and name in table and table[name].device != wanted:
                raise RuntimeFailure(f"entry `{entry}` reads `{path}` on {wanted}, and it is on {table[name].device}")

    def _check_inputs(self, entry: str, inputs: Sequence[Any], device: torch.device, generated: GeneratedModule) -> None:
        """`RuntimeFailure` for an input that is nowhere the module is: torch computes some of that, as on `meta`, and says nothing."""
        if not self._has_tensors():
            return
        slots = [self._slot(path) for path in (*generated.parameters, *generated.states)]
        there = {device, *(table[name].device for _, table, name in slots if table.get(name) is not None)}
        for at, each in enumerate(inputs):
            # a scalar on the host goes with every device
            if isinstance(each, torch.Tensor) and each.device not in there and (each.dim() or each.device.type != "cpu"):
                name = input_names(self._program.model, entry)[at]
                raise RuntimeFailure(f"entry `{entry}`, input `{name}` is on {each.device}, and the module on {device}")

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> Any:
        if not self._has_tensors():
            self._backend_device = fn(torch.empty(0, device=self._device())).device
        return super()._apply(fn, recurse)

    def _has_tensors(self) -> bool:
        return next(iter(self.parameters()), None) is not None or next(iter(self.buffers()), None) is not None

    def _device(self) -> torch.device:
        """Where inputs come and results of scalars are made."""
        if self._changes.placed or self._program.offload:
            return self._backend_device
        first = next((each for each in self.parameters() if released_from(each) is None), None)
        if first is None:
            first = next(iter(self.buffers()), None)
        return self._backend_device if first is None else first.device

    def _slot(self, path: str) -> Slot:
        owner, _, name = path.rpartition(".")
        found: torch.nn.Module = self
        for step in owner.split(".") if owner else []:
            inner = found._modules[step]
            assert inner is not None, "a printed module takes nothing that is absent"
            found = inner
        return found, (found._buffers if name in found._buffers else found._parameters), name

    def _states(self) -> dict[str, Slot]:
        found: dict[str, Slot] = {}
        for prefix, block in self.named_modules(remove_duplicate=False):
            for name in block._buffers:
                if name in block._non_persistent_buffers_set:
                    found[f"{prefix}.{name}" if prefix else name] = (block, block._buffers, name)
        return found
