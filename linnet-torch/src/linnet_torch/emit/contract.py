"""contract, as einsum.

In: a contraction.  Out: a reason to decline it, or its text.
"""

from __future__ import annotations

import string

from linnet_core.graph.calls import Contract
from linnet_core.python_source.literals import INTEGER_BITS
from linnet_torch.writer import DTYPES, SHORT_FLOATS, UNSIGNED_WIDE, TorchWriter

LETTERS = string.ascii_letters


def declines(call: Contract) -> str | None:
    """einsum has a letter for each axis."""
    axes = {*call.lhs_axes, *call.rhs_axes, *call.out_axes}
    return f"einsum has {len(LETTERS)} letters and this contraction {len(axes)} axes" if len(axes) > len(LETTERS) else None


def equation(call: Contract) -> str:
    """Letters by first appearance: lhs, rhs, out."""
    letters: dict[int, str] = {}
    for axis in (*call.lhs_axes, *call.rhs_axes, *call.out_axes):
        letters.setdefault(axis, LETTERS[len(letters)])
    left, right, out = ("".join(letters[a] for a in axes) for axes in (call.lhs_axes, call.rhs_axes, call.out_axes))
    return f"{left},{right}->{out}"


def _sums_one_side(call: Contract) -> bool:
    """Whether an axis of one operand alone is summed: einsum does that first, and widens a narrow integer by it."""
    return any(axis not in call.out_axes for axis in set(call.lhs_axes) ^ set(call.rhs_axes))


def contract(w: TorchWriter, call: Contract) -> str:
    """A sum of products; short floats are exact in f32 and rounded once."""
    left, right = (w.tensor(o) for o in call.operands)
    text = equation(call)
    if call.dtype in UNSIGNED_WIDE:
        return f'{w.use("_unsigned_contract")}("{text}", {left}, {right})'
    if call.dtype in SHORT_FLOATS and w.numerics != "fast":
        return f'torch.einsum("{text}", {left}.float(), {right}.float()).to({DTYPES[call.dtype]})'
    if call.dtype in INTEGER_BITS and call.dtype != "i64" and _sums_one_side(call):
        return f'torch.einsum("{text}", {left}.long(), {right}.long()).to({DTYPES[call.dtype]})'
    return f'torch.einsum("{text}", {left}, {right})'


WRITERS = {Contract: contract}
