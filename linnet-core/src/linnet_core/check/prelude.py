"""Calls of prelude functions: which function checks which.

In: the name and the syntax of the call.  Out: the typed expression, failed when it was wrong (reported).  The rules are in
`prelude_elementwise.py`, `prelude_axes.py`, `prelude_shapes.py` and, for kernels, `kernel_memory.py`, one function a row of the
language's table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check import kernel_memory, prelude_axes, prelude_elementwise, prelude_shapes
from linnet_core.check.compile_time import failed

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.check.types import Type
    from linnet_core.syntax import tree

    Check = Callable[[str, tree.Call, BodyContext, "Type | None"], Expr]


def check_prelude_call(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None = None) -> Expr:
    """The typed form of `name(...)`, a function of the prelude."""
    return _CHECKS[name](name, node, ctx, expected)


def _refuse_reserved(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    message = f"`{name}` is a reserved name without a meaning yet"
    ctx.checker.diagnostics.report("E2190", message, node.span, label="not implemented", help=_INSTEAD[name])
    return failed(node.span)


_INSTEAD = {
    "pad": "join the tensor with what pads it: `concat(x, fill([2], 0.0), axis = 0)`",
    "gather": "read it in index notation: `let y[i] = x[positions[i]]`",
    "scatter": "add up in index notation what belongs to each position: `sum[i] select(positions[i] == iota(N)[n], x[i], 0.0)`",
}


_CHECKS: dict[str, Check] = {
    "cast": prelude_elementwise.check_cast,
    **dict.fromkeys(("exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh"), prelude_elementwise.check_float_function),
    "abs": prelude_elementwise.check_abs,
    "min": prelude_elementwise.check_extremum,
    "max": prelude_elementwise.check_extremum,
    "shl": prelude_elementwise.check_shift,
    "shr": prelude_elementwise.check_shift,
    "select": prelude_elementwise.check_select,
    "reshape": prelude_shapes.check_reshape,
    "broadcast_to": prelude_shapes.check_broadcast_to,
    "permute": prelude_axes.check_permute,
    "concat": prelude_axes.check_concat,
    "cumsum": prelude_axes.check_cumsum,
    "iota": prelude_shapes.check_iota,
    "fill": prelude_shapes.check_fill,
    "program_id": kernel_memory.check_program_id,
    "load": kernel_memory.check_load,
    "pad": _refuse_reserved,
    "gather": _refuse_reserved,
    "scatter": _refuse_reserved,
}
