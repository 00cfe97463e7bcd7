"""The elementwise kinds that are operators of Python.

In: nothing, or a shift.  Out: their spelling by kind, as every array library that prints Python writes them between two operands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.integers import INTEGER_BITS

if TYPE_CHECKING:
    from linnet_core.graph.calls import Elementwise
    from linnet_core.python_source.writer import Writer

#: Kinds of `elementwise` with two operands; `and`, `or` stand between bools, where `&` and `|` say the same for whole arrays.
INFIX = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "bitand": "&", "bitor": "|", "bitxor": "^"}
#: Kinds of `compare`.
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def shift_text(w: Writer, call: Elementwise) -> str | None:
    """A shift by a number below the width, which the operators of Python do as the language says; None for any other."""
    amount = w.scalars.get(str(call.operand(1).value))
    if amount is None or not 0 <= amount < INTEGER_BITS[call.dtype]:
        return None
    return f"{w.tensor(call.operands[0])} {'<<' if call.kind == 'shl' else '>>'} {amount}"
