"""`linnet ge ...`: one file a command, imported when it is run.

In: the words after `linnet ge`.  Out: `app`, the Typer app that the plugin gives.

    app.py       the table of commands
    read.py      dumps: what they hold, as JSON, readable ones in canonical spelling
    convert.py   a dump as a readable dump, JSON, DOT text, a drawing
    summary.py   what a dump holds, counted
    diff.py      how two dumps differ
    index.py     a folder of dumps in the order of their stages
    lint.py      what is wrong with dumps
    extract.py   the part of a dump around a node
    explain.py   what is known of one node
    writing.py   the text of dumps and documents, on a terminal and elsewhere
    reading.py   the files a command was given
    progress.py  how far a command has come
    tables.py    lines and tables, on a terminal and in a pipe
"""

from __future__ import annotations

from linnet_ge.commands.app import COMMANDS, app

__all__ = ["COMMANDS", "app"]
