"""Infix operators to events.

In: a `Writer` before an infix expression, and its node.  Out: its events.  Operands joined by operators of one level are a
group: on one line, or one a line, each line but the last ending with its operator.  Tighter levels are groups inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax.format import write_expressions as expressions
from linnet_core.syntax.parse_expressions import LEVEL
from linnet_core.syntax.tree.expressions import Binary

if TYPE_CHECKING:
    from linnet_core.syntax.format.writer import Writer
    from linnet_core.syntax.tree.expressions import Expression
    from linnet_core.syntax.tree.types import Constraint


def infix(w: Writer, node: Binary, *, fresh: bool) -> None:
    """`node` without the parentheses around it; when `fresh`, lines after the first are not indented further."""
    _write(w, *_flatten(w, [(node, True)]), fresh=fresh)


def constraint(w: Writer, node: Constraint) -> None:
    """`H % N == 0`: the relation binds more loosely than all there is in its sides."""
    left = node.left.span.start == node.span.start
    right = not w.follows_parenthesis(node.right.span.start)
    _write(w, *_flatten(w, [(node.right, right), (0, True), (node.left, left)]), fresh=False)


def _write(w: Writer, operands: list[Expression], levels: list[int], *, fresh: bool) -> None:
    """Operands and the operators between them.

    Lines after the first of a group are indented; what its first operand breaks into is not, unless more groups begin there.
    """
    opens, closes = _groups(levels)
    for index, operand in enumerate(operands):
        indents = opens[index]
        if fresh and not index:
            indents -= 1
        for nth in range(opens[index]):
            w.open(indent=False)
            if nth < indents - 1:
                w.indent()
        expressions.expression(w, operand)
        if indents > 0:
            w.indent()
        last = index + 1 == len(operands)
        for nth in range(closes[index]):
            w.close(indent=not fresh or not last or nth + 1 < closes[index])
        if not last:
            w.space()
            w.take()
            w.line()


def _flatten(w: Writer, waiting: list[tuple[Expression | int, bool]]) -> tuple[list[Expression], list[int]]:
    """The operands in order and the levels of the operators between them, down to what is in parentheses.

    `waiting` holds expressions and levels, the first last, and whether an expression stands without parentheses.
    """
    operands: list[Expression] = []
    levels: list[int] = []
    while waiting:
        part, bare = waiting.pop()
        if isinstance(part, int):
            levels.append(part)
        elif bare and isinstance(part, Binary):
            waiting.append((part.right, not w.follows_parenthesis(part.right.span.start)))
            waiting.append((LEVEL[part.operator], True))
            waiting.append((part.left, part.left.span.start == part.span.start))
        else:
            operands.append(part)
    return operands, levels


def _groups(levels: list[int]) -> tuple[list[int], list[int]]:
    """How many groups begin before each operand, and how many end after it, the first to begin being the last to end."""
    opens = [0] * (len(levels) + 1)
    closes = [0] * (len(levels) + 1)
    stack: list[tuple[int, int]] = []
    for index, level in enumerate(levels):
        first = index
        while stack and stack[-1][1] > level:
            first = stack.pop()[0]
            opens[first] += 1
            closes[index] += 1
        if not stack or stack[-1][1] < level:
            stack.append((first, level))
    for first, _ in stack:
        opens[first] += 1
        closes[-1] += 1
    return opens, closes
