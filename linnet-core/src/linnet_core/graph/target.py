"""What the exporter asks of a target.

In: calls.  Out: the names the target gives their results, or `Declined`.  A target is any object with this shape; `python_source/`
has a base for those that print Python, and `record.py` wraps any target to keep its calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from linnet_core.graph.calls import Call, CallHeader, Operand
    from linnet_core.graph.kernel_writer import KernelWriter

    #: Given argument names, emits a region's calls to the target and answers the names of its results.
    RegionCallback = Callable[[Sequence[str]], Sequence[str | None]]


class Declined(Struct, frozen=True):
    """A target's no, with the reason for people (`explain`, stderr); the exporter's fallback follows."""

    reason: str


class Capabilities(Struct, frozen=True, kw_only=True):
    """What a target can do; all default to no.

    `conditional` is not asked here: an `if` reaches every target as a `select`.
    """

    broadcasts_elementwise: bool = False
    supports_placement: bool = False
    supports_fully_shard: bool = False
    supports_remat: bool = False
    supports_while: bool = False
    while_needs_initial_condition: bool = False
    while_needs_trailing_condition: bool = False
    supports_counted: bool = False
    #: Makes the writer of a kernel from the policy and the grid; None where kernels are not launched.
    kernel_target: Callable[[str, tuple[int, ...]], KernelWriter] | None = None


class Target(Protocol):
    """A receiver of calls."""

    @property
    def name(self) -> str:
        """Its name on the command line and in the document."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        ...

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        """Take one call; answer a name per result (`call.result_types()`), or decline a kind that may be declined.

        A name already given may be answered for an equal call or a no-op.  `regions` offers the callbacks of `end_custom_gradient`
        (`pullback`) and `launch_kernel` (`body`, `pullback`), to be run any number of times or not at all.
        """
        ...

    def begin_call(self, header: CallHeader) -> None:
        """A function, op or method call starts; most targets ignore it."""
        ...

    def end_call(self, results: Sequence[Operand | None]) -> None:
        """The call that started last ends, with its results (None for an absent optional)."""
        ...

    def source(self) -> str:
        """The target's text, after `finish`."""
        ...
