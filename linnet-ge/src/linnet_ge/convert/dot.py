r"""Drawings as DOT text.

In: `Drawing` values.  Out: text that Graphviz and its kin read; a cluster a graph.  In a quoted DOT string only `"`, `\` and `&`
mean something, and `\n` ends a line of a label; all else was made printable before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linnet_ge.convert.drawn import Drawing

_STYLES = {
    "node": "",
    "data": ', style="filled,rounded", fillcolor="#dbeafe"',
    "constant": ', style="filled", fillcolor="#f3f4f6"',
    "control": ', style="filled", fillcolor="#fef3c7"',
    "return": ', style="filled,rounded", fillcolor="#dcfce7"',
    "missing": ', style="dashed", color="#b91c1c"',
}


def dot_text(drawings: Iterable[Drawing]) -> str:
    """The text; ids are `gNnM`, so that no name of a file is one."""
    return "\n".join(["digraph {", "  compound=true", '  node [shape=box, fontname="sans-serif"]', *_lines(list(drawings)), "}", ""])


def _lines(drawings: list[Drawing]) -> Iterator[str]:
    for number, drawing in enumerate(drawings):
        yield f"  subgraph cluster_{number} {{"
        yield f"    label={quoted(drawing.name)}"
        for place, box in enumerate(drawing.boxes):
            label = quoted("\n".join(box.lines))
            yield f"    g{number}n{place} [label={label}, tooltip={quoted(box.told)}{_STYLES[box.look]}]"
        for line in drawing.lines:
            label = f" [label={quoted(line.text)}]" if line.text else ""
            yield f"    g{number}n{line.source} -> g{number}n{line.target}{' [style=dashed]' if line.control else label}"
        yield "  }"
    for number, drawing in enumerate(drawings):
        for place, text, graph in drawing.runs:
            if graph is not None and drawings[graph].boxes:
                yield f"  g{number}n{place} -> g{graph}n0 [label={quoted(text)}, style=dotted, lhead=cluster_{graph}, constraint=false]"


def quoted(text: str) -> str:
    """A DOT string that shows `text`."""
    escaped = text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
