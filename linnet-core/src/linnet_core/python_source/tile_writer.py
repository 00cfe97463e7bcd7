"""What writers of kernels in Python share: parameters, names, lines, and the first reason why a kernel cannot be written.

In: memory and tiles.  Out: a `KernelProgram`; a reason (`refusal`) where the text does not compute what the kernel does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import CallHeader, KernelProgram, Operand
from linnet_core.python_source.layout import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls.values import Shape

#: The most elements of a tile, and the most programs along each size of a grid: CUDA's.
MAX_TILE = 1 << 20
MAX_PROGRAMS = (2**31 - 1, 65_535, 65_535)
#: How an atomic write is called in a document.
ATOMICS = {"add": "sum", "max": "max", "min": "min"}


class TileWriter:
    """The part of a kernel writer that spells nothing.  `language` is what it writes, for messages."""

    language: str

    def __init__(self, grid: tuple[int, ...]) -> None:
        self.refusal: str | None = None
        self.lines = Lines()
        self.parameters: list[str] = []
        self.atomics: dict[str, str] = {}
        self._count = 0
        for size, most in zip(grid, MAX_PROGRAMS, strict=False):
            if size > most:
                self.refuse(f"its grid has {size} programs along an axis, and {self.language} launches {most} there")

    def parameter(self, name: str) -> str:
        """A parameter more; its name."""
        self.parameters.append(f"m{len(self.parameters)}_{name}")
        return self.parameters[-1]

    def program(self) -> KernelProgram:
        """The parameters, the body's lines, and what is accumulated."""
        return KernelProgram(tuple(self.parameters), "\n".join(self.lines.lines), dict(self.atomics))

    def source(self) -> str:
        """The body."""
        return self.program().body

    def begin_call(self, header: CallHeader) -> None:
        """Nothing: calls of functions are inlined."""

    def end_call(self, results: Sequence[Operand | None]) -> None:
        """Nothing: calls of functions are inlined."""

    def refuse(self, reason: str) -> None:
        """Keep the first reason."""
        self.refusal = self.refusal or reason

    def check(self, shape: Shape) -> None:
        """A tile of this shape is one the language has, or the kernel is refused."""
        count = 1
        for size in shape:
            count *= size
            if size < 1 or size & (size - 1):
                self.refuse(f"a tile is {list(shape)}, and {self.language}'s sizes are powers of two")
        if count > MAX_TILE:
            self.refuse(f"a tile has {count} elements, and {self.language}'s have {MAX_TILE} at most")

    def fresh(self) -> str:
        """A name for one more value."""
        self._count += 1
        return f"v{self._count - 1}"

    def value(self, text: str) -> str:
        """A line that gives `text` a name; the name."""
        name = self.fresh()
        self.lines.add(f"{name} = {text}")
        return name


def value(operand: Operand | None) -> str:
    """The operand's name."""
    assert operand is not None
    return str(operand.value)
