"""A step to text, one file a family of calls, named as in `linnet_core.graph.calls`.

In: the call of a step, and the writer that knows the names.  Out: the text of one expression.

Each file gives `WRITERS`: the call's type to a function of (writer, call) that answers one expression, or one for each result as a tuple.
Brackets and `finish` are written by `linnet_core.python_source.printer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_torch.emit import cache, contract, elementwise, gather, inputs, native, packed, placement, reduce, shape, upright

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import Call
    from linnet_torch.writer import TorchWriter

WRITERS: dict[type[Call], Callable[[TorchWriter, Any], str]] = {
    **inputs.WRITERS,
    **elementwise.WRITERS,
    **shape.WRITERS,
    **gather.WRITERS,
    **reduce.WRITERS,
    **contract.WRITERS,
    **native.WRITERS,
    **cache.WRITERS,
    **packed.WRITERS,
    **upright.WRITERS,
    **placement.WRITERS,
}
