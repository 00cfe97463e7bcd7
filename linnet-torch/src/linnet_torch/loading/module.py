"""`LinnetModule`: the members of a model as modules, its entries as methods.

In: a program and tensors by path.  Out: a `torch.nn.Module` like any other: parameters under their paths, states as buffers that no
`state_dict` holds, `forward` and every other entry.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from linnet_core.check.types import FLOATS, INTEGERS
from linnet_core.errors import RuntimeFailure, UsageError
from linnet_core.loading.inputs import Given, bind_inputs, declared_inputs
from linnet_core.loading.reports import whole_reports
from linnet_core.loading.tree import Array, Leaf, Node
from linnet_core.weights.arrays import describe
from linnet_torch.loading.call import Call
from linnet_torch.loading.dtypes import TORCH_DTYPES, dtype_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from linnet_core.loading.tree import Part
    from linnet_torch.loading.call import Slot
    from linnet_torch.loading.program import Program

    #: The parameter or buffer of a leaf, made by the loader.
    Tensors = Mapping[str, torch.nn.Parameter | torch.Tensor]


class Block(torch.nn.Module):
    """A block of the model."""

    def __init__(self, node: Node, tensors: Tensors, absent: frozenset[str], device: torch.device) -> None:
        super().__init__()
        self._node = node
        # into the tables themselves: a member may have the name of a method of torch's modules
        for member in node.members:
            gone = member.path in absent
            match member:
                case Leaf(kind="param"):
                    self._parameters[member.name] = None if gone else tensors[member.path]  # pyright: ignore[reportArgumentType] # by the loader
                case Leaf(kind="buffer"):
                    self._buffers[member.name] = None if gone else tensors[member.path]
                case Leaf():
                    self._buffers[member.name] = torch.zeros(member.shape, dtype=TORCH_DTYPES[member.dtype], device=device)
                    self._non_persistent_buffers_set.add(member.name)
                case _:
                    self._modules[member.name] = None if gone else _child(member, tensors, absent, device)

    def _get_name(self) -> str:
        return self._node.block or type(self).__name__

    def extra_repr(self) -> str:
        """A line a tensor."""
        lines: list[str] = []
        for member in self._node.members:
            if isinstance(member, Leaf):
                table = self._parameters if member.kind == "param" else self._buffers
                mark = "" if table.get(member.name) is not None else " (absent)"
                kind = "" if member.kind == "param" else f"{member.kind} "
                lines.append(f"({member.name}{'?' * member.optional}): {kind}{describe(member.shape, member.dtype)}{mark}")
            elif member.path and self._modules.get(member.name) is None:
                lines.append(f"({member.name}?): absent")
        return "\n".join(lines)

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> Any:
        """Move tensors; `UsageError` for what would change their dtypes, which are part of the program."""
        for dtype in dict.fromkeys([each.dtype for each in (*self.parameters(), *self.buffers())]):
            if fn(torch.empty(0, dtype=dtype)).dtype != dtype:
                raise UsageError(f"`{self._get_name()}` computes in {dtype_name(dtype)}; load it with other generics for another dtype")
        return super()._apply(fn, recurse)


class LinnetModule(Block):
    """A model.  `load` makes one."""

    def __init__(self, program: Program, tensors: Tensors, device: torch.device) -> None:
        super().__init__(program.model.tree, tensors, program.absent, device)
        self._program = program
        self._calls: dict[Any, Call] = {}
        self._backend_device = device

    def _get_name(self) -> str:
        return self._node.block or self._program.model.name

    def __getstate__(self) -> dict[str, Any]:
        # a call holds the tables of this module, which a copy does not share
        return {**self.__dict__, "_calls": {}}

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
        return self._named(self._main_entry(), *inputs, **named)

    def run_entry(self, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None = None) -> Any:
        """The result of entry `name`; `generics` are values for those of its own that no input says.

        An input is a tensor of the declared dtype on the module's device, or a number of Python where a scalar is declared.  Raises
        `RuntimeFailure` for inputs that do not fit, and what torch raises in the run.
        """
        key = (name, torch.is_grad_enabled(), tuple([_signature(each) for each in inputs]), repr(generics) if generics else None)
        call = self._calls.get(key)
        if call is None:
            call = self._calls[key] = self._prepare(name, inputs, generics)
        declared = declared_inputs(self._program.model.entries[name]) if any(not isinstance(x, torch.Tensor) for x in inputs) else ()
        given = [x if isinstance(x, torch.Tensor) else self._number(x, name, declared[at]) for at, x in enumerate(inputs)]
        if call.generated.in_place and torch.is_grad_enabled() and _differentiated(given, call.parameters):
            call = self._functional(key, name, inputs, generics)
        return call(given)

    def reset_state(self) -> None:
        """Make every state zeros."""
        with torch.inference_mode(False):
            for table, name in self._states().values():
                table[name] = torch.zeros_like(table[name])

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
            name = self._known(entry or self._main_entry())
            found = self._program.model.entries[name]
            own = found.function.generics
            if inputs or not generics:
                bound = self._bind(name, inputs, generics)
            else:
                from linnet_core.graph.bind import bind

                bound = self._program.model.bindings.joined(bind(own, generics, self._program.model.further, entry=name, flag=""))
            return self._program.generated(name, bound, in_place=True).source

    def _main_entry(self) -> str:
        entries = self.entries
        if "forward" in entries or len(entries) == 1:
            return "forward" if "forward" in entries else entries[0]
        raise UsageError(f"`{self._program.model.name}` has no entry `forward`; call one of: {', '.join(entries)}")

    def _known(self, name: str) -> str:
        if name not in self._program.model.entries:
            raise UsageError(f"`{self._program.model.name}` has no entry `{name}`; there are: {', '.join(self.entries)}")
        return name

    def _named(self, entry: str, /, *inputs: Any, generics: Mapping[str, Any] | None = None, **named: Any) -> Any:
        """An entry with inputs by position and by name."""
        if not named:
            return self.run_entry(entry, inputs, generics)
        names = [each.name for each in declared_inputs(self._program.model.entries[entry])][len(inputs) :]
        unknown = [name for name in named if name not in names]
        if unknown:
            raise RuntimeFailure(f"entry `{entry}` takes no further input `{unknown[0]}`; there are: {', '.join(names) or 'none'}")
        missing = [name for name in names if name not in named]
        if missing:
            raise RuntimeFailure(f"entry `{entry}`: no value for {', '.join(f'`{name}`' for name in missing)}")
        return self.run_entry(entry, [*inputs, *(named[name] for name in names)], generics)

    def _bind(self, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None) -> Any:
        model = self._program.model
        found = model.entries[self._known(name)]
        declared = declared_inputs(found)
        given = [_given(each, name, declared[at].name if at < len(declared) else str(at)) for at, each in enumerate(inputs)]
        own = [generic.name for generic in found.function.generics]
        further = {key: value for key, value in model.further.items() if key in own}
        return bind_inputs(found, model.bindings, given, generics, further)

    def _prepare(self, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None, *, in_place: bool = True) -> Call:
        with whole_reports():
            bound = self._bind(name, inputs, generics)
            generated = self._program.generated(name, bound, in_place=in_place)
        device = self._device()
        tables = [self._slot(path) for path in generated.parameters]
        return Call(generated, self._program.main(generated), self._program.constants(generated, device), tables, self._states())

    def _functional(self, key: Any, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None) -> Call:
        """The call that leaves states as they were, for what backward has to see."""
        key = ("functional", *key)
        if key not in self._calls:
            self._calls[key] = self._prepare(name, inputs, generics, in_place=False)
        return self._calls[key]

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> Any:
        self._backend_device = fn(torch.empty(0, device=self._device())).device if not self._has_tensors() else self._backend_device
        made = super()._apply(fn, recurse)
        self._calls.clear()  # constants are made for a device
        return made

    def _has_tensors(self) -> bool:
        return next(iter(self.parameters()), None) is not None or next(iter(self.buffers()), None) is not None

    def _device(self) -> torch.device:
        first = next(iter(self.parameters()), None)
        if first is None:
            first = next(iter(self.buffers()), None)
        return self._backend_device if first is None else first.device

    def _number(self, value: Any, entry: str, declared: Any) -> torch.Tensor:
        """A number of Python as the scalar that is declared."""
        dtype = self._program.model.bindings.dtypes.get(declared.dtype.id, "") if not isinstance(declared.dtype, str) else declared.dtype
        if _takes(dtype, value):
            return torch.tensor(value, dtype=TORCH_DTYPES[dtype], device=self._device())
        raise RuntimeFailure(f"entry `{entry}`, input `{declared.name}`: {dtype} is wanted, {value!r} was given")

    def _slot(self, path: str) -> Slot:
        owner, _, name = path.rpartition(".")
        block = self._block(owner)
        return (block._parameters if name in block._parameters else block._buffers), name

    def _block(self, path: str) -> torch.nn.Module:
        found: torch.nn.Module = self
        for name in path.split(".") if path else []:
            inner = found._modules[name]
            assert inner is not None, "a printed module takes nothing that is absent"
            found = inner
        return found

    def _states(self) -> dict[str, Slot]:
        found: dict[str, Slot] = {}
        for prefix, block in self.named_modules(remove_duplicate=False):
            for name in block._buffers:
                if name in block._non_persistent_buffers_set:
                    found[f"{prefix}.{name}" if prefix else name] = (block._buffers, name)
        return found


def _child(part: Part, tensors: Tensors, absent: frozenset[str], device: torch.device) -> torch.nn.Module:
    match part:
        case Node():
            return Block(part, tensors, absent, device)
        case Array():
            return torch.nn.ModuleList([_child(each, tensors, absent, device) for each in part.elements])
        case Leaf():
            raise AssertionError("a leaf is no module")


def _takes(dtype: str, value: Any) -> bool:
    """Whether a number of Python is one of `dtype` without loss of kind."""
    if isinstance(value, bool) or dtype == "bool":
        return isinstance(value, bool) and dtype == "bool"
    return dtype in FLOATS or (dtype in INTEGERS and isinstance(value, int))


def _signature(value: Any) -> Any:
    """What tells calls apart: memory laid out in another way may be shared in another way."""
    return (value.shape, value.dtype, value.is_contiguous()) if isinstance(value, torch.Tensor) else type(value)


def _given(value: Any, entry: str, name: str) -> Given:
    if isinstance(value, torch.Tensor):
        return Given(tuple(value.shape), dtype_name(value.dtype))
    if isinstance(value, bool | int | float):
        return Given((), None)
    raise RuntimeFailure(f"entry `{entry}`, input `{name}`: a tensor or a number is due, not {type(value).__name__}")


def _differentiated(inputs: Iterable[torch.Tensor], parameters: Iterable[Slot]) -> bool:
    return any(each.requires_grad for each in inputs) or any(table[name].requires_grad for table, name in parameters)
