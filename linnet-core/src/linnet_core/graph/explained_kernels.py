"""Why an op's kernel is launched or not.

In: the decisions of an export.  Out: `ExplainedKernel`: the calls at one place that went one way; `kernel_document` is the JSON of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.text.show_json import location

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.graph.evaluate_kernels import KernelDecision
    from linnet_core.text.span import Span


class ExplainedKernel(Struct, frozen=True):
    """`count` calls of `op` at one place; `reason` is why its `kernel` is not launched, None where it is."""

    op: str
    kernel: str
    span: Span | None
    count: int
    reason: str | None


def decided_kernels(decisions: Iterable[KernelDecision]) -> list[ExplainedKernel]:
    """The calls of an export, in the order in which the first of each kind was made."""
    counts: dict[tuple[int, str | None], int] = {}
    first: dict[tuple[int, str | None], KernelDecision] = {}
    for decision in decisions:
        key = (id(decision.op), decision.refusal)
        counts[key] = counts.get(key, 0) + 1
        first.setdefault(key, decision)
    return [ExplainedKernel(d.op.attrs["callee"], d.kernel, d.op.span, counts[key], d.refusal) for key, d in first.items()]


def kernel_document(kernel: ExplainedKernel) -> dict[str, Any]:
    """One of `kernels` in `schemas/explain-1.schema.json`."""
    return {
        "op": kernel.op,
        "kernel": kernel.kernel,
        "location": None if kernel.span is None else location(kernel.span),
        "count": kernel.count,
        "launched": kernel.reason is None,
        "reason": kernel.reason,
    }
