"""Programs that happen to share a name, told apart.

In: a `Package` of several roots.  Out: packages of the same roots, none of which has two modules of one name: an item is known by
its module's name, so namesakes must not be checked together.
"""

from __future__ import annotations

from msgspec.structs import replace

from linnet_core.modules.load import Module, Package


def without_namesakes(package: Package) -> tuple[Package, ...]:
    """The package in as few parts as its roots, taken in order, allow; usually the package itself.

    Two modules of one name that a single root reaches stay together.
    """
    if len({module.name for module in package.modules}) == len(package.modules):
        return (package,)
    parts: list[tuple[list[Module], dict[str, Module]]] = []
    for root in package.roots:
        reached = _reached(root)
        fitting = (part for part in parts if all(part[1].get(module.name, module) is module for module in reached))
        part = next(fitting, None)
        if part is None:
            part = ([], {})
            parts.append(part)
        part[0].append(root)
        part[1].update({module.name: module for module in reached})
    return tuple(_part(package, roots) for roots, _ in parts)


def _part(package: Package, roots: list[Module]) -> Package:
    kept = {id(module) for root in roots for module in _reached(root)}
    modules = tuple(module for module in package.modules if id(module) in kept)
    return replace(package, root=roots[0], roots=tuple(roots), modules=modules)


def _reached(root: Module) -> list[Module]:
    """A module and all it imports, each once."""
    found, waiting, seen = [], [root], {id(root)}
    while waiting:
        module = waiting.pop()
        found.append(module)
        for other in module.imports.values():
            if id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)
    return found
