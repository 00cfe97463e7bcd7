"""Which bodies are checked: all of some modules, and of the others those that these reach.

In: functions and kernels with their signatures.  Out: the same with their bodies checked.  What is not reached keeps its signature and is
not in the program (see `docs/decisions/checked-on-demand.md`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.environment import FunctionInfo
from linnet_core.check.functions import check_function
from linnet_core.check.kernels import check_kernel_body
from linnet_core.check.limits import within_limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from linnet_core.check.context import LocalUse
    from linnet_core.check.environment import Checker, KernelInfo

    WithBody = FunctionInfo | KernelInfo


def check_bodies(items: Sequence[WithBody], checker: Checker) -> list[LocalUse]:
    """Check the bodies of all `items`, in order; returns their locals with their uses."""
    uses: list[LocalUse] = []
    for item in items:
        within_limits(item.syntax.name, checker, lambda item=item: uses.extend(_check_body(item, checker)))
    return uses


def check_reached(checked: Sequence[WithBody], others: Sequence[WithBody], checker: Checker) -> None:
    """Check the bodies among `others` that those of `checked` reach, directly or through one another."""
    unchecked = {item.qualified: item for item in others}
    waiting = list(checked)
    while waiting and unchecked:
        for name in _reached(waiting.pop()):
            found = unchecked.pop(name, None)
            if found is not None:
                check_bodies([found], checker)
                waiting.append(found)


def _reached(item: WithBody) -> Iterator[str]:
    """Whom a checked body calls, and the kernel that the function names."""
    for call in item.effects.calls:
        yield call.callee
    if item.function is not None and item.function.kernel is not None:
        yield item.function.kernel.kernel


def _check_body(item: WithBody, checker: Checker) -> list[LocalUse]:
    return check_function(item, checker) if isinstance(item, FunctionInfo) else check_kernel_body(item, checker)
