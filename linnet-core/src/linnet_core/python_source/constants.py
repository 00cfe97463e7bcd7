"""The pass that finds what depends on no input, parameter or state, so that it is computed once.

In: steps.  Out: the steps to compute once, in order (also those that stood inside a loop), and the rest.
"""

from __future__ import annotations

from linnet_core.graph.calls import Finish, Input, Parameter, State, WhileCondition
from linnet_core.python_source.steps import CLOSERS, OPENERS, Step

#: `while_condition` names the carried values anew, so its results change from turn to turn.
_NEVER = (Input, Parameter, State, Finish, WhileCondition)


def split_constants(steps: list[Step]) -> tuple[list[Step], list[Step]]:
    """(steps that depend on constants only, the others)."""
    constant: set[str] = set()
    hoisted: list[Step] = []
    rest: list[Step] = []
    for step in steps:
        movable = step.results and not isinstance(step.call, _NEVER) and type(step.call) not in OPENERS and type(step.call) not in CLOSERS
        if movable and all(name in constant for name in step.reads()):
            constant.update(step.results)
            hoisted.append(step)
        else:
            rest.append(step)
    return hoisted, rest


def used_constants(hoisted: list[Step], rest: list[Step]) -> list[str]:
    """The names among the hoisted ones that the rest reads, in the order they are made."""
    read = {name for step in rest for name in step.reads()}
    return [name for step in hoisted for name in step.results if name in read]
