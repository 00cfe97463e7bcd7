"""Names that stand in a piece of syntax.

In: syntax nodes.  Out: every name written in them where a value, type or dimension is due, whatever it stands for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def mentioned_names(roots: Iterable[object]) -> list[str]:
    """The names, in the order written, each once."""
    found: dict[str, None] = {}
    for node in syntax_nodes(roots):
        if isinstance(node, tree.Ref):
            found[node.name] = None
        elif isinstance(node, tree.NamedType):
            found[node.path.parts[0].text] = None
    return list(found)


def syntax_nodes(roots: Iterable[object]) -> Iterator[tree.Node]:
    """All syntax nodes below `roots`, parents first, without recursion."""
    waiting = list(roots)
    waiting.reverse()
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif isinstance(node, tree.Node):
            yield node
            waiting.extend(getattr(node, name) for name in reversed(node.__struct_fields__) if name != "span")
