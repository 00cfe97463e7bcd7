"""Data types: the two numberings that GE writes into one file, and what a dtype of linnet is called.

In: a number or a name.  Out: the serial name (`DT_FLOAT`, `DT_BFLOAT16`), or the number.  `TensorDescriptor.dtype` counts by the proto
enum; `AttrDef.dt` and integers such as `dst_type` by the C++ enum.
"""

from __future__ import annotations

_MIDDLE = (
    "STRING DUAL_SUB_INT8 DUAL_SUB_UINT8 COMPLEX64 COMPLEX128 QINT8 QINT16 QINT32 QUINT8 QUINT16 RESOURCE STRING_REF DUAL VARIANT BFLOAT16"
)
_SMALL = (
    "INT4 UINT1 INT2 UINT2 COMPLEX32 HIFLOAT8 FLOAT8_E5M2 FLOAT8_E4M3FN "
    "FLOAT8_E8M0 FLOAT6_E3M2 FLOAT6_E2M3 FLOAT4_E2M1 FLOAT4_E1M2 HIFLOAT4"
)
_CPP = f"FLOAT FLOAT16 INT8 INT32 UINT8 - INT16 UINT16 UINT32 INT64 UINT64 DOUBLE BOOL {_MIDDLE} UNDEFINED {_SMALL}"
_PROTO = f"UNDEFINED FLOAT FLOAT16 INT8 UINT8 INT16 UINT16 INT32 INT64 UINT32 UINT64 BOOL DOUBLE {_MIDDLE} {_SMALL}"


def _numbered(names: str) -> dict[int, str]:
    return {number: f"DT_{name}" for number, name in enumerate(names.split()) if name != "-"}


#: Serial names by the number of the C++ enum, and by that of the proto enum.
CPP: dict[int, str] = _numbered(_CPP)
PROTO: dict[int, str] = _numbered(_PROTO)
#: Numbers of the C++ enum by serial name.
CPP_NUMBERS: dict[str, int] = {name: number for number, name in CPP.items()}

_BITS = {
    1: "UINT1",
    2: "INT2 UINT2",
    4: "INT4 FLOAT4_E2M1 FLOAT4_E1M2 HIFLOAT4",
    6: "FLOAT6_E3M2 FLOAT6_E2M3",
    8: "INT8 UINT8 BOOL QINT8 QUINT8 DUAL_SUB_INT8 DUAL_SUB_UINT8 HIFLOAT8 FLOAT8_E5M2 FLOAT8_E4M3FN FLOAT8_E8M0",
    16: "FLOAT16 BFLOAT16 INT16 UINT16 QINT16 QUINT16",
    32: "FLOAT INT32 UINT32 QINT32 COMPLEX32",
    64: "DOUBLE INT64 UINT64 COMPLEX64",
    128: "COMPLEX128",
}
#: Bits of one element by serial name; types whose elements have no one size are missing.
BITS: dict[str, int] = {f"DT_{name}": bits for bits, names in _BITS.items() for name in names.split()}

#: What the dtypes of linnet are called; GE has all of them.
SERIAL: dict[str, str] = {
    "bool": "DT_BOOL",
    "i8": "DT_INT8",
    "i16": "DT_INT16",
    "i32": "DT_INT32",
    "i64": "DT_INT64",
    "u8": "DT_UINT8",
    "u16": "DT_UINT16",
    "u32": "DT_UINT32",
    "u64": "DT_UINT64",
    "f16": "DT_FLOAT16",
    "bf16": "DT_BFLOAT16",
    "f32": "DT_FLOAT",
    "f64": "DT_DOUBLE",
}


def number_of(dtype: str) -> int:
    """The number in the C++ enum of a dtype of linnet, as `dst_type` has it."""
    return CPP_NUMBERS[SERIAL[dtype]]
