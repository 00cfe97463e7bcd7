"""Writes a kernel in Triton.

In: the calls of a kernel's region, and those of memory.  Out: a `KernelProgram` whose body is that of a `@triton.jit` function, or the
reason why there is none (`refusal`).  Tiles have sizes that are powers of two, as Triton's have; scalars are tiles without axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.target import Capabilities
from linnet_core.python_source.tile_writer import ATOMICS, TileWriter, value
from linnet_torch.kernels import memory
from linnet_torch.kernels.tiles import WRITERS

if TYPE_CHECKING:
    from linnet_core.graph.calls import BeginCounted, Call, EndCounted, Operand
    from linnet_core.graph.calls.values import Shape


class TritonWriter(TileWriter):
    """Takes one kernel.  `numerics` is the policy: `fast` lets products of tiles round to TF32."""

    name: str = "triton"
    language: str = "Triton"
    capabilities: Capabilities = Capabilities(supports_counted=True)

    def __init__(self, numerics: str, grid: tuple[int, ...]) -> None:
        super().__init__(grid)
        self.fast = numerics == "fast"
        self._loops: list[tuple[str, ...]] = []

    # ------------------------------------------------------------------------------------------------------- memory

    def memory(self, name: str, shape: Shape, dtype: str, *, is_result: bool) -> str:
        """A pointer parameter."""
        return self.parameter(name)

    def scalar(self, name: str, dtype: str) -> str:
        """A rank-0 tensor, which is a pointer, too: its value is read at once."""
        return self.value(f"tl.load({self.memory(name, (), dtype, is_result=False)})")

    def program_id(self, axis: int) -> str:
        """`tl.program_id`."""
        return self.value(f"tl.program_id({axis})")

    def load(self, tensor: Operand, indices: tuple[Operand, ...], shape: Shape, mask: Operand | None, other: Operand | None) -> str:
        """`tl.load` at 64-bit offsets."""
        self.check(shape)
        return self.value(memory.load(tensor, indices, shape, mask, other))

    def store(
        self, tensor: Operand, indices: tuple[Operand, ...], shape: Shape, value: Operand, mask: Operand | None, atomic: str | None
    ) -> None:
        """`tl.store`, or an atomic operation."""
        self.check(shape)
        if atomic is not None:
            self.atomics[str(tensor.value)] = ATOMICS[atomic]
        self.lines.add(memory.store(tensor, indices, shape, value, mask, atomic))

    # -------------------------------------------------------------------------------------------------------- tiles

    def text(self, call: Call) -> str | None:
        """By the table of `tiles.py`."""
        writer = WRITERS.get(type(call))
        return None if writer is None else writer(self, call)

    def begin(self, call: BeginCounted) -> tuple[str, ...]:
        """A loop over a Python range."""
        names = tuple([self.fresh() for _ in call.result_types()])
        number = f"{names[0]}_number"
        for name, operand in zip(names[1:], call.operands, strict=True):
            self.lines.add(f"{name} = {value(operand)}")
        self.lines.add(f"for {number} in range({call.start}, {call.stop}):")
        self.lines.indent()
        self.lines.add(f"{names[0]} = tl.full((), 0, tl.int64) + {number}")
        self._loops.append(names[1:])
        return names

    def end(self, call: EndCounted) -> tuple[str, ...]:
        """What is carried is named anew, all at once."""
        carried = self._loops.pop()
        following = [self.value(value(operand)) for operand in call.operands]
        self.lines.add(*(f"{name} = {new}" for name, new in zip(carried, following, strict=True)))
        self.lines.dedent()
        return tuple([self.value(name) for name in carried])
