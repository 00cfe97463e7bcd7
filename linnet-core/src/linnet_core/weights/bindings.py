"""Which tensor of a checkpoint each path of a model is.

In: the file a person wrote (`schemas/bindings-1.schema.json`): an object from paths to names of tensors.  Out: `TensorNames`, which
answers for one path at a time.  `[*]` in a path stands for the number of an element, as in a manifest, and is put into the name where
that says `[*]`; a path written out goes before one with `[*]`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import DocumentError, UsageError
from linnet_core.schema.validate import parse, validate
from linnet_core.text.cells import show_inline
from linnet_core.weights.opening import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable

#: What stands for `.N` in a pattern.
ELEMENT = "[*]"


class TensorNames(Struct, frozen=True):
    """Names by path and by pattern; a path without a binding is its own name."""

    exact: dict[str, str] = {}
    patterns: dict[str, str] = {}

    def name(self, path: str) -> str:
        """The tensor that `path` is."""
        found = self.exact.get(path)
        if found is not None or not self.patterns:
            return path if found is None else found
        pattern, numbers = _pattern(path)
        name = self.patterns.get(pattern)
        return path if name is None else _filled(name, numbers)

    def binds(self, path: str) -> bool:
        """Whether the file says something of `path`."""
        return path in self.exact or (bool(self.patterns) and _pattern(path)[0] in self.patterns)

    def unknown(self, paths: Iterable[str]) -> list[str]:
        """What the file binds that is none of `paths`, in its order."""
        known = set(paths)
        patterns = {_pattern(path)[0] for path in known} if self.patterns else set()
        return [*(path for path in self.exact if path not in known), *(each for each in self.patterns if each not in patterns)]


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
    """Bindings as a program has them; `DocumentError` where a name has more or fewer `[*]` than its path."""
    exact: dict[str, str] = {}
    patterns: dict[str, str] = {}
    for path, name in bindings.items():
        if not isinstance(path, str) or not isinstance(name, str):
            raise DocumentError(f"bindings lead from paths to names of tensors, not from {path!r} to {name!r}")
        if ELEMENT not in path:
            exact[path] = name
        elif path.count(ELEMENT) != name.count(ELEMENT):
            raise DocumentError(f"`{show_inline(path)}` and its tensor `{show_inline(name)}` differ in how many `{ELEMENT}` they have")
        else:
            patterns[path] = name
    return TensorNames(exact, patterns)


def _pattern(path: str) -> tuple[str, list[str]]:
    """`layers.3.up` as `layers[*].up`, and the numbers."""
    first, *rest = path.split(".")
    numbers = [part for part in rest if part.isdigit()]
    return "".join([first, *(ELEMENT if part.isdigit() else f".{part}" for part in rest)]), numbers


def _filled(name: str, numbers: list[str]) -> str:
    first, *rest = name.split(ELEMENT)
    return "".join([first, *(f".{number}{part}" for number, part in zip(numbers, rest, strict=True))])
