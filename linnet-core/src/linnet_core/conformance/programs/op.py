"""A call of an op of the standard library as a program, with arrays for it.

In: the call as the language writes it, shapes by name.  Out: `Op`; its cases for the dtypes and policies that admit the library call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from linnet_core.conformance.programs.case import EXACT, ROUNDING, TOLERANCES, ProgramCase
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Iterator

Shape = tuple[int, ...]


class Op(Struct, frozen=True):
    """A call of an op of `std.<module>`: `inputs` are shapes by name, of dtype `T` unless a dtype follows.  `exact`: in the body's bits."""

    name: str
    module: str
    call: str
    result: str
    inputs: dict[str, tuple[Shape, str]]
    implementation: str | None = None
    exact: bool = False

    def text(self, dtype: str) -> str:
        """The program; the word `T` in it is the dtype."""
        arguments = ", ".join(f"{name}: {_type(shape, kind)}" for name, (shape, kind) in self.inputs.items())
        function = self.call.partition("(")[0].partition("<")[0]
        program = f"use std.{self.module}::{{{function}}}\n\npub entry run({arguments}) -> {self.result} {{\n    return {self.call}\n}}\n"
        return re.sub(r"\bT\b", dtype, program)

    def arrays(self, dtype: str, seed: int = 0) -> dict[str, np.ndarray]:
        """Floats about zero, integers below 5."""
        generator = np.random.Generator(np.random.PCG64(seed))
        found: dict[str, np.ndarray] = {}
        for name, (shape, kind) in self.inputs.items():
            if kind == "i32":
                found[name] = generator.integers(0, 5, shape).astype(np.int32)
            else:
                found[name] = generator.standard_normal(shape).astype(numpy_dtype(dtype if kind == "T" else kind))
        return found

    def cases(self) -> Iterator[ProgramCase]:
        """Every dtype and policy, with ordinary values."""
        for dtype, policy in EXACT if self.exact else ROUNDING:
            yield ProgramCase(
                name=f"{self.name}, {dtype}, {policy}",
                text=self.text(dtype),
                arrays=tuple([self.arrays(dtype, seed) for seed in range(2)]),
                policy=policy,
                takes=self.implementation,
                tolerance=None if self.exact else TOLERANCES[dtype],
            )


def _type(shape: Shape, kind: str) -> str:
    return f"Tensor[{', '.join(map(str, shape))}; {kind}]" if shape else kind


def rows(**shapes: Shape | tuple[Shape, str]) -> dict[str, tuple[Shape, str]]:
    """Inputs by name: a shape, or a shape and its dtype."""
    return {name: _row(shape) for name, shape in shapes.items()}


def _row(shape: Shape | tuple[Shape, str]) -> tuple[Shape, str]:
    match shape:
        case (tuple(sizes), str(dtype)):
            return sizes, dtype
        case _:
            return tuple([size for size in shape if isinstance(size, int)]), "T"
