"""Whether two files are the same program, however they are laid out.

In: two trees, or their comments.  Out: yes or no.  Spans do not count, nor do white space and indentation in comments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.syntax.tree.node import Node
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.syntax.tokens import Comment


def same_tree(one: Node, other: Node) -> bool:
    """Whether two nodes differ in nothing but their places; comments are not looked at."""
    waiting: list[tuple[Any, Any]] = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, Node):
            fields = [name for name in left.__struct_fields__ if name != "comments"]
            waiting += [(getattr(left, name), getattr(right, name)) for name in fields]
        elif isinstance(left, tuple):
            if len(left) != len(right):
                return False
            waiting += zip(left, right, strict=True)
        elif not isinstance(left, Span) and left != right:
            return False
    return True


def same_comments(some: tuple[Comment, ...], others: tuple[Comment, ...]) -> bool:
    """Whether the comments are the same in the same order, but for the white space around their lines."""
    return [_words(comment) for comment in some] == [_words(comment) for comment in others]


def _words(comment: Comment) -> list[str]:
    """The lines of a comment without the white space around them."""
    lines = comment.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [line.strip(" \t") for line in lines]
