"""The pass that makes one function of a block body that repeats.

In: the final steps of `main`, the scopes they were made in, and known scalars.  Out: steps in which each call on an element of an
array, when another one is computed alike, is one `Repeated`; all that are alike hold the same body.

The names inside a body are counted anew, so that bodies are alike when their steps are equal: the same calls with the same attributes
on operands of the same shapes and dtypes, reading from around in the same order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.graph.calls import Call, Operand, Parameter, State
from linnet_core.graph.calls.values import like
from linnet_core.python_source.region_text import counted
from linnet_core.python_source.renaming import read_from_outside, renamed, renamed_operand
from linnet_core.python_source.repeats import lifted, regions
from linnet_core.python_source.steps import Step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import ResultType
    from linnet_core.python_source.fold import Scalar
    from linnet_core.python_source.repeats import Region
    from linnet_core.python_source.scopes import Scopes

#: Fewer steps are as short where they stand.
MIN_STEPS = 3
_INDEX = re.compile(r"(?:^|\.)[0-9]+(?=\.|$)")
_OTHER = re.compile(r"[^0-9A-Za-z_]+")


class Body(Struct, frozen=True, eq=False):
    """What repeats, under names of its own: `parameters`, the steps, the values they give, and the numbers known among the names.

    It was found first at `path`; `members` are those of its parameters that are weights or states of the block there.
    """

    stem: str
    path: str
    parameters: tuple[str, ...]
    members: dict[str, Parameter | State]
    steps: tuple[Step, ...]
    values: tuple[Operand, ...]
    scalars: dict[str, Scalar]


class Repeated(Call, frozen=True, kw_only=True, tag="repeated"):
    """Operands: what the body's steps read from around, in the order of its parameters.  Results: its values."""

    body: Body

    def result_types(self) -> tuple[ResultType, ...]:
        """The values' types."""
        return like(*self.body.values)


def outline(steps: Sequence[Step], scopes: Scopes, scalars: Mapping[str, Scalar]) -> list[Step]:
    """The steps with repeated bodies as one each; unchanged where nothing repeats.  Of arrays in arrays the outer ones come first."""
    found = list(steps)
    for level in range(scopes.depth()):
        found = _outline_level(found, scopes, scalars, level)
    return found


def _outline_level(steps: list[Step], scopes: Scopes, scalars: Mapping[str, Scalar], level: int) -> list[Step]:
    pairs = lifted(steps, scopes, level)
    moved = [step for step, _ in pairs]
    readers = _last_reads(moved)
    leaves = {step.results[0]: step.call for step in moved if isinstance(step.call, (Parameter, State))}
    found: dict[str, list[tuple[Region, Step]]] = {}
    for region in regions(moved, [owner for _, owner in pairs], scopes):
        inside = moved[region.start : region.stop]
        step = _as_one(region, inside, readers, leaves, scalars) if len(inside) >= MIN_STEPS else None
        if step is not None:
            found.setdefault(_key(step.call), []).append((region, step))
    repeated = {region.start: (region, step) for group in found.values() if len(group) > 1 for region, step in _alike(group)}
    if not repeated:
        return steps
    result: list[Step] = []
    at = 0
    while at < len(moved):
        if at in repeated:
            region, step = repeated[at]
            result.append(step)
            at = region.stop
        else:
            result.append(moved[at])
            at += 1
    return result


def _last_reads(steps: Sequence[Step]) -> dict[str, int]:
    return {name: at for at, step in enumerate(steps) for name in step.reads()}


def _as_one(
    region: Region,
    steps: Sequence[Step],
    readers: Mapping[str, int],
    leaves: Mapping[str, Parameter | State],
    scalars: Mapping[str, Scalar],
) -> Step | None:
    """A region as one step; None when nothing of it is read."""
    types = {name: type for step in steps for name, type in zip(step.results, step.call.result_types(), strict=True)}
    given = [name for name in dict.fromkeys(name for step in steps for name in step.results) if readers.get(name, -1) >= region.stop]
    if not given:
        return None
    around = read_from_outside(steps)
    names = counted({str(o.value): f"b{at}" for at, o in enumerate(around)}, steps)
    values = [Operand(name, types[name].shape, types[name].dtype) for name in given]
    body = Body(
        stem=stem(region.path),
        path=region.path,
        parameters=tuple([names[str(o.value)] for o in around]),
        members={names[name]: leaf for o in around if (leaf := leaves.get(name := str(o.value))) and _stands_in(leaf, region.path)},
        steps=tuple(renamed(steps, names)),
        values=tuple([renamed_operand(value, names) for value in values]),
        scalars={new: scalars[old] for old, new in names.items() if old in scalars},
    )
    return Step(Repeated(operands=tuple(around), body=body), tuple(given))


def _stands_in(leaf: Parameter | State, path: str) -> bool:
    return leaf.path.startswith(f"{path}.")


def stem(path: str) -> str:
    """What a function for the blocks at `path` is called, but for its number: no other name of the module starts so."""
    return f"block_{_OTHER.sub('_', _INDEX.sub('', path)).strip('_') or 'body'}_"


def _key(call: Call) -> str:
    assert isinstance(call, Repeated)
    body = call.body
    shapes = [(o.shape, o.dtype) for o in call.operands if o is not None]
    return repr((body.stem, shapes, [(step.call, step.results) for step in body.steps], body.values, body.scalars))


def _alike(group: list[tuple[Region, Step]]) -> list[tuple[Region, Step]]:
    """The regions of a group with the body of the first."""
    first = group[0][1].call
    assert isinstance(first, Repeated)
    return [(region, Step(Repeated(operands=step.call.operands, body=first.body), step.results)) for region, step in group]
