"""Limits that a part of the check may exceed.

In: a part of the check and the name of what is checked.  Out: the part is done, or E6003 says at the name what it exceeds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.check.environment import Checker
    from linnet_core.syntax import tree


def within_limits(name: tree.Name, checker: Checker, work: Callable[[], None]) -> None:
    """Do a part of the check; a limit that it exceeds (a dimension of too many terms) is E6003 at `name`."""
    try:
        work()
    except LinnetError as error:
        checker.diagnostics.report("E6003", f"`{name.text}`: {error}", name.span, help="let it speak of fewer sizes at once")
