"""`Block`: a block of a model as a module of torch.

In: a node of the tree of members, and tensors by path.  Out: a `torch.nn.Module` whose parameters, buffers and modules are the members.
What moves or replaces a tensor of any block is told to the whole model through `Changes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from linnet_core.check.types import FLOATS
from linnet_core.errors import UsageError
from linnet_core.loading.tree import Array, Leaf, Node
from linnet_core.weights.arrays import describe
from linnet_torch.loading.dtypes import dtype_name
from linnet_torch.loading.prepared import released_from

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from linnet_core.loading.tree import Part

    #: The parameter or buffer of a leaf, made by the loader.
    Tensors = Mapping[str, torch.nn.Parameter | torch.Tensor]


class Changes:
    """How often tensors of a model were moved or replaced from outside; `placed` models stay on their devices."""

    def __init__(self, *, placed: bool = False) -> None:
        self.count = 0
        self.placed = placed


class Block(torch.nn.Module):
    """A block of the model."""

    def __init__(self, node: Node, tensors: Tensors, absent: frozenset[str], changes: Changes) -> None:
        super().__init__()
        self._node = node
        self._changes = changes
        # into the tables themselves: a member may have the name of a method of torch's modules
        for member in node.members:
            match member:
                case Leaf(kind="param"):
                    self._parameters[member.name] = tensors.get(member.path)  # pyright: ignore[reportArgumentType] # by the loader
                case Leaf():
                    self._buffers[member.name] = tensors.get(member.path)
                    if member.kind == "state":
                        self._non_persistent_buffers_set.add(member.name)
                case _:
                    self._modules[member.name] = None if member.path in absent else _child(member, tensors, absent, changes)

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
        tensors = [*self.parameters(), *self.buffers()]
        if any(released_from(each) is not None for each in tensors):
            raise UsageError(f"`{self._get_name()}` holds parameters that were released after preparing; load their weights again")
        for dtype, device in dict.fromkeys([(each.dtype, each.device) for each in tensors]):
            made = fn(torch.empty(0, dtype=dtype, device=device))
            if made.dtype != dtype:
                raise UsageError(f"`{self._get_name()}` computes in {dtype_name(dtype)}; load it with other generics for another dtype")
            if self._changes.placed and made.device != device:
                raise UsageError(f"`{self._get_name()}` is placed on several devices; load it again with another placement")
        shared = self._shared()
        moved = super()._apply(fn, recurse)
        for (first, name), *others in shared:
            # torch makes a parameter for each place where one cannot be moved as it is, as to the device `meta`
            for table, other in others:
                table[other] = first[name]
        self._changes.count += 1
        return moved

    def _shared(self) -> list[list[tuple[dict[str, Any], str]]]:
        """Where each parameter stands that stands in several places below."""
        places: dict[int, list[tuple[dict[str, Any], str]]] = {}
        for block in self.modules():
            for name, each in block._parameters.items():
                if each is not None:
                    places.setdefault(id(each), []).append((block._parameters, name))
        return [each for each in places.values() if len(each) > 1]

    def _load_from_state_dict(self, state_dict: Mapping[str, Any], prefix: str, local_metadata: Any, *rest: Any) -> None:
        """Take the block's own tensors; another dtype is an error of the load, but for the width of floats where torch copies."""
        *_, errors = rest
        instead: dict[str, torch.Tensor] = {}
        for table in (self._parameters, self._buffers):
            for name, held in table.items():
                given = state_dict.get(prefix + name)
                if held is None or name in self._non_persistent_buffers_set or not isinstance(given, torch.Tensor):
                    continue
                wanted, found = dtype_name(held.dtype), dtype_name(given.dtype)
                copied = not local_metadata.get("assign_to_params_buffers", False)
                if wanted != found and not (copied and wanted in FLOATS and found in FLOATS):
                    errors.append(f"dtype mismatch for {prefix}{name}: {wanted} is wanted, the state_dict has {found}.")
                    instead[prefix + name] = held
                elif (device := released_from(held)) is not None and copied:
                    table[name] = torch.nn.Parameter(torch.empty_like(held, device=device), requires_grad=False)  # type: ignore[assignment] # a parameter, by the key
        given = {**state_dict, **instead} if instead else state_dict
        super()._load_from_state_dict(given, prefix, local_metadata, *rest)  # pyright: ignore[reportArgumentType] # torch types the mapping as a dict
        self._changes.count += 1


def _child(part: Part, tensors: Tensors, absent: frozenset[str], changes: Changes) -> torch.nn.Module:
    match part:
        case Node():
            return Block(part, tensors, absent, changes)
        case Array():
            return torch.nn.ModuleList([_child(each, tensors, absent, changes) for each in part.elements])
        case Leaf():
            raise AssertionError("a leaf is no module")
