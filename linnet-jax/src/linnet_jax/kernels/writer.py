"""Writes a kernel in Pallas.

In: the calls of a kernel's region, and those of memory.  Out: a `KernelProgram` whose body is that of a function of references, or the
reason why there is none (`refusal`).  Tiles are arrays whose sizes are powers of two, as those of Pallas on a GPU are; what is computed on
them is spelled as everywhere on this target.  Positions that an iota or a loop counts are held in i32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.graph.calls import (
    BeginCounted,
    Broadcast,
    Call,
    Compare,
    Constant,
    Contract,
    Convert,
    Cumsum,
    Elementwise,
    EndCounted,
    Iota,
    Operand,
    Reduce,
    Reshape,
    Select,
    Transpose,
)
from linnet_core.graph.target import Capabilities
from linnet_core.python_source.fold import constant_value
from linnet_core.python_source.layout import tuple_text
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.tile_writer import TileWriter, turned, value
from linnet_jax.expressions import WRITERS
from linnet_jax.kernels import memory
from linnet_jax.writer import DTYPES, JaxWriter, scalar_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls.values import Shape

#: What is written by the functions that write it outside kernels.
_SHARED = (Broadcast, Compare, Convert, Cumsum, Elementwise, Reshape, Select, Transpose)
#: One more than the greatest position held in i32.
_POSITIONS = 2**31


class PallasWriter(TileWriter):
    """Takes one kernel.  `numerics` is the policy."""

    name: str = "pallas"
    language: str = "Pallas"
    capabilities: Capabilities = Capabilities(supports_counted=True, broadcasts_elementwise=False)

    def __init__(self, numerics: str, grid: tuple[int, ...]) -> None:
        super().__init__(grid)
        #: First of all: within a loop the interpreter knows no position.
        self._programs = [self.value(f"pl.program_id({axis})") for axis in range(len(grid))]
        self._writer = JaxWriter({}, numerics, narrow=False)
        #: Values of i64 that are held in i32.
        self._positions: set[str] = set()
        #: Of each open loop its call, and the values it carries.
        self._loops: list[tuple[str, tuple[str, ...]]] = []

    # ------------------------------------------------------------------------------------------------------- memory

    def memory(self, name: str, shape: Shape, dtype: str, *, is_result: bool) -> str:
        """A parameter that is a reference."""
        if 0 in shape:
            self.refuse(f"`{name}` has no element, and Pallas has no such memory")
        return self.parameter(name)

    def scalar(self, name: str, dtype: str) -> str:
        """A reference of rank 0, read at once."""
        return self.value(f"{self.parameter(name)}[()]")

    def program_id(self, axis: int) -> str:
        """`pl.program_id`, in i32."""
        return self._programs[axis]

    def load(self, tensor: Operand, indices: tuple[Operand, ...], shape: Shape, mask: Operand | None, other: Operand | None) -> str:
        """A reference read at arrays of positions."""
        self.check(shape)
        return self.value(memory.load(tensor, self._indices(indices, shape), shape, mask, self._wide_one(other)))

    def store(
        self, tensor: Operand, indices: tuple[Operand, ...], shape: Shape, value: Operand, mask: Operand | None, atomic: str | None
    ) -> None:
        """A reference written."""
        self.check(shape)
        if atomic is not None:
            return self.refuse(f"Pallas combines nothing with what a result holds at first, which `atomic_{atomic}` needs")
        places = self._indices(indices, shape)
        if mask is not None and places:
            places[0] = memory.outside(places[0], shape, mask, tensor.shape[0])
        self.lines.add(memory.store(tensor, places, shape, self._wide_one(value) or value, mask))
        return None

    def _indices(self, indices: Sequence[Operand], shape: Shape) -> list[str]:
        texts: list[str] = []
        axis = 0
        for index in indices:
            texts.append(memory.index_text(index, shape, axis))
            axis += len(index.shape)
        return texts

    # -------------------------------------------------------------------------------------------------------- tiles

    def written(self, call: Call) -> tuple[str, ...]:
        """Positions are held in i32, and what is not converted from them is computed in i64."""
        match call:
            case Iota():
                return (self._position(self.value(f"jnp.arange({call.length}, dtype=jnp.int32)")),)
            case Constant():
                return (self._constant(call),)
            case Convert(dtype=dtype) if dtype != "i64":
                return super().written(call)
        return super().written(replace(call, operands=self._wide(call.operands)))

    def text(self, call: Call) -> str | None:
        """As everywhere on this target, but for products of matrices and positions."""
        if isinstance(call, Contract):
            return _contract(self._writer, call)
        if isinstance(call, Convert) and call.dtype == "i32" and value(call.operand(0)) in self._positions:
            return value(call.operand(0))
        if isinstance(call, _SHARED) or (isinstance(call, Reduce) and call.kind != "prod"):
            return WRITERS[type(call)](self._writer, call)
        return None

    def _wide(self, operands: Sequence[Operand | None]) -> tuple[Operand | None, ...]:
        """Operands in their own dtype: positions in i64."""
        return tuple([self._wide_one(operand) for operand in operands])

    def _wide_one(self, operand: Operand | None) -> Operand | None:
        if operand is None or operand.value not in self._positions:
            return operand
        return Operand(self.value(f"{operand.value}.astype(jnp.int64)"), operand.shape, operand.dtype)

    def _position(self, name: str) -> str:
        self._positions.add(name)
        return name

    def _constant(self, call: Constant) -> str:
        number = constant_value(call)
        assert number is not None, "every literal has a value in its dtype"
        if call.dtype == "i64" and -_POSITIONS <= number < _POSITIONS:
            return self._position(self.value(f"jnp.full((), {scalar_text(number)}, jnp.int32)"))
        return self.value(f"jnp.full((), {scalar_text(number)}, {DTYPES[call.dtype]})")

    def begin(self, call: BeginCounted) -> tuple[str, ...]:
        """A function of the index and what is carried."""
        names = tuple([self.fresh() for _ in call.result_types()])
        if not -_POSITIONS <= call.start <= call.stop <= _POSITIONS:
            self.refuse("it counts further than i32")
        function, carried = f"{names[0]}_loop", names[1:]
        initial = tuple_text([value(operand) for operand in self._wide(call.operands)])
        self._loops.append((f"jax.lax.fori_loop({call.start}, {call.stop}, {function}, {initial})", carried))
        self.lines.add(f"def {function}({names[0]}_number, {names[0]}_carried):")
        self.lines.indent()
        self.lines.add(f"{names[0]} = {names[0]}_number + jnp.int32(0)")
        self.lines.add(*(f"{name} = {names[0]}_carried[{at}]" for at, name in enumerate(carried)))
        self._position(names[0])
        return names

    def end(self, call: EndCounted) -> tuple[str, ...]:
        """`jax.lax.fori_loop` of that function."""
        loop, carried = self._loops.pop()
        self.lines.add(f"return {tuple_text([value(operand) for operand in self._wide(call.operands)])}")
        self.lines.dedent()
        answer = self.value(loop)
        return tuple([self.value(f"{answer}[{at}]") for at in range(len(carried))])


def _contract(w: JaxWriter, call: Contract) -> str:
    """`jnp.dot`, in f32 with one rounding at the end."""
    left, right = (f"{value(call.operand(at))}{'.T' if turn else ''}" for at, turn in enumerate(turned(call)[:2]))
    text = f"jnp.dot({left}, {right}{w.precision}, preferred_element_type=jnp.float32){'.T' if turned(call)[2] else ''}"
    return f"{text}.astype({w.dtype(call.dtype)})" if call.dtype in SHORT_FLOATS else text
