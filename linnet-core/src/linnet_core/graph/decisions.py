"""What became of each call of an op that has library calls.

In: the evaluator's choices, as it makes them.  Out: `Decision`: which library calls the target was offered, in order, and what it
answered; or why none was offered.  `explained.py` puts them in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from linnet_core.ir.library_calls import LibraryCall
    from linnet_core.ir.module import Op

#: Why no library call was offered to the target.
NOT_WANTED = "library calls are switched off"
IN_GRID = "it runs for each element of index notation, and a library call takes whole tensors"
NO_TENSOR = "an argument is neither a tensor nor absent, and a library call takes nothing else"
SEVERAL_RESULTS = "it has more than one result, and a library call has one"
NOT_ADMITTED = "the policy admits none of its library calls"


class Attempt(Struct, frozen=True):
    """A library call the target was offered; `refusal` is the target's reason, None when it took it."""

    candidate: LibraryCall
    refusal: str | None = None


class Decision(Struct, frozen=True):
    """One evaluation of the call `op`: what was offered, in order, the last taken unless it was refused, too.

    With nothing offered `reason` says why; otherwise it is None.
    """

    op: Op
    attempts: tuple[Attempt, ...] = ()
    reason: str | None = None

    @property
    def taken(self) -> LibraryCall | None:
        """The library call the target took; None where the op's body was exported."""
        last = self.attempts[-1] if self.attempts else None
        return last.candidate if last is not None and last.refusal is None else None
