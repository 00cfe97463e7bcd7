"""From a path to a checked program: loading and checking in one step.

In: a `.linnet` file, `-` for stdin, or a directory with `linnet.toml`.  Out: the loaded package and the program, or `SourceError` with
diagnostics.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from linnet_core.check.check import check
from linnet_core.errors import InternalError, UsageError
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from linnet_core.check.program import Program
    from linnet_core.modules.load import Package


def load_program(path: str, std: str | None = None, *, whole: bool = True) -> tuple[Package, Program]:
    """Load and check; `UsageError` when there is no such path, `SourceError` with everything found otherwise.

    `whole` as `check` takes it: who lists the functions of a program, as a plan does, needs all of them.
    """
    if path != "-" and not os.path.exists(path):
        raise UsageError(f"{path}: no such file or directory")
    if os.path.isdir(path) and not os.path.exists(os.path.join(path, "linnet.toml")):
        raise UsageError(f"{path}: this directory has no linnet.toml; give a .linnet file or a package")
    diagnostics = Diagnostics()
    package = load(path, std=std, diagnostics=diagnostics)
    diagnostics.raise_errors()
    program = check(package, diagnostics, whole=whole) if package is not None else None
    diagnostics.raise_errors()
    if package is None or program is None:
        raise InternalError("a package that cannot be loaded or checked gives no reason")
    return package, program
