"""Writing the text of dumps: the same bytes into a file or a pipe, nothing raw on a terminal.

In: bytes that a file's names are part of.  Out: stdout or a file.
"""

from __future__ import annotations


def write_text(data: bytes, path: str | None = None) -> None:
    """Write the bytes; on a terminal, what could move the cursor or turn the direction of writing is shown as a sign for it."""
    import sys

    from linnet_core.cli.output import write
    from linnet_core.text.cells import show_line

    if path is None and sys.stdout.isatty():
        write("\n".join(map(show_line, data.decode("utf-8", "surrogateescape").split("\n"))))
    else:
        write(data, path)
