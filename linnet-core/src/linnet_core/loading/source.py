"""The source of one entry of a model under the sizes of a call.

In: a model, an entry, bindings of everything, the optional members that are not there, and a way to make a target.  Out: its text, from
the cache of printed source where that has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.export import ExportRequest, export
from linnet_core.loading.source_cache import cached_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.bind import Bindings
    from linnet_core.graph.target import Target
    from linnet_core.loading.model import Model


def entry_source(
    model: Model, entry: str, bindings: Bindings, absent: frozenset[str], make: Callable[[], Target], options: tuple[str, ...]
) -> tuple[str, str | None]:
    """The text, and the file it is kept in; `options` are words that tell the targets of `make` apart, its name first."""
    found = model.entries[entry]
    request = ExportRequest(
        root=None if model.block is None else model.block.key,
        entry=entry,
        bindings={generic.name: bindings.value(generic) for generic in found.generics},
        optionals=True,
        absent=absent,
        numerics=model.numerics,
    )

    def printed() -> str:
        target = make()
        export(model.module, request, target)
        return target.source()

    values = [f"{name}={value}" for name, value in request.bindings.items()]
    key = [model.digest, str(request.root), entry, model.numerics, *options, "bind", *values, "absent", *sorted(absent)]
    return cached_source(key, printed)
