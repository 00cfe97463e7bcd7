"""The functions of printed source that hold the scores of some tokens at a time, as text.

In: nothing.  Out: `FUNCTIONS`, a part of the table in `support.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_core.python_source.support import Functions

_LINEAR_LOG_PROBS_FAST = '''
def _linear_log_probs_fast(hidden, weight, targets, rows):
    """The logarithm of each target's probability by the scores `hidden @ weight.T`, of which `rows` rows are there at a time.

    On the way back they are made again.
    """
    dtype = jnp.promote_types(hidden.dtype, jnp.float32)

    @jax.checkpoint
    def one(pair):
        row, target = pair
        scores = jnp.matmul(weight, row, preferred_element_type=dtype).astype(row.dtype).astype(jnp.float32)
        top = scores.max()
        return scores[target] - top - jnp.log(jnp.exp(scores - top).sum())

    return jax.lax.map(one, (hidden, targets), batch_size=rows)
'''

_LINEAR_LOG_PROBS = '''
def _linear_log_probs(hidden, weight, targets, rows):
    """`_linear_log_probs_fast` with products of every digit."""
    with jax.default_matmul_precision("highest"):
        return _linear_log_probs_fast(hidden, weight, targets, rows)
'''

FUNCTIONS: Functions = {
    "_linear_log_probs_fast": (_LINEAR_LOG_PROBS_FAST, ()),
    "_linear_log_probs": (_LINEAR_LOG_PROBS, ("_linear_log_probs_fast",)),
}
