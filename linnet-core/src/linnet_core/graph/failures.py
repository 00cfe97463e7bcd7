"""What an export says when it cannot go on.

In: the operation, what is wrong and what would help.  Out: `SourceError` with E6001 (cannot be exported), E6002 (does not fit the bound
sizes) or E6003 (a limit), at the operation's place in the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import SourceError
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from linnet_core.ir.module import Op
    from linnet_core.text.span import Span


def cannot(message: str, op: Op, help: str | None = None) -> SourceError:
    """E6001: the entry cannot be exported because of `op`."""
    return SourceError([Diagnostic("E6001", message, op.span, help=help)])


def unfit(message: str, span: Span | None, notes: tuple[str, ...] = (), help: str | None = None) -> SourceError:
    """E6002: something does not fit the bound sizes."""
    return SourceError([Diagnostic("E6002", message, span, notes=notes, help=help)])


def beyond(message: str, span: Span | None, help: str | None = None) -> SourceError:
    """E6003: a documented limit is exceeded."""
    return SourceError([Diagnostic("E6003", message, span, help=help)])
