"""What writers of kernels in Python share: parameters, names, lines, which products of tiles are one of matrices, and the first reason why
a kernel cannot be written.

In: memory and tiles.  Out: a `KernelProgram`; a reason (`refusal`) where the text does not compute what the kernel does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import BeginCounted, Call, CallHeader, Contract, Convert, EndCounted, KernelProgram, Operand
from linnet_core.graph.target import Declined
from linnet_core.python_source.layout import Lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.target import RegionCallback

#: The most elements of a tile, and the most programs along each size of a grid: CUDA's.
MAX_TILE = 1 << 20
MAX_PROGRAMS = (2**31 - 1, 65_535, 65_535)
#: The shortest side of a product of two tiles that is one of matrices, and the dtypes it is computed in.
SHORTEST_SIDE = 16
_MATRICES = ("f16", "bf16", "f32")
#: How an atomic write is called in a document.
ATOMICS = {"add": "sum", "max": "max", "min": "min"}


class TileWriter:
    """The part of a kernel writer that spells nothing.  `language` is what it writes, for messages.

    A subclass gives `begin` and `end` of a counted loop, and `text`: the value of any other call, None where the language has none that
    keeps its meaning.
    """

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

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        """A statement for the call.  What cannot be written is noted, and gets names all the same."""
        if isinstance(call, Contract) and (reason := self._no_product(call)) is not None:
            return Declined(reason)
        for type in call.result_types():
            self.check(type.shape)
        match call:
            case BeginCounted():
                return self.begin(call)
            case EndCounted():
                return self.end(call)
        return self.written(call)

    def begin(self, call: BeginCounted) -> tuple[str, ...]:
        """Names for the index and what is carried, behind the lines that open the loop."""
        raise NotImplementedError

    def end(self, call: EndCounted) -> tuple[str, ...]:
        """Names for what the loop gives, behind the lines that close it."""
        raise NotImplementedError

    def text(self, call: Call) -> str | None:
        """The value of a call."""
        raise NotImplementedError

    def written(self, call: Call) -> tuple[str, ...]:
        """Names for the results of a call that is neither memory's nor a loop's."""
        text = self.text(call)
        if text is None:
            self.refuse(self._no_text(call))
        return tuple([self.value(text or "None") for _ in call.result_types()])

    def _no_text(self, call: Call) -> str:
        if isinstance(call, Convert):
            return f"{self.language} does not convert {call.operand(0).dtype} to {call.dtype} as the language does"
        return f"{self.language} has no `{getattr(call, 'kind', call.op)}` of {next(iter(call.result_types())).dtype} tiles"

    def _no_product(self, call: Contract) -> str | None:
        """Why one product of matrices does not compute this; it is then spread and summed."""
        shared = set(call.lhs_axes) & set(call.rhs_axes)
        if len(call.lhs_axes) != 2 or len(call.rhs_axes) != 2 or len(shared) != 1 or shared & set(call.out_axes):
            return f"{self.language} multiplies two matrices"
        if min(*call.operand(0).shape, *call.operand(1).shape) < SHORTEST_SIDE:
            return f"{self.language} multiplies tiles with sides of {SHORTEST_SIDE} and more"
        return None if call.dtype in _MATRICES else f"{self.language} multiplies no tiles of {call.dtype}"

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


def turned(call: Contract) -> tuple[bool, bool, bool]:
    """Which of left, right and result are to be transposed so that a product of two matrices is left times right."""
    (shared,) = set(call.lhs_axes) & set(call.rhs_axes)
    left = call.lhs_axes[1] != shared
    rows = call.lhs_axes[1] if left else call.lhs_axes[0]
    return left, call.rhs_axes[0] != shared, call.out_axes[0] != rows
