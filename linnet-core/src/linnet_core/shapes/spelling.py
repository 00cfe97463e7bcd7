"""Dims as a program would write them.

In: a dim.  Out: text: `H / Heads`, `2 * D + 1`, `max(N, 1)`, with the parentheses the language's precedence needs and no
others.  The size of a pack has no spelling in the language; it is shown as `size(*S)`.  A dim that would fill pages is
cut short with `...`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes.atoms import FloorDiv, Least, Max, Min, Mod, PackSize, Symbol
from linnet_core.shapes.dims import nested_atoms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.shapes.atoms import Atom, Term
    from linnet_core.shapes.dims import Dim

#: Longest text of one operand; beyond it the operand is shown as `...`.
_MAX_TEXT = 4000


def spell(dim: Dim) -> str:
    """The dim in the program's own spelling."""
    if dim.value is not None:
        return str(dim.value)
    texts: dict[Atom, str] = {}
    for atom in nested_atoms(dim):
        text = _atom(atom, texts)
        texts[atom] = text if len(text) <= _MAX_TEXT else "..."
    return _sum(dim, texts)


def _sum(dim: Dim, texts: Mapping[Atom, str]) -> str:
    """Terms joined by plus and minus, a positive one first where there is one (`1 - N`, not `-N + 1`)."""
    if not dim.terms:
        return "0"
    terms = list(dim.terms)
    if terms[0][0] < 0:
        first = next((i for i, term in enumerate(terms) if term[0] > 0), 0)
        terms.insert(0, terms.pop(first))
    parts = [_signed_first(terms[0], texts)]
    for coefficient, atoms in terms[1:]:
        parts.append(" - " if coefficient < 0 else " + ")
        parts.append(_product(abs(coefficient), atoms, texts))
    return "".join(parts)


def _signed_first(term: Term, texts: Mapping[Atom, str]) -> str:
    coefficient, atoms = term
    if coefficient >= 0 or not atoms:
        return _product(coefficient, atoms, texts)
    return f"-{_product(-coefficient, atoms, texts)}"


def _product(coefficient: int, atoms: tuple[Atom, ...], texts: Mapping[Atom, str]) -> str:
    """Factors joined by `*`; a quotient needs no parentheses only where it comes first."""
    factors = [] if coefficient == 1 and atoms else [str(coefficient)]
    for atom in atoms:
        factors.append(f"({texts[atom]})" if factors and isinstance(atom, FloorDiv | Mod) else texts[atom])
    return " * ".join(factors)


def _atom(atom: Atom, texts: Mapping[Atom, str]) -> str:
    match atom:
        case Symbol():
            return atom.name
        case PackSize():
            return f"size(*{atom.name})"
        case FloorDiv():
            return f"{_left(atom.left, texts)} / {_right(atom.right, texts)}"
        case Mod():
            return f"{_left_of_mod(atom.left, texts)} % {_right(atom.right, texts)}"
        case Min():
            return f"min({_sum(atom.left, texts)}, {_sum(atom.right, texts)})"
        case Max():
            return f"max({_sum(atom.left, texts)}, {_sum(atom.right, texts)})"
        case Least():
            return f"min({', '.join(_sum(option, texts) for option in atom.options)})"


def _left(dim: Dim, texts: Mapping[Atom, str]) -> str:
    """The left operand of `/` or `%`: a product may stand bare, a sum may not."""
    text = _sum(dim, texts)
    bare = len(dim.terms) < 2 and not text.startswith("-")
    return text if bare else f"({text})"


def _left_of_mod(dim: Dim, texts: Mapping[Atom, str]) -> str:
    """The left operand of `%`: a quotient stands in parentheses, as people write it, although the grammar needs none."""
    quotient = len(dim.terms) == 1 and any(isinstance(atom, FloorDiv | Mod) for atom in dim.terms[0][1])
    return f"({_sum(dim, texts)})" if quotient else _left(dim, texts)


def _right(dim: Dim, texts: Mapping[Atom, str]) -> str:
    """The right operand of `/` or `%`: only a single factor may stand bare."""
    text = _sum(dim, texts)
    if len(dim.terms) < 2 and not text.startswith("-"):
        coefficient, atoms = dim.terms[0] if dim.terms else (0, ())
        if not atoms or (coefficient == 1 and len(atoms) == 1 and not isinstance(atoms[0], FloorDiv | Mod)):
            return text
    return f"({text})"
