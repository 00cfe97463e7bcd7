"""Which tensor of a checkpoint each path of a model is.

In: the file a person wrote (`schemas/bindings-1.schema.json`): an object from paths to names of tensors.  Out: `TensorNames`, which
answers for one path at a time.  `[*]` and `{*}` in a path stand for numbers, which are put into the name where that has such a mark
(`patterns.py`); a path written out goes before one with marks.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import DocumentError, UsageError
from linnet_core.schema.validate import parse, validate
from linnet_core.weights.opening import open_regular
from linnet_core.weights.patterns import Patterns, has_mark, patterns

if TYPE_CHECKING:
    from collections.abc import Iterable


class TensorNames(Struct, frozen=True):
    """Names by path and by pattern; a path without a binding is its own name."""

    exact: dict[str, str] = {}
    patterns: Patterns = Patterns()

    def name(self, path: str) -> str:
        """The tensor that `path` is."""
        found = self.exact.get(path)
        if found is None:
            found = self.patterns.name(path)
        return path if found is None else found

    def binds(self, path: str) -> bool:
        """Whether the file says something of `path`."""
        return path in self.exact or self.patterns.fit(path)

    def unknown(self, paths: Iterable[str]) -> list[str]:
        """What the file binds that is none of `paths`: first what it writes out, each in its order."""
        known = set(paths)
        return [*(path for path in self.exact if path not in known), *self.patterns.unmet(known)]


def read_bindings(path: str) -> TensorNames:
    """The bindings of a file; `UsageError` when it is not there, `DocumentError` when it is none."""
    with open_regular(path, "a JSON object from paths to names of tensors") as file:
        text = file.read()
    try:
        document = parse(text)
        validate(document, "bindings-1")
        return tensor_names(document)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from None


def names_given(bindings: str | os.PathLike[str] | Mapping[str, str] | None, weights: object) -> TensorNames | None:
    """The bindings a program gives as a file, as a mapping, or not at all; `UsageError` where there are no `weights` they speak of."""
    if bindings is None:
        return None
    if weights is None:
        raise UsageError("bindings: they name tensors of weights, and no weights are given")
    if not isinstance(bindings, str | os.PathLike | Mapping):
        raise UsageError(f"bindings: a file or names by path are due, not {type(bindings).__name__}")
    return read_bindings(os.fspath(bindings)) if isinstance(bindings, str | os.PathLike) else tensor_names(bindings)


def tensor_names(bindings: Mapping[str, str]) -> TensorNames:
    """Bindings as a program has them; `DocumentError` where a name has more or fewer marks than its path, or one runs into a number."""
    for path, name in bindings.items():
        if not isinstance(path, str) or not isinstance(name, str):
            raise DocumentError(f"bindings lead from paths to names of tensors, not from {path!r} to {name!r}")
    exact = {path: name for path, name in bindings.items() if not has_mark(path)}
    return TensorNames(exact, patterns([(path, name) for path, name in bindings.items() if path not in exact]))
