"""The pass that moves work on weights alone out of `main`, so that it is done once and not in every call.

In: the steps of `main` and those of `constants`, and the paths of the parameters.  Out: `Prepared`, what `prepare` computes and how its
results are called, and the steps left in `main`.

A step is weight-only when it reads parameters, constants and weight-only values and nothing else.  What moves is what computes
something: a view or cast of a parameter costs little to make again and would hold the weight twice, and a view of a prepared value is
no value of its own, so both stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from linnet_core.graph.calls import Broadcast, Convert, Parameter, Reshape, Slice, Transpose
from linnet_core.python_source.constants import split_by
from linnet_core.python_source.steps import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

#: Calls that read what lies there under another shape.
_VIEWS = (Reshape, Transpose, Broadcast, Slice)


class Prepared(Struct, frozen=True):
    """What `prepare` does: `steps` in order, `names` of its results, a content `key` for each, the parameters it takes.

    `dropped` are the positions of the parameters that nothing but `prepare` reads.
    """

    steps: list[Step]
    names: list[str]
    keys: list[str]
    inputs: list[str]
    dropped: list[int]


def split_prepared(
    body: Sequence[Step], constants: Sequence[Step], parameters: Mapping[str, str], policy: str, joined: Sequence[Step] = ()
) -> tuple[Prepared, list[Step]]:
    """`parameters` are the paths by name in the order of the arguments; `joined` are weight-only steps that read those of `body`."""
    fixed = {name for step in constants for name in step.results}
    weights, _ = split_by(body, {*parameters, *fixed})
    weights += joined
    made = {name: step for step in weights for name in step.results}
    wanted = _wanted(body, made, _computing(weights, parameters))
    moved = _closure(wanted, weights)
    kept = _left(body, made, wanted)
    read = {name for step in moved for name in step.reads()}
    inputs = [name for name in parameters if name in read]
    still = {name for step in kept for name in step.reads()}
    dropped = [at for at, name in enumerate(parameters) if name in read and name not in still]
    names = [name for step in moved for name in step.results if name in wanted]
    keys = _keys([*constants, *moved], parameters, policy)
    return Prepared(moved, names, [keys[name] for name in names], inputs, dropped), kept


def _computing(weights: Sequence[Step], parameters: Mapping[str, str]) -> set[str]:
    """The names of values that read a parameter and compute more than a view or cast of it."""
    reading = set(parameters)
    computing: set[str] = set()
    for step in weights:
        if reading.isdisjoint(step.reads()):
            continue
        reading.update(step.results)
        if not isinstance(step.call, (*_VIEWS, Convert)) or not computing.isdisjoint(step.reads()):
            computing.update(step.results)
    return computing


def _wanted(body: Sequence[Step], made: Mapping[str, Step], computing: set[str]) -> set[str]:
    """What `prepare` answers: the computing values that the rest of `main` reads, or reads views of."""
    wanted: set[str] = set()
    pending = [name for step in body if not any(name in made for name in step.results) for name in step.reads() if name in made]
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in computing and not isinstance(made[name].call, _VIEWS):
            wanted.add(name)
        else:  # it stays in `main`, and so may what it is made of
            pending.extend(read for read in made[name].reads() if read in made)
    return wanted


def _closure(wanted: Iterable[str], weights: Sequence[Step]) -> list[Step]:
    """The steps that make the wanted values, in order."""
    needed = set(wanted)
    kept: list[Step] = []
    for step in reversed(weights):
        if not needed.isdisjoint(step.results):
            kept.append(step)
            needed.update(step.reads())
    kept.reverse()
    return kept


def _left(body: Sequence[Step], made: Mapping[str, Step], wanted: set[str]) -> list[Step]:
    """The steps of `main`: those that are not weight-only, and the views and casts they read."""
    needed: set[str] = set()
    kept: list[Step] = []
    for step in reversed(body):
        weight_only = any(name in made for name in step.results)
        if weight_only and (needed.isdisjoint(step.results) or not wanted.isdisjoint(step.results)):
            continue
        kept.append(step)
        needed.update(step.reads())
    kept.reverse()
    return kept


def _keys(steps: Sequence[Step], parameters: Mapping[str, str], policy: str) -> dict[str, str]:
    """64 bits of every value's computation, in hexadecimal: equal where two entries compute the same of the same weights.

    Names count only through what they stand for, parameters by their paths.  `policy` is what else decides how a call is written.
    """
    known = {name: _digest("parameter", path) for name, path in parameters.items()}
    for step in steps:
        call = step.call
        fields = [repr(getattr(call, field)) for field in call.__struct_fields__ if field != "operands"]
        operands = [None if o is None else (known[str(o.value)], o.shape, o.dtype) for o in call.operands]
        own = _digest(policy, call.op, *fields, repr(operands))
        for at, name in enumerate(step.results):
            known[name] = own if at == 0 else _digest(own, str(at))
    return known


def _digest(*parts: str) -> str:
    from hashlib import blake2b  # for this option alone

    return blake2b(msgspec.json.encode(parts), digest_size=8).hexdigest()


def paths_by_name(names: Sequence[str], steps: Sequence[Step]) -> dict[str, str]:
    """The path of each parameter, by the name of its argument."""
    found = {step.results[0]: step.call.path for step in steps if isinstance(step.call, Parameter)}
    return {name: found[name] for name in names}
