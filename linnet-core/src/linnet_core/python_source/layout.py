"""Lines of generated source.

In: statements and the depth they stand at.  Out: text with LF line ends.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Lines:
    """Collects lines; `with lines.block("def f():")` indents what is added inside."""

    def __init__(self) -> None:
        #: The lines so far.
        self.lines: list[str] = []
        self._depth = 0

    def add(self, *lines: str) -> None:
        """Add lines at the present depth; an empty one stays empty."""
        indent = "    " * self._depth
        self.lines.extend(indent + line if line else "" for line in lines)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """`head`, then everything added inside one level deeper."""
        self.add(head)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def indent(self) -> None:
        """One level deeper, for brackets that open and close in different calls."""
        self._depth += 1

    def dedent(self) -> None:
        """One level back."""
        self._depth -= 1

    def text(self) -> str:
        """Everything added, ended by a line end."""
        return "\n".join(self.lines) + "\n"


def tuple_text(parts: Iterable[str]) -> str:
    """`()`, `(a,)`, `(a, b)`."""
    found = list(parts)
    return f"({found[0]},)" if len(found) == 1 else f"({', '.join(found)})"


def list_assignment(name: str, parts: Iterable[str], width: int = 100) -> list[str]:
    """`NAME = [a, b]` on one line, or one element a line when that is longer than `width`."""
    found = list(parts)
    flat = f"{name} = [{', '.join(found)}]"
    if len(flat) <= width:
        return [flat]
    return [f"{name} = [", *(f"    {part}," for part in found), "]"]
