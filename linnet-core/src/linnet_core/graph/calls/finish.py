"""finish: the last call.

In: the entry's results and final states.  Out: nothing.
"""

from __future__ import annotations

from linnet_core.graph.calls.values import Call, ResultType


class Finish(Call, frozen=True, kw_only=True, tag="finish"):
    """Operands: the entry's results (`returns` of them), then the final states, whose paths are `states`.  No results.

    `block` is "" for a module-level entry.
    """

    module: str
    block: str
    entry: str
    returns: int
    states: tuple[str, ...]

    def result_types(self) -> tuple[ResultType, ...]:
        """None."""
        return ()
