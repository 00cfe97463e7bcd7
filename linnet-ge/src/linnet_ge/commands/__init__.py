"""`linnet ge ...`: one file a command, imported when it is run.

In: the words after `linnet ge`.  Out: `app`, the Typer app that the plugin gives.

    read.py      readable dumps: what they hold, as JSON, in canonical spelling
    summary.py   what a dump holds, counted
    diff.py      how two dumps differ
    reading.py   the files a command was given
    tables.py    lines and tables, on a terminal and in a pipe
"""

from __future__ import annotations

from linnet_ge.commands.app import COMMANDS, app

__all__ = ["COMMANDS", "app"]
