"""Attention: the text of an `Attend`.

In: what `passes/spell.py` made of a library call that `native.py` took.  Out: an expression.

`jax.nn.dot_product_attention` as XLA computes it gives a masked score so little that it has no weight, so that a row that may attend to
nothing is the mean of the values, as in the op's body; another implementation is not asked for.  It wants positions before heads, and
XLA copies a cache for that; so attention of one query is two products with keys and values as they lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_jax.calls import Attend, AttendRows
from linnet_jax.writer import JaxWriter, scalar_text

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand


def attend(w: JaxWriter, call: Attend) -> str:
    """One attention."""
    rest = list(call.operands[3:])
    scale = scalar_text(call.scale) if call.scale is not None else w.tensor(rest.pop(0))
    arrays = [w.tensor(o) for o in call.operands[:3]]
    back = ""
    if call.wide:
        arrays = [f"{x}.astype(jnp.float32)" for x in arrays]
        back = f".astype({w.dtype(call.operand(0).dtype)})"
    options = {"causal": ", causal=True", "plain": "", "masked": ""}[call.form]
    if call.form == "masked":
        options = f", mask={_heads_axis(w, rest[0])}"
    # one query that sees what is not after it sees one key
    name = "_attend_one" if call.operand(0).shape[2] == 1 and call.form != "causal" else "_attend"
    function = w.use(name if call.precise else f"{name}_fast")
    return f"{function}({', '.join(arrays)}, {scale}{options}){back}"


def attend_rows(w: JaxWriter, call: AttendRows) -> str:
    """One attention of one query to caches that have a row written."""
    *arrays, position = (w.tensor(o) for o in call.operands[:6])
    rest = list(call.operands[6:])
    scale = scalar_text(call.scale) if call.scale is not None else w.tensor(rest.pop(0))
    back = ""
    if call.wide:
        arrays = [f"{x}.astype(jnp.float32)" for x in arrays]
        back = f".astype({w.dtype(call.operand(0).dtype)})"
    mask = f", {_heads_axis(w, rest[0])}" if call.masked else ""
    function = w.use("_attend_rows" if call.precise else "_attend_rows_fast")
    return f"{function}({', '.join(arrays)}, {position}, {scale}{mask}){back}"


def _heads_axis(w: JaxWriter, mask: Operand | None) -> str:
    """A mask [Q, S] or [B, Q, S] with the axis of the heads."""
    assert mask is not None
    return f"{w.tensor(mask)}[{'None, None' if len(mask.shape) == 2 else ':, None'}]"


WRITERS = {Attend: attend, AttendRows: attend_rows}
