"""The limits of this room; docs/language/limits.md is their page.

In: nothing.  Out: numbers.  Nesting is limited so that neither the parser nor a recursive walk of the tree by a later stage
reaches the interpreter's own limit (the parser takes up to six calls a level, and 1,000 is the interpreter's).
"""

from __future__ import annotations

#: How deep expressions, types, patterns, bodies and blocks may stand inside each other.
MAX_NESTING = 100
#: How many operators, or calls, indexings and fields, may follow each other in one expression.
MAX_CHAIN = 1000
#: How many errors of one file are reported.
MAX_ERRORS = 5000
