"""The rules of `linnet ge lint`, and what one finding is.

In: nothing.  Out: `RULES`, `Finding`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Severity = Literal["problem", "note"]

#: What each code means; notes do not change the exit status.
RULES: dict[str, tuple[Severity, str]] = {
    "G101": ("problem", "the file is cut off or damaged, or text stands in it that is no dump"),
    "G102": ("note", "text can be read in several ways"),
    "G103": ("note", "the last graph has no results, or the file ends too early"),
    "G104": ("problem", "an attribute, an input or a result is spelled as the emitter does not"),
    "G201": ("problem", "several nodes of a graph have one name"),
    "G202": ("problem", "a name is taken that nothing in the graph gives"),
    "G203": ("problem", "an output is taken that the node does not have"),
    "G204": ("problem", "nodes take one another's outputs in a cycle"),
    "G205": ("note", "nothing takes what a node gives"),
    "G301": ("problem", "a node's count of outputs is not the number of its `get_element` lines"),
    "G302": ("problem", "the count of users of an output is not the number of its uses"),
    "G303": ("problem", "outputs of nodes are not numbered as the emitter does"),
    "G401": ("problem", "a graph is named that the file has no body of"),
    "G402": ("problem", "no node that the main graph runs names a graph"),
    "G403": ("problem", "a graph runs itself"),
    "G404": ("problem", "several graphs have one name"),
    "G405": ("note", "a graph does not give or take what the node does that runs it"),
    "G501": ("problem", "indices of inputs are not 0, 1, 2, ..., each once"),
    "G601": ("note", "the emitter knew no name for an input or a graph"),
}


class Finding(Struct, frozen=True):
    """One thing that is wrong, or doubtful: `path` holds the names of a cycle, the first again at its end."""

    code: str
    line: int | None
    graph: str | None
    node: str | None
    message: str
    path: tuple[str, ...] | None = None

    @property
    def severity(self) -> Severity:
        """Whether it is a problem, or a note."""
        return RULES[self.code][0]
