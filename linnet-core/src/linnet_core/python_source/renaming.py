"""Steps under other names.

In: steps and names for names.  Out: the same steps, inside arms too, with those names replaced where they are made and where they are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from linnet_core.graph.calls import Operand
from linnet_core.python_source.branch import Branch
from linnet_core.python_source.steps import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


def renamed(steps: Iterable[Step], names: Mapping[str, str]) -> list[Step]:
    """The steps with `names` put for their keys."""
    return [_renamed(step, names) for step in steps]


def renamed_operand(operand: Operand, names: Mapping[str, str]) -> Operand:
    """The operand under its name's other name, if there is one."""
    name = names.get(str(operand.value))
    return operand if name is None else Operand(name, operand.shape, operand.dtype)


def made(steps: Sequence[Step]) -> Iterator[str]:
    """The names the steps make, in order, those inside arms before those of the branch."""
    for step in steps:
        if isinstance(step.call, Branch):
            for arm, _ in step.call.arms():
                yield from made(arm)
        yield from step.results


def read_from_outside(steps: Sequence[Step]) -> list[Operand]:
    """What the steps read and do not make, each name once, in the order of the first reads."""
    own = set(made(steps))
    read = [o for step in steps for o in step.call.operands if o is not None and str(o.value) not in own]
    return list({str(o.value): o for o in read}.values())


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    call = step.call
    results = tuple([names.get(name, name) for name in step.results])
    changes: dict[str, Any] = {}
    if any(o is not None and str(o.value) in names for o in call.operands):
        changes["operands"] = tuple([None if o is None else renamed_operand(o, names) for o in call.operands])
    if isinstance(call, Branch):
        changes |= {
            "then": tuple(renamed(call.then, names)),
            "then_values": tuple([renamed_operand(o, names) for o in call.then_values]),
            "otherwise": tuple(renamed(call.otherwise, names)),
            "otherwise_values": tuple([renamed_operand(o, names) for o in call.otherwise_values]),
        }
    if not changes and results == step.results:
        return step
    return Step(replace(call, **changes) if changes else call, results, step.slot)
