"""The pass that gives back one arm of an `if`: what is used only through one operand of a select on one bool moves into a branch.

In: steps, flat.  Out: steps in which such selects are `Branch`es holding the steps of their arms, whole loops too; nested ones are nested.  An index out of range
in the arm that is not taken then does not raise.
"""

from __future__ import annotations

from linnet_core.graph.calls import Finish, Input, Parameter, Select, State, WhileCondition
from linnet_core.python_source.steps import OPENERS, Step, matching_end
from linnet_core.targets.numpy.calls import Branch

_FIXED = (Input, Parameter, State, Finish, WhileCondition)


class _Unit:
    """One step, or a whole bracket: what moves together."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.results = [name for name in steps[-1].results]
        made = {name for step in steps for name in step.results}
        reads = [name for step in steps for name in step.reads()]
        self.reads = [name for name in dict.fromkeys(reads) if name not in made] if len(steps) > 1 else list(dict.fromkeys(reads))

    @property
    def movable(self) -> bool:
        return bool(self.results) and not isinstance(self.steps[0].call, _FIXED)

    @property
    def select(self) -> Select | None:
        call = self.steps[0].call
        return call if len(self.steps) == 1 and isinstance(call, Select) and call.operand(0).shape == () else None


def give_back_arms(steps: list[Step]) -> list[Step]:
    """The steps with their conditionals given back, inside loops first."""
    if not any(isinstance(s.call, Select) and s.call.operand(0).shape == () for s in steps):
        return steps
    return [step for unit in _rewrite(_units(steps)) for step in unit.steps]


def _units(steps: list[Step]) -> list[_Unit]:
    units: list[_Unit] = []
    position = 0
    while position < len(steps):
        if type(steps[position].call) in OPENERS:
            end = matching_end(steps, position)
            inner = give_back_arms(steps[position + 1 : end])
            units.append(_Unit([steps[position], *inner, steps[end]]))
            position = end + 1
        else:
            units.append(_Unit([steps[position]]))
            position += 1
    return units


def _rewrite(units: list[_Unit]) -> list[_Unit]:
    """Selects from last to first, so that an outer one takes the inner ones along; then the arms, each by itself."""
    readers: dict[str, set[int]] = {}
    for number, unit in enumerate(units):
        for name in unit.reads:
            readers.setdefault(name, set()).add(number)
    maker = {name: number for number, unit in enumerate(units) for name in unit.results}
    moved: set[int] = set()
    rewritten: dict[int, _Unit] = {}
    for number in range(len(units) - 1, -1, -1):
        select = units[number].select
        if select is None or number in moved:
            continue
        arms = [_arm(number, side, units, readers, maker, moved) for side in (1, 2)]
        if any(arms):
            moved.update(*arms)
            rewritten[number] = _branch(units[number], select, [[units[n] for n in sorted(arm)] for arm in arms])
    return [rewritten.get(number, unit) for number, unit in enumerate(units) if number not in moved]


def _arm(number: int, side: int, units: list[_Unit], readers: dict[str, set[int]], maker: dict[str, int], moved: set[int]) -> set[int]:
    """The units used only through operand `side` of the select at `number`."""
    call = units[number].select
    assert call is not None
    value = str(call.operand(side).value)
    if any(str(call.operand(other).value) == value for other in (0, 3 - side)):
        return set()
    arm: set[int] = set()
    waiting = [value]
    while waiting:
        at = maker.get(waiting.pop())
        if at is None or at in arm or at in moved or not units[at].movable:
            continue
        uses = set().union(*(readers.get(name, set()) for name in units[at].results))
        if not uses <= arm | {number}:
            continue
        # of the select itself, only this operand may read it
        if number in uses and not set(units[at].results).isdisjoint(str(call.operand(o).value) for o in (0, 3 - side)):
            continue
        arm.add(at)
        waiting.extend(units[at].reads)
    return _closed(arm, number, units, readers, waiting=list(arm), maker=maker, moved=moved)


def _closed(
    arm: set[int], number: int, units: list[_Unit], readers: dict[str, set[int]], *, waiting: list[int], maker: dict[str, int], moved: set[int]
) -> set[int]:
    """Grow `arm` until nothing more is read by it alone: a value read by two of its units is seen only when both are in it."""
    changed = True
    while changed:
        changed = False
        for at in sorted({maker[name] for unit in arm for name in units[unit].reads if name in maker} - arm - moved):
            if units[at].movable and set().union(*(readers.get(name, set()) for name in units[at].results)) <= arm:
                arm.add(at)
                changed = True
    return arm


def _branch(unit: _Unit, select: Select, arms: list[list[_Unit]]) -> _Unit:
    """The select as a branch; its arms are rewritten in turn."""
    bodies = [[step for inner in _rewrite(arm) for step in inner.steps] for arm in arms]
    made = {name for body in bodies for step in body for name in step.results}
    outside: list[str] = []
    operands = [select.operand(0)]
    values = [select.operand(1), select.operand(2)]
    for operand in (*(o for body in bodies for step in body for o in step.call.operands if o is not None), *values):
        name = str(operand.value)
        if name not in made and name not in outside:
            outside.append(name)
            operands.append(operand)
    call = Branch(
        then=tuple(bodies[0]),
        then_value=values[0],
        otherwise=tuple(bodies[1]),
        otherwise_value=values[1],
        shape=select.shape,
        dtype=select.dtype,
        operands=tuple(operands),
    )
    return _Unit([Step(call, unit.steps[0].results)])


