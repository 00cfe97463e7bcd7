"""What printing one entry knows, and what the text of one step needs.

In: the steps after all passes.  Out: `Writer`, which a target's `emit/` files take to spell operands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.python_source.literals import real_text

if TYPE_CHECKING:
    from linnet_core.graph.calls import Broadcast, Operand, Slice
    from linnet_core.python_source.fold import Scalar


class Writer:
    """The state of printing.

    `scalars` are names whose value is known; they are written as literals where the framework takes a number.  What the text of
    one step needs is collected in `tensors` (names it reads as tensors), `support` (functions of ours) and `flags` (a target's
    own words, such as an import); `fresh()` empties them.
    """

    def __init__(self, scalars: dict[str, Scalar], numerics: str) -> None:
        self.scalars = scalars
        self.numerics = numerics
        #: The slot the present step runs on.
        self.slot = 0
        self.fresh()

    def fresh(self) -> None:
        """Start the text of another step."""
        self.tensors: list[str] = []
        self.support: set[str] = set()
        self.flags: set[str] = set()

    def use(self, function: str) -> str:
        """Note that a support function is used; its name."""
        self.support.add(function)
        return function

    def tensor(self, operand: Operand | None) -> str:
        """The operand as a tensor."""
        assert operand is not None
        name = str(operand.value)
        self.tensors.append(name)
        return name

    def number(self, operand: Operand | None) -> str | None:
        """The operand as a Python number, when its value is known."""
        assert operand is not None
        value = self.scalars.get(str(operand.value))
        return None if value is None else scalar_text(value)

    def operands(self, *operands: Operand | None) -> list[str]:
        """The operands of an elementwise call: known scalars as numbers, but at least one tensor, so that the dtype is the tensor's."""
        texts = [self.number(o) for o in operands]
        if all(text is not None for text in texts):
            texts[0] = None
        return [text if text is not None else self.tensor(o) for text, o in zip(texts, operands, strict=True)]


def scalar_text(value: Scalar) -> str:
    """A number as Python writes it, in parentheses when it starts with a minus."""
    text = real_text(value) if isinstance(value, float) else repr(value)
    return f"({text})" if text.startswith("-") else text


def shape_text(shape: tuple[int, ...]) -> str:
    """A tuple of sizes."""
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def slice_text(call: Slice) -> str:
    """The brackets of a slice, an axis taken whole as `:`; nothing behind a number."""
    parts = [
        ":" if (start, limit, stride) == (0, size, 1) else f"{start}:{limit}" if stride == 1 else f"{start}:{limit}:{stride}"
        for start, limit, stride, size in zip(call.starts, call.limits, call.strides, call.operand(0).shape, strict=True)
    ]
    return f"[{', '.join(parts)}]" if parts else ""


class Spread(Struct, frozen=True):
    """What a broadcast is where a framework aligns trailing axes: each part is done where it is not None, in this order."""

    #: The operand's axes in the order of the result's.
    order: tuple[int, ...] | None
    #: The operand with axes of size 1 where the result has new ones that are not leading.
    aligned: tuple[int, ...] | None
    #: The result's shape, unless it has been reached.
    shape: tuple[int, ...] | None


def spread_of(call: Broadcast) -> Spread:
    """A broadcast in parts."""
    operand, rank = call.operand(0), len(call.shape)
    order = tuple(sorted(range(len(call.dims)), key=lambda axis: call.dims[axis]))
    placed = {call.dims[axis]: operand.shape[axis] for axis in order}
    aligned = tuple([placed.get(axis, 1) for axis in range(rank)])
    trailing = list(placed) == list(range(rank - len(placed), rank))
    reached = aligned == call.shape and len(placed) == rank
    return Spread(
        None if order == tuple(range(len(order))) else order,
        None if trailing else aligned,
        None if reached else call.shape,
    )
