"""The options a target or dump format takes, as data.

In: what a plugin declares.  Out: values the command line turns into flags, in `--help` and completion, and checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from types import UnionType


class Option(Struct, frozen=True):
    """One option.  `name` is a Python identifier; `loop_limit` is the flag `--loop-limit`.

    `type` is `bool` (a pair of flags), `int`, `str` or `strs` (repeatable).  `choices` restricts a `str`.
    """

    name: str
    type: Literal["bool", "int", "str", "strs"]
    help: str
    default: Any = None
    choices: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """The flag's spelling."""
        return "--" + self.name.replace("_", "-")

    def fault(self) -> str | None:
        """What breaks the contract, for people; None when nothing does."""
        if not isinstance(self.name, str) or not self.name.isidentifier():
            return f"the option's name {self.name!r} is no identifier"
        if self.type not in _DEFAULTS:
            return f"the option `{self.name}` has the type {self.type!r}; there are: {', '.join(_DEFAULTS)}"
        if not isinstance(self.default, _DEFAULTS[self.type] | None):
            return f"the default of the option `{self.name}` is {self.default!r}, and its type is {self.type}"
        return None


#: What a default of each type is.
_DEFAULTS: dict[str, type | UnionType] = {"bool": bool, "int": int, "str": str, "strs": list | tuple}


def option_fault(options: Any) -> str | None:
    """What breaks the contract in the options of a target or format."""
    if not isinstance(options, tuple) or not all(isinstance(option, Option) for option in options):
        return f"`options` is {options!r}, not a tuple of Option"
    return next((fault for option in options if (fault := option.fault()) is not None), None)
