"""An export that is asked for a gradient: the target around the target, and what the entry has to be for it.

In: the entry, what it gives, and what else is asked of the export.  Out: a `Gradient`; or E6001 with `gradient: ` before it and the place
of the entry.  The door of this room: an export without a gradient imports none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct

from linnet_core.check.types import FLOATS
from linnet_core.errors import SourceError
from linnet_core.graph.gradient.wrapper import Gradient
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from linnet_core.graph.calls import Operand
    from linnet_core.graph.target import Target
    from linnet_core.ir.roots import Entry


class GradientRequest(Struct, frozen=True):
    """The gradient of an entry's result."""

    entry: Entry

    def around(self, target: Target, buffers: Set[str]) -> Gradient:
        """What takes the entry's calls for `target`; those in `buffers` have no gradient."""
        return Gradient(target, of_inputs=self.entry.block is None, buffers=buffers)

    def check_loss(self, results: Sequence[Operand]) -> None:
        """A gradient is that of one float scalar; states it writes have none, and come after the gradients."""
        if len(results) != 1:
            raise self._refused(f"gives {len(results)} results, not one float scalar", help="write an entry that gives the loss alone")
        (loss,) = results
        if loss.shape or loss.dtype not in FLOATS:
            kind = f"{loss.dtype}{list(loss.shape) if loss.shape else ''}"
            raise self._refused(f"gives {kind}, not one float scalar", help="return one number, such as a sum or a mean")

    def refuse_placement(self) -> NoReturn:
        """The way back is not placed."""
        message = "cannot be placed, offloaded or sharded together with its gradient"
        raise self._refused(message, help="leave out --grad, or --place, --offload and --fully-shard")

    def refuse_remat(self) -> NoReturn:
        """The way back is printed, and reads what it needs: nothing would be computed again, and the memory asked for not be saved."""
        help = "leave out --remat, or leave out --grad and differentiate what is printed with the target's own framework"
        raise self._refused("cannot compute blocks again together with its gradient", help=help)

    def _refused(self, message: str, help: str) -> SourceError:
        entry = self.entry
        return SourceError([Diagnostic("E6001", f"gradient: entry `{entry.name}` {message}", entry.function.span, help=help)])
