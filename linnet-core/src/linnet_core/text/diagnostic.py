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
    from collections.abc import Iterable, Sequence

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
        self._found: list[Diagnostic] = []
        self._seen: set[tuple[str, int, int, int]] = set()

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
    ) -> None:
        """Add one diagnostic; the same code at the same place is kept once."""
        key = (code, id(span.source), span.start, span.end) if span is not None else (code, 0, 0, len(self._found))
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

    @property
    def has_errors(self) -> bool:
        """Whether anything reported is an error (not a warning)."""
        return any(d.severity == "error" for d in self._found)

    def raise_errors(self) -> None:
        """Raise `SourceError` with everything found when there is an error among it."""
        if self.has_errors:
            raise SourceError(self.found)
