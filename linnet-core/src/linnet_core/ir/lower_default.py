"""The default of a parameter as an entry, for whoever runs an entry without a value for it.

In: a checked function and the position of a parameter.  Out: a function of Core IR without parameters, which returns the default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import InternalError
from linnet_core.ir.lower import RULES
from linnet_core.ir.lower_body import Body, Steps
from linnet_core.ir.module import Function

if TYPE_CHECKING:
    from linnet_core.check import program as p


def lower_default(program: p.Program, function: p.Function, position: int) -> Function:
    """An entry without parameters, `f(x)` for the parameter `x` of `f`, that returns the parameter's default.

    It has the generics of `function` and of its block, over which the default may be.
    """
    param = function.params[position]
    if param.default is None:
        raise InternalError(f"`{param.local.name}` of `{function.name}` has no default")
    default = param.default
    body = Body(program, RULES)
    body.open_region((), default.span)

    def steps() -> Steps:
        value = yield default
        return body.yield_values((value,), default.span)

    region = body.run(steps())
    owner, _, name = function.name.rpartition("::")
    block = program.blocks[function.block].generics if function.block is not None else ()
    return Function(
        name=f"{owner}::{name.rpartition('.')[2]}({param.local.name})",
        kind="entry",
        block=None,
        public=False,
        generics=(*block, *function.generics),
        constraints=(),
        results=(param.type,),
        states=(),
        body=region,
        span=default.span,
        grad=None,
        kernel=None,
    )
