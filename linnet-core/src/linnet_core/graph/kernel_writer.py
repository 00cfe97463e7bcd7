"""What the exporter asks of a target that writes kernels.

In: the calls of one kernel's region, and those of memory.  Out: the kernel's text on the target.  A writer is a `Target` whose values are
tiles; it never declines a call that may not be declined, but keeps the first reason why the kernel cannot be written as `refusal`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from linnet_core.graph.target import Target

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.graph.calls.kernels import KernelProgram
    from linnet_core.graph.calls.values import Shape


class KernelWriter(Target, Protocol):
    """A receiver of one kernel."""

    refusal: str | None

    def memory(self, name: str, shape: Shape, dtype: str, *, is_result: bool) -> str:
        """A tensor in memory, parameters before results; its name."""
        ...

    def scalar(self, name: str, dtype: str) -> str:
        """A parameter without axes; the name of its value."""
        ...

    def program_id(self, axis: int) -> str:
        """The program's position along a size of the grid, in i32."""
        ...

    def load(self, tensor: Operand, indices: tuple[Operand, ...], shape: Shape, mask: Operand | None, other: Operand | None) -> str:
        """A tile of `shape`: the axes of the indices in order; `other`, or zero, where the mask is false."""
        ...

    def store(
        self, tensor: Operand, indices: tuple[Operand, ...], shape: Shape, value: Operand, mask: Operand | None, atomic: str | None
    ) -> None:
        """Write a tile, or combine it with what is there: `atomic` is `add`, `max` or `min`."""
        ...

    def program(self) -> KernelProgram:
        """The kernel's text, when all of it has been taken."""
        ...
