"""Which slot each placed block has, and which device each slot is.

In: a model, its device, and devices by block.  Out: `Slots`.  Raises `UsageError` for a block that does not exist, and for what does not go
with placement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from msgspec import Struct

from linnet_core.errors import UsageError
from linnet_core.loading.tree import Leaf, Node
from linnet_core.text.cells import show_inline
from linnet_core.text.near import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from linnet_core.loading.model import Model
    from linnet_core.loading.tree import Part


class Slots(Struct, frozen=True):
    """The devices by slot, the model's own first; the slot of each placed block; the blocks whose parameters stay on the host."""

    devices: tuple[torch.device, ...]
    place: dict[str, int]
    offload: tuple[str, ...]


def slots_of(
    model: Model, device: str | torch.device, place: Mapping[str, str | torch.device], offload: Iterable[str], *, prepare: bool
) -> Slots:
    """A slot for each device that is named, in the order of `place`."""
    away = tuple(offload)
    if prepare and (place or away):
        raise UsageError("`prepare` goes with one device: leave out `place` and `offload`")
    blocks = list(_blocks(model.tree))
    for path in (*place, *away):
        if path not in blocks:
            near = did_you_mean(str(path), blocks)
            raise UsageError(f"`{show_inline(str(path))}` is no block of `{model.name}`{f'; {near}' if near else ''}")
    devices = [_named(device)]
    found: dict[str, int] = {}
    for path, name in place.items():
        each = _named(name)
        if each not in devices:
            devices.append(each)
        found[path] = devices.index(each)
    return Slots(tuple(devices), found, away)


def _named(device: str | torch.device) -> torch.device:
    """The device with its index, as tensors say it."""
    try:
        return torch.empty(0, device=device).device
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise UsageError(f"no device `{show_inline(str(device))}` here: {str(error).splitlines()[0]}") from None


def _blocks(tree: Node) -> Iterable[str]:
    """The paths of all blocks and arrays of blocks below the root."""
    pending: list[Part] = [tree]
    while pending:
        each = pending.pop()
        if isinstance(each, Leaf):
            continue
        if each.path:
            yield each.path
        pending.extend(each.members if isinstance(each, Node) else each.elements)
