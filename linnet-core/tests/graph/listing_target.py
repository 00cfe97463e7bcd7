"""A target that lists its calls, one a line.  What it can do and what it takes are said when it is made.

Like a real target it answers the names it gave before to an equal call in an open scope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Contract,
    EndCounted,
    EndWhile,
    Finish,
    GatherParts,
    Input,
    LaunchKernel,
    NativeCall,
    ScatterAdd,
    SetSlot,
    State,
    Transfer,
    UpdateRow,
    WhileCondition,
)
from linnet_core.graph.target import Capabilities, Declined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import Call, CallHeader, Operand
    from linnet_core.graph.target import RegionCallback

_NEVER_SHARED = (Input, State, BeginWhile, WhileCondition, EndWhile, BeginCounted, EndCounted, Finish, Transfer, GatherParts)


class Listing:
    """`takes` holds the implementations of library calls it takes, and the ops of other calls it could decline."""

    name = "listing"

    def __init__(self, *, takes: frozenset[str] = frozenset(("contract",)), shares: bool = True, **capabilities: bool) -> None:
        self.capabilities = Capabilities(**capabilities)
        self.takes = takes
        self.shares = shares
        self.lines: list[str] = []
        self.calls: list[Call] = []
        self.headers: list[CallHeader] = []
        self.made = 0
        self.slot = 0
        self.scopes: list[dict[tuple[int, Call], tuple[str, ...]]] = [{}]

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        self.calls.append(call)
        if call.may_decline and not self._is_taken(call):
            return Declined(f"no {call.op} here")
        if isinstance(call, SetSlot):
            self.slot = call.slot
        if isinstance(call, BeginWhile | BeginCounted):
            self.scopes.append({})
        if isinstance(call, EndWhile | EndCounted):
            self.scopes.pop()
        shared = self.shares and not isinstance(call, _NEVER_SHARED) and not isinstance(call, NativeCall | LaunchKernel)
        key = (self.slot, call)
        for scope in self.scopes if shared else ():
            if key in scope:
                return scope[key]
        names = tuple(f"v{self.made + at}" for at in range(len(call.result_types())))
        self.made += len(names)
        self.lines.append(f"{', '.join(names)} = {call}")
        if shared:
            self.scopes[-1][key] = names
        return names

    def _is_taken(self, call: Call) -> bool:
        match call:
            case NativeCall():
                return call.implementation in self.takes
            case Contract() | UpdateRow() | ScatterAdd() | LaunchKernel():
                return call.op in self.takes
            case _:
                return True

    def begin_call(self, header: CallHeader) -> None:
        self.headers.append(header)

    def end_call(self, results: Sequence[Operand | None]) -> None:
        pass

    def source(self) -> str:
        return "\n".join(self.lines)
