"""Programs in the language on the torch target, or on another where that is asked for; see `linnet_core.conformance.programs`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.conformance.programs import printed as programs
from linnet_core.plugins.manager import find_target
from linnet_torch.hooks import linnet_targets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.conformance.programs.printed import Printed

(PLUGIN,) = linnet_targets()


def printed(
    text: str,
    target: str = "torch",
    numerics: Any = "equivalent",
    *,
    library: bool = True,
    bind: Mapping[str, Any] | None = None,
    **own: Any,
) -> Printed:
    """The entry `run` of a program; `own` are options of the target."""
    plugin = find_target(target)
    assert plugin is not None
    return programs.printed(text, plugin, numerics, library=library, bind=bind, **own)
