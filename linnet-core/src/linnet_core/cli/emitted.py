"""What is wrong with source that was made from a plan, as something wrong with the plan.

In: the failure, the name of the plan, and the folder the source was checked in.  Out: the failure at names that stay: `<emitted>` for one
module, the file's place in the package otherwise; the same plan gives the same words every time.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.errors import SourceError
from linnet_core.text.source import Source
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.text.diagnostic import Diagnostic

#: What the one module is called that is printed.
EMITTED = "<emitted>"


def of_plan(failure: SourceError, plan: str, folder: str | None = None, name: str | None = None) -> SourceError:
    """The failure with every file called by its place in `folder`, or all of them `name`, and the plan named beside the first."""
    shown = _Shown(folder, name)
    first, *others = [shown.diagnostic(each) for each in failure.diagnostics]
    made_from = "the plan on stdin" if plan == "-" else plan
    note = f"this source was made from {made_from}: the plan is at fault"
    return SourceError([replace(first, notes=(*first.notes, note)), *others])


class _Shown:
    """Diagnostics with other names for files; one source stays one source."""

    def __init__(self, folder: str | None, name: str | None) -> None:
        self.folder = folder
        self.name = name
        self.sources: dict[int, Source] = {}

    def diagnostic(self, found: Diagnostic) -> Diagnostic:
        """One of them."""
        return replace(
            found,
            message=self.words(found.message),
            span=None if found.span is None else self.span(found.span),
            related=tuple([replace(label, span=self.span(label.span), text=self.words(label.text)) for label in found.related]),
            notes=tuple(map(self.words, found.notes)),
            help=None if found.help is None else self.words(found.help),
        )

    def words(self, text: str) -> str:
        """A message without the folder in its paths."""
        return text if self.folder is None else text.replace(self.folder + os.sep, "")

    def span(self, span: Span) -> Span:
        """The same place."""
        source = span.source
        if id(source) not in self.sources:
            path = self.name or self.words(source.path).replace(os.sep, "/")
            self.sources[id(source)] = Source(path, source.text, source.skipped, source.readable)
        return Span(self.sources[id(source)], span.start, span.end)
