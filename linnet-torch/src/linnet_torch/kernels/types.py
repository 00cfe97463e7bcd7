"""Dtypes of the language as Triton spells them, and what is computed in f32.

In: nothing.  Out: tables.
"""

from __future__ import annotations

TYPES = {
    "bool": "tl.int1",
    "i8": "tl.int8",
    "i16": "tl.int16",
    "i32": "tl.int32",
    "i64": "tl.int64",
    "u8": "tl.uint8",
    "u16": "tl.uint16",
    "u32": "tl.uint32",
    "u64": "tl.uint64",
    "f16": "tl.float16",
    "bf16": "tl.bfloat16",
    "f32": "tl.float32",
    "f64": "tl.float64",
}
#: Floats of 16 bits: each operation on them is one on f32, rounded.
HALVES = ("f16", "bf16")
FLOATS = (*HALVES, "f32", "f64")


def widened(text: str, dtype: str) -> str:
    """The value in the dtype it is computed in."""
    return f"{text}.to(tl.float32)" if dtype in HALVES else text


def rounded(text: str, dtype: str) -> str:
    """The computed value in its own dtype."""
    return f"({text}).to({TYPES[dtype]})" if dtype in HALVES else text
