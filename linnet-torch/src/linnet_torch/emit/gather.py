"""gather, scatter_add, update_row, rows of a list.

In: a call.  Out: an expression.  A position outside its axis raises on a CPU; one from -n to -1 reads from the back
(docs/language/semantics.md names the difference).
"""

from __future__ import annotations

from linnet_core.graph.calls import Gather, ScatterAdd, UpdateRow
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.row_calls import StackRows
from linnet_torch.calls import TakeRows
from linnet_torch.writer import DTYPES, SIGNED_VIEW, UNSIGNED_WIDE, TorchWriter, shape_text


def gather(w: TorchWriter, call: Gather) -> str:
    """Advanced indexing, one index tensor per leading axis."""
    source, indices = call.operand(0), call.operand(1)
    if indices.shape[-1] == 0:
        return f"{w.tensor(source)}.expand({shape_text(call.shape)})"
    if len(indices.shape) == 1:  # a position without axes makes a view, and torch.compile asks what it is
        columns = w.tensor(indices) if indices.shape[-1] == 1 else f"{w.tensor(indices)}[None].unbind(-1)"
        return f"{w.tensor(source)}[{columns}][0]"
    columns = f"{w.tensor(indices)}[..., 0]" if indices.shape[-1] == 1 else f"{w.tensor(indices)}.unbind(-1)"
    return f"{w.tensor(source)}[{columns}]"


def take_rows(w: TorchWriter, call: TakeRows) -> str:
    """Advanced indexing of the first axis."""
    source, positions = (w.tensor(o) for o in call.operands)
    return f"{source}[{positions}]" if call.operand(1).shape else f"{source}[{positions}[None]][0]"


def scatter_add(w: TorchWriter, call: ScatterAdd) -> str:
    """Zeros with the values accumulated, short floats in f32."""
    indices, values = (w.tensor(o) for o in call.operands)
    shape = shape_text(call.shape)
    if call.dtype in UNSIGNED_WIDE:
        return f"{w.use('_unsigned_scatter_add')}({shape}, {indices}, {values})"
    narrow = call.dtype in SHORT_FLOATS
    zeros = f"torch.zeros({shape}, dtype={DTYPES['f32' if narrow else call.dtype]}, device={w.device})"
    total = f"{zeros}.index_put({indices}.unbind(-1), {values}{'.float()' if narrow else ''}, accumulate=True)"
    return f"{total}.to({DTYPES[call.dtype]})" if narrow else total


def update_row(w: TorchWriter, call: UpdateRow) -> str:
    """A copy with one row replaced."""
    stack, index, row = (w.tensor(o) for o in call.operands)
    dtype = call.operand(0).dtype
    into, back = (f".view({SIGNED_VIEW[dtype]})", f".view({DTYPES[dtype]})") if dtype in UNSIGNED_WIDE else ("", "")
    return f"{stack}{into}.index_copy(0, {index}.reshape((1,)), {row}{into}[None]){back}"


def stack_rows(w: TorchWriter, call: StackRows) -> str:
    """The rows of a list along a new first axis."""
    return f"torch.stack({w.tensor(call.operand(0))}{'[::-1]' if call.backwards else ''})"


WRITERS = {Gather: gather, TakeRows: take_rows, ScatterAdd: scatter_add, UpdateRow: update_row, StackRows: stack_rows}
