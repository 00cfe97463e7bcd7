"""An entry in two functions, where the next values of states are those of before with some rows written.

In: `Update`, what a pass found.  Out: the text of `update`, which writes the rows, and of `main`, which calls `step` and then `update`.

`step` computes everything but those states and answers the rows instead.  A framework that traces whole functions copies a state that is
read and written in one of them; here `step` reads it, and `update`, to which it may be given away, writes it where it lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from linnet_core.graph.calls import Operand
from linnet_core.python_source.layout import Lines, tuple_text
from linnet_core.python_source.steps import Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import Finish


class Write(Struct, frozen=True):
    """A state whose next value only has rows written: its path, its name before, and the writes in order, each of the value before it."""

    path: str
    state: str
    steps: tuple[Step, ...]


class Update(Struct, frozen=True):
    """`finish` is the entry's own; `rows` are the names `step` answers after its results and the states it gives as a whole."""

    writes: tuple[Write, ...]
    rows: tuple[str, ...]
    finish: Finish

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of the states that `update` answers."""
        return tuple(write.path for write in self.writes)

    @property
    def steps(self) -> list[Step]:
        """All writes."""
        return [step for write in self.writes for step in write.steps]


def rows_of(writes: Sequence[Write]) -> tuple[str, ...]:
    """What the writes need beside the states: the value of each, where all are alike, then what they share."""
    if alike(writes):
        return (*(_operands(write)[1] for write in writes), *_operands(writes[0])[2:])
    made = {name for write in writes for name in (write.state, *(n for step in write.steps for n in step.results))}
    return tuple(dict.fromkeys(name for write in writes for step in write.steps for name in step.reads() if name not in made))


def alike(writes: Sequence[Write]) -> bool:
    """Whether every state is written by one call, and the calls differ by the state and one value."""
    return all(len(write.steps) == 1 for write in writes) and len({_form(write.steps[0]) for write in writes}) == 1


def _form(step: Step) -> Any:
    """The call without its first two operands; their types only matter to the framework, but for the rank."""
    first, second, *shared = step.call.operands
    ranks = tuple(-1 if o is None else len(o.shape) for o in (first, second))
    fields = [getattr(step.call, name) for name in step.call.__struct_fields__ if name not in ("operands", "shape")]
    return (type(step.call), ranks, tuple(shared), repr(fields))


def _operands(write: Write) -> tuple[str, ...]:
    return tuple(write.steps[0].reads())


def loop_step(writes: Sequence[Write]) -> Step:
    """The one write that stands for all that are alike, of a `state` and a `value`."""
    (step,) = writes[0].steps
    state, value, *shared = step.call.operands
    assert state is not None
    assert value is not None
    operands = (Operand("state", state.shape, state.dtype), Operand("value", value.shape, value.dtype), *shared)
    return Step(msgspec.structs.replace(step.call, operands=operands), ("next_state",))


def write_update(lines: Lines, update: Update, printed: Sequence[str], decorators: Sequence[str]) -> None:
    """`update(states, rows)`; `printed` are the lines of `loop_step` where the writes are alike, else those of all steps."""
    lines.add(*decorators)
    with lines.block("def update(states, rows):"):
        if alike(update.writes):
            values = len(update.writes)
            names = update.rows[values:]
            if names:
                lines.add(f"{tuple_text(names)} = rows[{values}:]")
            expression = printed[0].partition(" = ")[2]
            lines.add(f"return tuple({expression} for state, value in zip(states, rows[:{values}], strict=True))")
            return
        lines.add(f"{tuple_text(write.state for write in update.writes)} = states")
        lines.add(f"{tuple_text(update.rows)} = rows", *printed)
        lines.add(f"return {tuple_text(write.steps[-1].results[0] for write in update.writes)}")


def write_whole(lines: Lines, update: Update, leaves: Sequence[str], decorators: Sequence[str]) -> None:
    """`main`, which answers every next state."""
    finish = update.finish
    written = [finish.states.index(path) for path in update.paths]
    plain = finish.returns + len(finish.states) - len(written)
    lines.add(*decorators)
    with lines.block("def main(*arguments):"):
        lines.add("answers = step(*arguments)")
        lines.add(f"written = update({_taken([leaves.index(write.state) for write in update.writes])}, answers[{plain}:])")
        if plain == finish.returns:
            lines.add("return (*answers[:RESULTS], *written)")
            return
        whole = iter(range(finish.returns, plain))
        parts = [f"written[{written.index(i)}]" if i in written else f"answers[{next(whole)}]" for i in range(len(finish.states))]
        lines.add(f"return (*answers[:RESULTS], {', '.join(parts)})")


def _taken(positions: Sequence[int]) -> str:
    """Arguments at positions, as a slice where they follow one another."""
    first = positions[0]
    if list(positions) == list(range(first, first + len(positions))):
        return f"arguments[{first}:{first + len(positions)}]"
    return tuple_text(f"arguments[{position}]" for position in positions)
