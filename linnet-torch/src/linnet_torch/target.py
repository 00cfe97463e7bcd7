"""The torch target: takes calls, says which it declines, and prints the module.

In: calls of one entry.  Out: Python source with `constants` and `main`.  Passes run over the list of steps in this order: rows,
spell, prune, constants, prepare, rows in lists, in place, outline, release; then the text is written, once.
"""

from __future__ import annotations

from linnet_core.graph.calls import Call, Contract, LaunchKernel, NativeCall
from linnet_core.graph.target import Capabilities
from linnet_core.python_source.constants import split_constants
from linnet_core.python_source.einsum import too_many_axes
from linnet_core.python_source.in_place import in_place_writes
from linnet_core.python_source.module import Entry, module_text
from linnet_core.python_source.outline import outline
from linnet_core.python_source.prepare import prepare_weights
from linnet_core.python_source.program_text import program_fault
from linnet_core.python_source.prune import prune
from linnet_core.python_source.row_lists import list_rows
from linnet_core.python_source.target import SourceTarget
from linnet_torch.calls import CacheWrite
from linnet_torch.dialect import TorchDialect
from linnet_torch.emit import native
from linnet_torch.kernels.program import GRAMMAR
from linnet_torch.kernels.writer import TritonWriter
from linnet_torch.passes.fetch import fetch_parameters
from linnet_torch.passes.packed import pack as packed
from linnet_torch.passes.rows import take_rows
from linnet_torch.passes.spell import spell
from linnet_torch.passes.upright import turn
from linnet_torch.writer import TorchWriter


class TorchTarget(SourceTarget):
    """Prints straight-line PyTorch.

    `numerics` is `exact`, `equivalent` or `fast`; `prepare` says that weights are prepared once, and
    `pack` that oneDNN may keep them, which passes on no gradient and goes with no torch.compile; `in_place` off overwrites no state, as
    autograd needs; `unroll` prints a block body which repeats for each layer.
    """

    name: str = "torch"
    capabilities: Capabilities = Capabilities(
        broadcasts_elementwise=True,
        supports_while=True,
        supports_counted=True,
        supports_remat=True,
        supports_placement=True,
        supports_fully_shard=True,
        kernel_target=TritonWriter,
    )
    own_gradients: bool = True

    def __init__(self, numerics: str, *, prepare: bool = False, pack: bool = True, in_place: bool = True, unroll: bool = False) -> None:
        super().__init__()
        self._numerics = numerics
        self._prepare = prepare
        self._pack = pack
        self._in_place = in_place
        self._unroll = unroll

    def declines(self, call: Call) -> str | None:
        """Contractions with more axes than letters, kernels without a program, and library calls `emit/native.py` does not write."""
        match call:
            case Contract():
                return too_many_axes(call)
            case NativeCall():
                return native.declines(call, self.scalars)
            case LaunchKernel():
                return program_fault(call, GRAMMAR)
        return None

    def source(self) -> str:
        """The module's text."""
        steps = prune(spell(take_rows(self.steps, self.types), self.scalars, self._numerics))
        hoisted, body = split_constants(fetch_parameters(steps, set(self.parameters)))
        prepared = None
        if self._prepare:
            respell = (turn, packed) if self._pack else (turn,)
            prepared, body = prepare_weights(body, hoisted, self.parameters, self._numerics, respell, slots=self.slots)
        written = in_place_writes(list_rows(body, self.scalars), lambda call: self._in_place and isinstance(call, CacheWrite))
        # what is placed names its devices, which a function shared by layers cannot
        flat = self._unroll or self.slots
        body = written.steps if flat else outline(written.steps, self.scopes, self.scalars)
        entry = Entry(
            self.inputs,
            self.parameters,
            self.states,
            hoisted,
            body,
            written.states,
            written.copied,
            prepared,
            self.slots,
            gathered=frozenset(self.gathered),
        )
        writer = TorchWriter(self.scalars, self._numerics, placed=bool(self.slots))
        return module_text(entry, writer, TorchDialect(placed=bool(self.slots)))
