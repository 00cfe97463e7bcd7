"""Quotients, remainders, minima and maxima of dims, with what needs no facts folded away.

In: dims.  Out: dims, kept close to how the program spells them (`(H - 1) / 2 + 1` stays so; `(2 * H + 1) / 2` is `H`).
What is folded holds for every size, negative intermediates included, wherever the divisor is not 0; the checker proves
divisors positive, so a fold may drop one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes.atoms import FloorDiv, Max, Min, Mod
from linnet_core.shapes.dims import ONE, ZERO, Dim, from_terms, of_atom
from linnet_core.shapes.division import common_factor, divide_exactly, without_atoms, without_factor

if TYPE_CHECKING:
    from linnet_core.shapes.atoms import Term


def floordiv(a: Dim, b: Dim) -> Dim:
    """`a / b`, rounded towards minus infinity.  A constant 0 as `b` stays, and fails when evaluated."""
    if b.value == 0:
        return of_atom(FloorDiv(a, b))
    if a is b or b is ONE or a is ZERO:
        return ONE if a is b else a
    factor = common_factor(a, b)
    a, b = without_factor(a, factor), without_factor(b, factor)
    if b.value is not None and b.value < 0:
        a, b = -a, -b
    whole, rest = _whole_part(a, b)
    if not rest.terms or b is ONE:
        return whole + rest
    if b.value is not None and rest.value is not None:
        return whole + rest.value // b.value
    inner = _constant_quotient(rest)
    if inner is not None and b.value is not None:
        return whole + floordiv(inner.left, inner.right * b)
    return whole + of_atom(FloorDiv(rest, b))


def mod(a: Dim, b: Dim) -> Dim:
    """`a - b * (a / b)`: at least 0 and below `b` for a positive `b`."""
    if b.value == 0:
        return of_atom(Mod(a, b))
    factor = common_factor(a, b)
    a, b = without_factor(a, factor), without_factor(b, factor)
    _, rest = _whole_part(a, b)
    if not rest.terms or b.value in (1, -1):
        return ZERO
    if b.value is not None and rest.value is not None:
        inner = Dim.constant(rest.value % b.value)
    else:
        inner = of_atom(Mod(rest, b))
    return inner * from_terms([factor])


def minimum(a: Dim, b: Dim) -> Dim:
    """The smaller of two; decided where one is never below the other by form alone (`min(N, 0)` is 0)."""
    if (a - b).nonnegative:
        return b
    return a if (b - a).nonnegative else of_atom(Min(a, b))


def maximum(a: Dim, b: Dim) -> Dim:
    """The larger of two; decided where one is never below the other by form alone (`max(N, 0)` is `N`)."""
    if (a - b).nonnegative:
        return a
    return b if (b - a).nonnegative else of_atom(Max(a, b))


def _whole_part(a: Dim, b: Dim) -> tuple[Dim, Dim]:
    """`(q, r)` with `a == b * q + r`, where q gathers the terms of `a` that `b` divides exactly."""
    if len(b.terms) != 1:
        quotient = divide_exactly(a, b)
        return (ZERO, a) if quotient is None else (quotient, ZERO)
    lead, lead_atoms = b.terms[0]
    whole: list[Term] = []
    rest: list[Term] = []
    for coefficient, atoms in a.terms:
        left = without_atoms(atoms, lead_atoms)
        if left is None or coefficient % lead:
            rest.append((coefficient, atoms))
        else:
            whole.append((coefficient // lead, left))
    return from_terms(whole), from_terms(rest)


def _constant_quotient(dim: Dim) -> FloorDiv | None:
    """The quotient when the dim is exactly one, by a positive constant: `(x / c) / d == x / (c * d)`."""
    if len(dim.terms) != 1 or dim.terms[0][0] != 1 or len(dim.terms[0][1]) != 1:
        return None
    atom = dim.terms[0][1][0]
    if isinstance(atom, FloorDiv) and atom.right.value is not None and atom.right.value > 0:
        return atom
    return None
