"""Kernels: their operations, and their region.

In: typed kernels (`check/program.py`).  Out: `RULES` (see `lower_body.py`), and how a kernel is launched.  A kernel's region is over its
parameters and then its results; its tensors are memory, which only loads and stores take.
"""

from __future__ import annotations

from linnet_core.check import program as p
from linnet_core.ir.lower_body import Body, Rule, Steps, each
from linnet_core.ir.lower_statements import lower_all
from linnet_core.ir.module import Launch, Region, Value


def lower_kernel(body: Body, kernel: p.Function, launch: p.Launch) -> tuple[Region, Launch]:
    """The statements of a kernel as a region, which ends with a return of nothing; and its launch."""
    args = []
    for local in (*(param.local for param in kernel.params), *launch.outputs):
        value = body.value(local.type, local.name)
        body.bind(local, value)
        args.append(value)
    body.open_region(tuple(args), kernel.span)
    body.run(lower_all(body, kernel.body))
    body.emit_many("return", (), (), kernel.span)
    return body.close_region(), Launch(len(launch.outputs), launch.grid, launch.warps, launch.stages)


def lower_program_id(body: Body, node: p.ProgramId) -> Value:
    """The program's position along a size of the grid."""
    return body.emit("kernel.program_id", (), node.type, node.span, {"axis": node.axis})


def lower_load(body: Body, node: p.Load) -> Steps:
    """Elements of memory; mask and other where they are given."""
    indices = yield each(node.indices)
    rest = yield each([part for part in (node.mask, node.other) if part is not None])
    operands = (body.locals[node.memory.id], *indices, *rest)
    return body.emit("kernel.load", operands, node.type, node.span, {"indices": len(indices)})


def lower_store(body: Body, node: p.Store) -> Steps:
    """A write of elements of memory; the mask where it is given."""
    indices = yield each(node.indices)
    value = yield node.value
    rest = yield each([part for part in (node.mask,) if part is not None])
    attrs = {"indices": len(indices)} if node.atomic is None else {"indices": len(indices), "atomic": node.atomic}
    body.emit_many("kernel.store", (body.locals[node.memory.id], *indices, value, *rest), (), node.span, attrs)


RULES: dict[type, Rule] = {
    p.ProgramId: lower_program_id,
    p.Load: lower_load,
    p.Store: lower_store,
}
