"""Emitting the items of a tape.

In: items, and the target's names of what they read.  Out: the calls, and the target's names of their results.  A loop that a gradient
flows through also stacks, at the start of each iteration, the carried values its reverse pass reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from linnet_core.graph.calls import (
    BeginCounted,
    BeginCustomGradient,
    CallHeader,
    Contract,
    EndCustomGradient,
    NativeCall,
    Operand,
    UpdateRow,
)
from linnet_core.graph.gradient.exchanging import exchanged
from linnet_core.graph.gradient.needs import has_adjoint, kept_of
from linnet_core.graph.gradient.tape import Closed, Loop, Opened, Step
from linnet_core.graph.rows import update_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from linnet_core.graph.gradient.tape import Item
    from linnet_core.graph.gradient.terms import Terms


class Forward:
    """Emits items.  `stacks` holds the stacks of each loop that was emitted last, by the name of its first result."""

    def __init__(self, terms: Terms, wanted: frozenset[str]) -> None:
        self.terms = terms
        self.emitter = terms.emitter
        self.wanted = wanted
        self.stacks: dict[str, dict[int, Operand]] = {}

    def run(self, items: Iterable[Item], names: dict[str, str], *, headers: bool = True, stacking: bool = True) -> None:
        """Emit items in order; `names` grows by their results.

        Without `headers` function calls leave no mark, without `stacking` loops keep no values of their iterations.
        """
        for item in items:
            match item:
                case Step():
                    self._step(item, names)
                case Loop():
                    self._loop(item, names, headers=headers, stacking=stacking)
                case Opened() if headers:
                    self.emitter.target.begin_call(_translated(item.header, names))
                case Closed() if headers:
                    self.emitter.target.end_call([translated(operand, names) for operand in item.results])
                case _:
                    pass

    def _step(self, step: Step, names: dict[str, str]) -> None:
        call = step.call
        match call:
            case BeginCustomGradient():
                given = [names[name] for name in step.operand_names()]
            case EndCustomGradient():
                given = [names[step.operand_names()[-1]]]
            case Contract():
                lhs, rhs = (self._operand(operand, names) for operand in call.operands)
                given = [str(self.terms.contracted(lhs, rhs, (call.lhs_axes, call.rhs_axes), call.out_axes).value)]
            case UpdateRow():
                given = [str(update_row(self.emitter, *(self._operand(operand, names) for operand in call.operands)).value)]
            case NativeCall():
                moved = replace(call, operands=tuple([translated(operand, names) for operand in call.operands]))
                given = [str(exchanged(self.emitter, moved, differentiated=step.results[0] in self.wanted).value)]
            case _:
                given = self.emitter.names(replace(call, operands=tuple([translated(operand, names) for operand in call.operands])))
        names.update(zip(step.results, given, strict=True))

    def _operand(self, operand: Operand | None, names: Mapping[str, str]) -> Operand:
        found = translated(operand, names)
        assert found is not None
        return found

    def _loop(self, loop: Loop, names: dict[str, str], *, headers: bool, stacking: bool) -> None:
        initial = [self._operand(operand, names) for operand in loop.begin.call.operands]
        kept = self._stacked(loop) if stacking else ()
        stacks = [self._empty_stack(loop.begin.call, initial[at]) for at in kept]
        begun = self.emitter.names(replace(loop.begin.call, operands=(*initial, *stacks)))
        inside = dict(names)
        inside.update(zip(loop.begin.results, begun, strict=False))
        rows = [Operand(name, stack.shape, stack.dtype) for name, stack in zip(begun[len(loop.begin.results) :], stacks, strict=True)]
        if rows:
            position = position_in(self.terms, Operand(begun[0], (), "i64"), loop)
            carried = begun[len(begun) - len(initial) - len(rows) : len(begun) - len(rows)]
            rows = [
                update_row(self.emitter, row, position, replace(initial[at], value=carried[at])) for row, at in zip(rows, kept, strict=True)
            ]
        # a loop inside this one stacks its values when the way back runs it again
        self.run(loop.body, inside, headers=headers, stacking=False)
        ends = tuple([self._operand(operand, inside) for operand in loop.end.call.operands])
        ended = self.emitter.names(replace(loop.end.call, operands=(*ends, *rows)))
        names.update(zip(loop.end.results, ended, strict=False))
        if kept:
            filled = zip(kept, stacks, ended[len(ends) :], strict=True)
            self.stacks[loop.end.results[0]] = {at: replace(stack, value=name) for at, stack, name in filled}

    def _stacked(self, loop: Loop) -> tuple[int, ...]:
        """The carried values to keep of each iteration."""
        if not has_adjoint(loop, self.wanted) or not iterations(loop):
            return ()
        return kept_of(loop, self.wanted).carried

    def _empty_stack(self, call: Any, row: Operand) -> Operand:
        assert isinstance(call, BeginCounted)
        return self.terms.zeros((max(call.stop - call.start, 0), *row.shape), row.dtype)


def iterations(loop: Loop) -> int:
    """How often a counted loop turns."""
    call = loop.begin.call
    assert isinstance(call, BeginCounted)
    return max(call.stop - call.start, 0)


def position_in(terms: Terms, index: Operand, loop: Loop) -> Operand:
    """Which iteration an index stands for, from 0."""
    call = loop.begin.call
    assert isinstance(call, BeginCounted)
    return index if call.start == 0 else terms.binary("sub", index, terms.emitter.integer(call.start))


def translated(operand: Operand | None, names: Mapping[str, str]) -> Operand | None:
    """An operand of the tape under the target's name."""
    return None if operand is None else Operand(names[str(operand.value)], operand.shape, operand.dtype)


def _translated(header: CallHeader, names: Mapping[str, str]) -> CallHeader:
    return replace(header, arguments=tuple([_argument(argument, names) for argument in header.arguments]))


def _argument(argument: Any, names: Mapping[str, str]) -> Any:
    match argument:
        case Operand():
            return translated(argument, names)
        case tuple():
            return tuple([_argument(part, names) for part in argument])
        case _:
            return argument
