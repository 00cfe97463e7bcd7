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


def infix(w: Writer, node: Binary, *, fresh: bool) -> None:
    """`node` without the parentheses around it; when `fresh`, lines after the first are not indented further."""
    operands, levels = _flatten(w, node)
    opens, closes = _groups(levels)
    for index, operand in enumerate(operands):
        for nth in range(opens[index]):
            w.open(indent=not fresh or index > 0 or nth > 0)
        expressions.expression(w, operand)
        last = index + 1 == len(operands)
        for nth in range(closes[index]):
            w.close(indent=not fresh or not last or nth + 1 < closes[index])
        if not last:
            w.space()
            w.take()
            w.line()


def _flatten(w: Writer, node: Binary) -> tuple[list[Expression], list[int]]:
    """The operands in order and the levels of the operators between them, down to what is in parentheses."""
    operands: list[Expression] = []
    levels: list[int] = []
    waiting: list[tuple[Expression | int, bool]] = [(node, True)]
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
