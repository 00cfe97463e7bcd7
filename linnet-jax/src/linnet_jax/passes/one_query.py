"""The pass that lets one query attend to a state of which one row is written, without making the written state.

In: steps with `Attend`s, and what `rows.py` left to write.  Out: steps in which an `Attend` of one query to keys and values, each a state
with one position written, is an `AttendRows` of the states as they were and the two rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import NativeCall
from linnet_core.python_source.library_names import base_name
from linnet_core.python_source.steps import Step
from linnet_jax.calls import Attend, AttendRows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.python_source.update import Update


def attend_to_rows(steps: Sequence[Step], update: Update | None) -> list[Step]:
    """The steps; those of an entry that has no rows as they are."""
    if update is None:
        return list(steps)
    written = {write.steps[0].results[0]: write.steps[0].call for write in update.writes if len(write.steps) == 1}
    single = {name: call for name, call in written.items() if _writes_one_position(call)}
    return [Step(_rewritten(step.call, single), step.results) if isinstance(step.call, Attend) else step for step in steps]


def _writes_one_position(call: Call) -> bool:
    """Whether every row of the batch has one position written, its own or the same one."""
    if not isinstance(call, NativeCall) or len(call.operands) != 3:
        return False
    name, words = base_name(call.implementation)
    return name in ("torch.Tensor.index_copy", "torch.Tensor.index_put") and "tokens" not in words and call.operand(1).shape[2] == 1


def _rewritten(call: Attend, written: Mapping[str, Call]) -> Call:
    query, keys, values = (call.operand(i) for i in range(3))
    key, value = written.get(str(keys.value)), written.get(str(values.value))
    if query.shape[2] != 1 or call.form == "causal" or key is None or value is None or key.operand(2) != value.operand(2):
        return call
    return AttendRows(
        scale=call.scale,
        masked=call.form == "masked",
        wide=call.wide,
        precise=call.precise,
        operands=(query, key.operands[0], value.operands[0], key.operands[1], value.operands[1], key.operands[2], *call.operands[3:]),
    )
