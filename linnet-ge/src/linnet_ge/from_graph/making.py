"""What the rules of calls share: the graph in the making, the values so far, and the few operations that most rules need.

In: names of values.  Out: `Source`s: outputs of nodes of the graph.  A constant becomes a node of each graph that reads it.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from linnet_core.errors import DocumentError
from linnet_core.python_source.fold import Scalar, constant_value
from linnet_ge.from_graph.constants import tensor
from linnet_ge.from_graph.scope import Scope, Source
from linnet_ge.ir.dtypes import number_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import Call, Constant

Shape = tuple[int, ...]


class Making:
    """A graph and its values by name.  `constants` and `known` scalars are those of the whole document."""

    def __init__(self, scope: Scope, constants: Mapping[str, Constant], known: Mapping[str, Scalar]) -> None:
        self.scope = scope
        self.constants = constants
        self.known = known
        self.values: dict[str, Source] = {}

    def value(self, name: str) -> Source:
        """The value of that name."""
        found = self.values.get(name)
        if found is None:
            call = self.constants[name]
            found = self.values[name] = self.const([_number(call)], (), call.dtype)
        return found

    def has(self, call: Call, position: int) -> bool:
        """Whether the operand is there."""
        return position < len(call.operands) and call.operands[position] is not None

    def loose(self, call: Call, position: int) -> Source:
        """An operand for an operation that spreads its inputs itself: of the operand's dtype, but maybe of fewer axes or sizes 1."""
        operand = call.operand(position)
        value = self.cast(self.value(str(operand.value)), operand.dtype)
        return self.reshape(value, operand.shape) if prod(value.shape) == prod(operand.shape) else value

    def operand(self, call: Call, position: int) -> Source:
        """An operand, of the shape the call sees."""
        return self.spread(self.loose(call, position), call.operand(position).shape)

    def operands(self, call: Call) -> list[Source]:
        """All operands, which must be there."""
        return [self.operand(call, position) for position in range(len(call.operands))]

    def const(self, values: Sequence[Scalar], shape: Shape, dtype: str) -> Source:
        """A constant."""
        return self.scope.add("Const", {}, shape, dtype, value=tensor(values, shape, dtype))

    def integers(self, *values: int) -> Source:
        """A vector of i64: a shape, axes, a permutation."""
        return self.const(values, (len(values),), "i64")

    def integer(self, value: int, dtype: str = "i64") -> Source:
        """A scalar integer."""
        return self.const([value], (), dtype)

    def cast(self, x: Source, dtype: str) -> Source:
        """The value in another dtype."""
        return x if x.dtype == dtype else self.scope.add("Cast", {"x": x}, x.shape, dtype, dst_type=number_of(dtype))

    def reshape(self, x: Source, shape: Shape) -> Source:
        """The elements in order under another shape."""
        return x if x.shape == shape else self.scope.add("Reshape", {"x": x, "shape": self.integers(*shape)}, shape, x.dtype)

    def transpose(self, x: Source, order: Sequence[int]) -> Source:
        """Axis i of the result is axis `order[i]`."""
        if list(order) == list(range(len(x.shape))):
            return x
        shape = tuple(x.shape[axis] for axis in order)
        return self.scope.add("Transpose", {"x": x, "perm": self.integers(*order)}, shape, x.dtype)

    def spread(self, x: Source, shape: Shape) -> Source:
        """The value broadcast to a shape, trailing axes to trailing axes."""
        if x.shape == shape:
            return x
        return self.scope.add("BroadcastTo", {"x": x, "shape": self.integers(*shape)}, shape, x.dtype)

    def placed(self, x: Source, axes: Sequence[int], rank: int) -> Source:
        """Axis i at `axes[i]` of `rank`, size 1 elsewhere."""
        x = self.transpose(x, sorted(range(len(axes)), key=lambda at: axes[at]))
        sizes = dict(zip(sorted(axes), x.shape, strict=True))
        return self.reshape(x, tuple(sizes.get(axis, 1) for axis in range(rank)))


def _number(call: Constant) -> Scalar:
    value = constant_value(call)
    if value is None:
        raise DocumentError(f"a constant of {call.dtype} is written as the {call.literal.kind} {call.literal.value}")
    return value


def spread_shape(*shapes: Shape) -> Shape:
    """The shape of the operands of an elementwise operation together; those of fewer axes have size 1 in front."""
    rank = max((len(shape) for shape in shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return tuple(next((size for size in sizes if size != 1), 1) for sizes in zip(*padded, strict=True))
