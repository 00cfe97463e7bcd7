"""The torch target: takes calls, and says which it declines.

In: calls of one entry.  Out: names, or why a call is declined; and Python source with `constants` and `main`, which `source.py` makes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Call, Contract, LaunchKernel, NativeCall
from linnet_core.graph.target import Capabilities
from linnet_core.python_source.einsum import too_many_axes
from linnet_core.python_source.target import SourceTarget
from linnet_torch.emit import native

if TYPE_CHECKING:
    from linnet_torch.kernels.writer import TritonWriter


def _triton(numerics: str, grid: tuple[int, ...]) -> TritonWriter:
    """What takes one kernel; few programs have any."""
    from linnet_torch.kernels.writer import TritonWriter

    return TritonWriter(numerics, grid)


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
        kernel_target=_triton,
    )
    own_gradients: bool = True

    def __init__(self, numerics: str, *, prepare: bool = False, pack: bool = True, in_place: bool = True, unroll: bool = False) -> None:
        super().__init__()
        self.numerics = numerics
        self.prepare = prepare
        self.pack = pack
        self.in_place = in_place
        self.unroll = unroll

    def declines(self, call: Call) -> str | None:
        """Contractions with more axes than letters, kernels without a program, and library calls `emit/native.py` does not write."""
        match call:
            case Contract():
                return too_many_axes(call)
            case NativeCall():
                return native.declines(call, self.scalars)
            case LaunchKernel():
                from linnet_torch.kernels.program import fault

                return fault(call)
        return None

    def source(self) -> str:
        """The module's text."""
        from linnet_torch.source import source  # all that prints; where calls are only recorded, it is not wanted

        return source(self)
