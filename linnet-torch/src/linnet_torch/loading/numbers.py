"""The inputs of a call: tensors, numbers of Python, and what is left out.

In: values as a program gives them.  Out: what tells signatures apart, the sizes they bind, tensors of numbers.  Raises `RuntimeFailure`
for a value that fits no input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from linnet_core.check.types import FLOATS, INTEGERS
from linnet_core.errors import RuntimeFailure
from linnet_core.loading.inputs import Given, bind_inputs, declared_inputs
from linnet_torch.loading.dtypes import TORCH_DTYPES, dtype_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.bind import Bindings
    from linnet_core.loading.model import Model


def signature(value: Any) -> Any:
    """What tells calls apart: memory laid out in another way may be shared in another way."""
    return (value.shape, value.dtype, value.is_contiguous()) if isinstance(value, torch.Tensor) else type(value)


def bind_call(model: Model, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None) -> Bindings:
    """Numbers for all generics of entry `name` of `model`."""
    found = model.entries[name]
    declared = declared_inputs(found)
    given = [_given(each, name, declared[at].name if at < len(declared) else str(at), model) for at, each in enumerate(inputs)]
    own = [generic.name for generic in found.function.generics]
    further = {key: value for key, value in model.further.items() if key in own}
    return bind_inputs(found, model.bindings, given, generics, further)


def number(entry: str, name: str, dtype: str, device: torch.device, value: Any) -> torch.Tensor:
    """A number of Python as the scalar that input `name` declares."""
    if _takes(dtype, value):
        try:
            return torch.tensor(value, dtype=TORCH_DTYPES[dtype], device=device)
        except (RuntimeError, OverflowError):
            pass  # beyond what the dtype holds
    raise RuntimeFailure(f"entry `{entry}`, input `{name}`: {dtype} is wanted, {value!r} was given")


def _takes(dtype: str, value: Any) -> bool:
    """Whether a number of Python is one of `dtype` without loss of kind."""
    if isinstance(value, bool) or dtype == "bool":
        return isinstance(value, bool) and dtype == "bool"
    return dtype in FLOATS or (dtype in INTEGERS and isinstance(value, int))


def _given(value: Any, entry: str, name: str, model: Model) -> Given | None:
    if isinstance(value, torch.Tensor):
        return Given(tuple(value.shape), dtype_name(value.dtype))
    if isinstance(value, bool | int | float):
        return Given((), None)
    if value is None and name in model.defaults.get(entry, ()):
        return None
    raise RuntimeFailure(f"entry `{entry}`, input `{name}`: a tensor or a number is due, not {type(value).__name__}")
