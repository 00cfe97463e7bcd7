"""Weights stored [in, out], and products with them.

In: the calls that `passes/upright.py` makes.  Out: an expression.
"""

from __future__ import annotations

from linnet_torch.calls import Upright, UprightLinear
from linnet_torch.writer import TorchWriter


def upright(w: TorchWriter, call: Upright) -> str:
    """A copy in the other order."""
    return f"{w.tensor(call.operands[0])}.t().contiguous()"


def upright_linear(w: TorchWriter, call: UprightLinear) -> str:
    """`x @ weight`, and the bias."""
    product = f"torch.matmul({w.tensor(call.operands[0])}, {w.tensor(call.operands[1])})"
    bias = call.operands[2] if len(call.operands) > 2 else None
    return product if bias is None else f"{product} + {w.tensor(bias)}"


WRITERS = {Upright: upright, UprightLinear: upright_linear}
