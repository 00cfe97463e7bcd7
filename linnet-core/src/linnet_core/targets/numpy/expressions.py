"""Which function writes a kind of call.

In: the tables of the families.  Out: `WRITERS`, by the type of the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.targets.numpy.emit import contract, elementwise, gather, inputs, native, reduce, shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import Call

WRITERS: dict[type[Call], Callable[[Any, Any], str]] = {
    **inputs.WRITERS,
    **elementwise.WRITERS,
    **shape.WRITERS,
    **gather.WRITERS,
    **reduce.WRITERS,
    **contract.WRITERS,
    **native.WRITERS,
}
