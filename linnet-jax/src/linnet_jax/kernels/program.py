"""Which text is a kernel in Pallas that this target prints.

In: a `launch_kernel`.  Out: why its program is none that this target prints, or None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.program_text import Grammar, program_fault
from linnet_jax.writer import DTYPES

if TYPE_CHECKING:
    from linnet_core.graph.calls import LaunchKernel

_FUNCTIONS = (
    "abs", "all", "any", "arange", "broadcast_to", "cos", "cumsum", "dot", "exp", "fmod", "full", "log", "max", "maximum", "min",
    "minimum", "sin", "sqrt", "sum", "tanh", "where", "zeros",
)  # fmt: skip
_OTHERS = ("jax.lax.div", "jax.lax.fori_loop", "jax.lax.rsqrt", "pl.program_id", "plgpu.load", "plgpu.store")
_OURS = ("_div", "_rem", "_shl", "_shr", "_round_once")
_GRAMMAR = Grammar(
    functions=frozenset(("float", *(f"jnp.{name}" for name in _FUNCTIONS), *DTYPES.values(), *_OTHERS, *_OURS)),
    values=frozenset(DTYPES.values()),
    methods=frozenset(("astype", "reshape", "sum", "transpose")),
    attributes=frozenset(("T", "at")),
    keywords=frozenset(("axis", "dtype", "mask", "other", "precision", "preferred_element_type")),
    strings=frozenset(("highest", "inf", "-inf", "nan")),
    stores=True,
)


def fault(call: LaunchKernel) -> str | None:
    """Why the program is not taken; None when it is."""
    return program_fault(call, _GRAMMAR)
