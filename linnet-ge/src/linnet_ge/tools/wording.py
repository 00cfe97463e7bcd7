"""How what a dump says stands in findings, differences and tables.

In: values, shapes, outputs, paths of a view.  Out: words.  Nothing is escaped here: whoever prints does that.
"""

from __future__ import annotations

from linnet_ge.model import Value
from linnet_ge.readable.values import value_text

#: Longer values are cut: those of constants may be megabytes.
LONGEST = 400


def shape_words(shape: tuple[int, ...] | None) -> str:
    """`[2, -1]`; `?` where it is not known."""
    return "?" if shape is None else "[" + ", ".join(map(str, shape)) + "]"


def output_words(node: str, output: int) -> str:
    """An output of a node: `a` for the first, `a:1` for the second."""
    return node if output == 0 else f"{node}:{output}"


def value_words(value: Value | None) -> str | None:
    """A value as a readable dump would print it, where it would; a long one is cut, and how long it was is said.  None for no value."""
    if value is None:
        return None
    if value.kind in ("message", "unknown") and value.raw is not None:
        text = value.raw.strip()
    else:
        text = value_text(Value(value.kind, value.value))
    text = repr(value.value) if text is None else text
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text)} characters)"


def path_words(path: tuple[str, ...]) -> str:
    """`a -> b -> a`; the middle of a long one is left out, and how much that was is said."""
    if len(path) > 40:
        return " -> ".join([*path[:20], f"... {len(path) - 40} more ...", *path[-20:]])
    return " -> ".join(path)
