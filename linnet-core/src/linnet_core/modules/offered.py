"""What the standard library offers to whoever has not imported it.

In: the library's directory.  Out: the module of every public item, by the item's name, for the help of an unknown name.  What cannot be
read or is broken offers what is left of it; nothing is reported.
"""

from __future__ import annotations

import os
from os import path as paths

from linnet_core.errors import UsageError
from linnet_core.modules.locate import STD, SUFFIX, files_below
from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import read


def offered_by_std(directory: str) -> dict[str, str]:
    """The module of each public item of the library; the first in order of files where two modules share a name."""
    found: dict[str, str] = {}
    for file in files_below(directory):
        module = ".".join([STD, *paths.relpath(file, directory).removesuffix(SUFFIX).split(os.sep)])
        unheard = Diagnostics()
        try:
            tree = parse(read(file, unheard), unheard)
        except UsageError:
            continue
        for item in tree.items:
            if item.public:
                found.setdefault(item.name.text, module)
    return found
