"""safetensors files written here, byte by byte, good and bad.

In: a header and data.  Out: bytes.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

NAMES = {"float32": "F32", "float64": "F64", "float16": "F16", "bfloat16": "BF16", "bool": "BOOL"}
NAMES |= {f"{'u' if unsigned else ''}int{bits}": f"{'U' if unsigned else 'I'}{bits}" for unsigned in (0, 1) for bits in (8, 16, 32, 64)}


def file_bytes(header: Any, data: bytes = b"") -> bytes:
    """Eight bytes with the header's length, the header, the data."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def tensors(arrays: dict[str, np.ndarray], metadata: dict[str, str] | None = None, dtypes: dict[str, str] | None = None) -> bytes:
    """A file that holds `arrays`; `dtypes` spells the dtype of some otherwise."""
    header: dict[str, Any] = {} if metadata is None else {"__metadata__": metadata}
    data = b""
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).tobytes()
        dtype = (dtypes or {}).get(name) or NAMES[array.dtype.name]
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    return file_bytes(header, data)
