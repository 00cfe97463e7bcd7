"""Constants.  (Inputs, parameters and states are the printed function's own arguments.)"""

from __future__ import annotations

from linnet_core.graph.calls import Constant
from linnet_core.python_source.fold import constant_value
from linnet_core.python_source.literals import real_text
from linnet_core.targets.numpy.writer import NumpyWriter


def constant(w: NumpyWriter, call: Constant) -> str:
    """A NumPy scalar; the value is rounded to its dtype here, once."""
    value = constant_value(call)
    assert value is not None, "every literal has a value in its dtype"
    return f"{w.dtype(call.dtype)}({real_text(value) if isinstance(value, float) else repr(value)})"


WRITERS = {Constant: constant}
