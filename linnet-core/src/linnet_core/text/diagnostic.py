"""What is said about a program.

In: a code of `codes.py`, a message, spans.  Out: `Diagnostic` values and `Diagnostics`, the collector that every stage
appends to.  Showing them is `show_text.py` and `show_json.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from linnet_core.errors import SourceError
from linnet_core.text.codes import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from linnet_core.text.source import Source
    from linnet_core.text.span import Span

Severity = Literal["error", "warning"]


class Label(Struct, frozen=True):
    """A secondary place and what is said of it."""

    span: Span
    text: str


class Diagnostic(Struct, frozen=True):
    """One problem: `code`, message in the program's own names, where, and what would fix it.

    `span` is None only for a problem of no file.  `label` stands beside the primary carets.  `related` are the labelled
    secondary spans, `notes` what is known, `help` the repair.
    """

    code: str
    message: str
    span: Span | None
    label: str | None = None
    related: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None

    @property
    def severity(self) -> Severity:
        """`warning` for W-codes, `error` for the rest."""
        return CODES[self.code].severity


class Diagnostics:
    """Collects diagnostics of one run; asked at the end whether there were errors."""

    def __init__(self) -> None:
        """Nothing is reported yet."""
        self._found: list[Diagnostic] = []
        self._seen: set[tuple[str, int, int, int, str]] = set()
        #: The sources in load order, set by whoever loads them; `ordered` follows it.
        self.files: tuple[Source, ...] = ()

    def report(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        label: str | None = None,
        related: Sequence[Label] = (),
        notes: Sequence[str] = (),
        help: str | None = None,
        apart: bool = False,
    ) -> None:
        """Add one diagnostic; the same code at the same place is kept once, and with `apart` the same message."""
        source, start, end = (id(span.source), span.start, span.end) if span is not None else (0, 0, len(self._found))
        key = (code, source, start, end, message if apart else "")
        if key in self._seen:
            return
        self._seen.add(key)
        self._found.append(Diagnostic(code, message, span, label, tuple(related), tuple(notes), help))

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add diagnostics made elsewhere."""
        self._found.extend(diagnostics)

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """Everything reported so far, in the order of reporting."""
        return tuple(self._found)

    def ordered(self) -> tuple[Diagnostic, ...]:
        """Everything as it is shown: files in load order (others before them, as first reported), then place, then code."""
        rank = {id(source): index for index, source in enumerate(self.files)}
        first: dict[int, int] = {}
        for found in self._found:
            if found.span is not None:
                first.setdefault(id(found.span.source), len(first) - len(self._found) - 1)

        def place(found: Diagnostic) -> tuple[int, int, str]:
            if found.span is None:
                return (-2 * len(self._found) - 2, 0, found.code)
            key = id(found.span.source)
            return (rank.get(key, first[key]), found.span.start, found.code)

        return tuple(sorted(self._found, key=place))

    def __iter__(self) -> Iterator[Diagnostic]:
        """The diagnostics as they are shown."""
        return iter(self.ordered())

    @property
    def has_errors(self) -> bool:
        """Whether anything reported is an error (not a warning)."""
        return any(d.severity == "error" for d in self._found)

    def raise_errors(self) -> None:
        """Raise `SourceError` with everything found when there is an error among it."""
        if self.has_errors:
            raise SourceError(self.ordered())
