"""The options a target or dump format takes, as data.

In: what a plugin declares.  Out: values the command line turns into flags, in `--help` and completion, and checks.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


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
