"""`linnet init`: a new package.

In: a directory, there or not.  Out: `linnet.toml` and `src/lib.linnet` in it, a small model that checks, plans and runs; on stdout
what to do next.  What is there already is never overwritten.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

Directory = Annotated[str, typer.Argument(metavar="[DIR]", help="Where the package goes; made if it is not there.")]

_MANIFEST = """\
[package]
name = "{name}"
version = "0.1.0"
language = "0.1"

# Sizes for trying the model: `linnet run --preset tiny`.
[presets.tiny]
In = 8
Hidden = 16
Out = 4
B = 2
"""

_MODEL = """\
module {name}

use std.nn.activations::{{relu}}
use std.nn.linear::{{Linear}}

/// A classifier of vectors: two layers, a rectifier between them.
pub block Model<In: Dim, Hidden: Dim, Out: Dim, T: Float = f32> {{
    sub hidden: Linear<In, Hidden, T>
    sub output: Linear<Hidden, Out, T>

    /// The scores of each of `Out` classes for `B` vectors.
    pub entry forward<B: Dim>(x: Tensor[B, In; T]) -> Tensor[B, Out; T] {{
        return output.forward(relu(hidden.forward(x)))
    }}
}}
"""

_NEXT = """\
made the package `{name}`: {files}
next:
  linnet check {place}
  linnet run --preset tiny --weights random --input x=random {place}
  linnet plan {place}
"""


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet init`."""
    return _init


def _init(directory: Directory = ".") -> None:
    """Make a new package: a manifest and a small model that checks, plans and runs."""
    from shlex import quote

    from linnet_core.cli.output import replace_file, write
    from linnet_core.modules.locate import ROOT
    from linnet_core.modules.manifest import NAME
    from linnet_core.text.cells import show_inline

    if not directory:
        raise UsageError("the directory of the package has no name")
    name = package_name(directory)
    texts = {os.path.join(directory, NAME): _MANIFEST, os.path.join(directory, "src", ROOT): _MODEL}
    _refuse_what_is_there(directory, list(texts))
    for path, text in texts.items():
        _make_directory(os.path.dirname(path))
        replace_file(path, text.format(name=name).encode("utf-8"))
    files = ", ".join(show_inline(os.path.normpath(path)) for path in texts)
    place = os.path.join(os.curdir, directory) if directory.startswith("-") else directory  # no option of the next command
    write(_NEXT.format(name=name, files=files, place=quote(place)))


def package_name(directory: str) -> str:
    """The last part of the directory's path, made an identifier; `model` where nothing of it can be kept."""
    from linnet_core.modules.manifest import identifier, is_name

    last = os.path.basename(os.path.realpath(directory))
    if is_name(last):
        return last
    name = identifier(last)
    return name if any(character.isalnum() for character in name) else "model"


def _refuse_what_is_there(directory: str, files: list[str]) -> None:
    """`UsageError` when one of the files exists, or something that is no directory stands in the way."""
    for folder in (directory, os.path.join(directory, "src")):
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise UsageError(f"cannot make a package in `{directory}`: `{folder}` is no directory")
    for file in files:
        if os.path.lexists(file):
            raise UsageError(f"cannot make a package in `{directory}`: `{os.path.normpath(file)}` is there already")


def _make_directory(folder: str) -> None:
    """Make a directory and those above it."""
    try:
        os.makedirs(folder or ".", exist_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot make `{folder}`: {getattr(error, 'strerror', None) or error}") from None
