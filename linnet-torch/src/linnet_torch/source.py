"""The text of what the torch target took.

In: a `TorchTarget` behind `finish`.  Out: Python source with `constants` and `main`.  Passes run over the list of steps in this order:
rows, spell, prune, constants, prepare, rows in lists, in place, outline, written arguments, marks, release; then the text is written, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.constants import split_constants
from linnet_core.python_source.in_place import in_place_writes
from linnet_core.python_source.module import Entry, module_text
from linnet_core.python_source.outline import outline
from linnet_core.python_source.prepare import prepare_weights
from linnet_core.python_source.prune import prune
from linnet_core.python_source.row_lists import list_rows
from linnet_core.python_source.written_arguments import without_written
from linnet_torch.calls import CacheWrite
from linnet_torch.dialect import TorchDialect
from linnet_torch.marks import Marks
from linnet_torch.passes.fetch import fetch_parameters
from linnet_torch.passes.packed import pack as packed
from linnet_torch.passes.rows import take_rows
from linnet_torch.passes.spell import spell
from linnet_torch.passes.upright import turn
from linnet_torch.writer import TorchWriter

if TYPE_CHECKING:
    from linnet_torch.target import TorchTarget


def source(target: TorchTarget) -> str:
    """The module's text."""
    steps = prune(spell(take_rows(target.steps, target.types), target.scalars, target.numerics))
    hoisted, body = split_constants(fetch_parameters(steps, set(target.parameters)))
    prepared = None
    if target.prepare:
        respell = (turn, packed) if target.pack else (turn,)
        prepared, body = prepare_weights(body, hoisted, target.parameters, target.numerics, respell, slots=target.slots)
    written = in_place_writes(list_rows(body, target.scalars), lambda call: target.in_place and isinstance(call, CacheWrite))
    # what is placed names its devices, which a function shared by layers cannot
    flat = target.unroll or target.slots
    body = written.steps if flat else without_written(outline(written.steps, target.scopes, target.scalars))
    marks = Marks([*hoisted, *(prepared.steps if prepared else ()), *written.steps], body)
    entry = Entry(
        target.inputs,
        target.parameters,
        target.states,
        hoisted,
        body,
        written.states,
        written.copied,
        prepared,
        target.slots,
        gathered=frozenset(target.gathered),
    )
    writer = TorchWriter(target.scalars, target.numerics, placed=bool(target.slots))
    return module_text(entry, writer, TorchDialect(placed=bool(target.slots), marks=marks))
