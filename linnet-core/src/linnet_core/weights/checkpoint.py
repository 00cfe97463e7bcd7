"""Weights on a disk: one safetensors file, or a directory of them.

In: a path.  Out: a `Checkpoint`: every tensor by name, whichever file holds it.  An index (`*.safetensors.index.json`, an object whose
`weight_map` leads from names to files of the directory) says which files belong together; without one all of the directory do.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from linnet_core.errors import DocumentError, UsageError
from linnet_core.schema.validate import parse
from linnet_core.text.cells import show_inline
from linnet_core.weights.opening import open_regular
from linnet_core.weights.safetensors import Entry, TensorFile, open_tensors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

SUFFIX = ".safetensors"
INDEX_SUFFIX = ".safetensors.index.json"


class Holder(Protocol):
    """Whatever holds tensors by name: files, or the mapping a program made."""

    @property
    def path(self) -> str:
        """What messages call it."""
        ...

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Every tensor's dtype and shape."""
        ...

    @property
    def aliases(self) -> Mapping[str, str]:
        """Names that stand for a tensor of another name."""
        ...

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """One tensor."""
        ...


class Checkpoint(Struct, frozen=True):
    """The tensors of one or more files; `homes` says which file each is in."""

    path: str
    entries: dict[str, Entry]
    aliases: dict[str, str]
    homes: dict[str, TensorFile]

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """The tensor, mapped read-only from its file."""
        return self.homes[name].array(name)


def open_checkpoint(path: str) -> Checkpoint:
    """The tensors of a file or directory; only headers are read.

    `UsageError` for a path that is not there, `DocumentError` in one line for files that cannot be used or do not fit each other.
    """
    if not os.path.isdir(path):
        return _joined(path, [open_tensors(path)])
    names = _names(path)
    indices = [name for name in names if name.endswith(INDEX_SUFFIX)]
    if len(indices) > 1:
        raise DocumentError(f"{path}: several indices ({', '.join(indices)}); give the file or a directory with one")
    if indices:
        return _indexed(path, os.path.join(path, indices[0]))
    files = [name for name in names if name.endswith(SUFFIX)]
    if not files:
        raise UsageError(f"{path}: a directory without {SUFFIX} files")
    return _joined(path, [open_tensors(os.path.join(path, name)) for name in files])


def _names(path: str) -> list[str]:
    try:
        return sorted(os.listdir(path))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def _indexed(path: str, index: str) -> Checkpoint:
    """The files an index lists."""
    homes = _weight_map(index)
    files = {name: open_tensors(os.path.join(path, name)) for name in sorted(set(homes.values()))}
    for tensor, name in homes.items():
        if tensor not in files[name].entries:
            raise DocumentError(f"{index}: `{show_inline(tensor)}` should be in {name}, which does not hold it")
    return _joined(path, list(files.values()))


def _weight_map(index: str) -> dict[str, str]:
    with open_regular(index, "an index of .safetensors files") as file:
        text = file.read()
    try:
        document = parse(text)
    except DocumentError as error:
        raise DocumentError(f"{index}: {error}") from None
    homes = document.get("weight_map") if isinstance(document, dict) else None
    if not isinstance(homes, dict) or not all(isinstance(name, str) for name in homes.values()):
        raise DocumentError(f"{index}: no index: `weight_map` should lead from the names of tensors to files")
    for name in homes.values():
        if os.path.basename(name) != name or not name.endswith(SUFFIX):
            raise DocumentError(f"{index}: `{show_inline(name)}` is no {SUFFIX} file of this directory")
    return homes


def _joined(path: str, files: Sequence[TensorFile]) -> Checkpoint:
    homes: dict[str, TensorFile] = {}
    for file in files:
        for name in file.entries:
            if name in homes:
                raise DocumentError(f"{path}: `{show_inline(name)}` is in {homes[name].path} and in {file.path}")
            homes[name] = file
    entries = {name: file.entries[name] for name, file in homes.items()}
    aliases = {name: target for file in files for name, target in file.aliases.items() if name not in entries}
    return Checkpoint(path, entries, aliases, homes)
