"""Where the values of a function are used.

In: the regions of one function.  Out: `Uses`: the operation that defines a value, the region it is defined in, and every place that uses
it, numbered in the order of the program.  A read at run-time positions that lowering made a comprehension of is taken for one operation
here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from linnet_core.check.types import ArrayType, BlockType, OptionalType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.check.types import Type
    from linnet_core.ir.module import Op, Region, Value


#: Loops, with the number of operands and of region arguments that stand before the carried ones.
LOOPS: dict[str, tuple[int, int]] = {"static_for": (1, 1), "static_range": (2, 1), "for": (2, 1), "while": (0, 0)}


class Uses(Struct, eq=False):
    """Facts about the values of a function, by id; regions are numbered in the order they begin."""

    definitions: dict[int, Op] = field(default_factory=dict)
    #: The region a value is defined in.
    homes: dict[int, int] = field(default_factory=dict)
    #: Every use: the region and the operation's number.
    places: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    #: Numbers of operations and regions, by identity.
    numbers: dict[int, int] = field(default_factory=dict)
    regions: dict[int, int] = field(default_factory=dict)
    #: Values that a loop of their own region begins with, under the name it carries them by: variables of the program.
    variables: set[int] = field(default_factory=set)

    def count(self, value: Value) -> int:
        """How often the value is used."""
        return len(self.places.get(value.id, ()))

    def is_local(self, value: Value) -> bool:
        """Whether every use stands in the region that defines the value."""
        return all(region == self.homes[value.id] for region, _ in self.places.get(value.id, ()))

    def is_needed_after(self, id: int, op: Op) -> bool:
        """Whether the value is used after the operation, anywhere."""
        number = self.numbers[_key(op)]
        return any(place > number for _, place in self.places.get(id, ()))


def uses_of(regions: Iterable[Region]) -> Uses:
    """The uses in the regions of one function, in order."""
    found = Uses()
    for region in regions:
        _region(region, found)
    return found


def _region(region: Region, found: Uses) -> None:
    number = found.regions[id(region)] = len(found.regions)
    for arg in region.args:
        found.homes[arg.id] = number
    for op in region.ops:
        place = found.numbers[_key(op)] = len(found.numbers)
        for value in operands(op):
            found.places.setdefault(value.id, []).append((number, place))
        if op.kind in LOOPS:
            carried = op.regions[-1].args[LOOPS[op.kind][1] :]
            initial = op.operands[LOOPS[op.kind][0] :]
            same = (value.id for value, arg in zip(initial, carried, strict=True) if value.name == arg.name and value.type == arg.type)
            found.variables.update(id for id in same if found.homes[id] == number)
        if gathered(op) is None:
            for inner in op.regions:
                _region(inner, found)
        for result in op.results:
            found.homes[result.id] = number
            found.definitions[result.id] = op


def _key(op: Op) -> int:
    return id(op)


def operands(op: Op) -> tuple[Value, ...]:
    """What the operation is given when it is written in one piece."""
    read = gathered(op)
    if read is None:
        return op.operands
    own = {arg.id for arg in op.regions[0].args}
    return tuple(value for value in read.operands if value.id not in own)


def gathered(op: Op) -> Op | None:
    """The element read of a comprehension that stands for `x[position, :]` outside index notation; None for any other operation.

    Lowering names the axes that stay `k0`, `k1`, ... and reads them whole, in order, beside at least one position from outside.
    """
    if op.kind != "comprehension":
        return None
    body = op.regions[0]
    if len(body.ops) != 2 or body.ops[0].kind != "tensor.element":
        return None
    read, end = body.ops
    if end.operands != read.results or any(arg.name != f"k{n}" for n, arg in enumerate(body.args)):
        return None
    kept = [value.id for value in read.operands if value.id in {arg.id for arg in body.args}]
    if kept != [arg.id for arg in body.args] or len(kept) == len(read.operands) - 1:
        return None
    return read if read.operands[0].id not in kept else None


def is_block_like(type: Type) -> bool:
    """Whether it is a block, an array of blocks or an optional of these, which no local of a program holds."""
    return isinstance(type.inner if isinstance(type, OptionalType) else type, BlockType | ArrayType)


def can_be_bound(value: Value, uses: Uses) -> bool:
    """Whether a `let` could hold the value: no block, nor a number that is a dimension, of which a `let` makes a `const.int`."""
    made = uses.definitions.get(value.id)
    is_number = made is not None and made.kind == "const.dim" and made.attrs["value"].value is not None
    return not is_number and not is_block_like(value.type)
