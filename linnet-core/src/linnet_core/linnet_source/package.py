"""The files of a package that a plan's modules make.

In: a `Module` of Core IR whose names may all be written.  Out: the text of each file by its path below the package's directory: the root
package's in `src`, the standard library's in `std`, those of other packages in `packages/NAME/src`, and a `linnet.toml` for each package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.linnet_source.modules import module_texts
from linnet_core.modules.locate import ROOT, STD, SUFFIX
from linnet_core.modules.manifest import LANGUAGE, NAME
from linnet_core.syntax.format import format_source
from linnet_core.text.source import Source

if TYPE_CHECKING:
    from linnet_core.ir.module import Module


class Files(Struct, frozen=True):
    """Texts by path, parts joined by `/`; `root` is the path of the root module."""

    texts: dict[str, str]
    root: str


def package_files(module: Module) -> Files:
    """Every file, laid out in the one style."""
    own = module.name.partition(".")[0]
    texts = module_texts(module)
    paths = {name: _path(name, own) for name in texts}
    packages = [name for name in dict.fromkeys(name.partition(".")[0] for name in texts) if name != STD]
    files = {} if own == STD else {_manifest_path(name, own): _manifest(name, own, packages) for name in packages}
    files |= {paths[name]: format_source(Source(paths[name], text)) for name, text in texts.items()}
    return Files(files, paths[module.name])


def _path(name: str, own: str) -> str:
    package, *rest = name.split(".")
    if package == STD:
        return "/".join([STD, *rest]) + SUFFIX
    inside = "/".join(rest) + SUFFIX if rest else ROOT
    return f"src/{inside}" if package == own else f"packages/{package}/src/{inside}"


def _manifest_path(package: str, own: str) -> str:
    return NAME if package == own else f"packages/{package}/{NAME}"


def _manifest(package: str, own: str, packages: list[str]) -> str:
    """A `linnet.toml`; every package may import the others, but none the one whose plan it is."""
    lines = ["[package]", f'name = "{package}"', 'version = "0.1.0"', f'language = "{LANGUAGE}"']
    others = [name for name in packages if name not in (package, own)]
    if others:
        place = "packages/" if package == own else "../"
        lines += ["", "[dependencies]", *(f'{name} = {{ path = "{place}{name}" }}' for name in others)]
    return "\n".join(lines) + "\n"
