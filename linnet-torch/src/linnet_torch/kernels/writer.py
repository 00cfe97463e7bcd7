"""Writes a kernel in Triton.

In: the calls of a kernel's region, and those of memory.  Out: a `KernelProgram` whose body is that of a `@triton.jit` function, or the
reason why there is none (`refusal`).  Tiles have sizes that are powers of two, as Triton's have; scalars are tiles without axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import (
    BeginCounted,
    Call,
    CallHeader,
    Contract,
    EndCounted,
    KernelProgram,
    Operand,
)
from linnet_core.graph.target import Capabilities, Declined
from linnet_core.python_source.layout import Lines
from linnet_torch.kernels import memory
from linnet_torch.kernels.tiles import WRITERS, cannot_contract

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.target import RegionCallback

#: The most elements of a tile, which is Triton's own limit; and the most programs along the second and the third size of a grid on CUDA.
MAX_TILE = 1 << 20
MAX_PROGRAMS = (2**31 - 1, 65_535, 65_535)
#: How an atomic write is called in a document.
ATOMICS = {"add": "sum", "max": "max", "min": "min"}


class TritonWriter:
    """Takes one kernel.  `numerics` is the policy: `fast` lets products of tiles round to TF32."""

    name: str = "triton"
    capabilities: Capabilities = Capabilities(supports_counted=True)

    def __init__(self, numerics: str, grid: tuple[int, ...]) -> None:
        self.fast = numerics == "fast"
        self.refusal: str | None = None
        self._lines = Lines()
        self._parameters: list[str] = []
        self._atomics: dict[str, str] = {}
        self._count = 0
        self._loops: list[tuple[str, ...]] = []
        for size, most in zip(grid, MAX_PROGRAMS, strict=False):
            if size > most:
                self.refuse(f"its grid has {size} programs along an axis, and Triton launches {most} there")

    # ------------------------------------------------------------------------------------------------------- memory

    def memory(self, name: str, shape: Shape, dtype: str, *, is_result: bool) -> str:
        """A pointer parameter."""
        parameter = f"m{len(self._parameters)}_{name}"
        self._parameters.append(parameter)
        return parameter

    def scalar(self, name: str, dtype: str) -> str:
        """A rank-0 tensor, which is a pointer, too: its value is read at once."""
        return self._value(f"tl.load({self.memory(name, (), dtype, is_result=False)})")

    def program_id(self, axis: int) -> str:
        """`tl.program_id`."""
        return self._value(f"tl.program_id({axis})")

    def load(self, tensor: Operand, indices: tuple[Operand, ...], shape: Shape, mask: Operand | None, other: Operand | None) -> str:
        """`tl.load` at 64-bit offsets."""
        self._check(shape)
        return self._value(memory.load(tensor, indices, shape, mask, other))

    def store(
        self, tensor: Operand, indices: tuple[Operand, ...], shape: Shape, value: Operand, mask: Operand | None, atomic: str | None
    ) -> None:
        """`tl.store`, or an atomic operation."""
        self._check(shape)
        if atomic is not None:
            self._atomics[str(tensor.value)] = ATOMICS[atomic]
        self._lines.add(memory.store(tensor, indices, shape, value, mask, atomic))

    def program(self) -> KernelProgram:
        """The parameters, the body's lines, and what is accumulated."""
        return KernelProgram(tuple(self._parameters), "\n".join(self._lines.lines), self._atomics)

    # -------------------------------------------------------------------------------------------------------- tiles

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        """A statement for the call.  What cannot be written is noted, and gets names all the same."""
        if isinstance(call, Contract):
            reason = cannot_contract(call)
            if reason is not None:
                return Declined(reason)
        for type in call.result_types():
            self._check(type.shape)
        match call:
            case BeginCounted():
                return self._begin(call)
            case EndCounted():
                return self._end(call)
        writer = WRITERS.get(type_ := call.__class__)
        text = writer(self, call) if writer is not None else None
        if text is None:
            self.refuse(f"Triton has no `{call.op}` of tiles" if writer is None else f"Triton has no such `{type_.__name__.lower()}`")
        return tuple([self._value(text or "None") for _ in call.result_types()])

    def begin_call(self, header: CallHeader) -> None:
        """Nothing: calls of functions are inlined."""

    def end_call(self, results: Sequence[Operand | None]) -> None:
        """Nothing: calls of functions are inlined."""

    def source(self) -> str:
        """The body."""
        return self.program().body

    def refuse(self, reason: str) -> None:
        """Keep the first reason."""
        self.refusal = self.refusal or reason

    def _begin(self, call: BeginCounted) -> tuple[str, ...]:
        names = tuple([self._name() for _ in call.result_types()])
        number = f"{names[0]}_number"
        for name, operand in zip(names[1:], call.operands, strict=True):
            self._lines.add(f"{name} = {value(operand)}")
        self._lines.add(f"for {number} in range({call.start}, {call.stop}):")
        self._lines.indent()
        self._lines.add(f"{names[0]} = tl.full((), 0, tl.int64) + {number}")
        self._loops.append(names[1:])
        return names

    def _end(self, call: EndCounted) -> tuple[str, ...]:
        carried = self._loops.pop()
        following = [self._value(value(operand)) for operand in call.operands]
        self._lines.add(*(f"{name} = {new}" for name, new in zip(carried, following, strict=True)))
        self._lines.dedent()
        return tuple([self._value(name) for name in carried])

    def _check(self, shape: Shape) -> None:
        count = 1
        for size in shape:
            count *= size
            if size < 1 or size & (size - 1):
                self.refuse(f"a tile is {list(shape)}, and Triton's sizes are powers of two")
        if count > MAX_TILE:
            self.refuse(f"a tile has {count} elements, and Triton's have {MAX_TILE} at most")

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count - 1}"

    def _value(self, text: str) -> str:
        name = self._name()
        self._lines.add(f"{name} = {text}")
        return name


def value(operand: Operand | None) -> str:
    """The operand's name."""
    assert operand is not None
    return str(operand.value)
