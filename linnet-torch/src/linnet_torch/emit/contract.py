"""contract, as einsum.

In: a contraction.  Out: its text.
"""

from __future__ import annotations

from linnet_core.check.integers import INTEGER_BITS
from linnet_core.graph.calls import Contract
from linnet_core.python_source.einsum import equation, summed_on_one_side
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_torch.writer import DTYPES, UNSIGNED_WIDE, TorchWriter


def contract(w: TorchWriter, call: Contract) -> str:
    """A sum of products; short floats are exact in f32 and rounded once.

    Floats are summed along an axis of one operand alone after they are multiplied, as `summed_on_one_side` says.
    """
    left, right = (w.tensor(o) for o in call.operands)
    alone = summed_on_one_side(call)
    if call.dtype in INTEGER_BITS:
        return _of_integers(w, call, left, right, widened=bool(alone))
    text = equation(call, (*call.out_axes, *alone))
    total = f".sum({tuple(range(-len(alone), 0))})" if alone else ""
    if call.dtype in SHORT_FLOATS and w.numerics != "fast":
        return f'torch.einsum("{text}", {left}.float(), {right}.float()){total}.to({DTYPES[call.dtype]})'
    return f'torch.einsum("{text}", {left}, {right}){total}'


def _of_integers(w: TorchWriter, call: Contract, left: str, right: str, widened: bool) -> str:
    text = equation(call, call.out_axes)
    if call.dtype in UNSIGNED_WIDE:
        return f'{w.use("_unsigned_contract")}("{text}", {left}, {right})'
    if call.dtype != "i64" and widened:
        return f'torch.einsum("{text}", {left}.long(), {right}.long()).to({DTYPES[call.dtype]})'
    return f'torch.einsum("{text}", {left}, {right})'


WRITERS = {Contract: contract}
