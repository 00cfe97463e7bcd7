"""The source of one entry of a model under the sizes of a call.

In: a model, an entry, bindings of everything, the optional members that are not there, and a way to make a target.  Out: its text, from
the cache of printed source where that has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.graph.export import ExportRequest, export
from linnet_core.ir.entries import declared_name
from linnet_core.loading.source_cache import cached_source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from linnet_core.graph.bind import Bindings
    from linnet_core.graph.target import Target
    from linnet_core.ir.module import Module
    from linnet_core.loading.model import Model


def entry_source(
    model: Model,
    entry: str,
    bindings: Bindings,
    absent: frozenset[str],
    make: Callable[[], Target],
    package: str,
    options: tuple[str, ...] = (),
    *,
    place: Mapping[str, int] | None = None,
    offload: Sequence[str] = (),
) -> tuple[str, str | None]:
    """The text, and the file it is kept in.

    `package` is the imported one that the targets of `make` belong to, `options` are words that tell them apart.

    `place` and `offload` are those of the export.
    """
    found = model.entries[entry]
    request = ExportRequest(
        root=None if model.block is None else model.block.key,
        entry=entry,
        bindings={generic.name: bindings.value(generic) for generic in found.generics},
        optionals=True,
        absent=absent,
        numerics=model.numerics,
        place=dict(place or {}),
        offload=tuple(offload),
    )
    return _source(model, model.module, request, make, package, options)


def default_source(
    model: Model, entry: str, name: str, bindings: Bindings, make: Callable[[], Target], package: str
) -> tuple[str, str | None]:
    """The same of the default of input `name`, which takes nothing."""
    function = model.defaults[entry][name]
    module = replace(model.module, functions={**model.module.functions, function.name: function})
    values = {generic.name: bindings.value(generic) for generic in function.generics}
    request = ExportRequest(entry=declared_name(function), bindings=values, numerics=model.numerics)
    return _source(model, module, request, make, package, ())


def _source(
    model: Model, module: Module, request: ExportRequest, make: Callable[[], Target], package: str, options: tuple[str, ...]
) -> tuple[str, str | None]:
    def printed() -> str:
        target = make()
        export(module, request, target)
        return target.source()

    values = [f"{name}={value}" for name, value in request.bindings.items()]
    places = [f"{path}={slot}" for path, slot in request.place.items()]
    key = [
        model.digest,
        str(request.root),
        str(request.entry),
        model.numerics,
        package,
        *options,
        "bind",
        *values,
        "absent",
        *sorted(request.absent),
    ]
    return cached_source([*key, "place", *places, "offload", *request.offload], printed, (package,))
