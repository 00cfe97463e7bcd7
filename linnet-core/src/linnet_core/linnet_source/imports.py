"""In what order modules import each other.

In: the modules in load order and what each needs.  Out: the imports of each, so that loading meets the modules in that order: a module
nothing needs is imported all the same, where it is met.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def import_order(order: Sequence[str], needs: Mapping[str, set[str]]) -> dict[str, list[str]]:
    """The modules each imports, in order; the last of `order` is the root."""
    walk = _Walk(order, needs)
    walk.visit(order[-1])
    return walk.imports


def may_import(name: str, other: str, root: str) -> bool:
    """The library imports itself only, and a dependency of the root module's package not what depends on it."""
    own, package = name.partition(".")[0], other.partition(".")[0]
    return package in (own, "std") or (own == root.partition(".")[0] and own != "std")


class _Walk:
    def __init__(self, order: Sequence[str], needs: Mapping[str, set[str]]) -> None:
        self.order = list(order)
        self.place = {name: at for at, name in enumerate(order)}
        self.needs = needs
        self.done: set[str] = set()
        self.imports: dict[str, list[str]] = {name: [] for name in order}

    def visit(self, root: str) -> None:
        """Load `root` as the loader does, choosing the next import by what is to be loaded next."""
        stack = [root]
        while stack:
            name = stack[-1]
            wanted = next(other for other in self.order if other not in self.done)
            if wanted == name or not may_import(name, wanted, self.order[-1]):
                rest = sorted(self.needs.get(name, set()) - set(self.imports[name]), key=self.place.__getitem__)
                missing = [other for other in rest if other not in self.done]
                self.imports[name].extend(rest)
                if missing:
                    stack.extend(reversed(missing))
                    continue
                self.done.add(name)
                stack.pop()
                continue
            leading = [other for other in sorted(self.needs.get(name, ()), key=self.place.__getitem__) if self._reaches(other, wanted)]
            following = leading[0] if leading else wanted
            self.imports[name].append(following)
            stack.append(following)

    def _reaches(self, name: str, wanted: str) -> bool:
        """Whether loading `name` would load `wanted`."""
        pending, seen = [name], set[str]()
        while pending:
            one = pending.pop()
            if one == wanted:
                return True
            if one in seen or one in self.done:
                continue
            seen.add(one)
            pending.extend(self.needs.get(one, ()))
        return False
