"""Values as the tensors they are made of: what a run-time loop carries, and what an entry gives.

In: values.  Out: the tensors of their tuples and structs in order, depth first, however these are nested; or the values again from such
tensors.  Nothing else has a form at run time: what an optional, an enum or a block is, is decided at export.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.failures import beyond
from linnet_core.graph.values import Absent, ArrayValue, BlockValue, EnumValue, Fields, Index, Present, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from linnet_core.graph.calls import Operand
    from linnet_core.graph.values import Value
    from linnet_core.text.span import Span


#: The most tensors a loop carries in its operands, or an entry gives: structs of structs double quickly.
MOST_TENSORS = 65_536


def foreign(values: Sequence[Value]) -> str | None:
    """The kind of the first leaf that is no whole tensor, in words; none where all are."""
    return next((words for leaf in _leaves(values) if (words := _kind(leaf)) is not None), None)


def tensors(values: Sequence[Value], subject: str, span: Span | None) -> list[Operand]:
    """The tensors of values that have nothing `foreign`; E6003 where `subject` has too many."""
    found = [leaf.operand for leaf in _leaves(values) if isinstance(leaf, Tensor)]
    if len(found) > MOST_TENSORS:
        raise beyond(f"{subject} more than {MOST_TENSORS} tensors", span, help="make them one tensor with another axis")
    return found


def _leaves(values: Sequence[Value]) -> list[Value]:
    """What is no tuple and no struct, in order; no more than one beyond the limit."""
    found: list[Value] = []
    pending = list(reversed(values))
    while pending and len(found) <= MOST_TENSORS:
        value = pending.pop()
        if isinstance(value, Fields):
            pending.extend(reversed(value.values))
        else:
            found.append(value)
    return found


def rebuilt(like: Sequence[Value], values: Sequence[Operand]) -> list[Value]:
    """Values built as those of `like`, from the tensors of all of them in order."""
    rest = iter(values)
    return [_rebuilt(value, rest) for value in like]


def _rebuilt(like: Value, rest: Iterator[Operand]) -> Value:
    if isinstance(like, Fields):
        return Fields(tuple([_rebuilt(part, rest) for part in like.values]))
    return Tensor(next(rest))


def _kind(leaf: Value) -> str | None:
    match leaf:
        case Tensor():
            return "an element of index notation" if leaf.axes else None
        case Absent() | Present():
            return "an optional"
        case EnumValue():
            return "an enum"
        case BlockValue():
            return "a block"
        case ArrayValue():
            return "an array of blocks"
        case Index():
            return "an index"
        case Fields():
            return None
