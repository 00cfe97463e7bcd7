"""gather, scatter_add, update_row.

A position outside its axis raises on a CPU; one from -n to -1 reads from the back (docs/language/semantics.md names the difference).
"""

from __future__ import annotations

from linnet_core.graph.calls import Gather, ScatterAdd, UpdateRow
from linnet_torch.writer import DTYPES, TorchWriter, shape_text


def gather(w: TorchWriter, call: Gather) -> str:
    """Advanced indexing, one index tensor per leading axis."""
    source, indices = call.operands
    assert source is not None and indices is not None
    if indices.shape[-1] == 0:
        return f"{w.tensor(source)}.expand({shape_text(call.shape)})"
    columns = f"{w.tensor(indices)}[..., 0]" if indices.shape[-1] == 1 else f"{w.tensor(indices)}.unbind(-1)"
    return f"{w.tensor(source)}[{columns}]"


def scatter_add(w: TorchWriter, call: ScatterAdd) -> str:
    """Zeros with the values accumulated."""
    indices, values = call.operands
    zeros = f"torch.zeros({shape_text(call.shape)}, dtype={DTYPES[call.dtype]}, device={w.device})"
    return f"{zeros}.index_put({w.tensor(indices)}.unbind(-1), {w.tensor(values)}, accumulate=True)"


def update_row(w: TorchWriter, call: UpdateRow) -> str:
    """A copy with one row replaced."""
    stack, index, row = call.operands
    return f"{w.tensor(stack)}.index_copy(0, {w.tensor(index)}.reshape((1,)), {w.tensor(row)}[None])"


WRITERS = {Gather: gather, ScatterAdd: scatter_add, UpdateRow: update_row}
