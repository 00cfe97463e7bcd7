"""The presets of a package: what one binds, and their names held against what the package declares.

In: a manifest and the trees of its package that were loaded.  Out: bindings by name; E5001 at every name no block or entry of the
package declares, unless a file of it has syntax errors, which may hide the declaration.  Files of the package that were not loaded are
read only when a name is found in none of the others; what is wrong with them is said when they are checked.
"""

from __future__ import annotations

from os import path as paths
from typing import TYPE_CHECKING

from linnet_core.errors import UsageError
from linnet_core.modules.locate import files_below
from linnet_core.syntax import tree
from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.near import did_you_mean, listed
from linnet_core.text.source import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linnet_core.modules.load import Package
    from linnet_core.modules.manifest import Manifest


def preset(package: Package, name: str | None) -> dict[str, int | str | list[int]]:
    """The bindings of `[presets.NAME]`; none without a name; `UsageError` when the package has no such preset."""
    if name is None:
        return {}
    presets = package.manifest.presets if package.manifest is not None else {}
    if name not in presets:
        known = f"there are: {', '.join(presets)}" if presets else "linnet.toml has none"
        raise UsageError(f"there is no preset `{name}`; {known}")
    return dict(presets[name])


def check_presets(manifest: Manifest, files: Iterable[tree.File], diagnostics: Diagnostics) -> None:
    """Report the names in `[presets.*]` that bind nothing."""
    if not manifest.presets:
        return
    known = {name for file in files for name in bindable(file.items)}
    if all(name in known for preset in manifest.presets.values() for name in preset):
        return
    mistakes = Diagnostics()
    known.update(name for file in _all_files(manifest, mistakes) for name in bindable(file.items))
    if mistakes.found:
        return  # What could not be read may declare the name.
    for preset, bindings in manifest.presets.items():
        for name in bindings:
            if name not in known:
                message = f"no block or entry of `{manifest.name}` has a generic `{name}`"
                diagnostics.report(
                    "E5001", message, manifest.span("presets", preset, name), help=did_you_mean(name, known) or _bindable(known)
                )


def _bindable(known: set[str]) -> str:
    """What a preset can bind."""
    return f"a preset binds {listed(sorted(known)[:12])}" if known else "take it out: no block or entry here has a generic"


def bindable(items: Iterable[tree.Item]) -> Iterator[str]:
    """The names of the generics of blocks and entries, at whatever depth."""
    for item in items:
        match item:
            case tree.Block():
                yield from (generic.name.text for generic in item.generics)
                yield from bindable(item.items)
            case tree.Function(kind="entry"):
                yield from (generic.name.text for generic in item.generics)
            case _:
                pass


def _all_files(manifest: Manifest, mistakes: Diagnostics) -> Iterator[tree.File]:
    """Every file of the package that can be read; what is wrong with their text goes to `mistakes`."""
    for file in files_below(paths.join(manifest.directory, "src")):
        try:
            yield parse(read(file, mistakes), mistakes)
        except UsageError:
            continue
