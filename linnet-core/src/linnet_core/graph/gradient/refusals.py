"""What an entry has to be for a gradient.

In: the entry, what it gives, and what else is asked of the export.  Out: nothing, or E6001 with `gradient: ` before
it and the place of the entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import FLOATS
from linnet_core.errors import SourceError
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import Operand
    from linnet_core.ir.roots import Entry


def check_loss(entry: Entry, results: Sequence[Operand]) -> None:
    """A gradient is that of one float scalar; states it writes have none, and come after the gradients."""
    if len(results) != 1:
        raise _refused(entry, f"gives {len(results)} results, not one float scalar", help="write an entry that gives the loss alone")
    (loss,) = results
    if loss.shape or loss.dtype not in FLOATS:
        kind = f"{loss.dtype}{list(loss.shape) if loss.shape else ''}"
        raise _refused(entry, f"gives {kind}, not one float scalar", help="return one number, such as a sum or a mean")


def refuse_placement(entry: Entry) -> None:
    """The way back is not placed."""
    message = "cannot be placed, offloaded or sharded together with its gradient"
    raise _refused(entry, message, help="leave out --grad, or --place, --offload and --fully-shard")


def refuse_remat(entry: Entry) -> None:
    """The way back is printed, and reads what it needs: nothing would be computed again, and the memory asked for not be saved."""
    message = "cannot compute blocks again together with its gradient"
    raise _refused(
        entry, message, help="leave out --remat, or leave out --grad and differentiate what is printed with the target's own framework"
    )


def _refused(entry: Entry, message: str, help: str) -> SourceError:
    return SourceError([Diagnostic("E6001", f"gradient: entry `{entry.name}` {message}", entry.function.span, help=help)])
