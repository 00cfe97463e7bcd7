"""Calls to the target, one function a kind, with the shapes worked out.

In: operands and attributes.  Out: the operand that stands for the result.  Here are the rules of when nothing is emitted (a reshape to
the same shape, a conversion to the same dtype), and of how operands are spread to a common shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError
from linnet_core.graph.calls import (
    Broadcast,
    Concat,
    Constant,
    Convert,
    Elementwise,
    Gather,
    Iota,
    Literal,
    Operand,
    Reduce,
    Reshape,
    Slice,
    Transpose,
)
from linnet_core.graph.failures import beyond
from linnet_core.graph.target import Declined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.placement import Placement
    from linnet_core.graph.target import RegionCallback, Target

#: The most calls an export may make, those of functions included.
MAX_CALLS = 2_000_000


class Emitter:
    """Emits to `target` and counts the calls."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.broadcasts = target.capabilities.broadcasts_elementwise
        self.emitted = 0
        #: Where values live; None when nothing is placed, offloaded or sharded.
        self.placement: Placement | None = None

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        """Emit one call."""
        self.count()
        placement = self.placement
        if placement is None:
            return self.target.emit(call, regions) if regions else self.target.emit(call)
        call = placement.before(call)
        answer = self.target.emit(call, regions) if regions else self.target.emit(call)
        if not isinstance(answer, Declined):
            placement.after(call, answer)
        return answer

    def count(self) -> None:
        """One call more, to the target or to a function, which may emit nothing of its own."""
        self.emitted += 1
        if self.emitted > MAX_CALLS:
            raise beyond(f"this export makes more than {MAX_CALLS} calls", None, help="bind smaller sizes, or use a run-time loop")

    def has_room(self, count: int) -> bool:
        """Whether `count` calls more are within the limit."""
        return self.emitted + count <= MAX_CALLS

    def names(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...]:
        """Emit a call that may not be declined; the names of its results."""
        answer = self.emit(call, regions)
        if isinstance(answer, Declined):
            raise LinnetError(f"the target `{self.target.name}` declined `{call.op}`, which may not be declined: {answer.reason}")
        return answer

    def one(self, call: Call, shape: Shape, dtype: str) -> Operand:
        """Emit a call of one result that may not be declined."""
        return Operand(self.names(call)[0], shape, dtype)

    def offered(self, call: Call, shape: Shape, dtype: str) -> Operand | Declined:
        """Emit a call of one result that may be declined."""
        answer = self.emit(call)
        return answer if isinstance(answer, Declined) else Operand(answer[0], shape, dtype)

    def integer(self, value: int, dtype: str = "i64") -> Operand:
        """An integer constant."""
        return self.one(Constant(literal=Literal("integer", value), dtype=dtype), (), dtype)

    def literal(self, literal: Literal, dtype: str) -> Operand:
        """A constant."""
        return self.one(Constant(literal=literal, dtype=dtype), (), dtype)

    def elementwise(self, kind: str, operands: tuple[Operand, ...], shape: Shape, dtype: str) -> Operand:
        """One of the elementwise kinds; the operands are aligned already."""
        return self.one(Elementwise(kind=kind, shape=shape, dtype=dtype, operands=operands), shape, dtype)  # type: ignore[arg-type]  # a kind the Core IR and the calls spell alike

    def convert(self, x: Operand, dtype: str) -> Operand:
        """`x` in `dtype`; nothing where it is."""
        if x.dtype == dtype:
            return x
        return self.one(Convert(shape=x.shape, dtype=dtype, operands=(x,)), x.shape, dtype)

    def reshape(self, x: Operand, shape: Shape) -> Operand:
        """`x` under `shape`; nothing where it has that shape."""
        if x.shape == shape:
            return x
        return self.one(Reshape(shape=shape, operands=(x,)), shape, x.dtype)

    def transpose(self, x: Operand, permutation: tuple[int, ...]) -> Operand:
        """Result axis i is axis `permutation[i]` of x; nothing where every axis stays."""
        if permutation == tuple(range(len(permutation))):
            return x
        shape = tuple([x.shape[axis] for axis in permutation])
        return self.one(Transpose(shape=shape, permutation=permutation, operands=(x,)), shape, x.dtype)

    def broadcast(self, x: Operand, shape: Shape, dims: tuple[int, ...]) -> Operand:
        """`x` spread to `shape`; nothing where shapes are equal and every axis stays in its place."""
        if x.shape == shape and dims == tuple(range(len(shape))):
            return x
        return self.one(Broadcast(shape=shape, dims=dims, operands=(x,)), shape, x.dtype)

    def spread(self, x: Operand, shape: Shape) -> Operand:
        """`x` spread to `shape`, right-aligned."""
        if x.shape == shape:
            return x
        return self.broadcast(x, shape, tuple(range(len(shape) - len(x.shape), len(shape))))

    def aligned(self, operands: Sequence[Operand], shape: Shape) -> tuple[Operand, ...]:
        """Whole operands brought to `shape`, right-aligned.

        A target that broadcasts itself is handed a smaller operand as it is, viewed with the result's shape, if another operand has
        that shape.
        """
        full = [operand.shape == shape for operand in operands]
        if all(full):
            return tuple(operands)
        if self.broadcasts and any(full):
            return tuple([o if whole else Operand(o.value, shape, o.dtype) for o, whole in zip(operands, full, strict=True)])
        return tuple([self.spread(operand, shape) for operand in operands])

    def slice(self, x: Operand, starts: Shape, limits: Shape, strides: Shape) -> Operand:
        """Positions `starts`, `starts + strides`, ... below `limits` of every axis."""
        shape = tuple([-((start - limit) // stride) for start, limit, stride in zip(starts, limits, strides, strict=True)])
        call = Slice(starts=starts, limits=limits, strides=strides, shape=shape, operands=(x,))
        return self.one(call, shape, x.dtype)

    def iota(self, length: int) -> Operand:
        """0, 1, ..., length - 1 in i64."""
        return self.one(Iota(length=length), (length,), "i64")

    def concat(self, parts: tuple[Operand, ...], axis: int) -> Operand:
        """Parts one after another along `axis`."""
        call = Concat(axis=axis, operands=parts)
        (type,) = call.result_types()
        return self.one(call, type.shape, type.dtype)

    def gather(self, source: Operand, indices: Operand) -> Operand:
        """The positions in the columns of `indices` along the first axes of `source`."""
        shape = (*indices.shape[:-1], *source.shape[indices.shape[-1] :])
        return self.one(Gather(shape=shape, operands=(source, indices)), shape, source.dtype)

    def reduce(self, kind: str, x: Operand, count: int) -> Operand:
        """The last `count` axes reduced."""
        rank = len(x.shape)
        shape = x.shape[: rank - count]
        call = Reduce(kind=kind, dims=tuple(range(rank - count, rank)), shape=shape, operands=(x,))  # type: ignore[arg-type]  # a kind the Core IR and the calls spell alike
        return self.one(call, shape, x.dtype)
