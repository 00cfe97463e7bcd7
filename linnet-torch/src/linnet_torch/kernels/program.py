"""Which text is a kernel in Triton that this target prints.

In: a `launch_kernel`.  Out: why its program is none that this target prints, or None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.program_text import Grammar, program_fault
from linnet_torch.kernels.types import TYPES

if TYPE_CHECKING:
    from linnet_core.graph.calls import LaunchKernel

_FUNCTIONS = (
    "abs", "arange", "atomic_add", "atomic_max", "atomic_min", "broadcast_to", "cos", "cumsum", "div_rn", "dot", "exp", "full", "load",
    "log", "max", "maximum", "min", "minimum", "permute", "program_id", "reduce", "reshape", "sin", "sqrt", "sqrt_rn", "store", "sum",
    "trans", "where",
)  # fmt: skip
_GRAMMAR = Grammar(
    functions=frozenset(("float", *(f"tl.{name}" for name in _FUNCTIONS))),
    values=frozenset((*TYPES.values(), "tl.PropagateNan.ALL", "_linnet_max", "_linnet_min")),
    methods=frozenset(("to",)),
    attributes=frozenset(),
    keywords=frozenset(("mask", "other", "input_precision", "propagate_nan")),
    strings=frozenset(("ieee", "inf", "-inf", "nan")),
    stores=False,
)


def fault(call: LaunchKernel) -> str | None:
    """Why the program is not taken; None when it is."""
    return program_fault(call, _GRAMMAR)
