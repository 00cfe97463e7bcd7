"""Patterns that take tuples apart.

In: a tuple and the operations after it.  Out: `Pattern`, when they begin by taking it apart as lowering does: part by part, inner ones
where they stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.types import TupleType
from linnet_core.linnet_source.spelling import tuple_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.ir.module import Op, Value
    from linnet_core.ir.uses import Uses


class Pattern(Struct, eq=False):
    """`parts` are None for `_`; `length` is how many operations it stands for."""

    parts: tuple[Value | Pattern | None, ...]
    length: int

    @property
    def values(self) -> list[Value]:
        """The values it gives names to."""
        found: list[Value] = []
        for part in self.parts:
            if isinstance(part, Pattern):
                found.extend(part.values)
            elif part is not None:
                found.append(part)
        return found

    @property
    def names(self) -> list[str]:
        """Their names, as far as they have any."""
        return [value.name for value in self.values if value.name]

    def text(self, called: Mapping[int, str]) -> str:
        """`(a, (_, b))`."""
        return tuple_of("_" if part is None else part.text(called) if isinstance(part, Pattern) else called[part.id] for part in self.parts)


def leading_pattern(value: Value, ops: Sequence[Op], uses: Uses) -> Pattern | None:
    """The pattern the first operations take `value` apart with; None unless they are all its uses."""
    if not isinstance(value.type, TupleType):
        return None
    parts: list[Value | Pattern | None] = [None] * len(value.type.elements)
    at, last = 0, -1
    while at < len(ops) and ops[at].kind == "tuple.get" and ops[at].operands[0].id == value.id and ops[at].attrs["value"] > last:
        [part] = ops[at].results
        last = ops[at].attrs["value"]
        at += 1
        inner = None if part.name else leading_pattern(part, ops[at:], uses)
        parts[last] = inner or part
        at += inner.length if inner is not None else 0
    taken = sum(part is not None for part in parts)
    return Pattern(tuple(parts), at) if taken and uses.count(value) == taken else None
