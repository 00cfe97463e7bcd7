"""The jax target: takes calls, says which it declines, and prints the module.

In: calls of one entry.  Out: Python source with `constants` and `main`.  Passes run over the list of steps in this order: spell, rows,
one query, prune, bits, constants, prepare, conditional, outline; then the text is written, once.  Nothing is written in place and nothing
deleted: jit does both.
"""

from __future__ import annotations

from linnet_core.graph.calls import Call, Contract, LaunchKernel, NativeCall
from linnet_core.graph.target import Capabilities
from linnet_core.python_source.conditional import give_back_arms
from linnet_core.python_source.constants import split_constants
from linnet_core.python_source.einsum import too_many_axes
from linnet_core.python_source.functions import FunctionPrinter
from linnet_core.python_source.module import Entry, module_text
from linnet_core.python_source.outline import outline
from linnet_core.python_source.prepare import prepare_weights
from linnet_core.python_source.program_text import program_fault
from linnet_core.python_source.prune import prune
from linnet_core.python_source.target import SourceTarget
from linnet_jax.dialect import JaxDialect
from linnet_jax.emit import native
from linnet_jax.kernels.program import GRAMMAR
from linnet_jax.kernels.writer import PallasWriter
from linnet_jax.passes.bits import bits_needed
from linnet_jax.passes.one_query import attend_to_rows
from linnet_jax.passes.rows import split_rows
from linnet_jax.passes.spell import spell
from linnet_jax.writer import JaxWriter


class JaxTarget(SourceTarget):
    """Prints straight-line JAX.  `numerics` is `exact`, `equivalent` or `fast`; `prepare` says that weights are prepared once,
    `unroll` that a block body which repeats is printed for each layer."""

    name: str = "jax"
    capabilities: Capabilities = Capabilities(
        broadcasts_elementwise=True,
        supports_while=True,
        supports_counted=True,
        supports_remat=True,
        supports_fully_shard=True,
        kernel_target=PallasWriter,
    )
    own_gradients: bool = True

    def __init__(self, numerics: str, *, prepare: bool = False, unroll: bool = False) -> None:
        super().__init__()
        self._numerics = numerics
        self._prepare = prepare
        self._unroll = unroll

    def declines(self, call: Call) -> str | None:
        """Contractions with more axes than letters, kernels without a program, and library calls `emit/native.py` does not write."""
        match call:
            case Contract():
                return too_many_axes(call)
            case NativeCall():
                return native.declines(call)
            case LaunchKernel():
                return program_fault(call, GRAMMAR)
        return None

    def source(self) -> str:
        """The module's text."""
        steps, update = split_rows(spell(self.steps, self.scalars, self._numerics))
        steps = prune(attend_to_rows(steps, update))
        bits = bits_needed(steps, self.scalars)
        hoisted, body = split_constants(steps)
        prepared = None
        if self._prepare:
            prepared, body = prepare_weights(body, hoisted, self.parameters, self._numerics)
        body = give_back_arms(body, self.types)
        if not self._unroll:
            body = outline(body, self.scopes, self.scalars)
        entry = Entry(
            self.inputs,
            self.parameters,
            self.states,
            hoisted,
            body,
            (),
            prepared=prepared,
            update=update,
            gathered=frozenset(self.gathered),
        )
        return module_text(entry, JaxWriter(self.scalars, self._numerics, narrow=bits.narrow), JaxDialect(bits), FunctionPrinter)
