"""Which plugins are installed, from distribution metadata alone.

In: the entry points of the group `linnet`.  Out: `Listed` entries, read once a process; nothing is imported.
"""

from __future__ import annotations

import os
from functools import cache
from typing import NamedTuple

from linnet_core.plugins.entry_points import entry_points
from linnet_core.plugins.project import PROJECT

#: Names, separated by commas, that are never imported.
DISABLE_VARIABLE = "LINNET_DISABLE_PLUGINS"


class Listed(NamedTuple):
    """An entry point: `name` is its command, `module` what would be imported, `distribution` who brings it, and `summary` what that says
    of itself in a line.

    `shadowed` names other distributions that claim the same name and are left out.  (A named tuple, since `linnet --help` needs
    these rows and nothing else of msgspec.)
    """

    name: str
    module: str
    distribution: str
    version: str
    disabled: bool = False
    shadowed: tuple[str, ...] = ()
    summary: str = ""


@cache
def listed() -> dict[str, Listed]:
    """Every plugin by name, names ascending.

    Of two distributions with one name the one that comes first in the alphabet is taken, this package itself before all.
    """
    disabled = {name.strip() for name in os.environ.get(DISABLE_VARIABLE, "").split(",")}
    claims: dict[str, list[Listed]] = {}
    for claim in _claims():
        claims.setdefault(claim.name, []).append(claim)
    found: dict[str, Listed] = {}
    for name in sorted(claims):
        first, *others = sorted(claims[name], key=lambda c: (c.distribution != "linnet-core", c.distribution, c.module))
        shadowed = tuple(c.distribution for c in others)
        found[name] = Listed(name, first.module, first.distribution, first.version, name in disabled, shadowed, first.summary)
    return found


def _claims() -> list[Listed]:
    rows = entry_points(PROJECT)
    return [Listed(name, module, distribution, version, summary=said) for distribution, version, name, module, said in rows]
