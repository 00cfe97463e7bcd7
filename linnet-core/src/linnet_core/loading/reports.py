"""Errors of this package as a program that calls it shows them.

In: whatever is raised inside.  Out: the same exception, whose message is the whole report that the command line would print.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from linnet_core.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def whole_reports() -> Iterator[None]:
    """A `SourceError` that leaves says everything, places included."""
    try:
        yield
    except SourceError as error:
        from linnet_core.text.show_text import show_text

        error.args = ("\n" + show_text(error.diagnostics, colour=False).rstrip("\n"),)
        raise
