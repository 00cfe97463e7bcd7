"""The form of a rule.

In: a step of the tape whose result has an adjoint.  Out: contributions to the adjoints of its operands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.tape import Step

    #: Adds what the step gives, `gradient` being the adjoint of its result.
    Pull = Callable[[Adjoints, Step, Any, Operand], None]
    #: The names of the values `pull` reads besides the adjoint, where only the `wanted` ones have an adjoint.
    Reads = Callable[[Step, Any, frozenset[str]], list[str]]


def _nothing(step: Step, call: Any, wanted: frozenset[str]) -> list[str]:
    return []


class Rule(Struct, frozen=True):
    """`pull` may ask for no other values than those `reads` names: in a loop only these are kept."""

    pull: Pull
    reads: Reads = _nothing


def name_of(operand: Operand | None) -> str:
    """The tape's name of an operand's value."""
    assert operand is not None
    return str(operand.value)
