"""Calls of functions, ops, entries, methods and prelude functions.

In: `Call` nodes.  Out: `program.Call` with arguments in parameter order, defaults filled in, generics inferred and the callee's
`where` proved (E2206).  E2106 (not a function), E2107 (no such method), E2126 (a kernel), E1203 (a private method); what is
wrong with arguments is said by `arguments.py` and `inference.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.arguments import match_arguments
from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.describe import describe
from linnet_core.check.environment import (
    AliasInfo,
    BlockInfo,
    EnumInfo,
    FunctionInfo,
    KernelInfo,
    MemberEntity,
    PreludeFunction,
    PreludeType,
    StructInfo,
    UnknownEntity,
)
from linnet_core.check.expressions import check_expression
from linnet_core.check.functions import default_of
from linnet_core.check.inference import Slot, infer
from linnet_core.check.knots import NO_RECURSION
from linnet_core.check.members import enum_at, report_no_field
from linnet_core.check.names import lookup, lookup_field_path
from linnet_core.check.prelude import check_prelude_call
from linnet_core.check.program import Call, Expr, Local, SelfRef, Substitution
from linnet_core.check.receivers import block_of, self_reference
from linnet_core.check.repairs import tight
from linnet_core.check.resolve_dims import check_extent
from linnet_core.check.resolve_types import resolve_explicit_args
from linnet_core.check.show_types import quote, show
from linnet_core.check.solving import Solver
from linnet_core.check.structs import construct, construct_alias
from linnet_core.check.substitute import substitute_type
from linnet_core.check.substitute_expressions import substitute_expr
from linnet_core.check.types import DTYPES, ERROR, BlockType, ErrorType, ScalarType, TensorType, TupleType
from linnet_core.check.where import prove_obligations
from linnet_core.shapes import Dim
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import Entity
    from linnet_core.check.types import Type


class Target(Struct, frozen=True):
    """A function to be called: its receiver, if it is a method, and what the receiver says of its block's generics."""

    info: FunctionInfo
    receiver: Expr | None
    given: Substitution


def check_call(node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """A call of anything."""
    callee = node.callee
    entity: Entity | None = None
    match callee:
        case tree.Ref():
            entity = lookup(callee.name, ctx, callee.span, help=f"declare it, or import it: `use PATH::{callee.name}`")
            if entity is None:
                return _give_up(node, ctx)
        case tree.Field():
            entity = lookup_field_path(callee, ctx)
            if entity is None:
                return _call_method(callee, node, ctx)
        case _:
            value = check_expression(callee, ctx)
            return failed(node.span) if is_failed(value) else _not_a_function(node, quote(value.type), ctx, value.type)
    match entity:
        case PreludeFunction():
            return check_prelude_call(entity.name, node, ctx, expected)
        case FunctionInfo():
            receiver = self_reference(ctx, callee.span) if entity.block is not None else None
            return _call(Target(entity, receiver, Substitution()), node, ctx)
        case StructInfo():
            return construct(entity, node, ctx)
        case AliasInfo():
            return construct_alias(node, ctx)
        case KernelInfo():
            name = entity.syntax.name.text
            help = f"call an op that names it in its header: `op ...(...) -> ... kernel {name} {{ ... }}`"
            ctx.checker.diagnostics.report("E2126", f"kernel `{name}` is not called", node.span, label="a kernel is no function", help=help)
            return failed(node.span)
        case UnknownEntity() | Local(type=ErrorType()):
            return _give_up(node, ctx)
        case MemberEntity():
            return _not_a_function(node, describe(entity), ctx, entity.member.type)
        case Local():
            return _not_a_function(node, describe(entity), ctx, entity.type)
        case PreludeType() if entity.name in DTYPES and len(node.arguments) == 1:
            help = f"convert with `cast<{entity.name}>({node.arguments[0].span.brief})`"
            return _not_a_function(node, describe(entity), ctx, help=help)
        case EnumInfo():
            variant = next((variant.text for variant in entity.syntax.variants), "...")
            return _not_a_function(node, describe(entity), ctx, help=f"name a variant: `{node.callee.span.brief}.{variant}`")
        case BlockInfo():
            help = "declare it as a `sub` of a block, and call its methods"
            return _not_a_function(node, describe(entity), ctx, help=help)
        case _:
            return _not_a_function(node, describe(entity), ctx)


def _give_up(node: tree.Call, ctx: BodyContext) -> Expr:
    """The callee was reported; what is wrong inside the arguments still is."""
    for argument in node.arguments:
        if not isinstance(argument.value, tree.List | tree.NoneLiteral):
            check_expression(argument.value, ctx, ERROR)
    return failed(node.span)


def _not_a_function(node: tree.Call, what: str, ctx: BodyContext, type: Type | None = None, *, help: str | None = None) -> Expr:
    text = node.callee.span.brief
    help = help or _instead_of_calling(type, text, node, ctx)
    ctx.checker.diagnostics.report("E2106", f"`{text}` is {what}, not a function", node.callee.span, label="called here", help=help)
    return failed(node.span)


def _instead_of_calling(type: Type | None, text: str, node: tree.Call, ctx: BodyContext) -> str | None:
    """What a call of a value of `type` may have meant: a method of a child, or elements of a tensor."""
    given = ", ".join(argument.span.brief for argument in node.arguments)
    match type:
        case BlockType():
            methods = [item.syntax.name.text for item in block_of(type, ctx)[0].items.values() if isinstance(item, FunctionInfo)]
            return f"call one of its methods: `{text}.{methods[0]}({given})`" if methods else "it has no method; read one of its members"
        case TensorType():
            return f"index it in brackets: `{text}[{given or '0'}]`"
        case ScalarType() | None if len(node.arguments) == 1:
            return f"if a product is meant, write `{text} * {tight(given)}`"
        case _:
            return "leave out the parentheses"


def _call_method(callee: tree.Field, node: tree.Call, ctx: BodyContext) -> Expr:
    """`child.method(...)`; a variant of an enum is no function."""
    if enum_at(callee.base, ctx) is not None:
        variant = check_expression(callee, ctx)
        return _give_up(node, ctx) if is_failed(variant) else _not_a_function(node, "a variant", ctx, variant.type)
    base = check_expression(callee.base, ctx)
    if is_failed(base):
        return _give_up(node, ctx)
    if not isinstance(base.type, BlockType):
        report_no_field(base, callee.name, ctx, "method")
        return _give_up(node, ctx)
    info, given = block_of(base.type, ctx)
    method = info.items.get(callee.name.text)
    name = callee.name.text
    if name in info.unclear:
        return _give_up(node, ctx)
    if method is None:
        if name in info.members:
            return _not_a_function(node, f"a `{info.members[name].kind}`", ctx, info.members[name].type)
        message = f"block `{info.syntax.name.text}` has no method `{name}`"
        methods = [key for key, item in info.items.items() if isinstance(item, FunctionInfo)]
        help = did_you_mean(name, methods) or (f"its methods are {listed(methods)}" if methods else "it has no methods")
        ctx.checker.diagnostics.report("E2107", message, callee.name.span, help=help)
        return _give_up(node, ctx)
    if not isinstance(method, FunctionInfo):
        return _not_a_function(node, describe(method), ctx)
    if not method.syntax.public and info.module is not ctx.module:
        ctx.checker.diagnostics.report(
            "E1203",
            f"method `{name}` of block `{info.syntax.name.text}` is private to module `{info.module.name}`",
            callee.name.span,
            label="private",
            related=(Label(method.syntax.name.span, "declared without `pub`"),),
            help=f"declare it `pub` in `{info.module.name}`",
        )
        return _give_up(node, ctx)
    return _call(Target(method, base, given), node, ctx)


def _call(target: Target, node: tree.Call, ctx: BodyContext) -> Expr:
    info = target.info
    what = f"`{info.syntax.name.text}`"
    explicit = resolve_explicit_args(node.generics, info.generics, ctx, what)
    names = [param.name.text for param in info.syntax.params]
    optional = [param.default is not None for param in info.syntax.params]
    bound = match_arguments(node, names, optional, what, ctx)
    if explicit is None or bound is None or any(isinstance(local.type, ErrorType) for local in info.params):
        return _give_up(node, ctx)
    given = Substitution(dict(target.given.dims), dict(target.given.packs), dict(target.given.dtypes))
    solver = Solver(info.generics, ctx.facts, given)
    solver.give(explicit)
    child = None if isinstance(target.receiver, SelfRef) else target.receiver
    slots = [
        Slot(local.name, f"argument `{local.name}`", substitute_type(local.type, target.given), argument.value, child)
        for local, argument in zip(info.params, bound, strict=True)
        if argument is not None
    ]
    values = infer(slots, solver, ctx, node.span, what)
    if values is None:
        return failed(node.span)
    return _complete(target, node, solver, iter(values), bound, ctx)


def _complete(
    target: Target, node: tree.Call, solver: Solver, values: Iterator[Expr], bound: list[tree.Argument | None], ctx: BodyContext
) -> Expr:
    """The call with its defaults, once its generics are known and its `where` is proved."""
    info = target.info
    given = solver.given
    name = f"`{info.syntax.name.text}`"
    if not info.broken and not prove_obligations(info.constraints, given, ctx, node.span, name, info.syntax.where):
        return failed(node.span)
    args: list[Expr] = []
    for position, argument in enumerate(bound):
        value = next(values) if argument is not None else default_of(info, position, ctx.checker)
        if value is None:
            if info.defaults_state == "busy":
                _report_circular_default(info, node, ctx)
            return failed(node.span)
        args.append(value if argument is not None else substitute_expr(value, given))
    result = substitute_type(info.result, given)
    if isinstance(result, ErrorType) or not _has_sizes(result, node, ctx):
        return failed(node.span)
    generics = tuple(value for value in map(solver.value, solver.generics) if value is not None)
    return Call(result, node.span, info.qualified, target.receiver, tuple(args), generics, _own(solver))


def _report_circular_default(info: FunctionInfo, node: tree.Call, ctx: BodyContext) -> None:
    """E2119 for a default that calls its own function and needs itself for that."""
    name = node.callee.name.span if isinstance(node.callee, tree.Field) else node.callee.span
    message = f"a default of `{info.syntax.name.text}` calls `{info.syntax.name.text}` and needs that default for it"
    ctx.checker.diagnostics.report("E2119", message, name, help=NO_RECURSION)


def _own(solver: Solver) -> Substitution:
    """What is given to the callee's own generics, without its block's."""
    given, ids = solver.given, {generic.id for generic in solver.generics}
    return Substitution(
        {id: dim for id, dim in given.dims.items() if id in ids},
        {id: shape for id, shape in given.packs.items() if id in ids},
        {id: dtype for id, dtype in given.dtypes.items() if id in ids},
    )


def _has_sizes(type: Type, node: tree.Call, ctx: BodyContext) -> bool:
    """Whether no axis of a result is proved negative (E2208)."""
    match type:
        case TensorType():
            doubtful = [unit for unit in type.shape if isinstance(unit, Dim) and not unit.nonnegative]
            notes = (f"the result of the call is `{show(type)}`",) if doubtful else ()  # Spelling a type takes longer than looking at it.
            return all(check_extent(unit, node.span, ctx, notes=notes) for unit in doubtful)
        case TupleType():
            return all(_has_sizes(element, node, ctx) for element in type.elements)
        case _:
            return True
