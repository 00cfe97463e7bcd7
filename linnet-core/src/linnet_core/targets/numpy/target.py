"""The numpy target: takes calls, declines all but exact library calls, and prints the module.

In: calls of one entry.  Out: Python source with `constants` and `main`.  Passes run over the list of steps in this order: prune,
constants, prepare, conditional, rows in lists, in place, outline, release; then the text is written, once.
"""

from __future__ import annotations

from linnet_core.graph.calls import Call, LaunchKernel, NativeCall
from linnet_core.graph.target import Capabilities
from linnet_core.python_source.conditional import give_back_arms
from linnet_core.python_source.constants import split_constants
from linnet_core.python_source.in_place import in_place_writes
from linnet_core.python_source.module import Entry, module_text
from linnet_core.python_source.outline import outline
from linnet_core.python_source.prepare import prepare_weights
from linnet_core.python_source.prune import prune
from linnet_core.python_source.row_lists import list_rows
from linnet_core.python_source.target import SourceTarget
from linnet_core.targets.numpy.calls import CacheWrite
from linnet_core.targets.numpy.dialect import NumpyDialect
from linnet_core.targets.numpy.emit import native
from linnet_core.targets.numpy.writer import NumpyWriter


class NumpyTarget(SourceTarget):
    """Prints straight-line NumPy.  `numerics` changes only what the exporter offers; `prepare` says that weights are prepared once,
    `unroll` that a block body which repeats is printed for each layer."""

    name: str = "numpy"
    capabilities: Capabilities = Capabilities(broadcasts_elementwise=True, supports_while=True, supports_counted=True)

    def __init__(self, numerics: str, *, prepare: bool = False, unroll: bool = False) -> None:
        super().__init__()
        self._numerics = numerics
        self._prepare = prepare
        self._unroll = unroll

    def declines(self, call: Call) -> str | None:
        """Kernels, and library calls that may round differently from their bodies."""
        match call:
            case NativeCall():
                return native.declines(call)
            case LaunchKernel():
                return "kernels are not written by this target"
        return None

    def source(self) -> str:
        """The module's text."""
        hoisted, body = split_constants(prune(native.with_cache_writes(self.steps)))
        prepared = None
        if self._prepare:
            prepared, body = prepare_weights(body, hoisted, self.parameters, self._numerics)
        written = in_place_writes(list_rows(give_back_arms(body, self.types), self.scalars), lambda call: isinstance(call, CacheWrite))
        body = written.steps if self._unroll else outline(written.steps, self.scopes, self.scalars)
        entry = Entry(self.inputs, self.parameters, self.states, hoisted, body, written.states, written.copied, prepared)
        return module_text(entry, NumpyWriter(self.scalars, self._numerics), NumpyDialect())
