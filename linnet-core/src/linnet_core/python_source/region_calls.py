"""The brackets of regions as a target keeps them: an op with its own gradient, a block that the way back computes again.

In: what the exporter's `begin_custom_gradient`, `end_custom_gradient`, `begin_remat` and `end_remat` say.  Out: calls of our own, which
never stand in a document.  Between an opener and its closer stand ordinary steps; names made there are read nowhere else, but for the
operands of the closer, which hands them on as its results.
"""

from __future__ import annotations

from linnet_core.graph.calls import Call, LaunchKernel, ResultType
from linnet_core.graph.calls.values import like


class OpenGradient(Call, frozen=True, kw_only=True, tag="open_gradient"):
    """Operands: the arguments of the op that may have a gradient.  Results: their names inside."""

    def result_types(self) -> tuple[ResultType, ...]:
        """The operands' own types."""
        return like(*self.operands)


class Pullback(Call, frozen=True, kw_only=True, tag="pullback"):
    """Ends the forward part and begins the backward part.  Operand: the op's result y.  Results: y as the backward part reads it, and dy.

    The backward part reads the names of `OpenGradient`, these two, and names from outside; nothing else of the forward part.
    """

    def result_types(self) -> tuple[ResultType, ...]:
        """The result's type, twice."""
        return like(self.operands[0], self.operands[0])


class CloseGradient(Call, frozen=True, kw_only=True, tag="close_gradient"):
    """Operands: y, then for each operand of `OpenGradient` its gradient, None where it has none.  Result: what the caller reads."""

    def result_types(self) -> tuple[ResultType, ...]:
        """The result's type."""
        return like(self.operands[0])


class OpenLaunch(Call, frozen=True, kw_only=True, tag="open_launch"):
    """Operands: the op's arguments.  Between it and its closer stands the op's body; `launch` says what runs in its place.

    Of `launch` only what it says is read, not its operands: a pass may have put others here.
    """

    launch: LaunchKernel

    def result_types(self) -> tuple[ResultType, ...]:
        """Nothing: the body reads the arguments by the names they have."""
        return ()


class CloseLaunch(Call, frozen=True, kw_only=True, tag="close_launch"):
    """Operands: the results of the body.  Results: those of the launch, or of the body where it ran."""

    def result_types(self) -> tuple[ResultType, ...]:
        """The operands' own types."""
        return like(*self.operands)


class CloseRemat(Call, frozen=True, kw_only=True, tag="close_remat"):
    """Operands: the values made since `begin_remat` that are read after it.  Results: their names from then on."""

    def result_types(self) -> tuple[ResultType, ...]:
        """The operands' own types."""
        return like(*self.operands)
