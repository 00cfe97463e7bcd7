"""Where boxes stand on a drawing: in layers, every line from an upper one to a lower one, crossings made few.

In: how many boxes there are, lines between them.  Out: the boxes of each layer in order, and where lines bend.

Layers are those of the longest path (K. Sugiyama et al., 1981), with boxes that nothing comes into moved down to the first that needs them;
lines against the direction of a cycle do not count.  A line past layers has a bend in each, shared by the lines of one box; very long ones
have none, so that time and memory go with boxes and lines.  Places come from a few sweeps of barycentres.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

#: Sweeps down and up.
SWEEPS = 4
#: A line past more layers has no bends.
LONG = 64


class Layout(Struct, frozen=True):
    """`layers[i]` lists the boxes and bends of layer i from left to right; bends are numbered after the boxes.

    `bends[n]` are those of line n, from its source on; `links` are the pieces between neighbouring layers; `against` the numbers of lines
    that go up, in a cycle.
    """

    layers: tuple[tuple[int, ...], ...]
    bends: tuple[tuple[int, ...], ...]
    links: tuple[tuple[int, int], ...]
    against: frozenset[int]


def laid_out(boxes: int, lines: Sequence[tuple[int, int]]) -> Layout:
    """The layout; equal input gives the same one."""
    against = _against(boxes, lines)
    forward = [line for number, line in enumerate(lines) if number not in against]
    layer_of = _layers(boxes, forward)
    made: dict[tuple[int, int], int] = {}
    bends = [() if number in against else _bends(line, layer_of, made) for number, line in enumerate(lines)]
    links = dict.fromkeys(
        link
        for line, via in zip(lines, bends, strict=True)
        for link in pairwise((line[0], *via, line[1]))
        if layer_of[link[1]] == layer_of[link[0]] + 1
    )
    layers: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    for box, layer in enumerate(layer_of):
        layers[layer].append(box)
    _sweep(layers, len(layer_of), list(links))
    return Layout(tuple(map(tuple, layers)), tuple(bends), tuple(links), against)


def _bends(line: tuple[int, int], layer_of: list[int], made: dict[tuple[int, int], int]) -> tuple[int, ...]:
    """The bends of a line in the layers it passes; they are added to `layer_of`, once for each box and layer."""
    source, target = line
    passed = range(layer_of[source] + 1, layer_of[target])
    if len(passed) > LONG:
        return ()
    for layer in passed:
        if (source, layer) not in made:
            made[source, layer] = len(layer_of)
            layer_of.append(layer)
    return tuple(made[source, layer] for layer in passed)


def _neighbours(boxes: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(boxes)]
    for of, other in pairs:
        found[of].append(other)
    return found


def _against(boxes: int, lines: Sequence[tuple[int, int]]) -> frozenset[int]:
    """The lines that close a cycle, met depth first from each box in order, without recursion."""
    leaving: list[list[int]] = [[] for _ in range(boxes)]
    for number, (source, _) in enumerate(lines):
        leaving[source].append(number)
    state = [0] * boxes  # 1: on the path, 2: done
    found: set[int] = set()
    for root in range(boxes):
        if state[root]:
            continue
        path = [(root, iter(leaving[root]))]
        state[root] = 1
        while path:
            box, rest = path[-1]
            number = next(rest, None)
            if number is None:
                state[box] = 2
                path.pop()
                continue
            target = lines[number][1]
            if state[target] == 1:
                found.add(number)
            elif not state[target]:
                state[target] = 1
                path.append((target, iter(leaving[target])))
    return frozenset(found)


def _layers(boxes: int, lines: Sequence[tuple[int, int]]) -> list[int]:
    """The longest path to each box; what begins a path stands right above the first that needs it."""
    targets = _neighbours(boxes, lines)
    waiting = [0] * boxes
    for _, target in lines:
        waiting[target] += 1
    starts = [box for box in range(boxes) if not waiting[box]]
    layer = [0] * boxes
    ready = starts.copy()
    while ready:
        box = ready.pop()
        for target in targets[box]:
            layer[target] = max(layer[target], layer[box] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    for box in starts:
        if targets[box]:
            layer[box] = min(layer[target] for target in targets[box]) - 1
    return layer


def _sweep(layers: list[list[int]], boxes: int, lines: Sequence[tuple[int, int]]) -> None:
    """Order each layer by the mean place of what its boxes are connected to, in the layers above, then below."""
    above = _neighbours(boxes, ((target, source) for source, target in lines))
    below = _neighbours(boxes, lines)
    place = [0.0] * boxes
    for layer in layers:
        _number(layer, place)
    for sweep in range(SWEEPS):
        others = below if sweep % 2 else above
        for layer in reversed(layers) if sweep % 2 else layers:
            means = {box: sum(place[o] for o in others[box]) / len(others[box]) if others[box] else place[box] for box in layer}
            layer.sort(key=lambda box: (means[box], box))
            _number(layer, place)


def _number(layer: list[int], place: list[float]) -> None:
    for at, box in enumerate(layer):
        place[box] = (at + 0.5) / len(layer)
