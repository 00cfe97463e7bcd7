"""Where the values of an export live, and how they get to where they are read.

In: calls on their way to the target, and the block methods that are entered and left.  Out: the calls with operands that are on the slot
they run on, behind the `transfer`s or `gather_parts` that brought them there; `set_slot` around the methods; `release` of copies.

A value lives on the slot it was made on, a parameter or state on that of its path.  A parameter below an offloaded or a sharded block is
away: on the host, or in parts.  It is brought where it is read first, and when the call of the block ends its copy is released and
forgotten.  A copy made inside a run-time loop lives for one turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    EnablePlacement,
    EndCounted,
    EndWhile,
    Finish,
    GatherParts,
    Operand,
    Parameter,
    Release,
    ResultType,
    SetSlot,
    State,
    Transfer,
    WhileCondition,
)
from linnet_core.graph.values import Fields, Present, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.graph.emitter import Emitter
    from linnet_core.graph.placement_request import PlacementRequest

#: The "slot" of a parameter that is offloaded or sharded.
AWAY = -1
_BEGINS = (BeginWhile, BeginCounted)
_ENDS = (EndWhile, EndCounted)
_AS_THEY_ARE = (EnablePlacement, SetSlot, Transfer, GatherParts, Release)


class Placement:
    """What is where, while one entry is emitted by `emitter`."""

    def __init__(self, request: PlacementRequest, emitter: Emitter) -> None:
        self._request = request
        self._emitter = emitter
        #: Where calls run at present.
        self.slot = 0
        self._homes: dict[str, int] = {}
        self._types: dict[str, ResultType] = {}
        #: Copies by original and slot, one mapping for the entry and one for each run-time loop that is open.
        self._copies: list[dict[tuple[str, int], str]] = [{}]
        #: The offloaded or sharded blocks around a parameter, by name; how often each such block is open.
        self._blocks: dict[str, tuple[str, ...]] = {}
        self._open: dict[str, int] = {}
        #: The slots the methods that are open were called from; for each open loop those of what it carries.
        self._callers: list[int] = []
        self._carried: list[tuple[int, ...]] = []
        if not request.shards:
            emitter.names(EnablePlacement(slots=request.slots))

    # ---------------------------------------------------------------------------------------------------------- methods

    def enter(self, path: str) -> None:
        """A method of the block at `path` starts."""
        self._callers.append(self.slot)
        for block in self._request.away_around(path):
            self._open[block] = self._open.get(block, 0) + 1
        self._set_slot(self._request.slot_of(path))

    def release(self, path: str, kept: Iterable[Operand | None]) -> None:
        """The body of the method of `path` has ended: the copies of blocks that nothing has open any more go, but for those in `kept`."""
        closed: set[str] = set()
        for block in self._request.away_around(path):
            self._open[block] -= 1
            if not self._open[block]:
                closed.add(block)
        if closed:
            self._release(closed, {str(operand.value) for operand in kept if operand is not None})

    def leave(self) -> None:
        """The method that was entered last has ended."""
        self._set_slot(self._callers.pop())

    def _set_slot(self, slot: int) -> None:
        self.slot = slot
        self._emitter.names(SetSlot(slot=slot))

    def _release(self, blocks: set[str] | None, kept: set[str]) -> None:
        """Release the copies made in the innermost open scope of parameters below `blocks` (None: all such)."""
        scope = self._copies[-1]
        gone = [key for key, copy in scope.items() if self._is_of(key[0], blocks) and copy not in kept]
        if not gone:
            return
        copies = tuple([self._whole(scope.pop(key)) for key in gone])
        self._emitter.names(Release(operands=copies))

    def _is_of(self, original: str, blocks: set[str] | None) -> bool:
        around = self._blocks.get(original, ())
        return bool(around) and (blocks is None or not blocks.isdisjoint(around))

    # ------------------------------------------------------------------------------------------------------------ calls

    def before(self, call: Call) -> Call:
        """The call as it is emitted: its operands are brought to the slot where it runs."""
        if isinstance(call, _AS_THEY_ARE) or not (call.operands or isinstance(call, _BEGINS)):
            return call
        match call:
            case BeginWhile() | BeginCounted():
                slots = tuple([self._slot_or_here(o) for o in call.operands])
                call = self._brought(call, slots)
                self._carried.append(slots)
                self._copies.append({})
                return call
            case EndWhile() | EndCounted():
                call = self._brought(call, self._carried[-1])
                self._release(None, {str(o.value) for o in call.operands if o is not None})
                self._copies.pop()
                return call
            case Finish():
                return self._brought(call, [self._slot_or_here(o) for o in call.operands])
            case _:
                return self._brought(call, [self.slot] * len(call.operands))

    def after(self, call: Call, names: Sequence[str]) -> None:
        """Keep where the results of `call` are.  A name that was given before stays where it was."""
        slots: Sequence[int] = (self._home(call),) * len(names)
        if isinstance(call, (*_BEGINS, WhileCondition)):
            slots = [*slots[: isinstance(call, BeginCounted)], *self._carried[-1]]
        elif isinstance(call, _ENDS):
            slots = self._carried.pop()
        for name, slot, type in zip(names, slots, call.result_types(), strict=False):
            self._homes.setdefault(name, slot)
            self._types.setdefault(name, type)
        if isinstance(call, Parameter) and self._homes[names[0]] == AWAY:
            self._blocks[names[0]] = self._request.away_around(call.path)

    def _home(self, call: Call) -> int:
        match call:
            case Parameter(path=path) if self._request.away_around(path):
                return AWAY
            case Parameter(path=path) | State(path=path):
                return self._request.slot_of(path)
            case Transfer(slot=slot):
                return slot
            case _:
                return self.slot

    # ----------------------------------------------------------------------------------------------------------- values

    def here(self, value: Value) -> Value:
        """A value whose tensors are on the present slot."""
        match value:
            case Tensor(operand=operand):
                moved = self._at(operand, self.slot)
                return value if moved is operand else replace(value, operand=moved)
            case Present(value=inner):
                return Present(self.here(inner))
            case Fields(values=parts):
                return Fields(tuple([self.here(part) for part in parts]))
            case _:
                return value

    def at_state(self, path: str, operand: Operand) -> Operand:
        """A value for the state at `path`, on the slot where the state lives."""
        return self._at(operand, self._request.slot_of(path))

    def _brought(self, call: Call, slots: Sequence[int]) -> Call:
        operands = tuple([None if o is None else self._at(o, slot) for o, slot in zip(call.operands, slots, strict=True)])
        return call if all(new is old for new, old in zip(operands, call.operands, strict=True)) else replace(call, operands=operands)

    def _at(self, operand: Operand, slot: int) -> Operand:
        """The operand on `slot`; a name this export did not get from the target is where the call is that gave it."""
        original = str(operand.value)
        home = self._homes.get(original, slot)
        if home == slot:
            return operand
        key = (original, slot)
        copy = next((scope[key] for scope in reversed(self._copies) if key in scope), None)
        if copy is None:
            whole = self._whole(original)
            copy = self._copies[-1][key] = self._emitter.names(
                GatherParts(operands=(whole,)) if self._request.shards else Transfer(slot=slot, operands=(whole,))
            )[0]
        return Operand(copy, operand.shape, operand.dtype)

    def _slot_or_here(self, operand: Operand | None) -> int:
        """Where a value is; the present slot for what is away."""
        home = self.slot if operand is None else self._homes.get(str(operand.value), self.slot)
        return self.slot if home == AWAY else home

    def _whole(self, name: str) -> Operand:
        type = self._types[name]
        return Operand(name, type.shape, type.dtype)
