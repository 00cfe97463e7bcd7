"""The pass that takes from the answers of repeated functions what they wrote in place into an argument.

In: the final steps of `main`, with `Repeated`s.  Out: the same, where a function no longer answers such a value: it is the argument's own
object, and whoever called goes on with the argument's name.

It runs when nothing is moved any more: a read of the written value and one of the old are told apart by where they stand alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.python_source.outline import Repeated
from linnet_core.python_source.renaming import renamed
from linnet_core.python_source.steps import Step
from linnet_core.python_source.storage import writes_in_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.python_source.outline import Body


def written_arguments(body: Body) -> dict[str, str]:
    """The values in the body's steps that are one of its parameters, written in place."""
    parameters = set(body.parameters)
    found: dict[str, str] = {}
    for step in body.steps:
        if writes_in_place(step.call):
            written = str(step.call.operand(0).value)
            argument = found.get(written, written)
            if argument in parameters:
                found[step.results[0]] = argument
    return found


def without_written(steps: Sequence[Step]) -> list[Step]:
    """The steps; what is read of a written value behind its function reads the argument."""
    bodies: dict[int, tuple[Body, dict[int, int]]] = {}
    names: dict[str, str] = {}
    result: list[Step] = []
    for step in steps:
        if isinstance(step.call, Repeated):
            known = bodies.get(id(step.call.body))
            if known is None:
                known = bodies[id(step.call.body)] = _without(step.call.body)
            result.append(_called(step, step.call, *known, names))
        else:
            result.append(step)
    return renamed(result, names) if names else result


def _without(body: Body) -> tuple[Body, dict[int, int]]:
    """The body that answers the other values; for each position of a value left out that of the parameter."""
    written = written_arguments(body)
    places = {name: at for at, name in enumerate(body.parameters)}
    left = {at: places[written[name]] for at, value in enumerate(body.values) if (name := str(value.value)) in written}
    if not left:
        return body, left
    return replace(body, values=tuple([value for at, value in enumerate(body.values) if at not in left])), left


def _called(step: Step, call: Repeated, body: Body, left: dict[int, int], names: dict[str, str]) -> Step:
    """The call of such a body; `names` learns what the results left out are called outside."""
    for at, place in left.items():
        argument = str(call.operand(place).value)
        names[step.results[at]] = names.get(argument, argument)
    results = tuple([name for at, name in enumerate(step.results) if at not in left])
    return Step(replace(call, body=body), results, step.slot)
