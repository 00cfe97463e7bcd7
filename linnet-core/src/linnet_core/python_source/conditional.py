"""The pass that gives back one arm of an `if`: what is used only through one side of selects on one bool moves into a branch.

In: steps, flat, and the types of all names.  Out: steps in which such selects are `Branch`es holding the steps of their arms,
whole loops too; nested ones are nested. Selects on the same bool (an `if` that gives several values, or writes states) become one
branch, so that work they share stays in its arm.  What the arm not taken would do, an index out of range included, is then not
done.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from linnet_core.graph.calls import Broadcast, Finish, Input, Operand, Parameter, ResultType, Select, State
from linnet_core.graph.exchanges import exchanges
from linnet_core.python_source.branch import Branch
from linnet_core.python_source.steps import DIVIDERS, OPENERS, Step, matching_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_FIXED = (Input, Parameter, State, Finish, *DIVIDERS)
#: Python reads at most 100 levels of indentation; deeper choices stay selects.
MAX_DEPTH = 80


def is_choice(step: Step, types: Mapping[str, ResultType]) -> bool:
    """Whether a step is a select on one bool, whatever the shape it is viewed with."""
    if not isinstance(step.call, Select):
        return False
    condition = step.call.operand(0)
    type = types.get(str(condition.value))
    return (condition.shape if type is None else type.shape) == ()


def give_back_arms(steps: Sequence[Step], types: Mapping[str, ResultType], wanted: Iterable[str] = (), depth: int = 0) -> list[Step]:
    """The steps with their conditionals given back, inside loops first; `wanted` are the names read after them."""
    if depth >= MAX_DEPTH or not any(is_choice(step, types) for step in steps):
        return list(steps)
    return _Rewriter(_units(steps, types, depth), types, wanted, depth).steps()


class _Unit:
    """One step, or a whole bracket: what moves together."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.results = steps[-1].results
        made = {name for step in steps for name in step.results} if len(steps) > 1 else set()
        self.reads = [name for name in dict.fromkeys(name for step in steps for name in step.reads()) if name not in made]

    @property
    def movable(self) -> bool:
        return bool(self.results) and not isinstance(self.steps[0].call, _FIXED) and not any(exchanges(step.call) for step in self.steps)


def _units(steps: Sequence[Step], types: Mapping[str, ResultType], depth: int) -> list[_Unit]:
    units: list[_Unit] = []
    position = 0
    while position < len(steps):
        end = position
        inner: list[Step] = []
        if type(steps[position].call) in OPENERS:
            end = matching_end(steps, position)
            inner = [steps[position], *give_back_arms(steps[position + 1 : end], types, steps[end].reads(), depth + 1)]
        units.append(_Unit([*inner, steps[end]]))
        position = end + 1
    return units


class _Rewriter:
    """The units of one scope; selects are looked at from last to first, so that an outer one takes the inner ones along."""

    def __init__(self, units: list[_Unit], types: Mapping[str, ResultType], wanted: Iterable[str], depth: int) -> None:
        self._units = units
        self._types = types
        self._depth = depth
        self._maker = {name: at for at, unit in enumerate(units) for name in unit.results}
        self._readers: dict[str, set[int]] = {}
        for at, unit in enumerate(units):
            for name in unit.reads:
                self._readers.setdefault(name, set()).add(at)
        for name in wanted:  # whoever reads it stands behind the last unit
            self._readers.setdefault(name, set()).add(len(units))
        #: The choices of each condition, ascending.
        self._choices: dict[str, list[int]] = {}
        for at, unit in enumerate(units):
            if len(unit.steps) == 1 and is_choice(unit.steps[0], types):
                self._choices.setdefault(str(unit.steps[0].call.operand(0).value), []).append(at)
        self._moved: set[int] = set()

    def steps(self) -> list[Step]:
        """The scope with its branches."""
        branches: dict[int, Step] = {}
        for at in sorted((at for found in self._choices.values() for at in found), reverse=True):
            if at in self._moved:
                continue
            group = self._group(at)
            arms = [self._arm(group, side) for side in (1, 2)]
            if any(arms):
                self._moved.update(*arms, group)
                branches[at] = self._branch(group, arms)
        kept: list[Step] = []
        for at, unit in enumerate(self._units):
            if at in branches:
                kept.append(branches[at])
            elif at not in self._moved:
                kept.extend(unit.steps)
        return kept

    def _uses(self, at: int) -> set[int]:
        """The units that read a result of the unit at `at`."""
        return set().union(*(self._readers.get(name, ()) for name in self._units[at].results))

    def _select(self, at: int) -> Select:
        call = self._units[at].steps[0].call
        assert isinstance(call, Select)
        return call

    def _group(self, at: int) -> list[int]:
        """The choice at `at` and those before it on the same condition whose results nobody reads before `at`, ascending."""
        same = self._choices[str(self._select(at).operand(0).value)]
        return [one for one in same if one <= at and one not in self._moved and (one == at or min(self._uses(one), default=at + 1) > at)]

    def _arm(self, group: list[int], side: int) -> set[int]:
        """The units used only through operand `side` of the choices in `group`: readers are decided before what they read."""
        selects = [self._select(at) for at in group]
        elsewhere = {str(select.operand(other).value) for select in selects for other in (0, 3 - side)}
        arm: set[int] = set()
        inside = set(group)
        waiting = [-self._maker[name] for select in selects if (name := str(select.operand(side).value)) in self._maker]
        heapq.heapify(waiting)
        seen: set[int] = set()
        while waiting:
            at = -heapq.heappop(waiting)
            if at in seen:
                continue
            seen.add(at)
            unit = self._units[at]
            if at in self._moved or at in inside or not unit.movable or not elsewhere.isdisjoint(unit.results):
                continue
            if self._uses(at) <= arm | inside:
                arm.add(at)
                for name in unit.reads:
                    if name in self._maker:
                        heapq.heappush(waiting, -self._maker[name])
        return arm

    def _branch(self, group: list[int], arms: list[set[int]]) -> Step:
        """The choices as one branch; its arms are rewritten in turn."""
        selects = [self._select(at) for at in group]
        results = [self._units[at].results[0] for at in group]
        bodies, values = [], []
        for side, arm in enumerate(arms, 1):
            answers = [self._answer(select, side, result) for select, result in zip(selects, results, strict=True)]
            wanted = [str(select.operand(side).value) for select in selects]
            steps = [step for at in sorted(arm) for step in self._units[at].steps]
            body = give_back_arms(steps, self._types, wanted, self._depth + 1)
            bodies.append([*body, *(step for _, step in answers if step is not None)])
            values.append(tuple(value for value, _ in answers))
        made = {name for body in bodies for step in body for name in step.results}
        read = [o for body in bodies for step in body for o in step.call.operands if o is not None]
        outside = {str(o.value): o for o in (*read, *values[0], *values[1]) if str(o.value) not in made}
        call = Branch(
            then=tuple(bodies[0]),
            then_values=values[0],
            otherwise=tuple(bodies[1]),
            otherwise_values=values[1],
            types=tuple(ResultType(select.shape, select.dtype) for select in selects),
            operands=(selects[0].operand(0), *outside.values()),
        )
        return Step(call, tuple(results), self._units[group[0]].steps[0].slot)

    def _answer(self, select: Select, side: int, result: str) -> tuple[Operand, Step | None]:
        """What an arm answers for one choice, and the step that spreads it where the select itself did."""
        value = select.operand(side)
        type = self._types.get(str(value.value))
        if type is None or type.shape == select.shape:
            return value, None
        dims = tuple(range(len(select.shape) - len(type.shape), len(select.shape)))
        spread = Broadcast(shape=select.shape, dims=dims, operands=(Operand(value.value, type.shape, type.dtype),))
        name = f"{result}_{side}"
        return Operand(name, select.shape, select.dtype), Step(spread, (name,))
