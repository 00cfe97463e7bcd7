"""Reading the files a command was given.

In: paths.  Out: dumps; what is wrong with a file, or could be read in several ways, is said on stderr.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_ge.formats.files import Opened


def read_dump(file: str, *, say_doubts: bool = False) -> Opened:
    """The dump at `file`; its problems are said, its doubts are counted or said, too.  Raises as `open_dump` does."""
    from linnet_core.cli.output import say
    from linnet_ge.formats.files import open_dump

    opened = open_dump(file)
    for note in opened.dump.notes if say_doubts else opened.problems:
        say(f"linnet: {note}")
    doubts = len(opened.dump.notes) - len(opened.problems)
    if doubts and not say_doubts:
        words = "1 name or value" if doubts == 1 else f"{doubts} names or values"
        say(f"linnet: {file}: {words} could be read in several ways; `linnet ge lint` says which")
    return opened
