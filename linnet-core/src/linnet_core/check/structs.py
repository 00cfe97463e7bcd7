"""Struct values: `Moments(mean = a, scale = b)`.

In: a call whose callee is a struct, or an alias of one.  Out: `MakeStruct` with its fields in declaration order.  E2102 (a field
missing, unknown, given twice or by position), E2101 (a field of another type), E2110 (a generic no field tells).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.arguments import match_arguments
from linnet_core.check.compile_time import failed
from linnet_core.check.inference import Slot, infer
from linnet_core.check.program import Expr, MakeStruct, Substitution
from linnet_core.check.receivers import struct_of
from linnet_core.check.resolve_types import resolve_explicit_args, resolve_type
from linnet_core.check.show_types import show
from linnet_core.check.solving import Solver
from linnet_core.check.types import ErrorType, StructType
from linnet_core.errors import InternalError
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import StructInfo
    from linnet_core.check.types import Args


def construct(info: StructInfo, node: tree.Call, ctx: BodyContext) -> Expr:
    """A value of a struct; its generics are written, or come from the fields."""
    name = info.qualified.rpartition("::")[2]
    args = resolve_explicit_args(node.generics, info.generics, ctx, f"`{name}`")
    return failed(node.span) if args is None else _construct(info, args, node, ctx)


def construct_alias(node: tree.Call, ctx: BodyContext) -> Expr:
    """A value of the struct an alias stands for; E2106 when it stands for something else."""
    type = resolve_type(tree.NamedType(node.callee.span, _path(node.callee), node.generics), ctx)
    if isinstance(type, ErrorType):
        return failed(node.span)
    if not isinstance(type, StructType):
        message = f"`{node.callee.span.text}` is a type, `{show(type)}`, not a function"
        help = "only the name of a struct makes a value: make a tensor with `fill`, and a number with `cast`"
        ctx.checker.diagnostics.report("E2106", message, node.callee.span, label="called here", help=help)
        return failed(node.span)
    return _construct(struct_of(type, ctx)[0], type.args, node, ctx)


def _path(callee: tree.Expression) -> tree.Path:
    """The callee, `Name` or `module.Name`, as the path of a type."""
    match callee:
        case tree.Ref():
            return tree.Path(callee.span, (tree.Name(callee.span, callee.name),))
        case tree.Field():
            return tree.Path(callee.span, (*_path(callee.base).parts, callee.name))
        case _:
            raise InternalError("an alias is called by something that is no name")


def _construct(info: StructInfo, args: Args, node: tree.Call, ctx: BodyContext) -> Expr:
    fields = info.decl.fields if info.decl is not None else ()
    name = info.syntax.name.text
    bound = match_arguments(node, [field.name for field in fields], [False] * len(fields), f"struct `{name}`", ctx, positional=False)
    if bound is None or any(isinstance(field.type, ErrorType) for field in fields):
        return failed(node.span)
    solver = Solver(info.generics, ctx.facts, Substitution())
    solver.give(args)
    slots = [
        Slot(field.name, f"field `{field.name}`", field.type, argument.value)
        for field, argument in zip(fields, bound, strict=True)
        if argument is not None
    ]
    values = infer(slots, solver, ctx, node.span, f"`{name}`", code="E2101")
    if values is None:
        return failed(node.span)
    generics = tuple(value for value in map(solver.value, solver.generics) if value is not None)
    return MakeStruct(StructType(info.qualified.rpartition("::")[2], info.module.name, generics), node.span, tuple(values))
