"""gather_parts.

In: the call.  Out: an expression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import GatherParts

if TYPE_CHECKING:
    from linnet_jax.writer import JaxWriter


def gather_parts(w: JaxWriter, call: GatherParts) -> str:
    """The whole of a parameter."""
    return f"{w.use('_whole')}({w.tensor(call.operands[0])})"


WRITERS = {GatherParts: gather_parts}
