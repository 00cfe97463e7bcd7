"""Opening the files of a run.

In: a path.  Out: the open file, which is one on a disk: a pipe or a device would block the command, or never end.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from typing import BinaryIO


def open_regular(path: str, due: str) -> BinaryIO:
    """The file, open for reading; `UsageError` when it is not there or nothing that holds `due`."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise UsageError(f"{path}: a directory, not {due}")
        if not stat.S_ISREG(mode):
            raise UsageError(f"{path}: a pipe or a device, not {due}")
        return open(path, "rb")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
