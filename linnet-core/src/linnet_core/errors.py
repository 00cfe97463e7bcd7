"""The exceptions of this package; every one carries what a person needs to read.

In: diagnostics (`linnet_core.text`) or one plain sentence.  Out: exceptions the command line turns into text or JSON and
an exit status.  No other module of the package defines an exception.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.text.diagnostic import Diagnostic


class LinnetError(Exception):
    """Base of every error this package raises on purpose."""

    #: Exit status of a command that ends with this error.
    status = 1


class SourceError(LinnetError):
    """Something found in a file (or in what a file says under the given sizes): one or more diagnostics."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in diagnostics))
        self.diagnostics = tuple(diagnostics)


class UsageError(LinnetError):
    """The command line (or the caller of the library) asked for something that does not exist or cannot be read."""

    status = 2


class DocumentError(LinnetError):
    """A plan, graph, file of arrays or other document that cannot be used; the message names the file or the place inside it."""


class RuntimeFailure(LinnetError):
    """A run of generated source that ended badly: an index out of range, an input of the wrong shape."""


class MissingRuntime(LinnetError):
    """A framework that is needed to run (not to print) is not installed; the message says what to install."""

    status = 2


class InternalError(LinnetError):
    """An invariant of the tools is broken; never the user's fault.  The message names the invariant."""
