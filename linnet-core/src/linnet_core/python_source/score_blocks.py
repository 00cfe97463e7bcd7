"""`linear_token_log_probs` and `linear_cross_entropy` of `std.nn.loss` as calls that hold the scores of some tokens at a time.

In: the call.  Out: a reason to decline, or a call of the target's support function for the log-probabilities, which takes the hidden rows,
the weight, the targets and how many rows go together.  Where all scores are no more than that, the op's body is as good and declines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from linnet_core.graph.calls import NativeCall
    from linnet_core.python_source.writer import Writer

    _Text = Callable[[Any, NativeCall, frozenset[str]], str]

_LOG_PROBS = "linnet.linear_token_log_probs"
_CROSS_ENTROPY = "linnet.linear_cross_entropy"
#: The library calls, by their names.
CALLS = (_LOG_PROBS, _CROSS_ENTROPY)
#: How many scores are held together: 64 MiB of them in f32.
SCORES = 2**24


def declines(call: NativeCall) -> str | None:
    """Why the scores are made all together."""
    words, rows = call.operand(1).shape[0], call.operand(0).shape[0]
    if rows * words <= SCORES:
        return f"all {rows * words} scores are held together, as up to {SCORES} are"
    return None


def writers(function: Callable[[Any], str]) -> dict[str, _Text]:
    """The writers of both calls; `function` names the target's support function."""

    def log_probs(w: Writer, call: NativeCall, words: frozenset[str]) -> str:
        hidden, weight, targets = (w.tensor(operand) for operand in call.operands[:3])
        rows = max(1, SCORES // call.operand(1).shape[0])
        return f"{function(w)}({hidden}, {weight}, {targets}, {rows})"

    def cross_entropy(w: Writer, call: NativeCall, words: frozenset[str]) -> str:
        return f"(-{w.tensor(call.operands[3])} * {log_probs(w, call, words)}).sum()"

    return {_LOG_PROBS: log_probs, _CROSS_ENTROPY: cross_entropy}
