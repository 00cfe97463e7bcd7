"""Sums of masked products as contractions.

In: a `reduce` of kind sum whose body chooses between a product and zero.  Out: the sum of the product of masked factors, without the
product over all axes; or None where it is no such sum and nothing was emitted for it.

Every factor that has all axes of the mask is masked.  Where that is every factor the result is the choice's own, whatever they hold.  A
factor that lacks an axis of the mask cannot be masked: what is hidden there is multiplied with zero, so that an infinity or a NaN among
it is seen.  Policy `exact` admits none of this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.types import FLOATS
from linnet_core.graph.evaluate_sums import leaves_of, product_of, signed, sum_of_product
from linnet_core.graph.evaluate_tensors import chosen, tensor

if TYPE_CHECKING:
    from linnet_core.graph.evaluate import Evaluator
    from linnet_core.graph.grid import Axes
    from linnet_core.graph.instances import Frame
    from linnet_core.graph.values import Tensor
    from linnet_core.ir.module import Op, Region
    from linnet_core.ir.module import Value as IRValue


class Choice(Struct, frozen=True, eq=False):
    """`if condition { value } else { zero }`: `at` is its position in the reduction's region, `arm` where the value is computed."""

    at: int
    condition: IRValue
    value: IRValue
    zero: IRValue
    arm: Region
    other: Region | None


def masked_sum(ev: Evaluator, op: Op, frame: Frame, reduced: Axes, dtype: str) -> Tensor | None:
    """The sum by contractions of masked factors; None where it is none."""
    if ev.exact or dtype not in FLOATS:
        return None
    region = op.regions[0]
    choice = _choice(region)
    if choice is None:
        return None
    product = product_of(ev, choice.arm, choice.value, divides=True)
    if len(product.factors) < 2:
        return None
    _evaluate(ev, frame, region, skipped={choice.at, len(region.ops) - 1, *(product.inner if choice.arm is region else ())})
    condition = tensor(frame.values[choice.condition.id], op)
    if condition.known is not None:
        return _settled(ev, op, frame, choice, product.inner, reduced, dtype)
    if choice.arm is not region:
        _evaluate(ev, frame, choice.arm, skipped={*product.inner, len(choice.arm.ops) - 1})
    if choice.other is not None:
        _evaluate(ev, frame, choice.other, skipped={len(choice.other.ops) - 1})
    factors, divisors = leaves_of(ev, op, frame, product)
    ev.grid.common((condition, *factors, *divisors), op)
    zero = tensor(frame.values[choice.zero.id], op)
    masked = [_masked(ev, condition, factor, zero, op) for factor in factors]
    found = None
    if any(mask is not factor for mask, factor in zip(masked, factors, strict=True)):
        found = sum_of_product(ev, op, masked, divisors, reduced, dtype, exact=False)
    if found is not None:
        return signed(ev, found, dtype, op) if product.negated else found
    for at in sorted(product.inner):
        ev.step(choice.arm.ops[at], frame)
    whole = chosen(ev, [condition, tensor(frame.values[choice.value.id], op), zero], (), op)
    return ev.reduced("sum", whole, reduced, dtype, op)


def _settled(ev: Evaluator, op: Op, frame: Frame, choice: Choice, inner: frozenset[int], reduced: Axes, dtype: str) -> Tensor:
    """The sum of what a condition that is known at export chooses."""
    region = op.regions[0]
    for at in sorted({choice.at, *(inner if choice.arm is region else ())}):
        ev.step(region.ops[at], frame)
    return ev.reduced("sum", tensor(frame.values[region.ops[-1].operands[0].id], op), reduced, dtype, op)


def _choice(region: Region) -> Choice | None:
    """The choice a region yields, if its other arm is the constant zero."""
    root = region.ops[-1].operands[0]
    at = next((at for at, made in enumerate(region.ops) if root in made.results), None)
    if at is None or sum(operand is root for made in region.ops for operand in made.operands) != 1:
        return None
    made = region.ops[at]
    if made.kind == "select":
        condition, value, zero = made.operands
        return Choice(at, condition, value, zero, region, None) if _is_zero(zero, region) else None
    if made.kind != "if" or len(made.regions) != 2 or len(made.results) != 1:
        return None
    then, otherwise = made.regions
    zero = otherwise.ops[-1].operands[0]
    if any(inside.regions or inside.kind.startswith(("call", "state")) for arm in made.regions for inside in arm.ops):
        return None
    if not (_is_zero(zero, otherwise) or _is_zero(zero, region)):
        return None
    return Choice(at, made.operands[0], then.ops[-1].operands[0], zero, then, otherwise)


def _is_zero(value: IRValue, region: Region) -> bool:
    made = next((op for op in region.ops if value in op.results), None)
    return made is not None and made.kind == "const.float" and float(made.attrs["value"]) == 0.0


def _evaluate(ev: Evaluator, frame: Frame, region: Region, skipped: set[int]) -> None:
    for at, op in enumerate(region.ops):
        if at not in skipped:
            ev.step(op, frame)


def _masked(ev: Evaluator, condition: Tensor, factor: Tensor, zero: Tensor, op: Op) -> Tensor:
    """The factor where the condition holds, else zero; as it is if it lacks an axis of the condition."""
    if not set(condition.axes) <= set(factor.axes) or zero.operand.dtype != factor.operand.dtype:
        return factor
    return chosen(ev, [condition, factor, zero], (), op)
