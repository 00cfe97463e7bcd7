"""The PyTorch target of Linnet.

In: the calls of one entry.  Out: straight-line source, printed without torch and run with it.

    hooks.py     what the plugin gives; light
    calls.py     calls this target makes of library calls before it prints (a mask's bias, the positions of a cache write)
    target.py    takes calls, and declines
    source.py    prints the module
    dialect.py   how PyTorch is written, for the printer all Python targets share
    writer.py    dtypes and numbers as torch spells them
    passes/      rewrites of the list of steps, in the order they run
    emit/        one file a family of calls: a step to text; their tables together are in expressions.py
    kernels/     kernels in Triton, and how printed source launches them
    regions.py   ops with their own gradient, and blocks that are computed again
    marks.py     which functions of layers torch.compile may trace once
    support.py   the functions printed source may need, as text: support_processes.py, support_losses.py, support_traces.py
    runner.py    runs printed source on NumPy arrays; it and loading/ import torch
    loading/     `load`: a model as a `torch.nn.Module`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linnet_torch.loading.load import load
    from linnet_torch.loading.module import LinnetModule

__all__ = ["LinnetModule", "load"]


def __getattr__(name: str) -> Any:
    """`load` and `LinnetModule`, which import torch when they are asked for; `MissingRuntime` where it is not installed."""
    if name in __all__:
        from linnet_torch.runner import installed_torch

        installed_torch()
    if name == "load":
        from linnet_torch.loading.load import load

        return load
    if name == "LinnetModule":
        from linnet_torch.loading.module import LinnetModule

        return LinnetModule
    raise AttributeError(f"module `linnet_torch` has no attribute `{name}`")
