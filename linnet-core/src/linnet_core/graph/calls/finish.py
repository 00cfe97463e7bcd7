"""finish: the last call.

In: the entry's results and final states.  Out: nothing.
"""

from __future__ import annotations

from typing import ClassVar

from linnet_core.graph.calls.values import Call, ResultType


class Finish(Call, frozen=True, kw_only=True, tag="finish"):
    """Operands: the entry's results (`returns` of them), then the final states, whose paths are `states`.  No results.

    `block` is "" for a module-level entry.  Of an entry with its gradient the results are the loss and a gradient for each of
    `gradients`: paths of parameters, or names of inputs.  A document says `gradients` only where there are any.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (0, None)
    result_count: ClassVar[tuple[int, int | None]] = (0, 0)

    module: str
    block: str
    entry: str
    returns: int
    states: tuple[str, ...]
    gradients: tuple[str, ...] = ()

    def result_types(self) -> tuple[ResultType, ...]:
        """None."""
        return ()
