"""A target around a target, which remembers what was said while somebody listens.

In: calls.  Out: the answers of the inner target, unchanged; and between `listen` and `forget` the list of what was said, in order.  What
was said can be said again (`resume`): the same calls then get the same answers, and the target does not hear them a second time.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import InternalError, SourceError
from linnet_core.graph.target import Declined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import Call, CallHeader, Operand
    from linnet_core.graph.target import Capabilities, RegionCallback, Target


class Made(Struct, frozen=True):
    """A call and its answer; `regions` says whether callbacks were offered with it."""

    call: Call
    answer: tuple[str, ...] | Declined
    regions: bool = False


class Begun(Struct, frozen=True):
    """A function, op or method call that started."""

    header: CallHeader


class Ended(Struct, frozen=True):
    """The end of the call that started last."""

    results: tuple[Operand | None, ...]


Said = Made | Begun | Ended


class Conversation:
    """Passes everything on to `target`."""

    name: str
    capabilities: Capabilities

    def __init__(self, target: Target) -> None:
        self.target = target
        self.name = target.name
        self.capabilities = target.capabilities
        #: What was said since the first of those who listen began to.
        self.said: list[Said] = []
        self._listening = 0
        self._due: deque[Said] = deque()
        #: The call that the target has refused, which it may have begun to take: it is not asked twice.
        self._failed: tuple[Call, SourceError] | None = None

    @property
    def position(self) -> int:
        """How much of `said` has been said, and not only is to be said again."""
        return len(self.said) - len(self._due)

    def listen(self) -> int:
        """Remember from here on; the position in `said` where that is."""
        self._listening += 1
        return self.position

    def forget(self) -> None:
        """The last who listened needs no more; `said` stays as it is for who took it."""
        self._listening -= 1
        if not self._listening:
            self.said = []

    def resume(self, start: int) -> None:
        """What was said from `start` on will be said again, by somebody who must get the same answers and then goes on."""
        self._due = deque(self.said[start:])

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        """Pass the call on, unless it was said before."""
        if self._due:
            before = self._due.popleft()
            if type(before) is not Made or before.call != call:
                raise InternalError(f"a `{call.op}` is said where another call was")
            return before.answer
        if self._failed is not None and self._failed[0] == call:
            raise self._failed[1]
        try:
            answer = self.target.emit(call, regions) if regions else self.target.emit(call)
        except SourceError as failure:
            self._failed = (call, failure)
            raise
        if self._listening:
            self.said.append(Made(call, answer, bool(regions)))
        return answer

    def begin_call(self, header: CallHeader) -> None:
        """Pass it on, unless it was said before."""
        if self._due:
            self._again(Begun(header))
            return
        self.target.begin_call(header)
        if self._listening:
            self.said.append(Begun(header))

    def end_call(self, results: Sequence[Operand | None]) -> None:
        """Pass it on, unless it was said before."""
        if self._due:
            self._again(Ended(tuple(results)))
            return
        self.target.end_call(results)
        if self._listening:
            self.said.append(Ended(tuple(results)))

    def source(self) -> str:
        """The inner target's text."""
        return self.target.source()

    def _again(self, said: Said) -> None:
        if self._due.popleft() != said:
            raise InternalError("a call node opens or closes where another call was said")
