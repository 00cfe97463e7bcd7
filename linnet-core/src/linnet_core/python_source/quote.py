"""The one function that spells text from a file or document inside generated Python.

In: any text.  Out: a Python string literal, on one line, of ASCII characters only, that evaluates to the text.
"""

from __future__ import annotations


def quote(text: str) -> str:
    """A string literal for `text`; nothing in it can end the literal or the line, in a comment too."""
    return ascii(text)
