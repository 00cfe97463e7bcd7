"""Which text is a kernel in Pallas that this target prints.

In: nothing.  Out: `GRAMMAR`, which `program_text.program_fault` reads the program of a `launch_kernel` by.
"""

from __future__ import annotations

from linnet_core.python_source.program_text import Grammar
from linnet_jax.writer import DTYPES

_FUNCTIONS = (
    "abs", "all", "any", "arange", "broadcast_to", "cos", "cumsum", "dot", "exp", "fmod", "full", "log", "max", "maximum", "min",
    "minimum", "sin", "sqrt", "sum", "tanh", "where", "zeros",
)  # fmt: skip
_OTHERS = ("jax.lax.div", "jax.lax.fori_loop", "jax.lax.rsqrt", "pl.program_id", "plgpu.load", "plgpu.store")
_OURS = ("_div", "_rem", "_shl", "_shr", "_round_once")
GRAMMAR = Grammar(
    functions=frozenset(("float", *(f"jnp.{name}" for name in _FUNCTIONS), *DTYPES.values(), *_OTHERS, *_OURS)),
    values=frozenset(DTYPES.values()),
    methods=frozenset(("astype", "reshape", "sum", "transpose")),
    attributes=frozenset(("T", "at")),
    keywords=frozenset(("axis", "dtype", "mask", "other", "precision", "preferred_element_type")),
    strings=frozenset(("highest", "inf", "-inf", "nan")),
    stores=True,
)
