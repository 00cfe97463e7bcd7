"""contract, as einsum.

In: a contraction.  Out: a reason to decline it, or its text.
"""

from __future__ import annotations

import string

from linnet_core.check.integers import INTEGER_BITS
from linnet_core.graph.calls import Contract
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_torch.writer import DTYPES, UNSIGNED_WIDE, TorchWriter

LETTERS = string.ascii_letters


def declines(call: Contract) -> str | None:
    """einsum has a letter for each axis."""
    axes = {*call.lhs_axes, *call.rhs_axes, *call.out_axes}
    return f"einsum has {len(LETTERS)} letters and this contraction {len(axes)} axes" if len(axes) > len(LETTERS) else None


def equation(call: Contract, out_axes: tuple[int, ...]) -> str:
    """Letters by first appearance: lhs, rhs, out."""
    letters: dict[int, str] = {}
    for axis in (*call.lhs_axes, *call.rhs_axes, *call.out_axes):
        letters.setdefault(axis, LETTERS[len(letters)])
    left, right, out = ("".join(letters[a] for a in axes) for axes in (call.lhs_axes, call.rhs_axes, out_axes))
    return f"{left},{right}->{out}"


def _summed_on_one_side(call: Contract) -> tuple[int, ...]:
    """Axes that are summed and that one operand alone has, in the order they appear."""
    shared = {*call.lhs_axes} & {*call.rhs_axes}
    return tuple(axis for axis in (*call.lhs_axes, *call.rhs_axes) if axis not in shared and axis not in call.out_axes)


def contract(w: TorchWriter, call: Contract) -> str:
    """A sum of products; short floats are exact in f32 and rounded once.

    einsum sums an axis of one operand alone before it multiplies.  Of integers that is the same sum, widened; of floats it is another:
    the sum may overflow where no product does, and nothing times infinity is NaN.  So floats are summed along it after they are multiplied.
    """
    left, right = (w.tensor(o) for o in call.operands)
    alone = _summed_on_one_side(call)
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
