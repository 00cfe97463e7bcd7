"""Weights in oneDNN's keeping, and products with them.

In: the calls that `passes/packed.py` makes.  Out: an expression.
"""

from __future__ import annotations

from linnet_torch.calls import Packed, PackedLinear
from linnet_torch.writer import TorchWriter


def packed(w: TorchWriter, call: Packed) -> str:
    """A copy, where there is oneDNN."""
    return f"{w.use('_packed')}({w.tensor(call.operands[0])})"


def packed_linear(w: TorchWriter, call: PackedLinear) -> str:
    """The product, and the bias."""
    return f"{w.use('_packed_linear')}({', '.join(w.tensor(o) for o in call.operands if o is not None)})"


WRITERS = {Packed: packed, PackedLinear: packed_linear}
