"""The grid of index notation.

In: the indices of comprehensions and reductions, and scalars that depend on some of them.  Out: axes, and scalars brought over common
axes.  A scalar is a tensor over the axes it depends on and nothing else; it is spread only when something needs more axes.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from linnet_core.graph.calls import Operand
from linnet_core.graph.failures import beyond, cannot, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.emitter import Emitter
    from linnet_core.graph.values import Tensor
    from linnet_core.ir.module import Op

#: A list of grid axes, each an id; ids ascend in the order the indices were met.
Axes = tuple[int, ...]


#: The most elements that the body of index notation may have: more than fit a device of today, even in two bytes each.
MAX_ELEMENTS = 2**36


class Grid:
    """The axes in scope.  An axis id is never used twice, so a scalar that leaves its grid is noticed."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter
        self._sizes: list[int] = []
        #: The comprehension or reduction that each axis belongs to.
        self._owners: list[Op] = []
        #: The axes in scope, outermost first.
        self.axes: Axes = ()
        #: Axes below this id are out of scope.
        self.floor = 0

    def extend(self, sizes: Iterable[int], owner: Op) -> Axes:
        """Add inner axes of these sizes, indices of `owner`, to the scope."""
        first = len(self._sizes)
        self._sizes.extend(sizes)
        added = tuple(range(first, len(self._sizes)))
        self._owners.extend([owner] * len(added))
        self.axes = self.axes + added
        return added

    def hide(self) -> tuple[Axes, int]:
        """Begin an empty scope; what is returned is given back to `restore`."""
        saved = (self.axes, self.floor)
        self.axes = ()
        self.floor = len(self._sizes)
        return saved

    def restore(self, saved: tuple[Axes, int]) -> None:
        """Go back to the scope that `hide` left, or that was noted as `(axes, floor)`."""
        self.axes, self.floor = saved

    def size(self, axis: int) -> int:
        """The size of an axis."""
        return self._sizes[axis]

    def shape(self, axes: Axes) -> Shape:
        """The sizes of axes."""
        sizes = self._sizes
        return tuple([sizes[axis] for axis in axes])

    def check_count(self, axes: Axes) -> None:
        """E6003 at the innermost comprehension or reduction where a scalar over `axes` would have more than `MAX_ELEMENTS`."""
        count = prod(self.shape(axes))
        if count > MAX_ELEMENTS:
            owner = self._owners[max(axes)]
            what = f"`{owner.attrs['reduce']}`" if owner.kind == "reduce" else "comprehension"
            raise beyond(
                f"the body of this {what} has {number(count)} elements, over {len(axes)} axes; at most {MAX_ELEMENTS} are computed",
                owner.span,
                help="bind smaller sizes, or name fewer indices at once",
            )

    def common(self, tensors: Sequence[Tensor], op: Op) -> Axes:
        """All axes the scalars depend on: in the order of all, if they have it in common, else in that of the grid."""
        found: Axes = ()
        for tensor in tensors:
            if not tensor.axes or tensor.axes == found:
                continue
            found = tensor.axes if not found else tuple(sorted({*found, *tensor.axes}))
        if found and min(found) < self.floor:
            raise cannot(
                "an element of index notation is used to make a whole tensor", op, help="compute the tensor outside, then index it"
            )
        return found

    def spread(self, tensor: Tensor, axes: Axes) -> Operand:
        """A scalar over `axes`, which hold all its own."""
        if tensor.axes == axes:
            return tensor.operand
        return self._emitter.broadcast(tensor.operand, self.shape(axes), tuple([axes.index(axis) for axis in tensor.axes]))

    def aligned(self, tensors: Sequence[Tensor], axes: Axes) -> tuple[Operand, ...]:
        """Scalars over `axes`, as operands of one elementwise call.

        A target that broadcasts itself is handed one that only lacks leading axes as it is, viewed with the whole shape, if another has
        all axes.
        """
        elide = self._emitter.broadcasts and any(tensor.axes == axes for tensor in tensors)
        found: list[Operand] = []
        for tensor in tensors:
            own = tensor.axes
            if own != axes and elide and axes[len(axes) - len(own) :] == own:
                found.append(Operand(tensor.operand.value, self.shape(axes), tensor.operand.dtype))
            else:
                found.append(self.spread(tensor, axes))
        return tuple(found)
