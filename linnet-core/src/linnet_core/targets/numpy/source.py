"""The text of what the numpy target took.

In: a `NumpyTarget` behind `finish`.  Out: Python source with `constants` and `main`.  Passes run over the list of steps in this order:
prune, constants, prepare, conditional, rows in lists, in place, outline, written arguments, release; then the text is written, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.conditional import give_back_arms
from linnet_core.python_source.constants import split_constants
from linnet_core.python_source.in_place import in_place_writes
from linnet_core.python_source.module import Entry, module_text
from linnet_core.python_source.outline import outline
from linnet_core.python_source.prepare import prepare_weights
from linnet_core.python_source.prune import prune
from linnet_core.python_source.row_lists import list_rows
from linnet_core.python_source.written_arguments import without_written
from linnet_core.targets.numpy.calls import CacheWrite
from linnet_core.targets.numpy.dialect import NumpyDialect
from linnet_core.targets.numpy.emit import native
from linnet_core.targets.numpy.writer import NumpyWriter

if TYPE_CHECKING:
    from linnet_core.targets.numpy.target import NumpyTarget


def source(target: NumpyTarget) -> str:
    """The module's text."""
    hoisted, body = split_constants(prune(native.with_cache_writes(target.steps)))
    prepared = None
    if target.prepare:
        prepared, body = prepare_weights(body, hoisted, target.parameters, target.numerics)
    written = in_place_writes(list_rows(give_back_arms(body, target.types), target.scalars), lambda call: isinstance(call, CacheWrite))
    body = written.steps if target.unroll else without_written(outline(written.steps, target.scopes, target.scalars))
    entry = Entry(target.inputs, target.parameters, target.states, hoisted, body, written.states, written.copied, prepared)
    return module_text(entry, NumpyWriter(target.scalars, target.numerics), NumpyDialect())
