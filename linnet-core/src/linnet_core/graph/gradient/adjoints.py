"""What the rules of a gradient work with: the values of the entry by the tape's names, and the adjoints added up so far.

In: a tape's operands, and contributions to their adjoints.  Out: the target's operands.  An adjoint has the shape and dtype its value was
made with, whatever a call saw it as.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from linnet_core.errors import InternalError
from linnet_core.graph.calls import Operand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.graph.calls import ResultType
    from linnet_core.graph.gradient.tape import Step
    from linnet_core.graph.gradient.terms import Terms


class Adjoints:
    """One scope of the reverse pass: that of the entry, or of a loop's body.

    `names` are the target's names of the values at hand, `wanted` the values that have an adjoint, `constants` the integers among all
    values, `by_row` the values whose adjoint the scope itself hands on, row by row.
    """

    def __init__(
        self,
        terms: Terms,
        names: dict[str, str],
        types: Mapping[str, ResultType],
        wanted: frozenset[str],
        constants: Mapping[str, int],
        by_row: frozenset[str] = frozenset(),
    ) -> None:
        self.terms = terms
        self.emitter = terms.emitter
        self.names = names
        self.types = types
        self.wanted = wanted
        self.constants = constants
        self.by_row = by_row
        self._found: dict[str, Operand] = {}

    def inside(self, names: dict[str, str], by_row: frozenset[str]) -> Adjoints:
        """A scope for the body of a loop, with no adjoint yet."""
        return Adjoints(self.terms, names, self.types, self.wanted, self.constants, by_row)

    def wants(self, operand: Operand | None) -> bool:
        """Whether the operand's value has an adjoint."""
        return operand is not None and operand.value in self.wanted

    def value(self, operand: Operand | None) -> Operand:
        """An operand of the tape as the target knows it, seen as the call saw it."""
        assert operand is not None
        return Operand(self._name(str(operand.value)), operand.shape, operand.dtype)

    def result(self, step: Step) -> Operand:
        """What a step of one result made."""
        return self.made(step.results[0])

    def made(self, name: str) -> Operand:
        """A value of the tape as the target knows it, with its own type."""
        type = self.types[name]
        return Operand(self._name(name), type.shape, type.dtype)

    def _name(self, name: str) -> str:
        found = self.names.get(name)
        if found is None:
            raise InternalError(f"value {name} is not kept for the reverse pass")
        return found

    def add(self, operand: Operand | None, contribution: Operand) -> None:
        """Add to the adjoint of the operand's value, if it has one; the contribution has the shape the call saw."""
        if operand is None or operand.value not in self.wanted:
            return
        name = str(operand.value)
        type = self.types[name]
        self.put(name, self.emitter.convert(self._seen_back(contribution, type), type.dtype))

    def _seen_back(self, x: Operand, type: ResultType) -> Operand:
        """From the shape a call saw a value with to its own: summed where it was spread."""
        more = len(x.shape) - len(type.shape)
        if more >= 0 and all(size in (1, seen) for size, seen in zip(type.shape, x.shape[more:], strict=True)):
            return self.terms.summed_to(x, type.shape)
        if prod(x.shape) == prod(type.shape):
            return self.emitter.reshape(x, type.shape)
        raise InternalError(f"a value of {list(type.shape)} cannot be seen as {list(x.shape)}")

    def put(self, name: str, contribution: Operand) -> None:
        """Add a contribution of the value's own type."""
        known = self._found.get(name)
        self._found[name] = contribution if known is None else self.terms.add(known, contribution)

    def take(self, name: str) -> Operand | None:
        """The adjoint of a value whose every use is behind; None where nothing reached it."""
        return self._found.pop(name, None)

    def take_or_zeros(self, name: str) -> Operand:
        """As `take`, with zeros of the value's type for nothing."""
        type = self.types[name]
        return self.take(name) or self.terms.zeros(type.shape, type.dtype)
