"""Which operations write or read state.

In: a module.  Out: `Effects`, asked by the passes that remove or merge operations.  A call has the effects of its callee; an
operation with regions those of what stands in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.ops import OPS

if TYPE_CHECKING:
    from linnet_core.ir.module import Function, Module, Op, Region

_CALLS = ("call", "semantic.call")


class Effects:
    """The functions of a module that write state and those that touch it at all, directly or through calls."""

    def __init__(self, module: Module) -> None:
        """Walks the calls of every function once."""
        self._touch = {name for name, function in module.functions.items() if function.states}
        self._write = _writers(module)

    def writes(self, op: Op) -> bool:
        """Whether the operation itself (not its regions) has an effect."""
        return OPS[op.kind].effect or (op.kind in _CALLS and op.attrs["callee"] in self._write)

    def reads(self, op: Op) -> bool:
        """Whether the operation's value depends on when it runs."""
        if op.kind in _CALLS:
            return op.attrs["callee"] in self._touch
        return op.kind in ("state.read", "kernel.load")

    def writes_anywhere(self, op: Op) -> bool:
        """Whether the operation or anything in its regions, except the ends of the regions, has an effect."""
        return self.writes(op) or any(self.region_writes(region) for region in op.regions)

    def region_writes(self, region: Region) -> bool:
        """Whether an operation before the end of the region has an effect."""
        return any(self.writes_anywhere(op) for op in region.ops[:-1])


def _writers(module: Module) -> set[str]:
    """Names of functions that write state; callers follow their callees."""
    callers: dict[str, list[str]] = {}
    pending: list[str] = []
    for name, function in module.functions.items():
        writes, callees = _direct(function)
        if writes:
            pending.append(name)
        for callee in callees:
            callers.setdefault(callee, []).append(name)
    found = set(pending)
    while pending:
        for caller in callers.get(pending.pop(), ()):
            if caller not in found:
                found.add(caller)
                pending.append(caller)
    return found


def callees_of(function: Function) -> list[str]:
    """The names of the functions it calls, its gradient not counted."""
    return _direct(function)[1]


def _direct(function: Function) -> tuple[bool, list[str]]:
    """Whether a function has effects of its own, and whom it calls."""
    writes = False
    callees: list[str] = []
    pending = [function.body]
    while pending:
        for op in pending.pop().ops:
            row = OPS[op.kind]
            writes = writes or (row.effect and not row.ends_region)
            if op.kind in _CALLS:
                callees.append(op.attrs["callee"])
            pending.extend(op.regions)
    return writes, callees
