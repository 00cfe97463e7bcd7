"""How JAX is written, for the shared printer of modules.

In: calls and flags.  Out: expressions, imports, calls of loops and conditionals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.dialect import DifferentiableDialect, FunctionalDialect
from linnet_core.python_source.support import sources
from linnet_jax import regions
from linnet_jax.expressions import WRITERS
from linnet_jax.kernels import launch
from linnet_jax.support import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.python_source.module import Entry
    from linnet_core.python_source.outline import Body
    from linnet_core.python_source.region_text import GradientText, Part
    from linnet_core.python_source.regions import Launched
    from linnet_jax.passes.bits import Bits
    from linnet_jax.writer import JaxWriter

_NOTE = (
    "# Arguments or results have 64 bits: whoever makes them, and jits or differentiates main, does so inside",
    "# `with jax.enable_x64(True):`, since jax cuts them to 32 outside.",
)

_NOTE_INSIDE = (
    "# Values have 64 bits: whoever differentiates main does so inside `with jax.enable_x64(True):`, where the way back finds them too.",
)


class JaxDialect(DifferentiableDialect, FunctionalDialect):
    """The dialect `jax`."""

    title = "JAX"
    constants_parameters = ""
    copied = ""

    def __init__(self, bits: Bits) -> None:
        self._bits = bits
        #: 64-bit dtypes, for the time of one call.
        self.decorators: tuple[str, ...] = ("@jax.enable_x64(True)",) if bits.wide else ()
        self.metadata: tuple[str, ...] = ("BITS = 64",) if bits.wide else ()

    def expression(self, writer: JaxWriter, call: Call) -> str:
        """By the table of `emit/`."""
        return WRITERS[type(call)](writer, call)

    def repeated_decorators(self, writer: JaxWriter, body: Body, taken: Sequence[int]) -> tuple[str, ...]:
        """`jax.jit`: one function of the compiled program, however often it is called."""
        return ("@jax.jit",)

    def index(self, writer: JaxWriter, number: str) -> str:
        """An array of rank 0."""
        return f"jnp.asarray({number}, dtype={writer.dtype('i64')})"

    def imports(self, flags: frozenset[str]) -> list[str]:
        """jax and jax.numpy, behind a note where anything has 64 bits."""
        note = _NOTE if self._bits.outside else _NOTE_INSIDE if self._bits.wide else ()
        kernels = launch.IMPORTS.strip("\n").split("\n") if "kernels" in flags else ()
        return [*note, "import jax", "import jax.numpy as jnp", *kernels]

    def prelude(self, entry: Entry, flags: frozenset[str]) -> list[str]:
        """None."""
        return []

    def support(self, used: frozenset[str]) -> list[str]:
        """By the table of `support.py`."""
        return sources(FUNCTIONS, used)

    def while_loop(self, condition: str, body: str, initial: str) -> str:
        """`jax.lax.while_loop`."""
        return f"jax.lax.while_loop({condition}, {body}, {initial})"

    def counted_loop(self, start: int, stop: int, body: str, initial: str) -> str:
        """`jax.lax.fori_loop`, which is a scan where the bounds are numbers."""
        return f"jax.lax.fori_loop({start}, {stop}, {body}, {initial})"

    def conditional(self, condition: str, then: str, otherwise: str) -> str:
        """`jax.lax.cond`."""
        return f"jax.lax.cond({condition}, {then}, {otherwise})"

    def own_gradient(self, name: str, text: GradientText) -> list[str]:
        """A `jax.custom_vjp`."""
        return regions.own_gradient(name, text)

    def recomputed(self, writer: JaxWriter, name: str, arguments: Sequence[str]) -> str:
        """`jax.checkpoint`."""
        return f"jax.checkpoint({name})({', '.join(arguments)})"

    def launched(self, name: str, parameters: Sequence[str], arguments: Sequence[str], body: Part, call: Launched) -> list[str]:
        """A Pallas kernel and what launches it."""
        return launch.launched(name, parameters, arguments, body, call)

    def local_names(self, flags: Iterable[str]) -> tuple[str, ...]:
        """None: functions of the module read arguments only."""
        return ()

    def local_flags(self, names: Iterable[str]) -> set[str]:
        """None."""
        return set()
