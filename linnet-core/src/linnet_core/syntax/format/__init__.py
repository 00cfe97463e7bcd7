"""A file in the one style: the door of the formatter.

In: a `Source`, or its text.  Out: the same program, laid out anew: 4 spaces, 100 columns, every comment kept.
"""

from __future__ import annotations

from linnet_core.syntax.format.door import format_source, format_text

__all__ = ["format_source", "format_text"]
