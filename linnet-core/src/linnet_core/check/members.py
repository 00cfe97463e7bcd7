"""Names and `x.name`: what they are as values.

In: `Ref` and `Field` nodes.  Out: locals, members, states, constants, fields and enum variants as typed expressions.  E1208
(a name that is no value), E2107 (no such field, member or variant), E3104 (an index used as a value).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.declarations import ensure_alias
from linnet_core.check.describe import describe, how_used
from linnet_core.check.environment import (
    AliasInfo,
    ConstInfo,
    EnumInfo,
    FunctionInfo,
    GenericRef,
    IndexBinding,
    MemberEntity,
    PreludeFunction,
    UnknownEntity,
)
from linnet_core.check.expressions import check_expression
from linnet_core.check.kernel_memory import refuse_memory
from linnet_core.check.literals import FLOAT_LITERAL
from linnet_core.check.names import lookup, lookup_field_path
from linnet_core.check.program import ConstRef, DimValue, EnumValue, Expr, GetField, Literal, Local, LocalRef, MemberRef, StateRead
from linnet_core.check.receivers import block_of, enum_of, self_reference, struct_of
from linnet_core.check.repairs import take_apart
from linnet_core.check.reserved import FORMULAS_ELSEWHERE, REDUCTIONS
from linnet_core.check.resolve_args import fill_defaults
from linnet_core.check.show_types import quote
from linnet_core.check.substitute import substitute_type
from linnet_core.check.types import ArrayType, BlockType, DimType, EnumType, ErrorType, OptionalType, StructType, TensorType
from linnet_core.shapes import Dim, show_shape
from linnet_core.syntax import tree
from linnet_core.text.near import did_you_mean, listed

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import Entity
    from linnet_core.check.program import Member
    from linnet_core.check.types import Type
    from linnet_core.text.span import Span


def check_ref(node: tree.Ref, ctx: BodyContext, expected: Type | None) -> Expr:
    """A bare name."""
    entity = lookup(node.name, ctx, node.span, help=f"bind it before it is used: `let {node.name} = ...`")
    return failed(node.span) if entity is None else value_of(entity, node.span, ctx)


def value_of(entity: Entity, span: Span, ctx: BodyContext) -> Expr:
    """An entity as a value; E1208 for one that is none, E3104 for an index."""
    match entity:
        case Local(type=ErrorType()) | UnknownEntity():
            return failed(span)
        case Local(type=DimType() as type):
            return DimValue(type, span, type.dim)
        case Local() if entity.id in ctx.memory:
            return refuse_memory(entity, span, ctx)
        case Local():
            return LocalRef(entity.type, span, entity)
        case GenericRef() if entity.generic.kind == "dim":
            dim = Dim.symbol(entity.generic.id, entity.generic.name)
            return DimValue(DimType(dim), span, dim)
        case ConstInfo():
            return _constant(entity, span)
        case MemberEntity():
            return _read_member(self_reference(ctx, span), entity.member, entity.member.type, span)
        case IndexBinding():
            return _index_as_value(entity, span, ctx)
        case _:
            help = how_used(entity, span.text)
            if isinstance(entity, FunctionInfo | PreludeFunction) and span.source.text.startswith("<", span.end):
                help = "generic arguments end with a `>` that is directly followed by `(`; a comparison in them stands in parentheses"
            message = f"`{span.text}` is {describe(entity)}, not a value"
            ctx.checker.diagnostics.report("E1208", message, span, label="a value is due", help=help)
            return failed(span)


def _constant(info: ConstInfo, span: Span) -> Expr:
    if info.dim is not None:
        return DimValue(DimType(info.dim), span, info.dim)
    if info.literal is not None:
        value, text = info.literal
        return Literal(FLOAT_LITERAL, span, value, text)
    return failed(span) if isinstance(info.type, ErrorType) else ConstRef(info.type, span, info.qualified)


def _index_as_value(index: IndexBinding, span: Span, ctx: BodyContext) -> Expr:
    if index.id >= 0:
        ctx.checker.diagnostics.report(
            "E3104",
            f"index `{index.name}` is a position, not a value",
            span,
            label="only a bare index stands at an axis",
            help=_value_help(index),
        )
    return failed(span)


def _value_help(index: IndexBinding) -> str:
    """How the value of an index is written, with its extent where that is known already."""
    domain = index.domain or ()
    if len(domain) == 1 and isinstance(domain[0], Dim):
        return f"its value is `iota({domain[0]})[{index.name}]`, an i64"
    return f"its value is `iota(N)[{index.name}]`, N being the extent of its axis"


def _read_member(receiver: Expr, member: Member, type: Type, span: Span) -> Expr:
    if isinstance(type, ErrorType):
        return failed(span)
    read = StateRead if member.kind == "state" else MemberRef
    return read(type, span, receiver, member.name)


def check_field(node: tree.Field, ctx: BodyContext, expected: Type | None) -> Expr:
    """`x.name`: an item of a module, a variant of an enum, a field of a struct, or a member of a child block.

    A chain `a.b.c` is walked without recursion.
    """
    links = [node]
    while isinstance(links[-1].base, tree.Field) and not _names_item(links[-1].base, ctx):
        links.append(links[-1].base)
    value = _first_link(links.pop(), ctx, expected)
    for link in reversed(links):
        value = _field_of(value, link, ctx)
    return value


def _names_item(node: tree.Field, ctx: BodyContext) -> bool:
    """Whether `module.item` stands here."""
    return lookup_field_path(node, ctx, report=False) is not None


def _first_link(node: tree.Field, ctx: BodyContext, expected: Type | None) -> Expr:
    item = lookup_field_path(node, ctx)
    if item is not None:
        return value_of(item, node.span, ctx)
    enum = enum_at(node.base, ctx)
    if enum is not None:
        return _variant(enum, node, ctx, expected)
    return _field_of(check_expression(node.base, ctx), node, ctx)


def enum_at(node: tree.Expression, ctx: BodyContext) -> EnumInfo | None:
    """The enum that `Pooling` or `module.Pooling` names, itself or by an alias."""
    match node:
        case tree.Ref():
            found = lookup(node.name, ctx, node.span, report=False)
        case tree.Field():
            found = lookup_field_path(node, ctx, report=False)
        case _:
            return None
    if isinstance(found, AliasInfo):
        ensure_alias(found, ctx.checker)
        return enum_of(found.type, ctx) if isinstance(found.type, EnumType) else None
    return found if isinstance(found, EnumInfo) else None


def _variant(enum: EnumInfo, node: tree.Field, ctx: BodyContext, expected: Type | None) -> Expr:
    name = enum.qualified.rpartition("::")[2]
    variants = [variant.text for variant in enum.syntax.variants]
    if node.name.text not in variants:
        ctx.checker.diagnostics.report(
            "E2107",
            f"enum `{enum.syntax.name.text}` has no variant `{node.name.text}`",
            node.name.span,
            help=did_you_mean(node.name.text, variants) or f"its variants are {listed(variants)}",
        )
        return failed(node.span)
    if isinstance(expected, EnumType) and (expected.module, expected.name) == (enum.module.name, name):
        return EnumValue(expected, node.span, node.name.text)
    args = fill_defaults((), enum.generics)
    if len(args) < len(enum.generics):
        missing = enum.generics[len(args)].name
        ctx.checker.diagnostics.report(
            "E2110",
            f"`{missing}` of enum `{enum.syntax.name.text}` cannot be inferred",
            node.span,
            label="no place tells",
            help=f"give the value a type: `let x: {enum.syntax.name.text}<{', '.join(each.name for each in enum.generics)}> = ...`",
        )
        return failed(node.span)
    return EnumValue(EnumType(name, enum.module.name, args), node.span, node.name.text)


def _field_of(base: Expr, node: tree.Field, ctx: BodyContext) -> Expr:
    if is_failed(base):
        return failed(node.span)
    match base.type:
        case StructType():
            return _struct_field(base, base.type, node, ctx)
        case BlockType():
            return _child_member(base, base.type, node, ctx)
        case _:
            report_no_field(base, node.name, ctx)
            return failed(node.span)


def report_no_field(base: Expr, name: tree.Name, ctx: BodyContext, what: str = "field") -> None:
    """E2107 for `.name` (a `what`) of something that has no fields and no methods."""
    message, text = f"{quote(base.type)} has no {what} `{name.text}`", base.span.brief
    match base.type:
        case OptionalType():
            help = take_apart(base.type, text)
        case ArrayType():
            help = f"take one of them, `{text}[0].{name.text}`, or go through it with `static for`"
        case _ if name.text in REDUCTIONS:
            help = f"a reduction lists its indices: `{name.text}[i] x[i]`"
        case TensorType() if name.text in FORMULAS_ELSEWHERE:
            help = FORMULAS_ELSEWHERE[name.text]
        case _ if what == "method" and isinstance(lookup(name.text, ctx, name.span, report=False), FunctionInfo | PreludeFunction):
            help = f"call the function: `{name.text}({text})`"
        case TensorType(shape=shape) if name.text in ("shape", "size"):
            help = f"its sizes are known at compile time: {show_shape(shape)}"
        case TensorType(shape=(Dim(), Dim())) if name.text in ("T", "t", "transpose"):
            help = f"reorder its axes: `permute({text}, [1, 0])`"
        case _:
            help = take_apart(base.type, text) or "only structs, blocks, enums and modules have names inside"
    ctx.checker.diagnostics.report("E2107", message, name.span, help=help)


def _struct_field(base: Expr, type: StructType, node: tree.Field, ctx: BodyContext) -> Expr:
    info, substitution = struct_of(type, ctx)
    fields = info.decl.fields if info.decl is not None else ()
    for position, field in enumerate(fields):
        if field.name == node.name.text:
            if isinstance(field.type, ErrorType):
                return failed(node.span)
            return GetField(substitute_type(field.type, substitution), node.span, base, position)
    names = [field.name for field in fields]
    ctx.checker.diagnostics.report(
        "E2107",
        f"struct `{info.syntax.name.text}` has no field `{node.name.text}`",
        node.name.span,
        help=did_you_mean(node.name.text, names) or f"its fields are {listed(names)}",
    )
    return failed(node.span)


def _child_member(base: Expr, type: BlockType, node: tree.Field, ctx: BodyContext) -> Expr:
    info, substitution = block_of(type, ctx)
    member = info.members.get(node.name.text)
    if member is not None:
        info.used_members.add(node.name.text)
        return _read_member(base, member, substitute_type(member.type, substitution), node.span)
    name = info.syntax.name.text
    if node.name.text in info.items:
        ctx.checker.diagnostics.report(
            "E1208",
            f"`{node.name.text}` is a method of block `{name}`, not a value",
            node.name.span,
            help=f"call it: `{node.span.text}(...)`",
        )
    elif not any(declared.name.text == node.name.text for declared in info.syntax.members):
        ctx.checker.diagnostics.report(
            "E2107",
            f"block `{name}` has no member `{node.name.text}`",
            node.name.span,
            help=did_you_mean(node.name.text, [*info.members, *info.items]) or f"it has {listed([*info.members, *info.items])}",
        )
    return failed(node.span)
