"""Where the arrays of a model lie: one device, one sharding, or one of either for the paths of a glob.

In: what a person asked for, and the members of a model.  Out: `Layout`.  Raises `UsageError` that lists every glob that no path matches and
every array that cannot be laid out so.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import jax
from jax.sharding import NamedSharding, PartitionSpec, Sharding

from linnet_core.errors import UsageError
from linnet_core.text.cells import show_inline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.loading.tree import Leaf

#: What `jax.device_put` takes.
Where = jax.Device | Sharding


class Layout:
    """A place for each of `leaves`; None for one that goes where JAX puts arrays by itself."""

    def __init__(self, device: Where | Mapping[str, Where] | None, leaves: Iterable[Leaf]) -> None:
        globs = dict(device) if isinstance(device, Mapping) else {} if device is None else {"*": device}
        wrong = [
            f"`{show_inline(str(glob))}` leads to {type(where).__name__}" for glob, where in globs.items() if not isinstance(where, Where)
        ]
        if wrong:
            raise UsageError(f"device takes a jax.Device, a jax.sharding.Sharding, or globs of paths that lead to them; {', '.join(wrong)}")
        known = list(leaves)
        self._globs = globs
        problems = [
            f"no parameter, buffer or state matches `{show_inline(glob)}`"
            for glob in (globs if isinstance(device, Mapping) else ())
            if not any(fnmatchcase(leaf.path, glob) for leaf in known)
        ]
        problems += [said for leaf in known if (said := _misfit(leaf, self.of(leaf.path))) is not None]
        if problems:
            raise UsageError("\n  ".join(["the arrays cannot be laid out as `device` says:", *problems]))

    def of(self, path: str) -> Where | None:
        """The place of the first glob that matches."""
        return next((where for glob, where in self._globs.items() if fnmatchcase(path, glob)), None)

    @property
    def everywhere(self) -> Where | None:
        """Where constants lie, so that no call moves them: one device, or whole on each of one mesh; None where there are several."""
        found = list(dict.fromkeys(_whole(where) for where in self._globs.values()))
        return found[0] if len(found) == 1 else None


def _whole(where: Where) -> Where | None:
    if isinstance(where, NamedSharding):
        return NamedSharding(where.mesh, PartitionSpec())
    return None if isinstance(where, Sharding) and len(where.device_set) > 1 else where


def _misfit(leaf: Leaf, where: Where | None) -> str | None:
    """That an array cannot be cut as its sharding says."""
    if not isinstance(where, Sharding):
        return None
    try:
        where.shard_shape(leaf.shape)
    except (ValueError, IndexError):
        return f"{leaf} cannot be cut as {where.spec if isinstance(where, NamedSharding) else type(where).__name__} says"
    return None
