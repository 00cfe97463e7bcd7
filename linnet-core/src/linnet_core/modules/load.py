"""Root files to `Package`: the door of this room.

In: the path of a `.linnet` file or of a package.  Out: `Package`: every module that can be reached, parsed once, in load
order.  Everything wrong with texts, imports and manifests is in the collector.
"""

from __future__ import annotations

from os import path as paths
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from linnet_core.errors import UsageError
from linnet_core.modules.cycles import cycles, load_order
from linnet_core.modules.locate import STD, SUFFIX, Locator, Missing, Place
from linnet_core.modules.presets import check_presets
from linnet_core.syntax.parse_file import parse
from linnet_core.syntax.tokens import REFUSED, RESERVED
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import listed
from linnet_core.text.source import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.modules.manifest import Manifest
    from linnet_core.syntax.tree.items import File, Use
    from linnet_core.text.diagnostic import Diagnostics
    from linnet_core.text.source import Source

Origin = Literal["package", "std", "dependency"]


class Module(Struct, frozen=True, eq=False):
    """One parsed file.  Compared by identity.

    `name` is `<package>.a.b`, `std.a.b`, or what the `module` line of a lone file says.  `imports` leads from each `use` of
    the file to its module; one that leads nowhere is missing there and was reported.
    """

    name: str
    source: Source
    tree: File
    imports: dict[Use, Module]
    origin: Origin


class Package(Struct, frozen=True, eq=False):
    """What was asked for and all it needs; a module comes after those it imports.

    `std` is the standard library's directory, `std_named` whether the user said which: then its text is theirs, else the installed copy.
    """

    root: Module
    roots: tuple[Module, ...]
    modules: tuple[Module, ...]
    manifest: Manifest | None
    std: str
    std_named: bool

    @property
    def root_modules(self) -> tuple[Module, ...]:
        """The modules of the package given, not those of `std` and of dependencies."""
        return tuple(module for module in self.modules if module.origin == "package")

    def is_installed(self, module: Module) -> bool:
        """Whether the module is of the installed standard library, and not the file of it that was asked for."""
        return module.origin == "std" and not self.std_named


def load(path: str, *, std: str | None = None, diagnostics: Diagnostics) -> Package | None:
    """The package of `path`: a `.linnet` file, or a directory with `linnet.toml` (then its `src/lib.linnet`).

    None when there is nothing to go on with; the reason is in `diagnostics`.  Raises `UsageError` for a path or a `std`
    that does not exist or cannot be read.
    """
    return load_many([path], std=std, diagnostics=diagnostics)


def load_many(given: Sequence[str], *, std: str | None = None, diagnostics: Diagnostics) -> Package | None:
    """Like `load` for several roots, none of whose files is read twice; the manifest is that of the first."""
    locator = Locator(std, diagnostics)
    places = [locator.root(path) for path in given]
    loader = _Loader(locator, diagnostics, places)
    named = [not paths.isdir(path) for path in given]
    roots = [found for place, file in zip(places, named, strict=True) if (found := loader.root(place, named=file)) is not None]
    loader.follow()
    loader.check_presets()
    package = loader.package(roots)
    if package is not None:
        diagnostics.files = tuple(module.source for module in package.modules)
    return package


class _Loader:
    """Parses what is reachable; modules are numbered as they are found."""

    def __init__(self, locator: Locator, diagnostics: Diagnostics, roots: Sequence[Place]) -> None:
        self._locator = locator
        self._diagnostics = diagnostics
        self._own = {place.package for place in roots if place.package is not None}
        self._number_of: dict[str, int | None] = {}
        self._modules: list[Module] = []
        self._places: list[Place] = []
        self._imports: list[list[int]] = []
        self._waiting: list[int] = []

    def root(self, place: Place, *, named: bool) -> int | None:
        """The module of a root, whose file or only package was named; None when a package has no root module, which is reported."""
        if place.package is not None and not paths.lexists(place.file):
            manifest = self._locator.manifest(place.package)
            if manifest is not None:  # of a bad manifest was said enough
                help = "write the package's root module there"
                self._diagnostics.report("E1202", f"`{place.file}` does not exist", manifest.span("package", "name"), help=help)
            return None
        key = paths.realpath(place.file)
        if key not in self._number_of:
            self._number_of[key] = self._add(place, read(place.file, self._diagnostics, named=named), "package")
        return self._number_of[key]

    def follow(self) -> None:
        """Find and parse the imports of every module found so far, and theirs."""
        for number in self._waiting:
            module, place = self._modules[number], self._places[number]
            for use in module.tree.uses:
                target = self._import(use, place)
                if target is not None:
                    module.imports[use] = self._modules[target]
                    self._imports[number].append(target)
        self._waiting = []

    def check_presets(self) -> None:
        """Hold the presets of each package given against its modules."""
        for directory in sorted(self._own - {STD}):
            manifest = self._locator.manifest(directory)
            if manifest is not None:
                trees = [module.tree for module, place in zip(self._modules, self._places, strict=True) if place.package == directory]
                check_presets(manifest, trees, self._diagnostics)

    def package(self, roots: Sequence[int]) -> Package | None:
        """Everything in load order; cycles are reported."""
        if not roots:
            return None
        order = load_order(roots, self._imports)
        for cycle in cycles(order, self._imports):
            self._report_cycle(cycle)
        for root in dict.fromkeys(roots):
            self._check_name(root)
        found = [self._modules[number] for number in roots]
        place = self._places[roots[0]]
        manifest = self._locator.manifest(place.package) if place.package not in (None, STD) else None
        modules = tuple(self._modules[number] for number in order)
        return Package(found[0], tuple(found), modules, manifest, self._locator.std, self._locator.std_named)

    def _add(self, place: Place, source: Source, origin: Origin) -> int:
        """Parse `source` and give its module a number."""
        tree = parse(source, self._diagnostics)
        own_name = tree.name.text if tree.name is not None else paths.basename(place.file).removesuffix(SUFFIX)
        self._modules.append(Module(place.name if place.name is not None else own_name, source, tree, {}, origin))
        self._places.append(place)
        self._imports.append([])
        self._waiting.append(len(self._modules) - 1)
        return len(self._modules) - 1

    def _import(self, use: Use, importer: Place) -> int | None:
        """The number of the module `use` names; None when there is none, which is reported."""
        if any(part.text in REFUSED or part.text in RESERVED for part in use.path.parts):
            return None  # Reported by the parser.
        found = self._locator.find(tuple(part.text for part in use.path.parts), importer)
        if isinstance(found, Missing):
            if found.message is not None:
                self._diagnostics.report("E1202", found.message, use.path.span, help=found.help)
            return None
        key = paths.realpath(found.file)
        if key not in self._number_of:
            try:
                source = read(found.file, self._diagnostics, named=False)
            except UsageError as error:
                self._diagnostics.report("E1202", str(error), use.path.span, help="a module is one file that can be read")
                self._number_of[key] = None
            else:
                self._number_of[key] = self._add(found, source, self._origin(found))
        return self._number_of[key]

    def _origin(self, place: Place) -> Origin:
        """Whose module it is."""
        if place.package == STD:
            return "std"
        return "package" if place.package in self._own else "dependency"

    def _report_cycle(self, cycle: list[int]) -> None:
        """E1206 at the first import of the cycle, the others beside it."""
        names = [self._modules[number].name for number in [*cycle, cycle[0]]]
        uses = [self._use_between(a, b) for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
        labels = [Label(use.path.span, f"`{name}` imports `{other}`") for use, name, other in zip(uses, names, names[1:], strict=False)]
        shown = names if len(names) <= 12 else [*names[:6], "...", *names[-5:]]
        help = f"move what both need into a module that imports neither, and import that from {listed(names[:2])}"
        if len(cycle) > 2:
            help = "take one of these imports out: move what it is for into a module that imports none of them"
        message = f"these modules import each other: {' -> '.join(f'`{name}`' if name != '...' else name for name in shown)}"
        if len(cycle) == 1:
            message, help = f"`{names[0]}` imports itself", "take the import out: items of a module need none in it"
        label = labels[0].text if len(cycle) > 1 else None
        self._diagnostics.report("E1206", message, uses[0].path.span, label=label, related=labels[1:12], help=help)

    def _check_name(self, root: int) -> None:
        """E1204 where a file that names itself takes the name of a module it needs: items go by the name of their module."""
        module, place = self._modules[root], self._places[root]
        if place.name is not None or module.tree.name is None:
            return
        needed = [self._modules[number] for number in load_order([root], self._imports) if number != root]
        other = next((one for one in needed if one.name == module.name), None)
        if other is not None:
            message = f"two modules are named `{module.name}`: this file and `{other.source.path}`, which it needs"
            self._diagnostics.report("E1204", message, module.tree.name.span, help="give this file another name")

    def _use_between(self, importer: int, imported: int) -> Use:
        """The first `use` of one module that leads to the other."""
        target = self._modules[imported]
        return next(use for use, module in self._modules[importer].imports.items() if module is target)
