"""The whole kit.

In: nothing.  Out: every case, in the order of the families in `graph/calls`; names are unique.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.conformance.case import Case, differing
from linnet_core.conformance.families import contract, elementwise, gather, inputs, reduce, shape

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Case", "all_cases", "differing", "held"]

#: Families by the words that stand before their cases' names.
FAMILIES = {
    "constant": inputs,
    "elementwise": elementwise,
    "shape": shape,
    "reduce": reduce,
    "contract": contract,
    "gather": gather,
}


def all_cases() -> Iterator[Case]:
    """Every case of every family."""
    for word, family in FAMILIES.items():
        for case in family.cases():
            yield replace(case, name=f"{word}: {case.name}")


def held() -> Iterator[tuple[str, Case, str]]:
    """Every case under each of its policies, with a name for the pair."""
    for case in all_cases():
        for policy in case.policies:
            yield (case.name if case.policies == ("equivalent",) else f"{case.name}, {policy}"), case, policy
