"""The arithmetic of gradients: calls with their operands brought to one shape.

In: operands, scalars among them.  Out: the operand that stands for the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import InternalError
from linnet_core.graph.calls import Compare, Contract, Literal, Operand, Select
from linnet_core.graph.rows import zero, zeros
from linnet_core.graph.target import Declined

if TYPE_CHECKING:
    from linnet_core.graph.calls.elementwise import CompareKind
    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.emitter import Emitter


class Terms:
    """Emits through an `Emitter`."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter

    def binary(self, kind: str, x: Operand, y: Operand) -> Operand:
        """`x kind y`, of one dtype."""
        shape = _common(x.shape, y.shape)
        return self.emitter.elementwise(kind, self.emitter.aligned((x, y), shape), shape, x.dtype)

    def add(self, x: Operand, y: Operand) -> Operand:
        """`x + y`."""
        return self.binary("add", x, y)

    def mul(self, x: Operand, y: Operand) -> Operand:
        """`x * y`."""
        return self.binary("mul", x, y)

    def div(self, x: Operand, y: Operand) -> Operand:
        """`x / y`."""
        return self.binary("div", x, y)

    def unary(self, kind: str, x: Operand) -> Operand:
        """`kind x`."""
        return self.emitter.elementwise(kind, (x,), x.shape, x.dtype)

    def neg(self, x: Operand) -> Operand:
        """`-x`."""
        return self.unary("neg", x)

    def real(self, value: float, dtype: str) -> Operand:
        """A float constant."""
        return self.emitter.literal(Literal("real", value), dtype)

    def zero(self, x: Operand) -> Operand:
        """The constant 0 of x's dtype."""
        return zero(self.emitter, x.dtype)

    def zeros(self, shape: Shape, dtype: str) -> Operand:
        """A tensor of zeros."""
        return zeros(self.emitter, shape, dtype)

    def compare(self, kind: CompareKind, x: Operand, y: Operand) -> Operand:
        """`x kind y`, a bool."""
        shape = _common(x.shape, y.shape)
        call = Compare(kind=kind, shape=shape, operands=self.emitter.aligned((x, y), shape))
        return self.emitter.one(call, shape, "bool")

    def select(self, condition: Operand, x: Operand, y: Operand) -> Operand:
        """`x` where the condition holds, else `y`."""
        shape = _common(_common(condition.shape, x.shape), y.shape)
        aligned = self.emitter.aligned((condition, x, y), shape)
        return self.emitter.one(Select(shape=shape, dtype=x.dtype, operands=aligned), shape, x.dtype)

    def unless_zero(self, gradient: Operand, share: Operand) -> Operand:
        """`share`, and 0 where the gradient is 0: the slope of what a `select` left out may be infinite or NaN, and 0 times it is NaN."""
        nothing = self.zero(gradient)
        return self.select(self.compare("eq", gradient, nothing), nothing, share)

    def transpose(self, x: Operand, permutation: tuple[int, ...]) -> Operand:
        """Result axis i is axis `permutation[i]` of x; nothing where every axis stays."""
        return self.emitter.transpose(x, permutation)

    def summed(self, x: Operand, kept: tuple[int, ...]) -> Operand:
        """`x` summed over the axes that are not `kept`, which come in the order given."""
        over = tuple([axis for axis in range(len(x.shape)) if axis not in kept])
        moved = self.transpose(x, (*kept, *over))
        return self.emitter.reduce("sum", moved, len(over)) if over else moved

    def summed_to(self, x: Operand, shape: Shape) -> Operand:
        """`x` summed down to a shape that spreads to its own, right-aligned."""
        if x.shape == shape:
            return x
        more = len(x.shape) - len(shape)
        kept = tuple([axis + more for axis, size in enumerate(shape) if size == x.shape[axis + more]])
        return self.emitter.reshape(self.summed(x, kept), shape)

    def contracted(self, lhs: Operand, rhs: Operand, axes: tuple[Shape, Shape], out: tuple[int, ...]) -> Operand:
        """The sum of a product over the axes that are not in `out`; where the target declines, the product is spread and summed."""
        sizes = dict(zip((*axes[0], *axes[1]), (*lhs.shape, *rhs.shape), strict=True))
        shape = tuple([sizes[axis] for axis in out])
        call = Contract(lhs_axes=axes[0], rhs_axes=axes[1], out_axes=out, shape=shape, dtype=lhs.dtype, operands=(lhs, rhs))
        made = self.emitter.offered(call, shape, lhs.dtype)
        if not isinstance(made, Declined):
            return made
        grid = (*out, *[axis for axis in sizes if axis not in out])
        whole = tuple([sizes[axis] for axis in grid])
        spread = [self.emitter.broadcast(x, whole, tuple(map(grid.index, of))) for x, of in zip((lhs, rhs), axes, strict=True)]
        return self.emitter.reduce("sum", self.mul(*spread), len(grid) - len(out))


def _common(a: Shape, b: Shape) -> Shape:
    """The shape two operands spread to, right-aligned."""
    if a == b:
        return a
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    more = len(longer) - len(shorter)
    found = list(longer)
    for axis, size in enumerate(shorter):
        if size != 1:
            if found[axis + more] not in (1, size):
                raise InternalError(f"{list(a)} and {list(b)} do not spread to one shape")
            found[axis + more] = size
    return tuple(found)
