"""What an export says when it cannot go on.

In: the operation, what is wrong and what would help.  Out: `SourceError` with E6001 (cannot be exported), E6002 (does not fit the bound
sizes) or E6003 (a limit), at the operation's place in the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.errors import SourceError
from linnet_core.text.diagnostic import Diagnostic, Label

if TYPE_CHECKING:
    from linnet_core.ir.module import Op
    from linnet_core.text.span import Span


def cannot(message: str, op: Op, help: str) -> SourceError:
    """E6001: the entry cannot be exported because of `op`."""
    return SourceError([Diagnostic("E6001", message, op.span, help=help)])


def unfit(message: str, span: Span | None, notes: tuple[str, ...] = (), help: str = "bind other sizes") -> SourceError:
    """E6002: something does not fit the bound sizes."""
    return SourceError([Diagnostic("E6002", message, span, notes=notes, help=help)])


def beyond(message: str, span: Span | None, help: str = "bind smaller sizes") -> SourceError:
    """E6003: a documented limit is exceeded."""
    return SourceError([Diagnostic("E6003", message, span, help=help)])


def placed(failure: SourceError, span: Span | None) -> SourceError:
    """The failure, at `span` where it says no place: what a target raises, and what a gradient is made of, knows of calls only."""
    if span is None or all(d.span is not None for d in failure.diagnostics):
        return failure
    return SourceError([replace(d, span=span) if d.span is None else d for d in failure.diagnostics])


def number(value: int) -> str:
    """A size as messages show it; one of very many digits, which nobody reads and Python may refuse to write, by its magnitude."""
    digits = int(abs(value).bit_length() * 0.30103)
    return str(value) if digits < 40 else f"{'-' * (value < 0)}10^{digits} or so"


#: How many of the calls that led to a failure are shown, innermost first.
_SHOWN_CALLS = 3


def through_call(failure: SourceError, op: Op, callee: str) -> SourceError:
    """The failure, with the call it happened in as a secondary place."""
    if op.span is None:
        return failure
    label = Label(op.span, f"in this call of `{callee}`")
    return SourceError([replace(d, related=(*d.related, label)) if len(d.related) < _SHOWN_CALLS else d for d in failure.diagnostics])


def named(failure: SourceError, entry: str, target: str) -> SourceError:
    """The failure, with the entry and the target that were exported."""
    note = f"exporting entry `{entry}` to `{target}`"
    return SourceError([replace(d, notes=(*d.notes, note)) if d.code == "E6001" else d for d in failure.diagnostics])
