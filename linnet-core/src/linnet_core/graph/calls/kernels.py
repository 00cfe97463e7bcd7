"""launch_kernel: an op's tile program.

In: the op's arguments.  Out: the kernel's results, or a decline.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from linnet_core.graph.calls.values import Call, ResultType, Shape


class KernelProgram(Struct, frozen=True):
    """The target's text of a kernel: parameter names, body source, and which parameters are accumulated into how."""

    parameters: tuple[str, ...]
    body: str
    atomics: dict[str, str]


class LaunchKernel(Call, frozen=True, kw_only=True, tag="launch_kernel"):
    """Operands: the op's arguments.  Results: one per `result_shapes`.

    `callee` is the op, `name` the kernel.  `grid` has one to three sizes; `warps` and `stages` are 0 when unset.  Declined, the next
    choice for the op is taken.  A region of role `body` holds the op's own body when the target ran it.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (0, None)
    result_count: ClassVar[tuple[int, int | None]] = (0, None)
    may_decline: ClassVar[bool] = True

    callee: str
    name: str
    program: KernelProgram
    grid: tuple[int, ...]
    result_shapes: tuple[Shape, ...]
    result_dtypes: tuple[str, ...]
    warps: int
    stages: int

    def result_types(self) -> tuple[ResultType, ...]:
        """`result_shapes` with `result_dtypes`."""
        return tuple(ResultType(s, d) for s, d in zip(self.result_shapes, self.result_dtypes, strict=True))
