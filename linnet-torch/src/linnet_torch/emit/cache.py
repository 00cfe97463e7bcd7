"""Cache writes and the positions they go to.

In: `Positions`, `TokenPositions`, `CacheWrite`, which `passes/spell.py` made.  Out: calls of support functions.  A position outside the
cache is dropped: it is wrapped into the axis, and what stands there is written again.
"""

from __future__ import annotations

from linnet_torch.calls import CacheWrite, Positions, TokenPositions
from linnet_torch.emit import attention
from linnet_torch.writer import TorchWriter


def positions(w: TorchWriter, call: Positions) -> str:
    """Wrapped positions, and which were inside."""
    return f"{w.use('_positions')}({w.tensor(call.operands[0])}, {call.count}, {call.size})"


def token_positions(w: TorchWriter, call: TokenPositions) -> str:
    """Rows, positions, which are inside, and the token of each."""
    rows, positions = (w.tensor(o) for o in call.operands)
    return f"{w.use('_tokens')}({rows}, {positions}, {call.rows}, {call.size})"


def cache_write(w: TorchWriter, call: CacheWrite) -> str:
    """The function of its kind, in place or not."""
    function = w.use(f"_write_{call.kind}")
    operands = ", ".join(w.tensor(o) for o in call.operands)
    return f"{function}({operands}{', in_place=True' if call.in_place else ''})"


WRITERS = {Positions: positions, TokenPositions: token_positions, CacheWrite: cache_write, **attention.WRITERS}
