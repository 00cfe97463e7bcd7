"""Symbolic dimensions: polynomials, facts, the prover.

In: ids and names of generics, and the constraints of `where` clauses.  Out: `Dim` and `Shape` values, and answers to what
follows from `Facts`; why something does not follow is said by `explain.py`, which is imported when a proof failed.  This room knows
nothing of syntax or text.
"""

from linnet_core.shapes.atoms import Atom, FloorDiv, Max, Min, Mod, PackSize, Symbol
from linnet_core.shapes.broadcast import Mismatch, broadcast, equal_shapes, equal_units
from linnet_core.shapes.dims import MAX_TERMS, Dim
from linnet_core.shapes.facts import Constraint, Facts, Relation
from linnet_core.shapes.fold import floordiv, maximum, minimum, mod
from linnet_core.shapes.prove import prove, prove_at_least, prove_divides, prove_equal, prove_positive, refute
from linnet_core.shapes.shape import Pack, Shape, Unit, count, evaluate_shape, show_shape, show_unit, substitute_shape

__all__ = [
    "MAX_TERMS",
    "Atom",
    "Constraint",
    "Dim",
    "Facts",
    "FloorDiv",
    "Max",
    "Min",
    "Mismatch",
    "Mod",
    "Pack",
    "PackSize",
    "Relation",
    "Shape",
    "Symbol",
    "Unit",
    "broadcast",
    "count",
    "equal_shapes",
    "equal_units",
    "evaluate_shape",
    "floordiv",
    "maximum",
    "minimum",
    "mod",
    "prove",
    "prove_at_least",
    "prove_divides",
    "prove_equal",
    "prove_positive",
    "refute",
    "show_shape",
    "show_unit",
    "substitute_shape",
]
