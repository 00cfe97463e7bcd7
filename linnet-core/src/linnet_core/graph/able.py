"""The targets that take an option which others refuse.

In: a capability.  Out: the end of a help that names them.
"""

from __future__ import annotations

#: The targets of this project with each capability that an option needs; no target is imported to name another.
ABLE = {
    "supports_placement": ("torch",),
    "supports_fully_shard": ("jax", "torch"),
    "supports_remat": ("jax", "torch"),
}


def or_another(flag: str, capability: str) -> str:
    """What to do where the target lacks what `flag` needs."""
    return f"leave out {flag}, or use a target that can: {', '.join(ABLE[capability])}"
