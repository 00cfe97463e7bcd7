"""The pass that answers rows instead of states.

In: steps.  Out: steps whose `finish` answers, for every state that only has rows written, those rows; and the `Update` that writes them.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import msgspec

from linnet_core.graph.calls import Finish, NativeCall, State, UpdateRow
from linnet_core.python_source.library_names import base_name
from linnet_core.python_source.steps import CLOSERS, OPENERS, Step, result_types
from linnet_core.python_source.update import Update, Write, rows_of
from linnet_jax.emit import cache

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import Call


def split_rows(steps: Sequence[Step]) -> tuple[list[Step], Update | None]:
    """The steps, and what is left to write; nothing when no state only has rows written."""
    *before, last = steps
    finish = last.call
    if not isinstance(finish, Finish) or not finish.states or finish.gradients:
        return list(steps), None
    made = _made_outside_loops(before)
    ends = {path: str(finish.operand(finish.returns + i).value) for i, path in enumerate(finish.states)}
    found = [write for path, name in ends.items() if (write := _write(path, name, made)) is not None]
    if not found:
        return list(steps), None
    update = Update(tuple(found), rows_of(found), finish)
    return [*before, Step(_without(finish, update, before), ())], update


def _made_outside_loops(steps: Sequence[Step]) -> dict[str, Step]:
    made: dict[str, Step] = {}
    depth = 0
    for step in steps:
        kind = type(step.call)
        depth += (kind in OPENERS) - (kind in CLOSERS)
        if depth == 0:
            made.update(dict.fromkeys(step.results, step))
    return made


def _write(path: str, name: str, made: Mapping[str, Step]) -> Write | None:
    """The writes that make the state's value `name` of its value before, when they write less than half of it."""
    writes: list[Step] = []
    step = made.get(name)
    while step is not None and (row := written_row(step.call)) is not None:
        writes.append(step)
        step = made.get(str(step.call.operand(0).value))
    if not writes or step is None or not isinstance(step.call, State) or step.call.path != path:
        return None
    size = prod(step.call.shape)
    if 2 * sum(prod(w.call.operand(row).shape) for w in writes if (row := written_row(w.call)) is not None) > size:
        return None
    return Write(path, step.results[0], tuple(reversed(writes)))


def written_row(call: Call) -> int | None:
    """Which operand is written into the first one; None when the call does something else."""
    match call:
        case UpdateRow():
            return 2
        case NativeCall() if base_name(call.implementation)[0] in cache.WRITERS:
            return 1
    return None


def _without(finish: Finish, update: Update, before: Sequence[Step]) -> Finish:
    """What `step` answers: the results, the states that are not written by rows, then the rows."""
    types = result_types(before)
    operands = {
        name: operand for step in update.steps for name, operand in zip(step.reads(), filter(None, step.call.operands), strict=True)
    }
    whole = [(path, finish.operand(finish.returns + i)) for i, path in enumerate(finish.states) if path not in update.paths]
    rows = [operands[name] for name in update.rows]
    assert all(name in types for name in update.rows), "a row is made before it is written"
    return msgspec.structs.replace(
        finish,
        states=tuple(path for path, _ in whole),
        operands=(*finish.operands[: finish.returns], *(operand for _, operand in whole), *rows),
    )
