"""A clause of a `where` in the words of whoever has to prove it.

In: the clause as it was written, and what the generics of its declaration are given.  Out: the clause with every generic
replaced and nothing worked out: `N % 6 == 0` of `2 * C` is `2 * C % 6 == 0`, though the prover thinks of `C % 3`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes import Max, Min, PackSize, Symbol
from linnet_core.syntax import tree
from linnet_core.syntax.parse_expressions import LEVEL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.shapes import Dim

#: What binds more tightly than every infix operator, and what needs no parentheses anywhere.
_UNARY, _PRIMARY = max(LEVEL.values()) + 1, max(LEVEL.values()) + 2
#: A longer clause is not spelled out.
_MAX_TEXT = 300


def spell_clause(clause: tree.Constraint, given: Mapping[str, Dim]) -> str | None:
    """The clause over the values of its generics, by name; None where it would be too long or has no such spelling."""
    sides = [_spell(side, given) for side in (clause.left, clause.right)]
    if sides[0] is None or sides[1] is None:
        return None
    text = f"{sides[0][0]} {clause.relation} {sides[1][0]}"
    return text if len(text) <= _MAX_TEXT else None


def _spell(node: tree.Expression, given: Mapping[str, Dim]) -> tuple[str, int] | None:
    """The text of an expression and how tightly it binds."""
    match node:
        case tree.IntLiteral():
            return node.span.text, _PRIMARY
        case tree.Ref(name=name):
            return _spell_value(given[name]) if name in given else (name, _PRIMARY)
        case tree.Field():
            return node.span.text, _PRIMARY
        case tree.Unary(operator="-" | "+"):
            inner = _spell(node.operand, given)
            return None if inner is None else (f"{node.operator}{_inside(inner, _PRIMARY)}", _UNARY)
        case tree.Binary():
            return _spell_chain(node, given)
        case tree.Call(callee=tree.Ref(name=name)):
            parts = [_spell(argument.value, given) for argument in node.arguments]
            return (f"{name}({', '.join(part[0] for part in parts if part)})", _PRIMARY) if all(parts) else None
        case _:
            return None


def _spell_chain(node: tree.Binary, given: Mapping[str, Dim]) -> tuple[str, int] | None:
    """Operators in a row, without recursion along the row."""
    spine: list[tree.Binary] = []
    first: tree.Expression = node
    while isinstance(first, tree.Binary):
        spine.append(first)
        first = first.left
    left = _spell(first, given)
    for step in reversed(spine):
        level = LEVEL.get(step.operator)
        right = _spell(step.right, given)
        if left is None or right is None or level is None or len(left[0]) > _MAX_TEXT:
            return None
        # `(H / N) % 2`: the grammar needs no parentheses, a reader does.
        quotient = step.operator == "%" and (" / " in left[0] or " % " in left[0])
        left = f"{_inside(left, level + quotient)} {step.operator} {_inside(right, level + 1)}", level
    return left


def _inside(part: tuple[str, int], level: int) -> str:
    """The text where something that binds as tightly as `level` is due."""
    return part[0] if part[1] >= level else f"({part[0]})"


def _spell_value(dim: Dim) -> tuple[str, int]:
    """A dim and how tightly its text binds."""
    match dim.terms:
        case () | ((1, (Symbol() | PackSize() | Min() | Max(),)),):
            return str(dim), _PRIMARY
        case ((c, atoms),):
            return str(dim), _UNARY if c < 0 else LEVEL["*"] if atoms else _PRIMARY
        case _:
            return str(dim), LEVEL["+"]
