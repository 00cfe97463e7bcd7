"""How wide boxes are and where they stand, in pixels.

In: the texts of boxes, a `Layout`.  Out: `Places`.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

from msgspec import Struct

from linnet_ge.convert.layers import Layout

#: The width of a character (6.6, which some renderers round up), the height of a line of text, what is left free around boxes, between and
#: around layers.
CHARACTER, TEXT, PADDING, GAP, BETWEEN, MARGIN = 7, 14, 8, 18, 44, 24
#: How often boxes are moved towards what they are connected to.
_MOVES = 4


class Places(Struct, frozen=True):
    """`centres` and `tops` of boxes and bends, the sizes of boxes, and those of the whole."""

    centres: tuple[float, ...]
    tops: tuple[float, ...]
    widths: tuple[float, ...]
    heights: tuple[float, ...]
    width: float
    height: float


def placed(texts: Sequence[Sequence[str]], layout: Layout) -> Places:
    """Where the boxes with these lines of text stand; bends are narrow and as high as their layer."""
    count = sum(map(len, layout.layers))
    widths = [max(map(_width, text)) + 2 * PADDING for text in texts] + [0.0] * (count - len(texts))
    heights = [TEXT * len(text) + PADDING for text in texts] + [0.0] * (count - len(texts))
    tops = [0.0] * count
    y = float(MARGIN)
    for layer in layout.layers:
        tall = max(heights[box] for box in layer)
        for box in layer:
            tops[box] = y
            heights[box] = heights[box] or tall
        y += tall + BETWEEN
    centres = _centres(layout, widths)
    left = min((centre - width / 2 for centre, width in zip(centres, widths, strict=True)), default=0.0) - MARGIN
    centres = [centre - left for centre in centres]
    right = max((centre + width / 2 for centre, width in zip(centres, widths, strict=True)), default=0.0)
    return Places(tuple(centres), tuple(tops), tuple(widths), tuple(heights), right + MARGIN, max(y - BETWEEN, 0) + MARGIN)


def _centres(layout: Layout, widths: list[float]) -> list[float]:
    """Boxes of a layer side by side, moved towards the mean of what they are connected to as far as the others let them."""
    centres = [0.0] * len(widths)
    near: list[list[int]] = [[] for _ in widths]
    for source, target in layout.links:
        near[source].append(target)
        near[target].append(source)
    for layer in layout.layers:
        total = sum(widths[box] + GAP for box in layer)
        _pack(layer, dict.fromkeys(layer, -total), widths, centres)
        middle = (centres[layer[0]] + centres[layer[-1]]) / 2
        for box in layer:
            centres[box] -= middle
    for move in range(_MOVES):
        for layer in reversed(layout.layers) if move % 2 else layout.layers:
            wished = {box: sum(centres[o] for o in near[box]) / len(near[box]) if near[box] else centres[box] for box in layer}
            _pack(layer, wished, widths, centres)
    return centres


def _pack(layer: Sequence[int], wished: dict[int, float], widths: list[float], centres: list[float]) -> None:
    """The mean of the leftmost places that keep to the right of the wishes, and of the rightmost that keep to the left of them."""
    rightward: list[float] = []
    for at, box in enumerate(layer):
        least = rightward[-1] + _apart(layer[at - 1], box, widths) if at else wished[box]
        rightward.append(max(wished[box], least))
    last = len(layer) - 1
    edge = 0.0
    for at in range(last, -1, -1):
        box = layer[at]
        edge = wished[box] if at == last else min(wished[box], edge - _apart(box, layer[at + 1], widths))
        centres[box] = (rightward[at] + edge) / 2


def _apart(left: int, right: int, widths: list[float]) -> float:
    return (widths[left] + widths[right]) / 2 + GAP


def _width(text: str) -> float:
    wide = 0 if text.isascii() else sum(east_asian_width(character) in "WF" for character in text)
    return CHARACTER * (len(text) + wide)
