"""Weights by path: from a file, all problems in one report, or at random.

In: an opened file and the parameters an entry wants, in order.  Out: arrays in that order, or `DocumentError` listing everything
missing or of another type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.errors import DocumentError
from linnet_core.text.cells import show_inline
from linnet_core.weights.arrays import Wanted, describe
from linnet_core.weights.random import random_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from linnet_core.weights.safetensors import TensorFile

#: Names of tensors that are shown when some parameter is missing.
SHOWN = 4


def bind_file(file: TensorFile, wanted: Sequence[Wanted]) -> list[np.ndarray[Any, Any]]:
    """The arrays of `wanted` from `file`."""
    problems = [problem for parameter in wanted if (problem := _problem(file, parameter)) is not None]
    if problems:
        problems += _left_over(file, wanted)
        raise DocumentError("\n  ".join([f"{file.path} does not fit the model:", *problems]))
    return [file.array(parameter.name) for parameter in wanted]


def unused(file: TensorFile, wanted: Sequence[Wanted]) -> list[str]:
    """The tensors of the file that no parameter takes, names ascending."""
    return sorted(file.entries.keys() - {parameter.name for parameter in wanted})


def bind_random(seed: int, wanted: Sequence[Wanted]) -> list[np.ndarray[Any, Any]]:
    """Random arrays for `wanted`."""
    return [random_array(seed, parameter) for parameter in wanted]


def _left_over(file: TensorFile, wanted: Sequence[Wanted]) -> list[str]:
    """A line of the tensors no parameter takes, where a parameter is missing: it may be there under another name."""
    names = unused(file, wanted)
    if not names or all(parameter.name in file.entries for parameter in wanted):
        return []
    shown = ", ".join(f"`{show_inline(name)}`" for name in names[:SHOWN])
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    prefix = _prefix([parameter.name for parameter in wanted if parameter.name not in file.entries], names)
    behind = f"; what is missing stands there behind `{show_inline(prefix)}`" if prefix is not None else ""
    return [f"the file also holds {shown}{more}{behind}"]


def _prefix(missing: Sequence[str], names: Sequence[str]) -> str | None:
    """What stands before every missing name among the file's: a model is often stored as a part of another."""
    known = set(names)
    first = missing[0]
    for name in names:
        prefix = name[: -len(first)]
        if name.endswith(f".{first}") and all(prefix + each in known for each in missing):
            return prefix
    return None


def _problem(file: TensorFile, wanted: Wanted) -> str | None:
    entry = file.entries.get(wanted.name)
    if entry is None:
        alias = file.aliases.get(wanted.name)
        return f"{wanted} is missing" + (f"; the file calls it an alias of `{alias}`" if alias is not None else "")
    if entry.shape != wanted.shape or entry.dtype != wanted.dtype:
        return f"{wanted} is stored as {describe(entry.shape, entry.stored)}"
    return None
