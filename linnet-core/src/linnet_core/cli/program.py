"""From a path to a checked program and its Core IR, as every command but `check` needs it.

In: a `.linnet` file or a directory with `linnet.toml`.  Out: the loaded package and the program, or `SourceError` with diagnostics.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.check.program import Program
    from linnet_core.ir.library_calls import Numerics
    from linnet_core.ir.module import Module
    from linnet_core.modules.load import Package


def load_program(path: str, std: str | None) -> tuple[Package, Program]:
    """Load and check; `UsageError` when there is no such path, `SourceError` with everything found otherwise."""
    from linnet_core.check.check import check
    from linnet_core.modules.load import load
    from linnet_core.text.diagnostic import Diagnostics

    if not os.path.exists(path):
        raise UsageError(f"{path}: no such file or directory")
    if os.path.isdir(path) and not os.path.exists(os.path.join(path, "linnet.toml")):
        raise UsageError(f"{path}: this directory has no linnet.toml; give a .linnet file or a package")
    diagnostics = Diagnostics()
    package = load(path, std=std, diagnostics=diagnostics)
    diagnostics.raise_errors()
    assert package is not None, "loading without a package reports why"
    program = check(package, diagnostics)
    diagnostics.raise_errors()
    assert program is not None, "checking without a program reports why"
    return package, program


def lowered(program: Program, numerics: Numerics, *, optimize: bool) -> Module:
    """The Core IR with the library calls `numerics` permits selected, verified; passes run unless `optimize` is off."""
    from linnet_core.ir.library_calls import select_library_calls
    from linnet_core.ir.lower import lower
    from linnet_core.ir.passes import optimize as run_passes

    module = lower(program)
    if optimize:
        module = run_passes(module)
    return select_library_calls(module, numerics)


def preset(package: Package, name: str | None) -> dict[str, Any]:
    """The bindings of `[presets.NAME]`; `UsageError` when the package has no such preset."""
    if name is None:
        return {}
    presets = package.manifest.presets if package.manifest is not None else {}
    if name not in presets:
        known = f"there are: {', '.join(presets)}" if presets else "linnet.toml has none"
        raise UsageError(f"there is no preset `{name}`; {known}")
    return dict(presets[name])


def bindings(texts: Iterable[str]) -> dict[str, str]:
    """`--bind` options as a mapping; a later one of a name wins."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--bind takes NAME=VALUE, not `{text}`")
        found[name.strip()] = value
    return found
