"""Making changed copies of IR values, which are frozen.

In: a function (or region) and a mapping of its operations.  Out: the function with the operations replaced; what did not change is the
same object, so that an unchanged function costs no memory and is seen to be unchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from linnet_core.ir.module import Op, Region

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Constant, Function


def replaced_attrs(op: Op, attrs: dict[str, Any]) -> Op:
    """The operation with other attributes."""
    return Op(op.kind, op.operands, op.results, attrs, op.regions, op.span)


def with_regions(op: Op, regions: tuple[Region, ...]) -> Op:
    """The operation with other regions; itself when they are the same objects."""
    if len(regions) == len(op.regions) and all(new is old for new, old in zip(regions, op.regions, strict=True)):
        return op
    return Op(op.kind, op.operands, op.results, op.attrs, regions, op.span)


def map_region(region: Region, change: Callable[[Op], Op]) -> Region:
    """The region with `change` applied to every operation, inner ones first."""
    ops = []
    changed = False
    for op in region.ops:
        inner = with_regions(op, tuple(map_region(r, change) for r in op.regions)) if op.regions else op
        new = change(inner)
        changed = changed or new is not op
        ops.append(new)
    return Region(region.args, tuple(ops)) if changed else region


def map_function(function: Function, change: Callable[[Op], Op]) -> Function:
    """The function with `change` applied to every operation of its body and gradient."""
    body = map_region(function.body, change)
    return with_bodies(function, body, None if function.grad is None else map_region(function.grad, change))


def with_bodies(function: Function, body: Region, grad: Region | None) -> Function:
    """The function with another body and gradient; itself when they are the same objects."""
    if body is function.body and grad is function.grad:
        return function
    return replace(function, body=body, grad=grad)


def with_states(function: Function, states: tuple[str, ...]) -> Function:
    """The function with other states; itself when they are the same."""
    if states == function.states:
        return function
    return replace(function, states=states)


def with_body(constant: Constant, body: Region) -> Constant:
    """The constant with another region; itself when it is the same object."""
    if body is constant.body:
        return constant
    return replace(constant, body=body)
