"""Runs printed source on NumPy arrays; it and `loading` are all of this package that imports torch.

In: source, arrays in the order of the document's leaves (bf16 as ml_dtypes arrays).  Out: the operands of `finish` as arrays.  Raises
`MissingRuntime` when torch is not installed and `RuntimeFailure` for what went wrong in the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.errors import MissingRuntime, RuntimeFailure
from linnet_core.loading.generated import GeneratedModule

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np


def run(source: str, inputs: Sequence[np.ndarray], parameters: Sequence[np.ndarray], states: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Execute `main` once on the CPU; the caller's arrays are not written."""
    torch = installed_torch()
    module = GeneratedModule(source)
    device = torch.device("cpu")
    devices = (device,) * module.slots
    with torch.no_grad():
        given = [to_torch(torch, array) for array in inputs]
        weights = [to_torch(torch, array) for array in parameters]
        held = [to_torch(torch, array).clone() for array in states]
        try:
            weights, extra = module.arguments(weights, devices or device)
            results = module.main(*given, *weights, *held, *extra, *([devices] if devices else []))
        except (IndexError, RuntimeError) as error:
            raise RuntimeFailure(f"torch: {' '.join(str(error).split())}") from error
    return [to_numpy(torch, result) for result in results]


def installed_torch() -> Any:
    """The module; `MissingRuntime` where there is none."""
    try:
        import torch
    except ImportError:
        raise MissingRuntime("running on torch needs PyTorch, which is not installed: pip install 'linnet-torch[runtime]'") from None
    return torch


def to_torch(torch: Any, array: np.ndarray) -> Any:
    """A tensor of the same bits; bf16 goes through its 16 bits, since torch knows no ml_dtypes."""
    import numpy as np

    # reshape: ascontiguousarray makes a rank-0 array rank 1
    owned = np.ascontiguousarray(array).reshape(array.shape)
    if not owned.flags.writeable:
        owned = owned.copy()
    if owned.dtype.name == "bfloat16":
        return torch.from_numpy(owned.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(owned)


def to_numpy(torch: Any, tensor: Any) -> np.ndarray:
    """The array of a tensor; `RuntimeFailure` for one with more axes than arrays have."""
    import numpy as np

    from linnet_core.weights.arrays import MOST_AXES

    if tensor.dim() > MOST_AXES:
        raise RuntimeFailure(f"torch: a result has {tensor.dim()} axes; an array has {MOST_AXES} at most")
    flat = tensor.detach().contiguous()
    if flat.dtype == torch.bfloat16:
        import ml_dtypes

        return flat.view(torch.int16).numpy().view(np.dtype(ml_dtypes.bfloat16))
    return flat.numpy()
