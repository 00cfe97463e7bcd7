"""The functions of printed source that reach other devices and other processes, as text.

In: nothing.  Out: `FUNCTIONS`, a part of the table in `support.py`.  Without a process group each computes what the op's body says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_core.python_source.support import Functions

_MOVED = '''
def _moved(x, device):
    """On another device.  A copy from or to the host is waited for: nothing else orders what the host writes or reads behind it."""
    return x.to(device, non_blocking="cpu" not in (x.device.type, torch.device(device).type))
'''

_FETCHED = '''
def _fetched(x, device):
    """A parameter on another device.  Nothing here writes over it, so a copy from pinned memory is not waited for."""
    return x.to(device, non_blocking=torch.device(device).type != "cpu")
'''

_PROCESSES = '''
#: The processes that exchange, as torch.distributed names a group; None for all of them.
_GROUP = None


def _processes():
    """How many there are, and which of them this one is."""
    if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
        return 1, 0
    return torch.distributed.get_world_size(_GROUP), torch.distributed.get_rank(_GROUP)


def _summed(x):
    """The sum over the processes."""
    total = x.clone(memory_format=torch.contiguous_format)
    torch.distributed.all_reduce(total, group=_GROUP)
    return total


def _joined(x, count):
    """What each process has, in their order."""
    parts = [torch.empty_like(x, memory_format=torch.contiguous_format) for _ in range(count)]
    torch.distributed.all_gather(parts, x.contiguous(), group=_GROUP)
    return parts
'''

_ALL_REDUCE = '''
class _AllReduce(torch.autograd.Function):
    """All processes go on with the same sum, so each has its whole gradient already."""

    @staticmethod
    def forward(ctx, x):
        return _summed(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient


def _all_reduce(x):
    """The sum over the processes."""
    return x if _processes()[0] == 1 else _AllReduce.apply(x)
'''

_SHARED = '''
class _Shared(torch.autograd.Function):
    """Each process goes another way from here, so a gradient is the sum of theirs."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return _summed(gradient)


def _shared(x):
    """What all processes have alike."""
    return x if _processes()[0] == 1 else _Shared.apply(x)
'''

_ALL_GATHER = '''
class _AllGather(torch.autograd.Function):
    """All processes go on with the same rows, so each has the whole gradient, and takes that of its columns."""

    @staticmethod
    def forward(ctx, x, count, rank):
        ctx.begin, ctx.end = rank * x.shape[1], (rank + 1) * x.shape[1]
        return torch.cat(_joined(x, count), 1)

    @staticmethod
    def backward(ctx, gradient):
        return gradient[:, ctx.begin : ctx.end], None, None


def _all_gather(x, shards):
    """The rows of all processes side by side; in one process its own, as often as there are shards."""
    count, rank = _processes()
    if count == 1:
        return x[:, None, :].expand(-1, shards, -1).reshape(x.shape[0], shards * x.shape[1])
    if count != shards:
        raise RuntimeError(f"all_gather over {shards} shards, and there are {count} processes")
    return _AllGather.apply(x, count, rank)
'''

_WHOLE = '''
class _Whole(torch.autograd.Function):
    """Each process computes with the whole on data of its own: its gradient is summed over them, and each keeps that of its rows."""

    @staticmethod
    def forward(ctx, part, rows, count, rank):
        most = -(-rows // count)
        ctx.begin, ctx.end = min(rank * most, rows), min((rank + 1) * most, rows)
        if part.shape[0] != ctx.end - ctx.begin:
            raise RuntimeError(f"process {rank} of {count} holds {ctx.end - ctx.begin} rows of a parameter of {rows}, not {part.shape[0]}")
        filling = part.new_zeros((most - part.shape[0], *part.shape[1:]))
        return torch.cat(_joined(torch.cat([part, filling]), count))[:rows]

    @staticmethod
    def backward(ctx, gradient):
        return _summed(gradient)[ctx.begin : ctx.end], None, None, None


def _whole(part, rows):
    """A parameter of so many rows, of which each process holds those torch.chunk gives it; a DTensor as it says itself."""
    if hasattr(part, "full_tensor"):
        return part.full_tensor(grad_placements=[torch.distributed.tensor.Partial()] * part.device_mesh.ndim)
    count, rank = _processes()
    return part if count == 1 else _Whole.apply(part, rows, count, rank)
'''

FUNCTIONS: Functions = {
    "_moved": (_MOVED, ()),
    "_fetched": (_FETCHED, ()),
    "_processes": (_PROCESSES, ()),
    "_all_reduce": (_ALL_REDUCE, ("_processes",)),
    "_shared": (_SHARED, ("_processes",)),
    "_all_gather": (_ALL_GATHER, ("_processes",)),
    "_whole": (_WHOLE, ("_processes",)),
}
