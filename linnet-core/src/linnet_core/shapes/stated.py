"""What a clause says in other words, so that it takes no proof.

In: a constraint, as a fact or as a claim.  Out: a dim that is one object for all wordings of it; None where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError
from linnet_core.shapes.atoms import Mod
from linnet_core.shapes.division import common_factor, primitive, without_factor
from linnet_core.shapes.fold import floordiv

if TYPE_CHECKING:
    from linnet_core.shapes.dims import Dim
    from linnet_core.shapes.facts import Constraint


def surplus(constraint: Constraint) -> Dim | None:
    """The dim that an inequality says is at least 0: `N - 1` for `N > 0` and for `N >= 1`."""
    try:
        return constraint.surplus()
    except LinnetError:  # too large to say anything of
        return None


def zero_of_fact(fact: Constraint) -> Dim | None:
    """The dim that an equality says is 0, up to its sign: `H - N * (H / N)` for `H % N == 0`, which is what `%` means."""
    try:
        difference = primitive(fact.left - fact.right)
        match difference.terms:
            case ((_, (Mod() as rest,)),):
                difference = rest.left - rest.right * floordiv(rest.left, rest.right)
            case _:
                pass
    except LinnetError:  # too large, as above
        return None
    return _signless(difference)


def zero_of_claim(claim: Constraint) -> Dim | None:
    """A dim that an equality needs to be 0, up to its sign: `B * H == B * N * (H / N)` holds where `H - N * (H / N)` is 0."""
    try:
        difference = claim.left - claim.right
        return _signless(without_factor(difference, common_factor(difference)))
    except LinnetError:  # too large, as above
        return None


def _signless(dim: Dim) -> Dim:
    return -dim if dim.terms and dim.terms[0][0] < 0 else dim
