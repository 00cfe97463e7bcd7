"""The whole kit.

In: nothing.  Out: every case, in the order of the families in `graph/calls`, and every program; names are unique.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.conformance.case import Case, differing
from linnet_core.conformance.families import contract, elementwise, gather, inputs, reduce, shape
from linnet_core.conformance.programs import attention, cache, control, images, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.conformance.programs.case import ProgramCase

__all__ = ["Case", "all_cases", "differing", "held", "program_cases"]

#: Families by the words that stand before their cases' names.
FAMILIES = {
    "constant": inputs,
    "elementwise": elementwise,
    "shape": shape,
    "reduce": reduce,
    "contract": contract,
    "gather": gather,
}
#: Subjects of programs, likewise.
PROGRAMS = {"control": control, "plain": plain, "images": images, "attention": attention, "cache": cache}


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


def program_cases() -> Iterator[ProgramCase]:
    """Every program of every subject."""
    for word, subject in PROGRAMS.items():
        for case in subject.cases():
            yield replace(case, name=f"{word}: {case.name}")
