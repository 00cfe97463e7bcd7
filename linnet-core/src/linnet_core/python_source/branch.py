"""One arm of two: the call that stands for selects on one bool whose arms have been given back.

In: what `conditional.py` gathered.  Out: `Branch`, a call made by the targets themselves; it never stands in a document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Call, Operand, ResultType
from linnet_core.python_source.steps import Step

if TYPE_CHECKING:
    from collections.abc import Iterator


class Branch(Call, frozen=True, kw_only=True, tag="branch"):
    """`if condition: then; results = then_values; else: otherwise; results = otherwise_values`.

    Operands: the condition, then every name the arms or their values read from outside, each once.  Results: one per value, of `types`.
    """

    then: tuple[Step, ...]
    then_values: tuple[Operand, ...]
    otherwise: tuple[Step, ...]
    otherwise_values: tuple[Operand, ...]
    types: tuple[ResultType, ...]

    def result_types(self) -> tuple[ResultType, ...]:
        """`types`."""
        return self.types

    def arms(self) -> Iterator[tuple[tuple[Step, ...], tuple[Operand, ...]]]:
        """The steps and the values of each arm, the one of a true condition first."""
        yield self.then, self.then_values
        yield self.otherwise, self.otherwise_values
