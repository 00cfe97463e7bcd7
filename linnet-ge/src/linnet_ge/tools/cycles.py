"""Cycles of a directed graph, each as the shortest way round from its first node.

In: for each node (a number) those that come after it.  Out: paths that begin and end at one node.  Time in proportion to the graph; nothing
recurses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


def cycles(after: Sequence[Sequence[int]]) -> list[list[int]]:
    """One path for each knot of nodes that lead to one another, in the order of their first nodes."""
    found = []
    for knot in knots(after):
        inside = set(knot)
        found.append(_round(min(knot), inside, after))
    return sorted(found)


def knots(after: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components that hold a cycle (R. Tarjan, 1972, with a stack of our own)."""
    count = len(after)
    order = [0] * count
    low = [0] * count
    on_stack = bytearray(count)
    stack: list[int] = []
    found: list[list[int]] = []
    number = 0
    for root in range(count):
        if order[root]:
            continue
        work = [(root, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                number += 1
                order[node] = low[node] = number
                stack.append(node)
                on_stack[node] = 1
            else:
                low[node] = min(low[node], low[after[node][at - 1]])
            following = after[node]
            while at < len(following):
                other = following[at]
                at += 1
                if not order[other]:
                    work += [(node, at), (other, 0)]
                    break
                if on_stack[other]:
                    low[node] = min(low[node], order[other])
            else:
                if low[node] == order[node]:
                    knot = _popped(stack, on_stack, node)
                    if len(knot) > 1 or node in following:
                        found.append(knot)
    return found


def _popped(stack: list[int], on_stack: bytearray, root: int) -> list[int]:
    """What lies above `root` on the stack, and itself."""
    knot = []
    while True:
        node = stack.pop()
        on_stack[node] = 0
        knot.append(node)
        if node == root:
            return knot


def _round(start: int, inside: set[int], after: Sequence[Sequence[int]]) -> list[int]:
    """The shortest way from a node of a knot back to itself."""
    before = {start: start}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for other in after[node]:
            if other == start:
                path = [start]
                while node != start:
                    path.append(node)
                    node = before[node]
                return [start, *reversed(path)]
            if other in inside and other not in before:
                before[other] = node
                waiting.append(other)
    raise AssertionError("a knot leads back to each of its nodes")
