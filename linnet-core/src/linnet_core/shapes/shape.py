"""Shapes: lists of dims and packs.

In: dims and `Shape` generics.  Out: tuples of units, their element counts, their numbers at given sizes, and how they are
shown.  What may be broadcast or is equal under facts is `broadcast.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.shapes.dims import ONE, Dim

if TYPE_CHECKING:
    from collections.abc import Mapping


class Pack(Struct, frozen=True):
    """A `Shape` generic in a shape: it stands for any number of axes, possibly none."""

    id: int
    name: str


Unit = Dim | Pack
Shape = tuple[Unit, ...]


def count(shape: Shape) -> Dim:
    """The number of elements: the product of the dims, each pack counted as its size."""
    total = ONE
    for unit in shape:
        total = total * (unit if isinstance(unit, Dim) else Dim.pack_size(unit.id, unit.name))
    return total


def substitute_shape(shape: Shape, dims: Mapping[int, Dim], packs: Mapping[int, Shape] | None = None) -> Shape:
    """The shape with generics replaced; a pack that is named is spliced in place."""
    units: list[Unit] = []
    for unit in shape:
        if isinstance(unit, Dim):
            units.append(unit.substitute(dims, packs))
        else:
            units.extend(packs.get(unit.id, (unit,)) if packs else (unit,))
    return tuple(units)


def evaluate_shape(shape: Shape, dims: Mapping[int, int], packs: Mapping[int, tuple[int, ...]] | None = None) -> tuple[int, ...]:
    """The numbers of a shape.  Raises as `Dim.evaluate` does, `KeyError` (of the id) for a pack without axes."""
    numbers: list[int] = []
    for unit in shape:
        if isinstance(unit, Dim):
            numbers.append(unit.evaluate(dims, packs))
        else:
            numbers.extend(({} if packs is None else packs)[unit.id])
    return tuple(numbers)


def show_unit(unit: Unit) -> str:
    """`H / 2`, or `*S` for a pack."""
    return str(unit) if isinstance(unit, Dim) else f"*{unit.name}"


def show_shape(shape: Shape) -> str:
    """`[*S, H / 2]`."""
    return f"[{', '.join(show_unit(unit) for unit in shape)}]"
