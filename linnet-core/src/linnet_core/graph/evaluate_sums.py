"""Sums of products as contractions.

In: a `reduce` of kind sum with its axes in the grid.  Out: the sum, without the product over all axes; or None where it is no such sum and
nothing was emitted for it.

The body is read as a product tree: factors and divisors under multiplications, divisions, negations and casts from float to float.
Factors free of the reduced axes are pulled out of the sum, a divisor over them divides the factor with which it is smallest, the others
contract pairwise, cheapest first.  A product that is cast is one of cast factors, in the widest of their dtypes and the sum's, where the
whole would be larger than each of them; else it stays as it is written.

Policy `exact` admits only the bare product of two elements, since anything else adds or multiplies in another order; integers wrap, so for
them every order gives the same and all is admitted.
"""

from __future__ import annotations

from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.types import FLOATS
from linnet_core.graph.calls import Contract
from linnet_core.graph.evaluate_tensors import tensor
from linnet_core.graph.target import Declined
from linnet_core.graph.values import Index, Tensor
from linnet_core.ir.module import Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.evaluate import Evaluator
    from linnet_core.graph.grid import Axes
    from linnet_core.graph.instances import Frame
    from linnet_core.ir.module import Op
    from linnet_core.ir.module import Value as IRValue

#: A product of more factors is not taken apart.
MAX_FACTORS = 16
#: What may stand beside the multiplication in the bare product of two elements.
_BARE_KINDS = frozenset(("tensor.element", "cast", "block.param", "mul", "yield"))


class Product(Struct, frozen=True, eq=False):
    """The body of a sum: the product of `factors` over the product of `divisors`.

    `inner` are the positions in the region of the operations that make it up; `negated` says that an odd number of them are negations.
    `bare` says that it is the product of two element reads, each perhaps cast, and that the region holds nothing else; `casts` are the
    positions of casts of products.
    """

    factors: tuple[IRValue, ...]
    divisors: tuple[IRValue, ...]
    inner: frozenset[int]
    bare: bool
    negated: bool = False
    casts: tuple[int, ...] = ()


def contracted(ev: Evaluator, op: Op, frame: Frame, reduced: Axes, dtype: str) -> Tensor | None:
    """The sum by contractions; None where it is none."""
    reassociates = dtype not in FLOATS or not ev.exact
    region = op.regions[0]
    product = product_of(ev, op, frame, region, region.ops[-1].operands[0], divides=dtype in FLOATS and reassociates)
    if len(product.factors) < 2 and not product.divisors:
        return None
    if not reassociates and not (product.bare and _reads_plainly(op, frame)):
        return None
    factors, divisors = _evaluate_leaves(ev, op, frame, product, slicing=reassociates)
    found = None
    if not product.casts or is_larger(ev, (*factors, *divisors)):
        wide = widest(dtype, (*factors, *divisors)) if product.casts else dtype
        factors, divisors = ([converted(ev, each, wide) if product.casts else each for each in part] for part in (factors, divisors))
        found = sum_of_product(ev, op, factors, divisors, reduced, wide, exact=not reassociates)
    if found is not None:
        return converted(ev, signed(ev, found, op) if product.negated else found, dtype)
    for at in sorted(product.inner):
        ev.step(region.ops[at], frame)
    return ev.reduced("sum", tensor(frame.values[region.ops[-1].operands[0].id], op), reduced, dtype, op)


def product_of(ev: Evaluator, op: Op, frame: Frame, region: Region, root: IRValue, *, divides: bool) -> Product:
    """The product tree of a value of a region; worked out once for each.  Where it `divides`, casts of products are read through, too."""
    product = _product(ev, region, root, divides, divides)
    for at in product.casts:
        cast = region.ops[at]
        if any(frame.instance.type_of(value, op).dtype not in FLOATS for value in (cast.operands[0], cast.results[0])):
            return _product(ev, region, root, divides, False)
    return product


def _product(ev: Evaluator, region: Region, root: IRValue, divides: bool, casts: bool) -> Product:
    key = (id(region), root.id, divides, casts)
    found = ev.products.get(key)
    if found is None:
        found = ev.products[key] = _read_product(region, root, divides=divides, casts=casts)
    return found


def signed(ev: Evaluator, value: Tensor, op: Op) -> Tensor:
    """The value with the other sign."""
    return Tensor(ev.emitter.elementwise("neg", (value.operand,), value.operand.shape, value.operand.dtype), value.axes)


def converted(ev: Evaluator, value: Tensor, dtype: str) -> Tensor:
    """The value in a dtype."""
    return value if value.operand.dtype == dtype else Tensor(ev.emitter.convert(value.operand, dtype), value.axes)


def widest(dtype: str, values: Iterable[Tensor]) -> str:
    """The least float dtype that holds `dtype` and those of the values."""
    found = {dtype, *(value.operand.dtype for value in values)}
    return found.pop() if len(found) == 1 else "f64" if "f64" in found else "f32"


def is_larger(ev: Evaluator, parts: Sequence[Tensor]) -> bool:
    """Whether all axes of the parts together hold more than each of the parts."""
    whole = _size(ev, {axis for part in parts for axis in part.axes})
    return all(_size(ev, part.axes) < whole for part in parts)


def _read_product(region: Region, root: IRValue, *, divides: bool, casts: bool) -> Product:
    producers = {result.id: at for at, op in enumerate(region.ops) for result in op.results}
    uses = _uses(region)
    factors: list[IRValue] = []
    divisors: list[IRValue] = []
    inner: set[int] = set()
    negated = False
    cast: list[int] = []
    pending: list[tuple[IRValue, bool]] = [(root, True)]
    while pending:
        value, above = pending.pop()
        at = producers.get(value.id)
        made = region.ops[at] if at is not None and uses.get(value.id) == 1 else None
        if made is not None and at is not None and made.kind == "neg":
            inner.add(at)
            negated = not negated
            pending.append((made.operands[0], above))
        elif (
            casts and made is not None and at is not None and made.kind == "cast" and _is_product(made.operands[0], region, producers, uses)
        ):
            inner.add(at)
            cast.append(at)
            pending.append((made.operands[0], above))
        elif made is not None and at is not None and (made.kind == "mul" or (made.kind == "div" and divides and above)):
            inner.add(at)
            left, right = made.operands
            pending.append((right, above and made.kind == "mul"))
            pending.append((left, above))
        else:
            (factors if above else divisors).append(value)
    if len(factors) + len(divisors) > MAX_FACTORS:
        return Product((root,), (), frozenset(), False)
    bare = len(factors) == 2 and len(inner) == 1 and all(op.kind in _BARE_KINDS for op in region.ops) and not divisors
    bare = bare and not negated and all(_is_read(value, region, producers) for value in factors)
    return Product(tuple(factors), tuple(divisors), frozenset(inner), bare, negated, tuple(cast))


def _is_product(value: IRValue, region: Region, producers: dict[int, int], uses: dict[int, int]) -> bool:
    """Whether a value that is read once is a product or quotient but for signs and casts."""
    while (at := producers.get(value.id)) is not None and uses.get(value.id) == 1:
        made = region.ops[at]
        if made.kind not in ("neg", "cast"):
            return made.kind in ("mul", "div")
        value = made.operands[0]
    return False


def _uses(region: Region) -> dict[int, int]:
    """How often each value is used in a region and those inside it."""
    found: dict[int, int] = {}
    pending = [region]
    while pending:
        for op in pending.pop().ops:
            for operand in op.operands:
                found[operand.id] = found.get(operand.id, 0) + 1
            pending.extend(op.regions)
    return found


def _is_read(value: IRValue, region: Region, producers: dict[int, int]) -> bool:
    """Whether a factor is an element read or the cast of one."""
    at = producers.get(value.id)
    if at is None:
        return False
    op = region.ops[at]
    if op.kind == "cast":
        inner = producers.get(op.operands[0].id)
        return inner is not None and region.ops[inner].kind == "tensor.element"
    return op.kind == "tensor.element"


def _reads_plainly(op: Op, frame: Frame) -> bool:
    """Whether all element reads of the region have distinct indices for positions."""
    arguments = {argument.id for argument in op.regions[0].args}
    for read in op.regions[0].ops:
        if read.kind != "tensor.element":
            continue
        positions = [operand.id for operand in read.operands[1:]]
        if len(set(positions)) != len(positions):
            return False
        if not all(id in arguments or isinstance(frame.values.get(id), Index) for id in positions):
            return False
    return True


def _evaluate_leaves(ev: Evaluator, op: Op, frame: Frame, product: Product, *, slicing: bool) -> tuple[list[Tensor], list[Tensor]]:
    """Run all of the region but the product itself."""
    outer = ev.slicing_diagonals
    ev.slicing_diagonals = slicing
    ops = op.regions[0].ops
    for at in range(len(ops) - 1):
        if at not in product.inner:
            ev.step(ops[at], frame)
    ev.slicing_diagonals = outer
    return leaves_of(ev, op, frame, product)


def leaves_of(ev: Evaluator, op: Op, frame: Frame, product: Product) -> tuple[list[Tensor], list[Tensor]]:
    """Factors and divisors, all of which are evaluated."""
    factors = [tensor(frame.values[value.id], op) for value in product.factors]
    divisors = [tensor(frame.values[value.id], op) for value in product.divisors]
    ev.grid.common((*factors, *divisors), op)
    return factors, divisors


def sum_of_product(
    ev: Evaluator, op: Op, factors: list[Tensor], divisors: list[Tensor], reduced: Axes, dtype: str, *, exact: bool
) -> Tensor | None:
    """The sum of the product of evaluated factors; None where a contraction would not be it, or would gain nothing."""
    axes = set(reduced)
    bound = [factor for factor in factors if axes & set(factor.axes)]
    free = [factor for factor in factors if not axes & set(factor.axes)]
    if not axes <= {axis for factor in bound for axis in factor.axes}:
        return None
    if exact:
        return _contract_pair(ev, factors[0], factors[1], reduced, dtype, op)
    over = [divisor for divisor in divisors if axes & set(divisor.axes)]
    if over and (len(bound) < 2 or dtype == "f16"):  # nothing to gain; a quotient might overflow where the product over it does not
        return None
    divisors = [divisor for divisor in divisors if not axes & set(divisor.axes)]
    if not bound or (len(bound) == 1 and not free and not divisors):
        return None
    if (free or divisors) and 0 in ev.grid.shape(reduced):  # an empty sum is 0, whatever it is multiplied with or divided by
        return None
    if dtype == "f16" and (free or divisors):
        if divisors or len(bound) == 1:  # the sum alone might overflow where the product does not
            return None
        _fold_in(ev, bound, free, "mul", op)
        free = []
    _fold_in(ev, bound, over, "div", op)
    total = _contract_all(ev, bound, reduced, dtype, op)
    for factor in free:
        total = _elementwise(ev, "mul", total, factor, dtype, op)
    for divisor in divisors:
        total = _elementwise(ev, "div", total, divisor, dtype, op)
    return total


def _fold_in(ev: Evaluator, bound: list[Tensor], others: list[Tensor], kind: str, op: Op) -> None:
    """Multiply or divide by each of `others` the factor that stays smallest, so that no sum is larger than the program's own."""
    for factor in others:
        costs = [_count(ev, other, factor) for other in bound]
        at = costs.index(min(costs))
        bound[at] = _elementwise(ev, kind, bound[at], factor, bound[at].operand.dtype, op)


def _contract_all(ev: Evaluator, factors: list[Tensor], reduced: Axes, dtype: str, op: Op) -> Tensor:
    """Contract pairs, cheapest first, until one is left; an axis is summed as soon as no other factor needs it."""
    left = list(factors)
    while len(left) > 1:
        pairs = list(combinations(range(len(left)), 2))
        costs = [_count(ev, left[i], left[j]) for i, j in pairs]
        i, j = pairs[costs.index(min(costs))]
        others = {axis for at, factor in enumerate(left) if at not in (i, j) for axis in factor.axes}
        both = {*left[i].axes, *left[j].axes}
        summed = tuple(axis for axis in reduced if axis in both and axis not in others)
        left[i] = _contract_pair(ev, left[i], left[j], summed, dtype, op)
        del left[j]
    missing = tuple(axis for axis in reduced if axis in left[0].axes)
    return ev.reduced("sum", left[0], missing, dtype, op) if missing else left[0]


def _count(ev: Evaluator, a: Tensor, b: Tensor) -> int:
    """How many products two factors have."""
    return _size(ev, {*a.axes, *b.axes})


def _size(ev: Evaluator, axes: Iterable[int]) -> int:
    return prod([ev.grid.size(axis) for axis in axes])


def _contract_pair(ev: Evaluator, a: Tensor, b: Tensor, summed: Axes, dtype: str, op: Op) -> Tensor:
    """The product of two factors summed over `summed`: one contraction, or an elementwise product where nothing is summed."""
    if not summed:
        return _elementwise(ev, "mul", a, b, dtype, op)
    out = tuple(sorted({*a.axes, *b.axes} - set(summed)))
    shape = ev.grid.shape(out)
    number = {axis: at for at, axis in enumerate(ev.grid.axes)}
    call = Contract(
        lhs_axes=tuple([number[axis] for axis in a.axes]),
        rhs_axes=tuple([number[axis] for axis in b.axes]),
        out_axes=tuple([number[axis] for axis in out]),
        shape=shape,
        dtype=dtype,
        operands=(a.operand, b.operand),
    )
    made = ev.emitter.offered(call, shape, dtype)
    if not isinstance(made, Declined):
        return Tensor(made, out)
    return ev.reduced("sum", _elementwise(ev, "mul", a, b, dtype, op), summed, dtype, op)


def _elementwise(ev: Evaluator, kind: str, a: Tensor, b: Tensor, dtype: str, op: Op) -> Tensor:
    axes, shape, operands = ev.aligned((a, b), (), op)
    return Tensor(ev.emitter.elementwise(kind, operands, shape, dtype), axes)
