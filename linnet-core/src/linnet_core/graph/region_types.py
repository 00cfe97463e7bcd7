"""The types a region of a call has to have.

In: a call, and what the region stands for.  Out: the types of its arguments and of its results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import EndCustomGradient, LaunchKernel, ResultType
from linnet_core.graph.calls.values import like

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call

#: The regions a call may have.
REGIONS: dict[type, tuple[str, ...]] = {EndCustomGradient: ("pullback",), LaunchKernel: ("body", "pullback")}


def argument_types(role: str, call: Call) -> tuple[ResultType, ...]:
    """Those of the call's tensor arguments; for a pullback then of its results, and of what flows back to them."""
    arguments = _tensor_arguments(call)
    return arguments if role == "body" else (*arguments, *call.result_types(), *call.result_types())


def result_types(role: str, call: Call) -> tuple[ResultType, ...]:
    """For a body those of the call; for a pullback those of the tensor arguments, any of which it may leave out."""
    return call.result_types() if role == "body" else _tensor_arguments(call)


def _tensor_arguments(call: Call) -> tuple[ResultType, ...]:
    operands = call.operands[: call.arguments] if isinstance(call, EndCustomGradient) else call.operands
    return like(*[operand for operand in operands if operand is not None])
