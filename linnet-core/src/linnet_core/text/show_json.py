"""Diagnostics as JSON.

In: diagnostics.  Out: the document `schemas/diagnostics-1.schema.json` describes: plain dicts and lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.text.diagnostic import Diagnostic
    from linnet_core.text.span import Span


def to_json(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """The document: every diagnostic in the order given, and how many there are of each severity."""
    found = list(diagnostics)
    errors = sum(each.severity == "error" for each in found)
    return {
        "version": 1,
        "diagnostics": [_diagnostic(each) for each in found],
        "summary": {"errors": errors, "warnings": len(found) - errors},
    }


def _diagnostic(found: Diagnostic) -> dict[str, Any]:
    """One diagnostic."""
    return {
        "code": found.code,
        "severity": found.severity,
        "message": _text(found.message),
        "label": None if found.label is None else _text(found.label),
        "location": None if found.span is None else location(found.span),
        "related": [{"label": _text(label.text), "location": location(label.span)} for label in found.related],
        "notes": [_text(note) for note in found.notes],
        "help": None if found.help is None else _text(found.help),
    }


def location(span: Span) -> dict[str, Any]:
    """File, start and end (exclusive): lines and columns from 1 in code points, offsets from 0 in bytes."""
    return {"file": _text(span.source.path), "start": _position(span, span.start), "end": _position(span, span.end)}


def _position(span: Span, offset: int) -> dict[str, int]:
    """One end of a span."""
    position = span.source.position(offset)
    return {"line": position.line, "column": position.column, "offset": position.offset}


def _text(text: str) -> str:
    """Text that any JSON reader takes: a byte that was not UTF-8 is spelled out."""
    return "".join(f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else c for c in text) if not text.isascii() else text
