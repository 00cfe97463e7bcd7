"""Leaves: input, parameter, state, constant.

In: what the entry declares and what its block holds.  Out: one value each, with no operands.
"""

from __future__ import annotations

from typing import Literal as Lit

from msgspec import Struct

from linnet_core.graph.calls.values import Call, ResultType, Shape

LiteralKind = Lit["integer", "real", "boolean", "lowest", "highest"]


class Input(Call, frozen=True, kw_only=True, tag="input"):
    """An argument of the entry.  No operands; one result of `shape` and `dtype`.  One per argument, in declaration order."""

    name: str
    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)


class Parameter(Call, frozen=True, kw_only=True, tag="parameter"):
    """A weight or buffer, by its dotted member path.  No operands; one result.  Emitted before the body, used or not."""

    path: str
    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)


class State(Call, frozen=True, kw_only=True, tag="state"):
    """A state member's value before the call.  No operands; one result.  Emitted at the first read that no write precedes."""

    path: str
    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)


class Literal(Struct, frozen=True):
    """The value of a constant.

    `integer` holds an int, `real` a float (or the strings "inf", "-inf", "nan" in a document), `boolean` a bool; `lowest`
    and `highest` (value null) are the dtype's ends (infinities of a float), for a target's own use.
    """

    kind: LiteralKind
    value: int | float | bool | None = None


class Constant(Call, frozen=True, kw_only=True, tag="constant"):
    """A number.  No operands; one result of rank 0 and `dtype`.  A larger constant is `constant` and `broadcast`."""

    literal: Literal
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """Rank 0, `dtype`."""
        return (ResultType((), self.dtype),)
