"""A call of the standard library as a small program, its inputs and what the formula gives.

In: a use, a call, inputs, a formula.  Out: `OpCase`, with `program(dtype)`, `arrays(dtype)` and `disagreement(result, arrays, dtype)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
from agreement import differences
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

#: The dtypes a `T` case may run in, with the tolerance of its results: max |a - b| <= tol * max(1, max |b|).
TOLERANCES = {"f32": 1e-5, "f64": 1e-5, "bf16": 2e-2, "f16": 2e-2}
NUMPY_DTYPES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i32": np.int32,
    "i64": np.int64,
    "u8": np.uint8,
    "bool": np.bool_,
}
FLOATS = (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)


class Input(Struct, frozen=True):
    """An argument: its dtype (`T` for the case's) and its values, as doubles or integers."""

    dtype: str
    values: Any

    def type_text(self, dtype: str) -> str:
        """Its type as the program spells it."""
        name = dtype if self.dtype == "T" else self.dtype
        shape = np.shape(self.values)
        return f"Tensor[{', '.join(map(str, shape))}; {name}]" if shape else name


class OpCase(Struct, frozen=True):
    """One call.  `call` and `result` may say `T`; `formula` takes the inputs' values by name."""

    id: str
    use: str
    call: str
    result: str
    inputs: dict[str, Input]
    formula: Callable[..., Any]
    #: `T` cases run once for each of these.
    dtypes: tuple[str, ...] = ("f32", "bf16")
    #: Whether something is rounded to `T` on the way to a result of another dtype, whose tolerance is then that of `T`.
    rounds: bool = False

    def program(self, dtype: str) -> str:
        """The program whose entry `run` makes the call."""
        arguments = ", ".join(f"{name}: {given.type_text(dtype)}" for name, given in self.inputs.items())
        result = _with_dtype(self.result, dtype)
        return (
            f"module case\n\nuse std.{self.use}\n\n"
            f"pub entry run({arguments}) -> {result} {{\n    return {_with_dtype(self.call, dtype)}\n}}\n"
        )

    def arrays(self, dtype: str) -> list[np.ndarray]:
        """The inputs in the dtype, in order."""
        return [
            np.asarray(given.values).astype(NUMPY_DTYPES[dtype if given.dtype == "T" else given.dtype]) for given in self.inputs.values()
        ]

    def expected(self, arrays: list[np.ndarray]) -> np.ndarray:
        """What the formula gives for the inputs as rounded to their dtypes."""
        wide = [a.astype(np.float64) if a.dtype in FLOATS else a for a in arrays]
        with np.errstate(all="ignore"):
            return np.asarray(self.formula(**dict(zip(self.inputs, wide, strict=True))))

    def disagreement(self, result: np.ndarray, arrays: list[np.ndarray], dtype: str) -> str | None:
        """What is wrong with a result; None where it is right.  Floats may differ by rounding, the formula's are not rounded."""
        declared = re.findall(r"\w+", _with_dtype(self.result, dtype))[-1]
        if result.dtype != NUMPY_DTYPES[declared]:
            return f"{result.dtype} instead of {declared}"
        wanted = self.expected(arrays)
        if declared not in TOLERANCES:
            return differences(result, wanted.astype(result.dtype) if wanted.dtype.kind in "iu" else wanted)
        return differences(result.astype(np.float64), wanted.astype(np.float64), TOLERANCES[dtype if self.rounds else declared])


def _with_dtype(text: str, dtype: str) -> str:
    return text.replace("; T]", f"; {dtype}]").replace(", T>", f", {dtype}>").replace("$T", dtype)


def floats(*shape: int, seed: int = 0, scale: float = 1.0, shift: float = 0.0) -> Input:
    """Normal numbers, the same every time."""
    return Input("T", np.random.Generator(np.random.PCG64([seed, *shape])).standard_normal(shape) * scale + shift)


def integers(*shape: int, low: int, high: int, dtype: str = "i32", seed: int = 0) -> Input:
    """Integers in `low .. high - 1`."""
    return Input(dtype, np.random.Generator(np.random.PCG64([seed, *shape])).integers(low, high, shape))


def given(values: Any, dtype: str = "T") -> Input:
    """These values."""
    return Input(dtype, np.asarray(values))


def scalar(value: float, dtype: str = "f32") -> Input:
    """A rank-0 argument."""
    return Input(dtype, np.asarray(value))
