"""Hook implementations of linnet-torch: the target `torch`.  Importing this imports neither torch nor numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.plugins import TargetPlugin, hookimpl
from linnet_core.plugins.options import Option
from linnet_core.python_source.prepare_option import PREPARE
from linnet_core.python_source.unroll_option import UNROLL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from linnet_torch.target import TorchTarget

_PACK = Option(
    name="pack",
    type="bool",
    help="With --prepare: weights as oneDNN keeps them, for the CPU. Not for torch.compile or gradients of inputs.",
    default=True,
)
_OPTIONS = (PREPARE, _PACK, UNROLL)


def _make(options: Mapping[str, Any]) -> TorchTarget:
    from linnet_torch.target import TorchTarget

    own = {option.name: options.get(option.name, option.default) for option in _OPTIONS}
    return TorchTarget(options["numerics"], **own)


def _run(source: str, inputs: Sequence[np.ndarray], parameters: Sequence[np.ndarray], states: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    from linnet_torch.runner import run

    return run(source, inputs, parameters, states)


@hookimpl
def linnet_targets() -> list[TargetPlugin]:
    """The target `torch`."""
    return [TargetPlugin(name="torch", summary="straight-line PyTorch", suffix=".py", make=_make, run=_run, options=_OPTIONS)]
