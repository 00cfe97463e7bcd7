"""Sums of masked products as contractions.

In: a `reduce` of kind sum whose body chooses between a product and zero, in either arm.  Out: the sum of the product of masked factors,
without the product over all axes; or None where it is no such sum and nothing was emitted for it.

A mask that is free of the summed axes chooses between the sum and zero.  Else every factor that has all axes of the mask is masked.  Where
that is every factor the result is the choice's own, whatever they hold.  A factor that lacks an axis of the mask cannot be masked: what is
hidden there is multiplied with zero, so that an infinity or a NaN among it is seen.  Where no factor can be masked the mask is one more
factor, 1 or 0, if that spares what is as large as all axes together.  Policy `exact` admits none of this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.types import FLOATS
from linnet_core.graph.evaluate_sums import converted, is_larger, leaves_of, product_of, signed, sum_of_product, widest
from linnet_core.graph.evaluate_tensors import chosen, tensor
from linnet_core.graph.values import Tensor

if TYPE_CHECKING:
    from linnet_core.graph.evaluate import Evaluator
    from linnet_core.graph.evaluate_sums import Product
    from linnet_core.graph.grid import Axes
    from linnet_core.graph.instances import Frame
    from linnet_core.ir.module import Op, Region
    from linnet_core.ir.module import Value as IRValue


class Choice(Struct, frozen=True, eq=False):
    """`if condition { value } else { zero }`, or its arms exchanged if it is `inverted`.

    `at` is its position in the reduction's region, `arm` where the value is computed, `arms` those of an `if`.
    """

    at: int
    condition: IRValue
    value: IRValue
    zero: IRValue
    arm: Region
    arms: tuple[Region, ...] = ()
    inverted: bool = False


def masked_sum(ev: Evaluator, op: Op, frame: Frame, reduced: Axes, dtype: str) -> Tensor | None:
    """The sum by contractions of masked factors; None where it is none."""
    if ev.exact or dtype not in FLOATS:
        return None
    region = op.regions[0]
    choice = _choice(region)
    if choice is None:
        return None
    product = product_of(ev, op, frame, choice.arm, choice.value, divides=True)
    _evaluate(ev, frame, region, skipped={choice.at, len(region.ops) - 1, *(product.inner if choice.arm is region else ())})
    condition = tensor(frame.values[choice.condition.id], op)
    if condition.known is not None:
        return _settled(ev, op, frame, choice, product.inner, reduced, dtype)
    for arm in choice.arms:
        _evaluate(ev, frame, arm, skipped={*(product.inner if arm is choice.arm else ()), len(arm.ops) - 1})
    factors, divisors = leaves_of(ev, op, frame, product)
    ev.grid.common((condition, *factors, *divisors), op)
    zero = tensor(frame.values[choice.zero.id], op)
    found = _contracted(ev, op, choice, product, (condition, zero, factors, divisors), reduced, dtype)
    if found is not None:
        return found
    for at in sorted(product.inner):
        ev.step(choice.arm.ops[at], frame)
    whole = _chosen(ev, choice, condition, tensor(frame.values[choice.value.id], op), zero, op)
    return ev.reduced("sum", whole, reduced, dtype, op)


#: Condition, zero, factors, divisors.
_Parts = tuple[Tensor, Tensor, list[Tensor], list[Tensor]]


def _contracted(ev: Evaluator, op: Op, choice: Choice, product: Product, parts: _Parts, reduced: Axes, dtype: str) -> Tensor | None:
    """The sum without the whole product; None where that gains nothing, or would not be it."""
    condition, zero, factors, divisors = parts
    spares = is_larger(ev, (condition, *factors, *divisors))
    if not spares and (product.casts or len(factors) < 2):
        return None
    wide = widest(dtype, (*factors, *divisors))
    factors, divisors = ([converted(ev, each, wide) for each in part] for part in (factors, divisors))
    zero = converted(ev, zero, wide)
    if not set(condition.axes) & set(reduced):
        return _chosen_sum(ev, op, choice, product, (condition, zero, factors, divisors), reduced, dtype)
    if any(set(condition.axes) <= set(factor.axes) for factor in factors):
        masked = [_masked(ev, choice, condition, factor, zero, op) for factor in factors]
    elif spares:
        masked = [*factors, converted(ev, _holds(ev, choice, condition), wide)]
    else:
        return None
    found = sum_of_product(ev, op, masked, divisors, reduced, wide, exact=False)
    return None if found is None else _finished(ev, op, product, found, dtype)


def _chosen_sum(ev: Evaluator, op: Op, choice: Choice, product: Product, parts: _Parts, reduced: Axes, dtype: str) -> Tensor | None:
    """The sum where the condition holds, which the sum does not move along, else zero."""
    condition, zero, factors, divisors = parts
    if len(factors) == 1 and not divisors:
        found: Tensor | None = ev.reduced("sum", factors[0], reduced, zero.operand.dtype, op)
    else:
        found = sum_of_product(ev, op, factors, divisors, reduced, zero.operand.dtype, exact=False)
    if found is None:
        return None
    return _chosen(ev, choice, condition, _finished(ev, op, product, found, dtype), converted(ev, zero, dtype), op)


def _finished(ev: Evaluator, op: Op, product: Product, total: Tensor, dtype: str) -> Tensor:
    return converted(ev, signed(ev, total, op) if product.negated else total, dtype)


def _settled(ev: Evaluator, op: Op, frame: Frame, choice: Choice, inner: frozenset[int], reduced: Axes, dtype: str) -> Tensor:
    """The sum of what a condition that is known at export chooses."""
    region = op.regions[0]
    for at in sorted({choice.at, *(inner if choice.arm is region else ())}):
        ev.step(region.ops[at], frame)
    return ev.reduced("sum", tensor(frame.values[region.ops[-1].operands[0].id], op), reduced, dtype, op)


def _choice(region: Region) -> Choice | None:
    """The choice a region yields, if one of its arms is the constant zero."""
    root = region.ops[-1].operands[0]
    at = next((at for at, made in enumerate(region.ops) if root in made.results), None)
    if at is None or sum(operand is root for made in region.ops for operand in made.operands) != 1:
        return None
    made = region.ops[at]
    if made.kind == "select":
        condition, value, zero = made.operands
        if _is_zero(zero, region):
            return Choice(at, condition, value, zero, region)
        return Choice(at, condition, zero, value, region, inverted=True) if _is_zero(value, region) else None
    if made.kind != "if" or len(made.regions) != 2 or len(made.results) != 1:
        return None
    if any(inside.regions or inside.kind.startswith(("call", "state")) for arm in made.regions for inside in arm.ops):
        return None
    then, otherwise = made.regions
    for inverted, (arm, other) in enumerate(((then, otherwise), (otherwise, then))):
        zero = other.ops[-1].operands[0]
        if _is_zero(zero, other) or _is_zero(zero, region):
            return Choice(at, made.operands[0], arm.ops[-1].operands[0], zero, arm, (then, otherwise), bool(inverted))
    return None


def _is_zero(value: IRValue, region: Region) -> bool:
    made = next((op for op in region.ops if value in op.results), None)
    return made is not None and made.kind == "const.float" and float(made.attrs["value"]) == 0.0


def _evaluate(ev: Evaluator, frame: Frame, region: Region, skipped: set[int]) -> None:
    for at, op in enumerate(region.ops):
        if at not in skipped:
            ev.step(op, frame)


def _masked(ev: Evaluator, choice: Choice, condition: Tensor, factor: Tensor, zero: Tensor, op: Op) -> Tensor:
    """The factor where the condition holds, else zero; as it is if it lacks an axis of the condition."""
    return _chosen(ev, choice, condition, factor, zero, op) if set(condition.axes) <= set(factor.axes) else factor


def _chosen(ev: Evaluator, choice: Choice, condition: Tensor, value: Tensor, zero: Tensor, op: Op) -> Tensor:
    return chosen(ev, [condition, zero, value] if choice.inverted else [condition, value, zero], (), op)


def _holds(ev: Evaluator, choice: Choice, condition: Tensor) -> Tensor:
    """True where the value is chosen."""
    if not choice.inverted:
        return condition
    shape = condition.operand.shape
    return Tensor(ev.emitter.elementwise("not", (condition.operand,), shape, "bool"), condition.axes)
