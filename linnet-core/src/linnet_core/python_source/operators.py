"""The elementwise kinds that are operators of Python.

In: nothing.  Out: their spelling by kind, as every array library that prints Python writes them between two operands.
"""

from __future__ import annotations

#: Kinds of `elementwise` with two operands; `and`, `or` stand between bools, where `&` and `|` say the same for whole arrays.
INFIX = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "bitand": "&", "bitor": "|", "bitxor": "^"}
#: Kinds of `compare`.
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
