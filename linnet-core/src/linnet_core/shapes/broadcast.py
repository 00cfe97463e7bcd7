"""Shapes compared and broadcast under facts.

In: two shapes and facts.  Out: whether they are equal, or the shape both broadcast to, or the first axis from the right
where they cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.shapes.dims import Dim
from linnet_core.shapes.prove import prove_equal

if TYPE_CHECKING:
    from linnet_core.shapes.facts import Facts
    from linnet_core.shapes.shape import Shape, Unit


class Mismatch(Struct, frozen=True):
    """Two units that do not broadcast; the last axis is number 1 from the right."""

    axis_from_right: int
    left: Unit
    right: Unit


def equal_units(a: Unit, b: Unit, facts: Facts) -> bool:
    """Whether two units are the same pack, or dims proved equal."""
    if isinstance(a, Dim) and isinstance(b, Dim):
        return prove_equal(a, b, facts)
    return a == b


def equal_shapes(a: Shape, b: Shape, facts: Facts) -> bool:
    """Whether two shapes have the same packs in the same places and dims proved equal in the others."""
    return len(a) == len(b) and all(equal_units(left, right, facts) for left, right in zip(a, b, strict=True))


def broadcast(a: Shape, b: Shape, facts: Facts) -> Shape | Mismatch:
    """Align at the right; each pair is equal or one of it the literal 1, and a pack meets the same pack only."""
    units: list[Unit] = []
    for position, (left, right) in enumerate(zip(reversed(a), reversed(b), strict=False), 1):
        unit = _common_unit(left, right, facts)
        if unit is None:
            return Mismatch(position, left, right)
        units.append(unit)
    longer = a if len(a) > len(b) else b
    return (*longer[: len(longer) - len(units)], *reversed(units))


def _common_unit(left: Unit, right: Unit, facts: Facts) -> Unit | None:
    if equal_units(left, right, facts):
        return left
    if isinstance(left, Dim) and isinstance(right, Dim):
        if left.value == 1:
            return right
        if right.value == 1:
            return left
    return None
