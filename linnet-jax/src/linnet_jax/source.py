"""The text of what the jax target took.

In: a `JaxTarget` behind `finish`.  Out: Python source with `constants` and `main`.  Passes run over the list of steps in this order: spell,
rows, one query, prune, bits, constants, prepare, conditional, outline; then the text is written, once.  Nothing is written in place and
nothing deleted: jit does both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.conditional import give_back_arms
from linnet_core.python_source.constants import split_constants
from linnet_core.python_source.functions import FunctionPrinter
from linnet_core.python_source.module import Entry, module_text
from linnet_core.python_source.outline import outline
from linnet_core.python_source.prepare import prepare_weights
from linnet_core.python_source.prune import prune
from linnet_jax.dialect import JaxDialect
from linnet_jax.passes.bits import bits_needed
from linnet_jax.passes.one_query import attend_to_rows
from linnet_jax.passes.rows import split_rows
from linnet_jax.passes.spell import spell
from linnet_jax.writer import JaxWriter

if TYPE_CHECKING:
    from linnet_jax.target import JaxTarget


def source(target: JaxTarget) -> str:
    """The module's text."""
    steps, update = split_rows(spell(target.steps, target.scalars, target.numerics))
    steps = prune(attend_to_rows(steps, update))
    bits = bits_needed(steps, target.scalars)
    hoisted, body = split_constants(steps)
    prepared = None
    if target.prepare:
        prepared, body = prepare_weights(body, hoisted, target.parameters, target.numerics)
    body = give_back_arms(body, target.types)
    if not target.unroll:
        body = outline(body, target.scopes, target.scalars)
    entry = Entry(
        target.inputs,
        target.parameters,
        target.states,
        hoisted,
        body,
        (),
        prepared=prepared,
        update=update,
        gathered=frozenset(target.gathered),
    )
    return module_text(entry, JaxWriter(target.scalars, target.numerics, narrow=bits.narrow), JaxDialect(bits), FunctionPrinter)
