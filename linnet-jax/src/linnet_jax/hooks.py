"""Hook implementations of linnet-jax: the target `jax`.  Importing this imports neither jax nor numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.plugins import TargetPlugin, hookimpl
from linnet_core.python_source.prepare_option import PREPARE
from linnet_core.python_source.unroll_option import UNROLL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from linnet_jax.target import JaxTarget


def _make(options: Mapping[str, Any]) -> JaxTarget:
    from linnet_jax.target import JaxTarget

    return JaxTarget(options["numerics"], prepare=options.get("prepare", False), unroll=options.get("unroll", False))


def _run(source: str, inputs: Sequence[np.ndarray], parameters: Sequence[np.ndarray], states: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    from linnet_jax.runner import run

    return run(source, inputs, parameters, states)


@hookimpl
def linnet_targets() -> list[TargetPlugin]:
    """The target `jax`."""
    return [
        TargetPlugin(
            name="jax",
            summary="straight-line JAX, to be traced by jit",
            suffix=".py",
            make=_make,
            run=_run,
            options=(PREPARE, UNROLL),
        )
    ]
