"""Names, types, shapes, index notation: a loaded package to a checked program.

In: `Package` of `modules/`.  Out: `Program` (`program.py`), through `check.check`; everything wrong is a diagnostic.

`environment.py` holds what names stand for while checking, `context.py` the place a body is checked at.  Declarations are
resolved first (`collect.py` to `functions.py`), then bodies (`statements.py`, `expressions.py` and what they dispatch to).
"""
