"""Dtypes of the language and of torch.

In: either.  Out: the other.
"""

from __future__ import annotations

import torch

from linnet_torch.writer import DTYPES

TORCH_DTYPES: dict[str, torch.dtype] = {name: getattr(torch, spelled.removeprefix("torch.")) for name, spelled in DTYPES.items()}
NAMES: dict[torch.dtype, str] = {dtype: name for name, dtype in TORCH_DTYPES.items()}


def dtype_name(dtype: torch.dtype) -> str:
    """The language's name; torch's own for one the language does not have."""
    return NAMES.get(dtype) or str(dtype).removeprefix("torch.")
