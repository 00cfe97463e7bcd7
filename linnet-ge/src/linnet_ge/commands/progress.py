"""How far a command has come, on a terminal.

In: how many things are to be done.  Out: a function to call for each; a bar on stderr where that is a terminal, gone when all are done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(count: int, words: str) -> Iterator[Callable[[], None]]:
    """A function to call when another of `count` things is done."""
    if not sys.stderr.isatty() or count < 2:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from linnet_core.cli.output import wants_colour

    console = Console(file=sys.stderr, markup=False, emoji=False, highlight=False, no_color=not wants_colour(sys.stderr))
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(words, total=count)
        yield lambda: bar.advance(task)
