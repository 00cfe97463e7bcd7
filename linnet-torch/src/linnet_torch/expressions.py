"""Which function writes a kind of call.

In: the tables of the families.  Out: `WRITERS`, by the type of the call.
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
