"""The pass that gives attention this target's own form.

In: steps with `native_call`s of attention, and the scalars known.  Out: steps in which each is an `Attend`: a square causal mask is a
flag, a scale that is known a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from linnet_core.graph.calls import NativeCall
from linnet_core.python_source.library_names import base_name
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.steps import Step
from linnet_jax.calls import Attend
from linnet_jax.emit.native import ATTENTION, CAUSAL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.python_source.fold import Scalar


def spell(steps: Sequence[Step], known: Mapping[str, Scalar], numerics: str) -> list[Step]:
    """The steps with attention in this target's own terms."""
    #: Names of square causal masks.
    causal: set[str] = set()
    spelled: list[Step] = []
    for step in steps:
        call = step.call
        if isinstance(call, NativeCall):
            name, _ = base_name(call.implementation)
            if name == CAUSAL and call.shape[0] == call.shape[1]:
                causal.add(step.results[0])
            elif name == ATTENTION:
                step = Step(_attend(call, known, causal, numerics), step.results)
        spelled.append(step)
    return spelled


def _attend(call: NativeCall, known: Mapping[str, Scalar], causal: set[str], numerics: str) -> Attend:
    query, key, value, scale = (call.operand(i) for i in range(4))
    mask = call.operands[4] if len(call.operands) > 4 else None
    form: Literal["causal", "plain", "masked"] = "plain" if mask is None else "masked"
    if mask is not None and str(mask.value) in causal and query.shape[2] == key.shape[2]:
        form = "causal"
    number = known.get(str(scale.value))
    scales = (scale,) if number is None else ()
    masks = (mask,) if form == "masked" else ()
    return Attend(
        form=form,
        scale=None if number is None else float(number),
        wide=query.dtype in SHORT_FLOATS and not (numerics == "fast" and query.dtype == "bf16"),
        precise=numerics != "fast",
        operands=(query, key, value, *scales, *masks),
    )
