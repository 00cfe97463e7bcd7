"""The calls of one entry, kept until the entry is whole.

In: calls, one by one.  Out: names of the tape's own (`#0`, `#1`, ...) for their results, and the items in order, those of a loop inside
one item.  An equal call in an open scope gets the names its twin got; what a custom gradient gives always has a name of its own,
because a gradient flows through it in another way than through an equal value, and what processes exchange is exchanged each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.graph.calls import (
    BeginCounted,
    BeginCustomGradient,
    BeginWhile,
    CallHeader,
    Constant,
    EndCounted,
    EndCustomGradient,
    EndWhile,
    Input,
    Operand,
    Parameter,
    State,
    WhileCondition,
)
from linnet_core.graph.exchanges import exchanges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from linnet_core.graph.calls import Call, ResultType
    from linnet_core.graph.target import RegionCallback


class Step(Struct, frozen=True, eq=False):
    """A call and the names of its results; `first` unless an equal one stands before it.  The end of a custom gradient has its pullback."""

    call: Call
    results: tuple[str, ...]
    first: bool = True
    pullback: RegionCallback | None = None

    def operand_names(self) -> list[str]:
        """What it reads."""
        return [str(operand.value) for operand in self.call.operands if operand is not None]


class Opened(Struct, frozen=True, eq=False):
    """A function's call starts."""

    header: CallHeader


class Closed(Struct, frozen=True, eq=False):
    """The call that started last ends."""

    results: tuple[Operand | None, ...]


class Loop(Struct, frozen=True, eq=False):
    """A loop: the steps that open and close it, and what stands between, of a `while` its condition too."""

    begin: Step
    body: list[Item]
    end: Step

    @property
    def carried(self) -> tuple[str, ...]:
        """The carried values as the body sees them."""
        return carried_by(self.begin)


Item = Step | Opened | Closed | Loop

_OPENERS = (BeginCounted, BeginWhile)
_CLOSERS = (EndCounted, EndWhile)
_NEVER_SHARED = (Input, Parameter, State, WhileCondition, BeginCustomGradient, EndCustomGradient, *_OPENERS, *_CLOSERS)


class Tape:
    """Takes calls and keeps them."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        #: Shape and dtype of every value.
        self.types: dict[str, ResultType] = {}
        #: The loops that are open: what opened each, and the items outside it.
        self._open: list[tuple[Step, list[Item]]] = []
        self._scopes: list[dict[Any, tuple[str, ...]]] = [{}]

    def take(self, call: Call, pullback: RegionCallback | None = None) -> Step | Loop:
        """Keep a call; the step it became, or the loop it closed."""
        if isinstance(call, _CLOSERS):
            return self._close(call)
        if isinstance(call, WhileCondition):
            return self._keep(Step(call, self._open[-1][0].results))
        if isinstance(call, _NEVER_SHARED) or exchanges(call):
            step = self._keep(Step(call, self._fresh(call), pullback=pullback))
            if isinstance(call, _OPENERS):
                self.items.pop()
                self._open.append((step, self.items))
                self.items = []
                self._scopes.append({})
            return step
        key = _key(call)
        known = next((scope[key] for scope in self._scopes if key in scope), None)
        if known is not None:
            return self._keep(Step(call, known, first=False))
        step = self._keep(Step(call, self._fresh(call)))
        self._scopes[-1][key] = step.results
        return step

    def open_call(self, header: CallHeader) -> None:
        """A function's call starts."""
        self.items.append(Opened(header))

    def close_call(self, results: Sequence[Operand | None]) -> None:
        """The call that started last ends."""
        self.items.append(Closed(tuple(results)))

    def _keep(self, step: Step) -> Step:
        self.items.append(step)
        return step

    def _close(self, call: Call) -> Loop:
        begin, outside = self._open.pop()
        self._scopes.pop()
        loop = Loop(begin, self.items, Step(call, self._fresh(call)))
        self.items = outside
        self.items.append(loop)
        return loop

    def step(self, call: Call) -> Step:
        """A step that is on no list yet, with names of its own for its results."""
        return Step(call, self._fresh(call))

    def _fresh(self, call: Call) -> tuple[str, ...]:
        types = call.result_types()
        first = len(self.types)
        names = tuple([f"#{first + at}" for at in range(len(types))])
        self.types.update(zip(names, types, strict=True))
        return names


def carried_by(begin: Step) -> tuple[str, ...]:
    """The values a loop carries as its body sees them, from the step that opens it."""
    return begin.results[isinstance(begin.call, BeginCounted) :]


def _key(call: Call) -> Any:
    """What makes two calls equal; 0.0 and -0.0 are different constants, and a NaN is equal to itself."""
    return (call.literal.kind, repr(call.literal.value), call.dtype) if isinstance(call, Constant) else call


def made_in(items: Iterable[Item]) -> Iterator[str]:
    """The names of all values made by items and inside them."""
    for item in items:
        match item:
            case Step():
                yield from item.results
            case Loop():
                yield from item.begin.results
                yield from made_in(item.body)
                yield from item.end.results


def read_by(items: Iterable[Item]) -> Iterator[str]:
    """The names of all values that items and what is inside them read."""
    for item in items:
        match item:
            case Step():
                yield from item.operand_names()
            case Loop():
                yield from item.begin.operand_names()
                yield from read_by(item.body)
                yield from item.end.operand_names()


def read_from_outside(loop: Loop, *, start: bool = True) -> list[str]:
    """What a loop reads that is made before it, each name once, in order; without `start` not for what it starts from alone."""
    inside = {*loop.begin.results, *made_in(loop.body)}
    first = loop.begin.operand_names() if start else ()
    read = dict.fromkeys([*first, *read_by(loop.body), *loop.end.operand_names()])
    return [name for name in read if name not in inside]
