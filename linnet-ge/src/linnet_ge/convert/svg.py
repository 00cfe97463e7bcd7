"""Drawings as SVG, made here: no other program is needed.

In: `Drawing` values.  Out: one SVG text, its graphs below one another.  It holds no script and refers to nothing outside of it; a box that
runs a graph links to that graph's drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from linnet_core.errors import UsageError
from linnet_ge.convert.drawn import Box, Drawing
from linnet_ge.convert.layers import Layout, laid_out
from linnet_ge.convert.places import MARGIN, PADDING, TEXT, Places, placed

#: A drawing of more boxes is refused unless more are asked for: nobody can read it, and few programs open it.
MOST_BOXES = 2000

_COLOURS = {
    "node": ("#ffffff", "#374151"),
    "data": ("#dbeafe", "#1d4ed8"),
    "constant": ("#f3f4f6", "#6b7280"),
    "control": ("#fef3c7", "#b45309"),
    "return": ("#dcfce7", "#15803d"),
    "missing": ("#ffffff", "#b91c1c"),
}
_HEAD = """<style>text{font:11px monospace;fill:#111827}.title{font-weight:bold;font-size:14px}.type{fill:#4b5563}\
path{fill:none;stroke:#9ca3af}.control{stroke-dasharray:4 3}.up{stroke:#b91c1c}rect{rx:4px}</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" \
style="fill:#9ca3af;stroke:none"/></marker></defs>
"""
#: What XML would take for its own.
_ESCAPED = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;"}


def svg_text(drawings: Iterable[Drawing], most: int = MOST_BOXES) -> str:
    """The text.  `UsageError` where there are more than `most` boxes."""
    drawn = list(drawings)
    hold([(drawing.name, len(drawing.boxes)) for drawing in drawn], most)
    y = 0.0
    width = 0.0
    parts: list[str] = []
    for number, drawing in enumerate(drawn):
        texts = _texts(drawing)
        layout = laid_out(len(drawing.boxes), [(line.source, line.target) for line in drawing.lines])
        places = placed(texts, layout)
        parts.append(f'<g id="g{number}" transform="translate(0 {y:.0f})">\n')
        parts.append(f'<text class="title" x="{MARGIN}" y="16">{escaped(drawing.name)}</text>\n')
        parts += _pieces(drawing, texts, layout, places)
        parts.append("</g>\n")
        y += places.height + MARGIN
        width = max(width, places.width, 2 * MARGIN + 9 * len(drawing.name))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{y:.0f}" viewBox="0 0 {width:.0f} {y:.0f}">\n'
    return "".join([head, _HEAD, '<rect width="100%" height="100%" fill="#ffffff"/>\n', *parts, "</svg>\n"])


def hold(graphs: Sequence[tuple[str, int]], most: int) -> None:
    """Refuse graphs, names with counts of boxes, that have more than `most` together."""
    count = sum(boxes for _, boxes in graphs)
    if count > most:
        name, largest = max(graphs, key=lambda graph: graph[1])
        raise UsageError(
            f"a drawing of {count} boxes is more than the {most} that are drawn (the largest graph, `{name}`, has {largest});"
            " `linnet ge extract` takes a part, `--graph NAME` draws one graph, `--max-nodes N` more boxes, and `--to dot` has no limit"
        )


def _texts(drawing: Drawing) -> list[list[str]]:
    """The lines of text of each box: name, type, outputs, the graphs it runs."""
    texts = [list(box.lines) for box in drawing.boxes]
    for box, text, _ in drawing.runs:
        texts[box].append(text)
    return texts


def _pieces(drawing: Drawing, texts: Sequence[Sequence[str]], layout: Layout, places: Places) -> Iterator[str]:
    """The lines, then the boxes over them."""
    slots = _slots(drawing, layout, places)
    for number, line in enumerate(drawing.lines):
        kinds = [word for word, holds in (("control", line.control), ("up", number in layout.against)) if holds]
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        title = f"<title>{escaped(line.text)}</title>" if line.text else ""
        path = _path(line.source, layout.bends[number], line.target, slots[number], places)
        yield f'<path{kind} d="{path}" marker-end="url(#arrow)">{title}</path>\n'
    links: dict[int, list[int | None]] = {}
    for box, _, graph in drawing.runs:
        links.setdefault(box, []).append(graph)
    for number, box in enumerate(drawing.boxes):
        yield _box(box, number, texts[number], links.get(number, []), places)


def _slots(drawing: Drawing, layout: Layout, places: Places) -> dict[int, float]:
    """Where each line meets its target, from -0.5 at the left to 0.5: in the order the lines come in, so that they do not cross there."""
    into: dict[int, list[tuple[float, int]]] = {}
    for number, line in enumerate(drawing.lines):
        last = layout.bends[number][-1] if layout.bends[number] else line.source
        into.setdefault(line.target, []).append((places.centres[last], number))
    return {number: (at + 0.5) / len(lines) - 0.5 for lines in into.values() for at, (_, number) in enumerate(sorted(lines))}


def _path(source: int, bends: Sequence[int], target: int, slot: float, places: Places) -> str:
    """A smooth line from below its source past the bends to its slot at the top of the target."""
    points = [(places.centres[source], places.tops[source] + places.heights[source])]
    for bend in bends:
        points += [(places.centres[bend], places.tops[bend]), (places.centres[bend], places.tops[bend] + places.heights[bend])]
    points.append((places.centres[target] + slot * places.widths[target] * 0.8, places.tops[target]))
    words = [f"M{points[0][0]:.0f} {points[0][1]:.0f}"]
    for (x, y), (to_x, to_y) in pairwise(points):
        half = (to_y - y) / 2
        words.append(
            f"L{to_x:.0f} {to_y:.0f}" if x == to_x else f"C{x:.0f} {y + half:.0f} {to_x:.0f} {to_y - half:.0f} {to_x:.0f} {to_y:.0f}"
        )
    return "".join(words)


def _box(box: Box, number: int, texts: Sequence[str], links: Sequence[int | None], places: Places) -> str:
    fill, stroke = _COLOURS[box.look]
    x, y = places.centres[number], places.tops[number]
    left, width, height = x - places.widths[number] / 2, places.widths[number], places.heights[number]
    parts = [
        f"<g><title>{escaped(box.told)}</title>",
        f'<rect x="{left:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" fill="{fill}" stroke="{stroke}"/>',
    ]
    first_link = len(texts) - len(links)
    for at, text in enumerate(texts):
        kind = ' class="type"' if at else ""
        row = f'<text{kind} x="{left + PADDING:.0f}" y="{y + TEXT * (at + 1):.0f}">{escaped(text)}</text>'
        graph = links[at - first_link] if at >= first_link else None
        parts.append(row if graph is None else f'<a href="#g{graph}">{row}</a>')
    return "".join([*parts, "</g>\n"])


def escaped(text: str) -> str:
    """Text as it stands in XML; it holds nothing that does not print."""
    return text.translate(_ESCAPED)
