"""Import paths to files.

In: the path of a `use` and the place of the module that says it.  Out: `Place`, the file and the module name it stands for,
or a `Missing` that says why there is none.  Nothing is read here but manifests.
"""

from __future__ import annotations

import os
from contextlib import suppress
from os import path as paths
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import UsageError
from linnet_core.modules.manifest import NAME, Manifest, read_manifest
from linnet_core.text.near import did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.text.diagnostic import Diagnostics
    from linnet_core.text.span import Span

SUFFIX = ".linnet"
ROOT = "lib.linnet"


class Place(Struct, frozen=True):
    """Where a module stands: its file as it is shown, its name, and the package or library around it.

    `package` is the directory of the package (absolute), `"std"` inside the standard library, None for a file of neither.
    `name` is None for a file whose own `module` line names it.
    """

    file: str
    name: str | None
    package: str | None


class Missing(Struct, frozen=True):
    """Why an import leads nowhere.  Without a message the reason was reported before."""

    message: str | None
    help: str | None = None


#: Who says where the library is, where the user does not.
_INSTALLED = "the installed copy"

#: `Place.package` of the modules of the standard library.
STD = "std"


class Locator:
    """Answers for one run; every manifest is read once."""

    def __init__(self, std: str | None, diagnostics: Diagnostics) -> None:
        """`std` is the library's directory if the user named one; bad manifests are reported to `diagnostics`."""
        self._diagnostics = diagnostics
        self.std, self._std_from = _std_directory(std)
        #: Whether the user named the library's directory, with `--std` or in LINNET_STD.
        self.std_named = self._std_from != _INSTALLED
        self._std_missing = not paths.isdir(self.std)
        self._std_reported = False
        self._manifests: dict[str, Manifest | None] = {}
        self._owners: dict[str, str] = {}
        self._above: dict[str, str | None] = {}

    # roots

    def root(self, path: str) -> Place:
        """The place of a file or package the user named; raises `UsageError` when it is neither."""
        if paths.isdir(path):
            if not paths.isfile(paths.join(path, NAME)):
                raise UsageError(f"`{path}` is a directory without {NAME}, so no package")
            return self._module_of(paths.abspath(path), path, ())
        if path != "-" and not paths.lexists(path):
            raise UsageError(f"`{path}` does not exist")
        if path == "-":
            return Place("-", None, None)
        directory = self._package_above(paths.dirname(paths.abspath(path)))
        if directory is None:
            return Place(path, None, None)
        inside = paths.relpath(paths.abspath(path), paths.join(directory, "src"))
        manifest = self.manifest(directory, shown_like(directory, path))
        if manifest is None or inside.startswith("..") or not inside.endswith(SUFFIX):
            return Place(path, None, directory)
        parts = inside.removesuffix(SUFFIX).split(os.sep)
        return Place(path, ".".join([manifest.name, *([] if parts == ["lib"] else parts)]), directory)

    def manifest(self, directory: str, shown: str | None = None) -> Manifest | None:
        """The manifest of the package in the absolute `directory`; None when it is bad, which is reported once."""
        if directory not in self._manifests:
            self._manifests[directory] = read_manifest(shown if shown is not None else directory, self._diagnostics)
        return self._manifests[directory]

    # imports

    def find(self, use: tuple[str, ...], importer: Place) -> Place | Missing:
        """The module `use` names in the module at `importer`."""
        first, rest = use[0], use[1:]
        if first == "std":
            return self._in_std(rest)
        if importer.package == STD:
            return Missing(f"a module of the standard library imports `std` only, not `{first}`", "import a module of `std`")
        if importer.package is None:
            return Missing(
                f"`{first}` is unknown here: a file outside a package imports `std` only",
                f"a package is a directory with {NAME} and `src{os.sep}{ROOT}`",
            )
        manifest = self.manifest(importer.package)
        if manifest is None:
            return Missing(None)
        if first == "crate":
            return self._existing(use, self._module_of(importer.package, manifest.directory, rest))
        return self._in_dependency(first, rest, importer.package, manifest)

    def _in_std(self, rest: tuple[str, ...]) -> Place | Missing:
        """`std.a.b`."""
        if self._std_missing:
            if self._std_reported:
                return Missing(None)
            self._std_reported = True
            return Missing(
                f"the standard library is missing: {self._std_from} is `{self.std}`, and that is no directory",
                "name its directory with `--std` or in LINNET_STD",
            )
        if not rest:
            return Missing("`std` itself is no module", "name one of its modules: `std.nn.linear`")
        file = paths.join(self.std, *rest) + SUFFIX
        return self._existing(("std", *rest), Place(file, ".".join(("std", *rest)), STD))

    def _module_of(self, directory: str, shown: str, rest: tuple[str, ...]) -> Place:
        """Where the module `rest` of a package is, there or not; nothing for the root module."""
        manifest = self.manifest(directory, shown)
        name = manifest.name if manifest is not None else ""
        file = paths.normpath(paths.join(shown, "src", *rest) + SUFFIX if rest else paths.join(shown, "src", ROOT))
        return Place(file, ".".join((name, *rest)) if name else None, directory)

    def _in_dependency(self, key: str, rest: tuple[str, ...], package: str, manifest: Manifest) -> Place | Missing:
        """`dep.a.b`."""
        if key not in manifest.dependencies:
            known = [*manifest.dependencies, "std", "crate"]
            help = did_you_mean(key, known) or f"modules of the package are imported from `crate`, other packages are listed in {NAME}"
            return Missing(f"no dependency is called `{key}`", help)
        shown = manifest.dependencies[key]
        directory = paths.abspath(shown)
        if not paths.isfile(paths.join(directory, NAME)):
            message = f"the dependency `{key}` is no package: there is no `{paths.join(shown, NAME)}`"
            self._complain(message, manifest.span("dependencies", key), f"name the directory that holds its {NAME}")
            return Missing(None)
        other = self.manifest(directory, shown)
        if other is None:
            return Missing(None)
        self._owners.setdefault(manifest.name, package)
        owner = self._owners.setdefault(other.name, directory)
        if paths.realpath(owner) != paths.realpath(directory):
            message = f"two packages are named `{other.name}`: `{owner}` and `{directory}`"
            self._complain(message, manifest.span("dependencies", key), "name one of them otherwise in its `[package]`")
            return Missing(None)
        return self._existing((key, *rest), self._module_of(directory, shown, rest))

    def _complain(self, message: str, span: Span, help: str) -> None:
        """Report E5001."""
        self._diagnostics.report("E5001", message, span, help=help)

    def _existing(self, use: tuple[str, ...], place: Place) -> Place | Missing:
        """`place` if something is there (what cannot be read is said when it is read); modules beside it may be meant."""
        if paths.lexists(place.file):
            return place
        inside = _modules_in(place.file.removesuffix(SUFFIX))
        siblings = _modules_in(paths.dirname(place.file))
        help = f"name one of the modules in it: {listed(inside)}" if inside else did_you_mean(use[-1], siblings)
        if help is None and place.package == STD:
            help = f"there are {listed(siblings)}" if siblings else self._help_in_std()
        help = help or "write the module there, or import another"
        return Missing(f"there is no module `{'.'.join(use)}`: `{place.file}` does not exist", help)

    def _help_in_std(self) -> str:
        """What to do about a module of the standard library beside which there is none."""
        if _modules_in(self.std):
            return "name one of its modules: `std.nn.linear`"
        return f"{self._std_from} is `{self.std}`, and that is not the standard library: no module stands in it"

    def _package_above(self, directory: str) -> str | None:
        """The nearest directory from the absolute `directory` upward that holds a manifest."""
        passed: list[str] = []
        found: str | None = None
        while True:
            if directory in self._above:
                found = self._above[directory]
                break
            passed.append(directory)
            if paths.isfile(paths.join(directory, NAME)):
                found = directory
                break
            above = paths.dirname(directory)
            if above == directory:
                break
            directory = above
        for each in passed:
            self._above[each] = found
        return found


def _modules_in(directory: str) -> list[str]:
    """The last parts of the paths of the modules that stand in `directory` itself, in order; none where there is no such directory."""
    with suppress(OSError):
        return sorted(name.removesuffix(SUFFIX) for name in os.listdir(directory) if name.endswith(SUFFIX) and not name.startswith("."))
    return []


def files_below(directory: str) -> Iterator[str]:
    """The files with the suffix of a module below `directory`, in order of name; what is hidden and links to folders are left out.

    So is what is no file: a pipe that nobody writes to would be read for ever.  A link to nothing is in, to be told, unless it is hidden:
    some editors leave one beside a file while it is changed.
    """
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = paths.join(folder, name)
            if name.endswith(SUFFIX) and not name.startswith(".") and (paths.isfile(file) or not paths.exists(file)):
                yield file


def shown_like(directory: str, path: str) -> str:
    """The absolute `directory` as it is shown beside `path`: relative when `path` is."""
    return directory if paths.isabs(path) else paths.relpath(directory)


def _std_directory(given: str | None) -> tuple[str, str]:
    """The directory of the standard library, and who says so."""
    if given is not None:
        if not paths.isdir(given):
            raise UsageError(f"--std: `{given}` is no directory")
        return given, "`--std`"
    named = os.environ.get("LINNET_STD")
    if named:
        return named, "LINNET_STD"
    import linnet_core

    return paths.join(paths.dirname(paths.abspath(linnet_core.__file__)), "std"), _INSTALLED
