"""The inputs of a call as torch has them: the types of tensors, and tensors of numbers.

In: values as a program gives them.  Out: what tells signatures apart, the sizes they bind, tensors of numbers.  Raises `RuntimeFailure`
for a value that fits no input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from linnet_core.loading import entries
from linnet_core.loading.inputs import Given
from linnet_torch.loading.dtypes import TORCH_DTYPES, dtype_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.bind import Bindings
    from linnet_core.loading.model import Model


def signature(value: Any) -> Any:
    """What tells calls apart: memory laid out in another way may be shared in another way."""
    return (value.shape, value.dtype, value.device, value.is_contiguous()) if isinstance(value, torch.Tensor) else type(value)


def bind_call(model: Model, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None) -> Bindings:
    """Numbers for all generics of entry `name` of `model`."""
    return entries.bind_call(model, name, entries.given_inputs(model, name, inputs, _type_of, "a tensor"), generics)


def number(entry: str, name: str, dtype: str, device: torch.device, value: Any) -> torch.Tensor:
    """A number of Python as the scalar that input `name` declares."""
    return entries.number(entry, name, dtype, value, lambda: torch.tensor(value, dtype=TORCH_DTYPES[dtype], device=device))


def _type_of(value: Any) -> Given | None:
    return Given(tuple(value.shape), dtype_name(value.dtype)) if isinstance(value, torch.Tensor) else None
