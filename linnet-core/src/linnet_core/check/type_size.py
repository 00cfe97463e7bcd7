"""How large a type is when it is written out.

In: a type.  Out: the number of its parts, and the most it may have.  Parts that are one object are looked at once and counted
as often as they stand, so that `(d, d)` of `(c, c)` of ... costs no more than its links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import OptionalType, TupleType

if TYPE_CHECKING:
    from linnet_core.check.types import Type

#: The most parts of one type; every document writes types out.
MOST_PARTS = 4096


def count_parts(type: Type) -> int:
    """The type itself, and what its tuples and optionals hold."""
    sizes: dict[int, int] = {}
    waiting = [type]
    while waiting:
        part = waiting[-1]
        inner = part.elements if isinstance(part, TupleType) else (part.inner,) if isinstance(part, OptionalType) else ()
        missing = [each for each in inner if id(each) not in sizes]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        sizes[id(part)] = 1 + sum(sizes[id(each)] for each in inner)
    return sizes[id(type)]
