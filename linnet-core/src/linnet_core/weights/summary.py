"""What a run says of an array it gave.

In: a result or state.  Out: its facts, as the document `run-1` has them, or one line for people.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from linnet_core.weights.arrays import describe, dtype_name

if TYPE_CHECKING:
    import numpy as np

#: How many leading values a summary shows.
SHOWN = 4


def facts(name: str, array: np.ndarray[Any, Any], field: str | None = None) -> dict[str, Any]:
    """Name, the field of a struct that it is, dtype, shape and first values; where there is an element also least, greatest and mean (in
    f64; of bools the part that is true).

    Floats that JSON has no number for are the words nan, inf and -inf.
    """
    import numpy as np

    dtype = dtype_name(array.dtype)
    found: dict[str, Any] = {"name": name} if field is None else {"name": name, "field": field}
    found.update(dtype=dtype, shape=list(array.shape), first=[_value(v) for v in array.flat[:SHOWN]])
    if array.size:
        wide = array.astype(np.float64) if dtype in ("bf16", "f16", "f32") else array
        with np.errstate(all="ignore"):
            found.update(min=_value(wide.min()), max=_value(wide.max()), mean=_value(wide.mean(dtype=np.float64)))
    return found


def line(name: str, array: np.ndarray[Any, Any], field: str | None = None) -> str:
    """`results.0 (logits)  f32[2, 256]  min -0.5  max 0.5  mean 0.01  first 0.1 0.2 ...`."""
    found = facts(name, array)
    parts = [name if field is None else f"{name} ({field})", describe(array.shape, found["dtype"])]
    parts += [f"{word} {_short(found[word])}" for word in ("min", "max", "mean") if word in found]
    if found["first"]:
        parts.append("first " + " ".join(_short(v) for v in found["first"]) + (" ..." if array.size > SHOWN else ""))
    return "  ".join(parts)


def _value(value: Any) -> Any:
    plain = value.item() if value.dtype.name != "bfloat16" else float(value)
    return plain if not isinstance(plain, float) or math.isfinite(plain) else str(plain)


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)
