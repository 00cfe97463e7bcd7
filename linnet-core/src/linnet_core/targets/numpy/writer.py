"""What printing NumPy knows beside the shared `Writer`: dtypes, and short floats computed in f32.

In: the shared writer.  Out: `NumpyWriter`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.writer import Writer

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand

#: Dtypes of the language as the printed source spells them.
DTYPES = {
    "bool": "np.bool_",
    "i8": "np.int8",
    "i16": "np.int16",
    "i32": "np.int32",
    "i64": "np.int64",
    "u8": "np.uint8",
    "u16": "np.uint16",
    "u32": "np.uint32",
    "u64": "np.uint64",
    "f16": "np.float16",
    "bf16": "bfloat16",
    "f32": "np.float32",
    "f64": "np.float64",
}


class NumpyWriter(Writer):
    """Sets the flag `bf16` where the text needs `ml_dtypes`."""

    def dtype(self, name: str) -> str:
        """A dtype's spelling."""
        if name == "bf16":
            self.flags.add("bf16")
        return DTYPES[name]

    def wide(self, operand: Operand | None) -> str:
        """The operand as it is computed with: a short float in f32."""
        text = self.tensor(operand)
        assert operand is not None
        return f"{text}.astype(np.float32)" if operand.dtype in SHORT_FLOATS else text

    def wide_operands(self, *operands: Operand | None) -> list[str]:
        """Operands of an elementwise call: known scalars as numbers beside at least one tensor, short floats in f32."""
        texts = [self.number(o) for o in operands]
        if all(text is not None for text in texts):
            texts[0] = None
        return [text if text is not None else self.wide(o) for text, o in zip(texts, operands, strict=True)]

    def rounded(self, text: str, dtype: str) -> str:
        """An f32 expression back in a short float's own dtype; other dtypes as they are."""
        return f"({text}).astype({self.dtype(dtype)})" if dtype in SHORT_FLOATS else text
