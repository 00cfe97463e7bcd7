"""The pass that makes one product of projections that read the same value.

In: the steps of `main` and the names of parameters and constants.  Out: `Joined`: steps that join the weights, which `prepare` does once,
and the steps of `main` with one product and slices of its result in place of each group.  Products are `linear`s, and contractions of a
value with a matrix.

One product over the rows of several weights is each of them by itself, so nothing is computed twice; a library may add its terms in
another order, which the policy `exact` does not admit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.graph.calls import Concat, Contract, NativeCall, Operand, Slice
from linnet_core.python_source.constants import split_by
from linnet_core.python_source.library_names import base_name
from linnet_core.python_source.steps import CLOSERS, DIVIDERS, OPENERS, Step, result_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from linnet_core.graph.calls import ResultType

LINEAR = "torch.nn.functional.linear"


class Joined(Struct, frozen=True):
    """`weights` are the steps that join weights; `body` has the products of what they give."""

    weights: list[Step]
    body: list[Step]


class Product(Struct, frozen=True):
    """A product of a value with a matrix of weights.

    `places` are the positions of the operands to join (the matrix first), `rows` the axis along which they are, `out` that axis in the
    result.  Products with equal keys, which read one value alike, are joined.
    """

    call: NativeCall | Contract
    key: object
    places: tuple[int, ...]
    rows: int
    out: int


def join_products(body: Sequence[Step], known: Iterable[str]) -> Joined:
    """`known` are the names of parameters and constants."""
    start = {*known}
    weight_only, _ = split_by(body, start)
    fixed = start | {name for step in weight_only for name in step.results}
    groups = _groups(body, fixed)
    members = {at: group for group in groups for at in group}
    weights: dict[Concat, str] = {}
    steps: list[Step] = []
    count = 0
    for at, step in enumerate(body):
        group = members.get(at)
        if group is None:
            steps.append(step)
        elif at == next(iter(group)):
            steps += _joined([body[i] for i in group], list(group.values()), f"j{count}", weights)
            count += 1
    return Joined([Step(call, (name,)) for call, name in weights.items()], steps)


def linear_of_weight(step: Step, fixed: set[str]) -> NativeCall | None:
    """The call of a step that multiplies a computed value with a matrix that is weight-only; None for any other."""
    call = step.call
    if not isinstance(call, NativeCall) or base_name(call.implementation)[0] != LINEAR:
        return None
    x, weight, bias = str(call.operand(0).value), call.operand(1), call.operands[2] if len(call.operands) > 2 else None
    if x in fixed or str(weight.value) not in fixed or len(weight.shape) != 2 or 0 in weight.shape:
        return None
    return call if bias is None or str(bias.value) in fixed else None


def _groups(body: Sequence[Step], fixed: set[str]) -> list[dict[int, Product]]:
    """Positions of products that read one value in one scope, two or more with distinct weights."""
    found: dict[object, dict[str, tuple[int, Product]]] = {}
    types = result_types(body)
    scopes: list[int] = [-1]
    for at, step in enumerate(body):
        kind = type(step.call)
        if kind in OPENERS:
            scopes.append(at)
        elif kind in CLOSERS:
            scopes.pop()
        elif kind in DIVIDERS:  # what follows is another function
            scopes[-1] = at
        product = _product(step, fixed, types)
        if product is not None:
            weight = str(product.call.operand(product.places[0]).value)
            found.setdefault((scopes[-1], product.key), {}).setdefault(weight, (at, product))
    return [dict(group.values()) for group in found.values() if len(group) > 1]


def _product(step: Step, fixed: set[str], types: Mapping[str, ResultType]) -> Product | None:
    if isinstance(step.call, Contract):
        return _contraction(step.call, fixed, types)
    call = linear_of_weight(step, fixed)
    if call is None:
        return None
    weight = call.operand(1)
    bias = tuple([o is not None for o in call.operands[2:]])
    key = (call.operand(0), call.implementation, weight.dtype, call.dtype, weight.shape[1], bias)
    return Product(call, key, (1, *(at for at in range(2, len(call.operands)) if call.operands[at] is not None)), 0, len(call.shape) - 1)


def _contraction(call: Contract, fixed: set[str], types: Mapping[str, ResultType]) -> Product | None:
    """A contraction of a computed value with a matrix that is weight-only, over one axis of the matrix."""
    place = next((at for at in (0, 1) if str(call.operand(at).value) in fixed), None)
    if place is None or str(call.operand(1 - place).value) in fixed:
        return None
    weight, axes = call.operand(place), (call.lhs_axes, call.rhs_axes)[place]
    made = types.get(str(weight.value))
    if len(axes) != 2 or 0 in weight.shape or (made is not None and made.shape != weight.shape):
        return None
    others = (call.lhs_axes, call.rhs_axes)[1 - place]
    free = [axis for axis in axes if axis in call.out_axes and axis not in others]
    if len(free) != 1 or not all(axis in free or axis in others for axis in axes):
        return None
    rows = axes.index(free[0])
    key = (place, call.operand(1 - place), call.lhs_axes, call.rhs_axes, call.out_axes, weight.dtype, call.dtype, weight.shape[1 - rows])
    return Product(call, key, (place,), rows, call.out_axes.index(free[0]))


def _joined(steps: Sequence[Step], products: Sequence[Product], name: str, weights: dict[Concat, str]) -> list[Step]:
    """One product named `name` for those of `steps`, and the slices that are their results; joined operands go to `weights`."""
    first = products[0]
    counts = [each.call.shape[each.out] for each in products]
    operands = list(first.call.operands)
    for place in first.places:
        parts = tuple([each.call.operand(place) for each in products])
        operands[place] = _made(Concat(axis=first.rows, operands=parts), f"{name}_{place}", weights)
    shape = _with(first.call.shape, first.out, sum(counts))
    product = replace(first.call, shape=shape, operands=tuple(operands))
    if isinstance(product, NativeCall):
        product = replace(product, generics={n: sum(counts) if n == "Out" else value for n, value in product.generics.items()})
    made = [Step(product, (name,))]
    start = 0
    for step, count in zip(steps, counts, strict=True):
        cut = Slice(
            starts=_with((0,) * len(shape), first.out, start),
            limits=_with(shape, first.out, start + count),
            strides=(1,) * len(shape),
            shape=_with(shape, first.out, count),
            operands=(Operand(name, shape, product.dtype),),
        )
        made.append(Step(cut, step.results))
        start += count
    return made


def _with(sizes: tuple[int, ...], axis: int, size: int) -> tuple[int, ...]:
    return (*sizes[:axis], size, *sizes[axis + 1 :])


def _made(call: Concat, name: str, weights: dict[Concat, str]) -> Operand:
    """The result of `call`, made once however many groups join the same."""
    (type,) = call.result_types()
    return Operand(weights.setdefault(call, name), type.shape, type.dtype)
