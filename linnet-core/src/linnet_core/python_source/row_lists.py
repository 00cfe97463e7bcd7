"""The pass that keeps what a loop yields in a list, which is stacked once, instead of copying the stack in each turn.

In: steps, and the scalars known among their results.  Out: the same, but for values that a counted loop carries only to replace one row
after another, every row of it, from the first on or from the last: they become `OpenRows` before the loop, `AppendRow` in it and
`StackRows` behind it.  What such a value was before the loop is read no more.

A row in the list has no memory of its own until the stack is made.  So a loop that may write in place keeps its stacks, but for rows that
are new values of the turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.graph.calls import BeginCounted, Broadcast, Elementwise, Operand, Reshape, Slice, Transfer, Transpose, UpdateRow
from linnet_core.python_source.branch import Branch
from linnet_core.python_source.row_calls import AppendRow, OpenRows, StackRows
from linnet_core.python_source.steps import BRACKETS, Step, bracket_depths, matching_end

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.python_source.fold import Scalar

_VIEWS = (Reshape, Transpose, Broadcast, Slice, Transfer)


class _Stack(Struct, frozen=True):
    """The carried value at position `slot` is a stack; the step at `update`, counted from the loop's first, replaces its row, `backwards`
    from the last to the first.
    """

    slot: int
    update: int
    row: Operand
    backwards: bool


def list_rows(steps: Sequence[Step], scalars: Mapping[str, Scalar]) -> list[Step]:
    """The steps, with a list for each stack."""
    found = list(steps)
    for at in range(len(found) - 1, -1, -1):  # from behind, so that positions before stay
        if isinstance(found[at].call, BeginCounted):
            end = matching_end(found, at)
            loop = found[at : end + 1]
            stacks = _stacks(loop, scalars)
            if stacks:
                found[at : end + 1] = _with_lists(loop, stacks)
    return found


def _stacks(loop: Sequence[Step], scalars: Mapping[str, Scalar]) -> list[_Stack]:
    begin, end = loop[0], loop[-1]
    call = begin.call
    assert isinstance(call, BeginCounted)
    if call.stop <= call.start:
        return []
    _, *heads = begin.results
    numbers = _numbers(loop, scalars)
    readers: dict[str, list[int]] = {}
    for at, step in enumerate(loop[1:], 1):
        for name in step.reads():
            readers.setdefault(name, []).append(at)
    depths = bracket_depths(loop)
    found: list[_Stack] = []
    for slot, (head, answer) in enumerate(zip(heads, end.reads(), strict=True)):
        update, *others = readers.get(head, [0])
        step = loop[update]
        if others or depths[update] != 1 or not isinstance(step.call, UpdateRow) or step.results != (answer,):
            continue
        stack, number, row = (step.call.operand(i) for i in range(3))
        whole = str(stack.value) == head and str(number.value) in numbers and stack.shape[0] == call.stop - call.start
        if whole and readers.get(answer) == [len(loop) - 1] and _keeps(loop, str(row.value)):
            found.append(_Stack(slot, update, row, numbers[str(number.value)]))
    return found


def _numbers(loop: Sequence[Step], scalars: Mapping[str, Scalar]) -> dict[str, bool]:
    """The names of how many turns went before (False), or of how many follow (True)."""
    begin = loop[0]
    call, index = begin.call, begin.results[0]
    assert isinstance(call, BeginCounted)
    found = {index: False} if call.start == 0 else {}
    for step in loop:
        if isinstance(step.call, Elementwise) and step.call.kind == "sub":
            x, y = step.reads()
            if x == index and scalars.get(y) == call.start:
                found[step.results[0]] = False
            elif y == index and scalars.get(x) == call.stop - 1:
                found[step.results[0]] = True
    return found


def _keeps(loop: Sequence[Step], row: str) -> bool:
    """Whether nothing in the loop writes over the memory of a row."""
    if not any(_may_write(step.call) for step in loop):
        return True
    made: dict[str, Step] = {name: step for step in loop for name in step.results}
    step = made.get(row)
    while step is not None and isinstance(step.call, _VIEWS):
        step = made.get(str(step.call.operand(0).value))
    return step is not None and type(step.call) not in BRACKETS and not isinstance(step.call, Branch) and not _may_write(step.call)


def _may_write(call: Any) -> bool:
    """Whether it is a call that has a form which writes in place, in an arm of a branch or by itself."""
    if isinstance(call, Branch):
        return any(_may_write(step.call) for steps, _ in call.arms() for step in steps)
    return hasattr(call, "in_place")


def _with_lists(loop: Sequence[Step], stacks: Sequence[_Stack]) -> list[Step]:
    """The loop without the stacks among what it carries, and the lists around it."""
    begin, end = loop[0], loop[-1]
    gone = {stack.slot for stack in stacks}
    lists = [Operand(begin.results[1 + at], o.shape, o.dtype) for at, o in enumerate(end.call.operands) if o is not None and at in gone]
    inside = list(loop[1:-1])
    for stack, rows in zip(stacks, lists, strict=True):
        inside[stack.update - 1] = Step(AppendRow(operands=(rows, stack.row)), (), loop[stack.update].slot)
    numbers = {str(loop[stack.update].call.operand(1).value) for stack in stacks}
    read = {*end.reads(), *(name for step in inside for name in step.reads())}
    inside = [step for step in inside if numbers.isdisjoint(step.results) or not read.isdisjoint(step.results)]
    index, *heads = begin.results
    return [
        *(Step(OpenRows(shape=rows.shape, dtype=rows.dtype), (str(rows.value),), begin.slot) for rows in lists),
        Step(replace(begin.call, operands=_without(begin.call.operands, gone)), (index, *_without(heads, gone)), begin.slot),
        *inside,
        Step(replace(end.call, operands=_without(end.call.operands, gone)), _without(end.results, gone), end.slot),
        *(_stacked(stack, rows, end) for stack, rows in zip(stacks, lists, strict=True)),
    ]


def _stacked(stack: _Stack, rows: Operand, end: Step) -> Step:
    return Step(StackRows(backwards=stack.backwards, operands=(rows,)), (end.results[stack.slot],), end.slot)


def _without(values: Sequence[Any], gone: set[int]) -> tuple[Any, ...]:
    return tuple([value for at, value in enumerate(values) if at not in gone])
