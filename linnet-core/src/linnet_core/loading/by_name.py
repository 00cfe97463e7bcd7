"""Weights and generics that are handed to a loader by name.

In: what a caller gave.  Out: the same, once it is known to be a mapping from names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linnet_core.errors import UsageError


def by_name(weights: Any) -> Mapping[str, Any]:
    """The mapping; `UsageError` for anything else, such as the module whose `state_dict()` is meant."""
    if not isinstance(weights, Mapping):
        meant = "; give its `state_dict()`" if callable(getattr(weights, "state_dict", None)) else ""
        raise UsageError(f"weights: a file, a directory or tensors by name are due, not {type(weights).__name__}{meant}")
    for name in weights:
        if not isinstance(name, str):
            raise UsageError(f"weights: names are strings, and one is of type {type(name).__name__}")
    return weights


def check_by_name(generics: Any) -> None:
    """`UsageError` where generics are neither left out nor values by name."""
    if generics is not None and not isinstance(generics, Mapping):
        raise UsageError(f"generics: values by name are due, not {type(generics).__name__}")
