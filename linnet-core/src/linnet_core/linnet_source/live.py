"""A module without the values nothing uses.

In: a `Module` of Core IR.  Out: an equal one without them, its values numbered anew.  A `let` that nothing uses would be a warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.passes import dead
from linnet_core.ir.passes.effects import Effects
from linnet_core.ir.passes.footprints import narrowed
from linnet_core.ir.renumber import renumbered
from linnet_core.ir.rewrite import with_bodies, with_body

if TYPE_CHECKING:
    from linnet_core.ir.module import Function, Module


def without_dead_values(module: Module) -> Module:
    """The module with dead operations left out of every function and constant."""
    effects = Effects(module)

    def function(one: Function) -> Function:
        regions = (one.body,) if one.grad is None else (one.body, one.grad)
        body, *grad = renumbered(dead.run(regions, effects))
        return with_bodies(one, body, grad[0] if grad else None)

    functions = {key: function(one) for key, one in module.functions.items()}
    constants = {key: with_body(one, renumbered(dead.run((one.body,), effects))[0]) for key, one in module.constants.items()}
    return narrowed(type(module)(module.name, module.blocks, functions, constants, module.structs, module.enums))
