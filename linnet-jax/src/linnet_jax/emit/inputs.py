"""Constants.

In: a constant.  Out: an array of rank 0.  (Inputs, parameters and states are the printed function's own arguments.)
"""

from __future__ import annotations

from linnet_core.graph.calls import Constant
from linnet_core.python_source.fold import constant_value
from linnet_core.python_source.literals import real_text, shortest
from linnet_jax.writer import JaxWriter


def constant(w: JaxWriter, call: Constant) -> str:
    """An array of rank 0; the value is rounded to its dtype here, once."""
    value = constant_value(call)
    assert value is not None, "every literal has a value in its dtype"
    value = shortest(value, call.dtype)
    text = real_text(value) if isinstance(value, float) else repr(value)
    return f"jnp.array({text}, dtype={w.dtype(call.dtype)})"


WRITERS = {Constant: constant}
