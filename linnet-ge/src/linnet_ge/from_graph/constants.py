"""Values that are known: constants of a document as tensors, and scalars that follow from constants alone.

In: numbers, steps.  Out: `TensorValue`s as the emitter shows them; numbers by name.  A value is rounded to its dtype first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from linnet_core.check.types import FLOATS
from linnet_core.python_source.fold import Scalar, known_scalar
from linnet_core.python_source.literals import round_to
from linnet_ge.ir.dtypes import SERIAL
from linnet_ge.model import TensorValue

if TYPE_CHECKING:
    from linnet_core.python_source.steps import Step

#: Dtypes whose values GE does not print.
NOT_PRINTED = frozenset({"bf16"})


def tensor(values: Iterable[Scalar], shape: tuple[int, ...], dtype: str) -> TensorValue:
    """Values of `shape` and `dtype` as an attribute holds them."""
    kept = tuple(rounded(value, dtype) for value in values)
    if dtype in NOT_PRINTED:
        return TensorValue("not_supported", kept, SERIAL[dtype], shape)
    return TensorValue("values" if kept else "empty", kept, SERIAL[dtype], shape)


def rounded(value: Scalar, dtype: str) -> Scalar:
    """The value in `dtype`; what is beyond a float's range is infinite."""
    if dtype == "bool":
        return bool(value)
    return round_to(float(value), dtype) if dtype in FLOATS else int(value)


def known_numbers(steps: Iterable[Step]) -> dict[str, Scalar]:
    """The scalars that follow from constants alone, by name: epsilons and scales are attributes in GE."""
    known: dict[str, Scalar] = {}
    for step in steps:
        value = known_scalar(step, known)
        if value is not None:
            known[step.results[0]] = value
    return known
