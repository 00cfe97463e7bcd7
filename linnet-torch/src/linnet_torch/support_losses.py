"""The functions of printed source that hold the scores of some tokens at a time, as text.

In: nothing.  Out: `FUNCTIONS`, a part of the table in `support.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_core.python_source.support import Functions

_LINEAR_LOG_PROBS = '''
def _linear_log_probs(hidden, weight, targets, rows):
    """The logarithm of each target's probability by the scores `F.linear(hidden, weight)`, of which `rows` rows are there at a time.

    On the way back they are made again.
    """

    def some(hidden, targets):
        scores = torch.nn.functional.linear(hidden, weight).float()
        top = scores.amax(1)
        total = (scores - top[:, None]).exp().sum(1)
        return scores[torch.arange(scores.shape[0], device=scores.device), targets] - top - total.log()

    def again(hidden, targets):
        return checkpoint(some, hidden, targets, use_reentrant=False, preserve_rng_state=False)

    run = again if torch.is_grad_enabled() and (hidden.requires_grad or weight.requires_grad) else some
    return torch.cat([run(*parts) for parts in zip(hidden.split(rows), targets.split(rows), strict=True)])
'''

FUNCTIONS: Functions = {"_linear_log_probs": (_LINEAR_LOG_PROBS, ())}
