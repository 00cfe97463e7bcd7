"""The words of the proto enum of data types; the numbers are the table's (`linnet_ge.ir.dtypes`).

In: a word of the enum.  Out: the serial name (`DT_FLOAT`, `DT_BFLOAT16`).
"""

from __future__ import annotations

from linnet_ge.ir.dtypes import CPP, PROTO

__all__ = ["CPP", "PROTO", "serial"]


def serial(word: str) -> str:
    """The serial name of a word of the proto enum, which says `DT_BF16`; an unknown word stays as it is."""
    return "DT_BFLOAT16" if word == "DT_BF16" else word
