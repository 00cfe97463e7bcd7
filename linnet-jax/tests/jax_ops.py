"""Calls of ops as programs, with arrays for them.

In: a call as the language writes it, shapes by name.  Out: the text of a program whose entry is `run`; arrays of any dtype.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from made_by_hand import NUMPY_DTYPES
from msgspec import Struct

TOLERANCES = {"f32": 1e-5, "f64": 1e-5, "bf16": 2e-2, "f16": 2e-2}
POLICIES = ("exact", "equivalent", "fast")
FLOATS = ("f32", "f64", "bf16", "f16")


class Op(Struct, frozen=True):
    """A call of an op: `inputs` are shapes by name, of dtype `T` unless a dtype follows."""

    id: str
    use: str
    call: str
    result: str
    inputs: dict[str, tuple[tuple[int, ...], str]]
    implementation: str
    exact: bool = False

    def text(self, dtype: str) -> str:
        """The program; ` T` in it is the dtype."""
        arguments = ", ".join(f"{name}: {_type(shape, kind)}" for name, (shape, kind) in self.inputs.items())
        program = f"use std.{self.use}\n\npub entry run({arguments}) -> {self.result} {{\n    return {self.call}\n}}\n"
        return re.sub(r"\bT\b", dtype, program)

    def arrays(self, dtype: str, seed: int = 0) -> dict[str, np.ndarray]:
        """Floats about zero, integers below 5, bools mostly true."""
        generator = np.random.Generator(np.random.PCG64(seed))
        found: dict[str, np.ndarray] = {}
        for name, (shape, kind) in self.inputs.items():
            match kind:
                case "T" | "f32":
                    found[name] = generator.standard_normal(shape).astype(NUMPY_DTYPES[dtype if kind == "T" else kind])
                case "i32":
                    found[name] = generator.integers(0, 5, shape).astype(np.int32)
                case "bool":
                    found[name] = generator.random(shape) < 0.7
        return found


def _type(shape: tuple[int, ...], kind: str) -> str:
    return f"Tensor[{', '.join(map(str, shape))}; {kind}]" if shape else kind


def rows(**shapes: Any) -> dict[str, tuple[tuple[int, ...], str]]:
    return {name: shape if isinstance(shape[-1], str) else (shape, "T") for name, shape in shapes.items()}
