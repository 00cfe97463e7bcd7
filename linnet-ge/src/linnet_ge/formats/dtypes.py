"""The words and numbers of data types in GE's protobuf text; the numbers of its own enums are the table's (`linnet_ge.ir.dtypes`).

In: a word of the proto enum, a number of ONNX.  Out: the serial name (`DT_FLOAT`, `DT_BFLOAT16`).
"""

from __future__ import annotations

from linnet_ge.ir.dtypes import CPP, PROTO
from linnet_ge.prototext.scalars import int_of

__all__ = ["CPP", "ONNX", "PROTO", "serial", "word_of"]

#: Numbers and words of `TensorProto.DataType` in GE's copy of ONNX.
ONNX: dict[str, str] = {
    "1": "DT_FLOAT",
    "2": "DT_UINT8",
    "3": "DT_INT8",
    "4": "DT_UINT16",
    "5": "DT_INT16",
    "6": "DT_INT32",
    "7": "DT_INT64",
    "9": "DT_BOOL",
    "10": "DT_FLOAT16",
    "11": "DT_DOUBLE",
    "12": "DT_UINT32",
    "13": "DT_UINT64",
    "17": "DT_FLOAT8_E4M3FN",
    "19": "DT_FLOAT8_E5M2",
    **{
        word: f"DT_{word}"
        for word in ["FLOAT", "UINT8", "INT8", "UINT16", "INT16", "INT32", "INT64", "BOOL", "FLOAT16", "DOUBLE", "UINT32", "UINT64"]
    },
}


def serial(word: str) -> str:
    """The serial name of a word of the proto enum, which says `DT_BF16`; an unknown word stays as it is."""
    return "DT_BFLOAT16" if word == "DT_BF16" else word


def word_of(text: str | None) -> str | None:
    """The serial name of what `TensorDescriptor.dtype` says, a word or a number; None for an unknown number, or nothing."""
    if text is None:
        return None
    number = int_of(text)
    return serial(text) if number is None else PROTO.get(number)
