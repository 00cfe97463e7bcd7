"""The jax target: takes calls, and says which it declines.

In: calls of one entry.  Out: names, or why a call is declined; and Python source with `constants` and `main`, which `source.py` makes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Call, Contract, LaunchKernel, NativeCall
from linnet_core.graph.target import Capabilities
from linnet_core.python_source.einsum import too_many_axes
from linnet_core.python_source.target import SourceTarget
from linnet_jax.emit import native

if TYPE_CHECKING:
    from linnet_jax.kernels.writer import PallasWriter


def _pallas(numerics: str, grid: tuple[int, ...]) -> PallasWriter:
    """What takes one kernel; few programs have any."""
    from linnet_jax.kernels.writer import PallasWriter

    return PallasWriter(numerics, grid)


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
        kernel_target=_pallas,
    )
    own_gradients: bool = True

    def __init__(self, numerics: str, *, prepare: bool = False, unroll: bool = False) -> None:
        super().__init__()
        self.numerics = numerics
        self.prepare = prepare
        self.unroll = unroll

    def declines(self, call: Call) -> str | None:
        """Contractions with more axes than letters, kernels without a program, and library calls `emit/native.py` does not write."""
        match call:
            case Contract():
                return too_many_axes(call)
            case NativeCall():
                return native.declines(call)
            case LaunchKernel():
                from linnet_jax.kernels.program import fault

                return fault(call)
        return None

    def source(self) -> str:
        """The module's text."""
        from linnet_jax.source import source  # all that prints; where calls are only recorded, it is not wanted

        return source(self)
