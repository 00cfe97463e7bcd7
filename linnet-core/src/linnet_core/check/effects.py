"""What a body does outside itself: whom it calls, and what its state footprint is made of.

In: a checked function or kernel.  Out: its `Effects`, from one walk over its typed tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.program import Bind, Call, MatchOptional, StateRead, StateWrite, StaticForArray
from linnet_core.check.walk import nodes_of

if TYPE_CHECKING:
    from linnet_core.check.program import Expr, Function, Stmt


class Effects(Struct, frozen=True):
    """`calls` are those of the defaults, the body and the `grad` clause.

    `touches` are the nodes of the body that call, give a name to a block, read a state or write one.  Both are in the order written.
    """

    calls: tuple[Call, ...] = ()
    touches: tuple[Expr | Stmt, ...] = ()


#: Of a body that was not checked.
NO_EFFECTS = Effects()

#: What `footprints.footprint` asks about.
_TOUCHING = frozenset((Bind, Call, MatchOptional, StateRead, StateWrite, StaticForArray))


def effects_of(function: Function) -> Effects:
    """The effects of a function with its defaults and its `grad` clause, or of a kernel."""
    touches = tuple(node for node in nodes_of(function.body) if type(node) in _TOUCHING)
    defaults = tuple(param.default for param in function.params if param.default is not None)
    gradient = () if function.grad is None else function.grad.body
    nodes = (*nodes_of(defaults), *touches, *nodes_of(gradient))
    return Effects(tuple(node for node in nodes if isinstance(node, Call)), touches)
