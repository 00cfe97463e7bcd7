"""The JAX target of Linnet.

In: the calls of one entry.  Out: straight-line source, printed without jax and run with it.

    hooks.py     what the plugin gives; light
    calls.py     calls this target makes of library calls before it prints (attention with its mask as a flag)
    target.py    takes calls, and declines
    source.py    prints the module
    dialect.py   how JAX is written, for the printer of functions that Python targets share
    writer.py    dtypes and numbers as jax.numpy spells them
    passes/      rewrites of the list of steps, and what is found out about them, in the order they run
    emit/        one file a family of calls: a step to text; their tables together are in expressions.py
    kernels/     kernels in Pallas, and how printed source launches them
    regions.py   ops with their own gradient
    support.py   the functions printed source may need, as text: support_devices.py, support_losses.py
    runner.py    runs printed source on NumPy arrays; it and loading/ import jax
    loading/     `load`: a model as a function with its parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linnet_jax.loading.function import LinnetFunction
    from linnet_jax.loading.load import load

__all__ = ["LinnetFunction", "load"]


def __getattr__(name: str) -> Any:
    """`load`, which imports jax when it is called, and `LinnetFunction`, which needs it."""
    if name == "load":
        from linnet_jax.loading.load import load

        return load
    if name == "LinnetFunction":
        from linnet_jax.loading.function import LinnetFunction

        return LinnetFunction
    raise AttributeError(f"module `linnet_jax` has no attribute `{name}`")
