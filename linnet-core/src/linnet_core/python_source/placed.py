"""What the printed module says of slots: how many devices it takes, and which of them hold its parameters and states.

In: the number of slots, and the steps of `main`.  Out: lines of metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import BeginCounted, BeginWhile, Finish, Input, Parameter, State, Transfer, WhileCondition
from linnet_core.python_source.layout import list_assignment
from linnet_core.python_source.steps import CLOSERS, LOOPS, OPENERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.python_source.steps import Step

_LOOP_ENDS = frozenset(OPENERS[opener] for opener in LOOPS)


#: What the header says beside what is said of every module.
PLACED_NOTE = (
    "# Last it takes a list of SLOTS devices.  PARAMETER_SLOTS and STATE_SLOTS say on which of them a tensor has to be; one with None is",
    "# only copied from where it is.  Inputs come on the first, or where INPUT_SLOTS says; results are answered where they were made.",
)

#: The same for parameters in parts.
GATHERED_NOTE = ("# GATHERED names the parameters that may come in parts; main gathers each where its block is called.",)


def placed_metadata(slots: int, steps: Sequence[Step]) -> list[str]:
    """SLOTS, and for each parameter and state the slot its tensor is expected on; for each input where that is not the first for all.

    None stands for one that is only copied from where it is: it may stay on the host.
    """
    read = _read_on(steps)
    held = _held_on(steps)
    parameters = [read.get(step.results[0]) for step in steps if isinstance(step.call, Parameter)]
    states = [read.get(step.results[0], held.get(step.call.path)) for step in steps if isinstance(step.call, State)]
    inputs = [read.get(step.results[0]) for step in steps if isinstance(step.call, Input)]
    return [
        f"SLOTS = {slots}",
        *(list_assignment("INPUT_SLOTS", map(str, inputs)) if any(inputs) else ()),
        *list_assignment("PARAMETER_SLOTS", map(str, parameters)),
        *list_assignment("STATE_SLOTS", map(str, states)),
    ]


def _read_on(steps: Sequence[Step]) -> dict[str, int]:
    """The slot on which a name is read without being copied first; what a loop carries is where it started."""
    found: dict[str, int] = {}
    started: dict[str, str] = {}
    loops: list[tuple[str, ...]] = []
    for step in steps:
        kind = type(step.call)
        if isinstance(step.call, BeginWhile | BeginCounted):
            loops.append(tuple(step.reads()))
            started.update(zip(step.results[isinstance(step.call, BeginCounted) :], loops[-1], strict=True))
        elif kind in _LOOP_ENDS:
            started.update(zip(step.results, loops.pop(), strict=True))
        elif not isinstance(step.call, WhileCondition | Transfer | Finish) and kind not in CLOSERS:
            for name in step.reads():
                while name in started:
                    found.setdefault(name, step.slot)
                    name = started[name]
                found.setdefault(name, step.slot)
    return found


def _held_on(steps: Sequence[Step]) -> dict[str, int]:
    """The slot on which the next value of a state is made, by path; nothing for one that only passes through a loop."""
    made: dict[str, int] = {}
    for step in steps:
        call = step.call
        if isinstance(call, BeginWhile | BeginCounted) or type(call) in _LOOP_ENDS:
            carried = zip(step.results[isinstance(call, BeginCounted) :], step.reads(), strict=True)
            made.update((name, made[value]) for name, value in carried if value in made)
        elif isinstance(call, Finish):
            finals = zip(call.states, call.operands[call.returns :], strict=True)
            return {path: made[str(operand.value)] for path, operand in finals if operand is not None and str(operand.value) in made}
        elif not isinstance(call, Input | Parameter | State | WhileCondition):
            made.update(dict.fromkeys(step.results, call.slot if isinstance(call, Transfer) else step.slot))
    return {}
