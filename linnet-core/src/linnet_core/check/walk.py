"""The nodes of a typed tree, without recursion.

In: typed statements or expressions.  Out: `nodes_of`, an iterator over all statements and expressions in them, each before
its parts, in the order written; and `operands`, the expressions right under one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.program import Expr, RuntimeIndex, Stmt

if TYPE_CHECKING:
    from collections.abc import Iterator

_NODES = (Expr, Stmt)
#: What fields without nodes are declared as.
_PLAIN = frozenset(("Args", "Dim", "Local", "Substitution", "int", "str"))
_FIELDS: dict[type, tuple[str, ...]] = {}


def nodes_of(roots: tuple[Expr | Stmt, ...]) -> Iterator[Expr | Stmt]:
    """All nodes, parents first."""
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        yield node
        parts = parts_of(node)
        if parts:
            parts.reverse()
            stack.extend(parts)


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The expressions right under one, in the order of its fields."""
    return tuple(part for part in parts_of(expr) if isinstance(part, Expr))


def parts_of(node: Expr | Stmt) -> list[Expr | Stmt]:
    """The expressions and statements right under a node."""
    names = _FIELDS.get(type(node))
    if names is None:
        names = _FIELDS[type(node)] = _fields(type(node))
    found: list[Expr | Stmt] = []
    for name in names:
        value = getattr(node, name)
        if isinstance(value, tuple):
            for part in value:
                if isinstance(part, RuntimeIndex):
                    part = part.index
                if isinstance(part, _NODES):
                    found.append(part)
        elif isinstance(value, _NODES):
            found.append(value)
        elif isinstance(value, RuntimeIndex):
            found.append(value.index)
    return found


def _fields(kind: type[Expr | Stmt]) -> tuple[str, ...]:
    """The fields of a kind of node that may hold nodes; type and span, which every node has, are not declared by the kind itself."""
    return tuple(name for name, declared in kind.__annotations__.items() if declared not in _PLAIN)
