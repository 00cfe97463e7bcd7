"""Every node of a typed tree, without recursion.

In: typed statements or expressions.  Out: an iterator over all statements and expressions in them, each before its parts,
in the order written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.program import Expr, RuntimeIndex, Stmt

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLAIN = ("type", "span")
_FIELDS: dict[type, tuple[str, ...]] = {}


def nodes_of(roots: tuple[Expr | Stmt, ...]) -> Iterator[Expr | Stmt]:
    """All nodes, parents first."""
    stack: list[object] = [roots]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(reversed(node))
            continue
        if isinstance(node, RuntimeIndex):
            stack.append(node.index)
            continue
        if not isinstance(node, Expr | Stmt):
            continue
        yield node
        names = _FIELDS.get(type(node))
        if names is None:
            names = tuple(reversed([name for name in node.__struct_fields__ if name not in _PLAIN]))
            _FIELDS[type(node)] = names
        stack.extend([getattr(node, name) for name in names])
