"""A bar for weights that take a while.

In: what a person asked for, and whether stderr is a terminal.  Out: what `read` tells of every tensor.  Nothing is written anywhere else
than on a terminal, nor for weights that are read at once.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.loading.fit import Progress

#: Bytes from which on a bar is shown.
LARGE = 256 * 1024 * 1024


@contextmanager
def shown_progress(progress: bool | Progress) -> Iterator[Progress | None]:
    """The function to tell: the person's own, that of a bar on a terminal (True), or None."""
    if not isinstance(progress, bool):
        yield progress
        return
    if not progress or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("weights"), BarColumn(), DownloadColumn(binary_units=True), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("weights")

    def tell(done: int, total: int, name: str) -> None:
        if total >= LARGE:
            bar.start()
            bar.update(task, completed=done, total=total)

    try:
        yield tell
    finally:
        bar.stop()
