"""What every syntax node has: a span.  Also names and paths.

In: nothing.  Out: `Node`, the base of the tree's frozen structs.
"""

from __future__ import annotations

from msgspec import Struct

from linnet_core.text.span import Span


class Node(Struct, frozen=True, gc=False):
    """Base of all syntax nodes.  `span` covers the node's own tokens."""

    span: Span


class Name(Node, frozen=True):
    """One identifier."""

    text: str


class Path(Node, frozen=True):
    """`a.b.C`: names joined by dots, at least one."""

    parts: tuple[Name, ...]

    @property
    def text(self) -> str:
        """The path as it is written."""
        return ".".join(part.text for part in self.parts)
