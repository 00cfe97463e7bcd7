"""Which plugins are installed, from distribution metadata alone.

In: the distributions on `sys.path`.  Out: `Listed` entries of the group `linnet`, read once a process; nothing is imported, and a
distribution whose metadata cannot be read is passed over.
"""

from __future__ import annotations

import os
from functools import cache

from msgspec import Struct

from linnet_core.plugins.hookspecs import PROJECT

#: Names, separated by commas, that are never imported.
DISABLE_VARIABLE = "LINNET_DISABLE_PLUGINS"


class Listed(Struct, frozen=True):
    """An entry point: `name` is its command, `module` what would be imported, `distribution` who brings it.

    `shadowed` names other distributions that claim the same name and are left out.
    """

    name: str
    module: str
    distribution: str
    version: str
    disabled: bool = False
    shadowed: tuple[str, ...] = ()


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
        found[name] = Listed(name, first.module, first.distribution, first.version, name in disabled, shadowed)
    return found


def _claims() -> list[Listed]:
    # importing importlib.metadata costs milliseconds that a command without plugins need not pay
    from importlib.metadata import distributions

    claims: list[Listed] = []
    seen: set[str] = set()
    for distribution in distributions():
        try:
            text = distribution.read_text("entry_points.txt")
            if not text or f"[{PROJECT}]" not in text:
                continue
            name = distribution.metadata["Name"]
            if name is None or name in seen:  # an earlier place on the path hides a later one
                continue
            seen.add(name)
            version = distribution.version
            points = [p for p in distribution.entry_points if p.group == PROJECT]
        except Exception:  # unreadable or broken metadata is no plugin; a stranger's broken package must not stop a command
            continue
        claims.extend(Listed(p.name, p.value.strip(), name, version or "") for p in points)
    return claims
