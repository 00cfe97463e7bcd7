"""The pass that finds what depends on no input, parameter or state, so that it is computed once.

In: steps.  Out: the steps to compute once, in order (also those that stood inside a loop), and the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.graph.calls import Finish, Gather, Input, NativeCall, Parameter, State, UpdateRow
from linnet_core.graph.exchanges import exchanges
from linnet_core.python_source.conditional import is_choice
from linnet_core.python_source.region_calls import CloseGradient, Pullback
from linnet_core.python_source.renaming import renamed
from linnet_core.python_source.steps import BRACKETS, LOOPS, OPENERS, Step, call_key, result_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_NEVER = (Input, Parameter, State, Finish)
#: What stands between may never be computed.
_BEGINS = frozenset({*LOOPS, Pullback})
_ENDS = frozenset({*(OPENERS[loop] for loop in LOOPS), CloseGradient})


def split_constants(steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
    """(steps that depend on constants only, the others).  Equal ones, which loops or regions may have made each for itself, are one."""
    hoisted, rest = split_by(steps, ())
    first: dict[Any, tuple[str, ...]] = {}
    names: dict[str, str] = {}
    kept: list[Step] = []
    for step in hoisted:
        again = renamed((step,), names)[0] if names else step
        twin = first.setdefault((step.slot, call_key(again.call)), step.results)
        if twin is step.results:
            kept.append(again)
        else:
            names.update(zip(step.results, twin, strict=True))
    return (kept, renamed(rest, names)) if names else (hoisted, rest)


def split_by(steps: Sequence[Step], known: Iterable[str]) -> tuple[list[Step], list[Step]]:
    """(steps that depend on `known` names only, the others).

    What reads at positions stays where it is if a loop that never turns, an arm that is not taken or a gradient that nobody asks for may
    hold it: it could raise.
    """
    types = result_types(steps)
    arms = any(is_choice(step, types) for step in steps)
    constant = set(known)
    hoisted: list[Step] = []
    rest: list[Step] = []
    depth = 0
    for step in steps:
        kind = type(step.call)
        depth += (kind in _BEGINS) - (kind in _ENDS)
        movable = step.results and not isinstance(step.call, _NEVER) and kind not in BRACKETS and not exchanges(step.call)
        if movable and not (_may_raise(step) and (arms or depth)) and all(name in constant for name in step.reads()):
            constant.update(step.results)
            hoisted.append(step)
        else:
            rest.append(step)
    return hoisted, rest


def _may_raise(step: Step) -> bool:
    """Whether a position among the operands may lie outside its axis."""
    return isinstance(step.call, (Gather, UpdateRow)) or (isinstance(step.call, NativeCall) and bool(step.call.operands))
