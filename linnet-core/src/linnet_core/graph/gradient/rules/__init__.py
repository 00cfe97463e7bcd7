"""What each kind of call gives the adjoints of its operands, a file per family as in `graph/calls`.

In: nothing.  Out: `RULES`, by the type of the call.  A kind that is not here gives nothing: leaves, comparisons, positions, brackets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.gradient.rules import contract, elementwise, exchanges, gather, gradients, reduce, shape

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call
    from linnet_core.graph.gradient.rules.rule import Rule

RULES: dict[type[Call], Rule] = {
    **elementwise.RULES,
    **shape.RULES,
    **gather.RULES,
    **reduce.RULES,
    **contract.RULES,
    **gradients.RULES,
    **exchanges.RULES,
}
