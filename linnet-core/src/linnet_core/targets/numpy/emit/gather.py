"""gather, scatter_add, update_row, rows of a list; every position is held against its own axis."""

from __future__ import annotations

from linnet_core.graph.calls import Gather, ScatterAdd, UpdateRow
from linnet_core.python_source.row_calls import StackRows
from linnet_core.python_source.writer import shape_text
from linnet_core.targets.numpy.writer import NumpyWriter


def gather(w: NumpyWriter, call: Gather) -> str:
    """Checked advanced indexing."""
    source, indices = call.operands
    assert indices is not None
    if indices.shape[-1] == 0:
        return f"np.broadcast_to({w.tensor(source)}, {shape_text(call.shape)})"
    return f"{w.use('_gather')}({w.tensor(source)}, {w.tensor(indices)})"


def scatter_add(w: NumpyWriter, call: ScatterAdd) -> str:
    """Zeros with the values accumulated; short floats accumulate in f32."""
    indices, values = call.operands
    return w.rounded(f"{w.use('_scatter_add')}({shape_text(call.shape)}, {w.tensor(indices)}, {w.wide(values)})", call.dtype)


def update_row(w: NumpyWriter, call: UpdateRow) -> str:
    """A copy with one row replaced."""
    stack, index, row = call.operands
    return f"{w.use('_update_row')}({w.tensor(stack)}, {w.tensor(index)}, {w.tensor(row)})"


def stack_rows(w: NumpyWriter, call: StackRows) -> str:
    """The rows of a list along a new first axis."""
    return f"np.stack({w.tensor(call.operand(0))}{'[::-1]' if call.backwards else ''})"


WRITERS = {Gather: gather, ScatterAdd: scatter_add, UpdateRow: update_row, StackRows: stack_rows}
