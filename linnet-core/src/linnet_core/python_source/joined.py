"""The pass that makes one product of projections that read the same value.

In: the steps of `main` and the names of parameters and constants.  Out: `Joined`: steps that join the weights, which `prepare` does once,
and the steps of `main` with one `linear` and slices of its result in place of each group.

One product over the rows of several weights is each of them by itself, so nothing is computed twice; a library may add its terms in
another order, which the policy `exact` does not admit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.graph.calls import Concat, NativeCall, Operand, Slice
from linnet_core.python_source.constants import split_by
from linnet_core.python_source.library_names import base_name
from linnet_core.python_source.steps import CLOSERS, DIVIDERS, OPENERS, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LINEAR = "torch.nn.functional.linear"


class Joined(Struct, frozen=True):
    """`weights` are the steps that join weights; `body` has the products of what they give."""

    weights: list[Step]
    body: list[Step]


def join_linears(body: Sequence[Step], known: Iterable[str]) -> Joined:
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
        elif at == group[0]:
            steps += _joined([body[i] for i in group], f"j{count}", weights)
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


def _groups(body: Sequence[Step], fixed: set[str]) -> list[list[int]]:
    """Positions of products that read one value in one scope, two or more with distinct weights."""
    found: dict[object, dict[str, int]] = {}
    scopes: list[int] = [-1]
    for at, step in enumerate(body):
        kind = type(step.call)
        if kind in OPENERS:
            scopes.append(at)
        elif kind in CLOSERS:
            scopes.pop()
        elif kind in DIVIDERS:  # what follows is another function
            scopes[-1] = at
        call = linear_of_weight(step, fixed)
        if call is not None:
            bias = [o is not None for o in call.operands[2:]]
            weight = call.operand(1)
            key = (scopes[-1], call.operand(0), call.implementation, weight.dtype, call.dtype, weight.shape[1], tuple(bias))
            found.setdefault(key, {}).setdefault(str(weight.value), at)
    return [list(group.values()) for group in found.values() if len(group) > 1]


def _joined(steps: Sequence[Step], name: str, weights: dict[Concat, str]) -> list[Step]:
    """One product named `name` for those of `steps`, and the slices that are their results; joined operands go to `weights`."""
    calls = [step.call for step in steps if isinstance(step.call, NativeCall)]
    first = calls[0]
    rows = [call.operand(1).shape[0] for call in calls]
    operands: list[Operand | None] = [first.operand(0)]
    for place in range(1, len(first.operands)):
        parts = tuple(call.operands[place] for call in calls)
        operands.append(None if first.operands[place] is None else _made(Concat(axis=0, operands=parts), f"{name}_{place}", weights))
    shape = (*first.shape[:-1], sum(rows))
    product = NativeCall(
        implementation=first.implementation,
        generics={name: sum(rows) if name == "Out" else value for name, value in first.generics.items()},
        shape=shape,
        dtype=first.dtype,
        operands=tuple(operands),
    )
    made = [Step(product, (name,))]
    start = 0
    for step, call, count in zip(steps, calls, rows, strict=True):
        cut = Slice(
            starts=(*[0] * (len(shape) - 1), start),
            limits=(*shape[:-1], start + count),
            strides=(1,) * len(shape),
            shape=call.shape,
            operands=(Operand(name, shape, call.dtype),),
        )
        made.append(Step(cut, step.results))
        start += count
    return made


def _made(call: Concat, name: str, weights: dict[Concat, str]) -> Operand:
    """The result of `call`, made once however many groups join the same."""
    (type,) = call.result_types()
    return Operand(weights.setdefault(call, name), type.shape, type.dtype)
