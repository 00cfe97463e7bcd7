"""Regions as one step each, which is how they are printed.

In: steps with brackets.  Out: the steps of one scope, in which an op with its own gradient is an `OwnGradient` and a recomputed block a
`Recomputed` that hold what stood inside, brackets in it and all.  Everything they read from outside is among their operands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Call, LaunchKernel, Operand, ResultType
from linnet_core.graph.calls.values import like
from linnet_core.python_source.region_calls import OpenGradient, OpenLaunch, Pullback
from linnet_core.python_source.renaming import read_from_outside
from linnet_core.python_source.steps import OPENERS, REGIONS, Step, matching_end

if TYPE_CHECKING:
    from collections.abc import Sequence


class OwnGradient(Call, frozen=True, kw_only=True, tag="own_gradient"):
    """Operands: the arguments that may have a gradient, then what either part reads from around.  Result: that of the op.

    `arguments` are the names of the first inside, `forward` gives `value`; `backward` gives `gradients`, one for each argument or None,
    from the arguments, the value as `y`, and its gradient as `dy`.
    """

    arguments: tuple[str, ...]
    forward: tuple[Step, ...]
    value: Operand
    y: str
    dy: str
    backward: tuple[Step, ...]
    gradients: tuple[Operand | None, ...]

    def result_types(self) -> tuple[ResultType, ...]:
        """The value's type."""
        return like(self.value)

    @property
    def around(self) -> tuple[Operand, ...]:
        """What is read from around."""
        return tuple([o for o in self.operands[len(self.arguments) :] if o is not None])


class Recomputed(Call, frozen=True, kw_only=True, tag="recomputed"):
    """Operands: what the steps read from around.  Results: the `values` they give."""

    steps: tuple[Step, ...]
    values: tuple[Operand, ...]

    def result_types(self) -> tuple[ResultType, ...]:
        """The values' types."""
        return like(*self.values)


class Launched(Call, frozen=True, kw_only=True, tag="launched"):
    """Operands: the `arguments` first operands are the op's, the rest what its body reads from around.  Results: the `values` of the body.

    `steps` are the body, which runs where the kernel cannot.
    """

    launch: LaunchKernel
    arguments: int
    steps: tuple[Step, ...]
    values: tuple[Operand, ...]

    def result_types(self) -> tuple[ResultType, ...]:
        """The values' types."""
        return like(*self.values)


def gathered(steps: Sequence[Step]) -> list[Step]:
    """The steps with each outermost region as one, those inside loops too; loops stay as they are."""
    if not any(type(step.call) in REGIONS for step in steps):
        return list(steps)
    found: list[Step] = []
    position = 0
    while position < len(steps):
        kind = type(steps[position].call)
        end = matching_end(steps, position) if kind in REGIONS else position
        region = steps[position : end + 1]
        found.append(_gathered(region) if kind in REGIONS else steps[position])
        position = end + 1
    return found


def _gathered(steps: Sequence[Step]) -> Step:
    kind = type(steps[0].call)
    return _own_gradient(steps) if kind is OpenGradient else _launched(steps) if kind is OpenLaunch else _recomputed(steps)


def _launched(steps: Sequence[Step]) -> Step:
    begin, end = steps[0], steps[-1]
    assert isinstance(begin.call, OpenLaunch)
    given = begin.call.operands
    own = {str(o.value) for o in given if o is not None}
    around = [o for o in read_from_outside(steps[1:]) if str(o.value) not in own]
    values = tuple([o for o in end.call.operands if o is not None])
    call = Launched(launch=begin.call.launch, arguments=len(given), operands=(*given, *around), steps=tuple(steps[1:-1]), values=values)
    return Step(call, end.results)


def _own_gradient(steps: Sequence[Step]) -> Step:
    middle = _pullback_position(steps)
    begin, divider, end = steps[0], steps[middle], steps[-1]
    value, *gradients = end.call.operands
    assert value is not None
    own = {*begin.results, *divider.results}
    around = [o for o in read_from_outside(steps[1:]) if str(o.value) not in own]
    y, dy = divider.results
    call = OwnGradient(
        operands=(*begin.call.operands, *around),
        arguments=begin.results,
        forward=tuple(steps[1:middle]),
        value=value,
        y=y,
        dy=dy,
        backward=tuple(steps[middle + 1 : -1]),
        gradients=tuple(gradients),
    )
    return Step(call, end.results, end.slot)


def _pullback_position(steps: Sequence[Step]) -> int:
    """Where the backward part of the region that `steps` are begins: behind the regions inside the forward part."""
    position = 1
    while not isinstance(steps[position].call, Pullback):
        position = (matching_end(steps, position) if type(steps[position].call) in OPENERS else position) + 1
    return position


def _recomputed(steps: Sequence[Step]) -> Step:
    end = steps[-1]
    values = tuple([o for o in end.call.operands if o is not None])
    return Step(Recomputed(operands=tuple(read_from_outside(steps)), steps=tuple(steps[1:-1]), values=values), end.results, end.slot)
