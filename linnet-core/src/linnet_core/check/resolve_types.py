"""Types as they are written, resolved.

In: syntax of types and the `BodyContext`.  Out: `Type` values; `ERROR` for one that was reported (E1201, E1208, E2111, ...).
Dimensions and generic arguments are resolved next door and re-exported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from linnet_core.check.describe import describe
from linnet_core.check.environment import (
    AliasInfo,
    BlockInfo,
    EnumInfo,
    GenericRef,
    ModuleInfo,
    PreludeType,
    StructInfo,
    UnknownEntity,
)
from linnet_core.check.names import lookup, module_item
from linnet_core.check.resolve_args import fill_defaults, resolve_args, resolve_explicit_args
from linnet_core.check.resolve_dims import resolve_dim, resolve_shape
from linnet_core.check.show_types import quote, show
from linnet_core.check.substitute import substitute_type, substitution_of
from linnet_core.check.types import (
    DTYPES,
    ERROR,
    ArrayType,
    BlockType,
    DTypeVar,
    EnumType,
    ErrorType,
    OptionalType,
    ScalarType,
    StructType,
    TensorType,
    TupleType,
)
from linnet_core.errors import LinnetError
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import Entity
    from linnet_core.check.types import DType, DTypeName, Type
    from linnet_core.text.span import Span

__all__ = [
    "fill_defaults",
    "resolve_args",
    "resolve_dim",
    "resolve_dtype",
    "resolve_explicit_args",
    "resolve_path",
    "resolve_shape",
    "resolve_type",
]


def resolve_type(node: tree.Type, ctx: BodyContext, *, members: bool = False) -> Type:
    """The type, or `ERROR` when it was reported.  Blocks and arrays of them are refused (E1208) unless `members` is set."""
    match node:
        case tree.NamedType():
            return _named(node, ctx, members)
        case tree.TensorType():
            return _tensor(node, ctx)
        case tree.TupleType():
            elements = tuple(resolve_type(element, ctx) for element in node.elements)
            return ERROR if any(isinstance(element, ErrorType) for element in elements) else TupleType(elements)
        case tree.OptionalType():
            return _optional(node, ctx, members)
        case tree.ArrayType():
            return _array(node, ctx, members)


def resolve_dtype(node: tree.Type | tree.Name, ctx: BodyContext) -> DType | None:
    """The dtype a name stands for; None when it stands for something else (E1208) or nothing."""
    if isinstance(node, tree.Name):
        node = tree.NamedType(node.span, tree.Path(node.span, (node,)), None)
    type = resolve_type(node, ctx, members=True)
    if isinstance(type, ScalarType):
        return type.dtype
    if not isinstance(type, ErrorType):
        ctx.checker.diagnostics.report(
            "E1208", f"a dtype is needed, and this is {quote(type)}", node.span, help="write a dtype, such as `f32`, or a generic of one"
        )
    return None


def resolve_path(path: tree.Path, ctx: BodyContext) -> Entity | None:
    """The item a path names: `Name` or `module.Name`; None when it was reported."""
    first = path.parts[0]
    if len(path.parts) == 1:
        return lookup(first.text, ctx, first.span, help=f"declare it, or import it: `use PATH::{first.text}`")
    last = path.parts[-2].text, path.parts[-1].text
    help = f"import the module: `use {'.'.join(part.text for part in path.parts[:-1])}`, then `{last[0]}.{last[1]}`"
    module = lookup(first.text, ctx, first.span, help=help)
    if module is None:
        return None
    if not isinstance(module, ModuleInfo):
        message = f"`{first.text}` is {describe(module)}, not a module"
        ctx.checker.diagnostics.report("E1208", message, first.span, help="a point in a type stands after the name of an imported module")
        return None
    entity = module_item(module, path.parts[1], ctx.checker)
    if isinstance(entity, UnknownEntity):
        return None
    if len(path.parts) > 2:
        message = f"`{path.parts[1].text}` is {describe(entity)}, not a module"
        help = "a module is named by the last part of its path alone: `use a.b`, then `b.Type`"
        ctx.checker.diagnostics.report("E1208", message, path.parts[1].span, help=help)
        return None
    return entity


def _named(node: tree.NamedType, ctx: BodyContext, members: bool) -> Type:
    entity = resolve_path(node.path, ctx)
    match entity:
        case None:
            return ERROR
        case PreludeType() if entity.name in DTYPES:
            return _plain(ScalarType(cast("DTypeName", entity.name)), node, ctx)
        case GenericRef() if entity.generic.kind == "dtype":
            generic = entity.generic
            return _plain(ScalarType(DTypeVar(generic.id, generic.name, generic.bound or "any")), node, ctx)
        case AliasInfo():
            return _alias(entity, node, ctx, members)
        case StructInfo() | EnumInfo() | BlockInfo():
            return _nominal(entity, node, ctx, members)
        case _:
            return _no_type(entity, node, ctx)


def _plain(type: ScalarType, node: tree.NamedType, ctx: BodyContext) -> Type:
    """A dtype name takes no arguments."""
    if node.args is None:
        return type
    message, help = f"`{node.path.text}` takes no generic arguments", f"write `{node.path.text}`"
    ctx.checker.diagnostics.report("E2111", message, node.span, label="a dtype stands alone", help=help)
    return ERROR


def _no_type(entity: Entity, node: tree.NamedType, ctx: BodyContext) -> Type:
    help = "write a dtype, `Tensor[N; f32]`, or the name of a type"
    if isinstance(entity, GenericRef):
        help = f"a size stands in a shape: `Tensor[{'*' if entity.generic.kind == 'shape' else ''}{entity.generic.name}; f32]`"
    if isinstance(entity, PreludeType) and entity.name == "Tensor":
        message, help = "`Tensor` needs its shape and dtype", "write `Tensor[N; f32]`"
    else:
        message = f"`{node.path.text}` is {describe(entity)}, not a type"
    ctx.checker.diagnostics.report("E1208", message, node.path.span, label="not a type", help=help)
    return ERROR


def _alias(alias: AliasInfo, node: tree.NamedType, ctx: BodyContext, members: bool) -> Type:
    from linnet_core.check.declarations import ensure_alias

    ensure_alias(alias, ctx.checker)
    args = resolve_args(node.args, alias.generics, ctx, node.span, f"`{node.path.text}`")
    if args is None or isinstance(alias.type, ErrorType):
        return ERROR
    try:
        type = substitute_type(alias.type, substitution_of(alias.generics, args))
    except LinnetError as error:
        ctx.checker.diagnostics.report("E6003", str(error), node.span, help="let it speak of fewer sizes at once")
        return ERROR
    return type if members else _value_type(type, node.span, ctx)


def _nominal(entity: StructInfo | EnumInfo | BlockInfo, node: tree.NamedType, ctx: BodyContext, members: bool) -> Type:
    from linnet_core.check.generics import ensure_generics

    ensure_generics(entity, ctx.checker)
    args = resolve_args(node.args, entity.generics, ctx, node.span, f"`{node.path.text}`")
    if args is None:
        return ERROR
    made = {StructInfo: StructType, EnumInfo: EnumType, BlockInfo: BlockType}[type(entity)]
    result = made(entity.qualified.rpartition("::")[2], entity.module.name, args)
    return result if members else _value_type(result, node.span, ctx)


def _value_type(type: Type, span: Span, ctx: BodyContext) -> Type:
    """The type, unless it is a block's or an array's, which values do not have."""
    if is_block_like(type):
        message = f"{quote(type)} is only the type of a `sub`: a block is not a value"
        ctx.checker.diagnostics.report("E1208", message, span, help="declare it as a `sub` of a block, and call its methods there")
        return ERROR
    return type


def is_block_like(type: Type) -> bool:
    """Whether it is a block, an array of blocks, or an optional of these."""
    return isinstance(type.inner if isinstance(type, OptionalType) else type, BlockType | ArrayType)


def _tensor(node: tree.TensorType, ctx: BodyContext) -> Type:
    shape = resolve_shape(node.dims, ctx)
    dtype = resolve_dtype(node.dtype, ctx)
    return ERROR if shape is None or dtype is None else TensorType(shape, dtype)


def _optional(node: tree.OptionalType, ctx: BodyContext, members: bool) -> Type:
    inner = resolve_type(node.inner, ctx, members=members)
    if isinstance(inner, ErrorType):
        return ERROR
    if isinstance(inner, OptionalType):
        help = f"write `{node.inner.span.brief}`, without the `?`"
        ctx.checker.diagnostics.report("E2101", f"{quote(inner)} is optional already", node.span, label="optional twice", help=help)
        return ERROR
    return OptionalType(inner)


def _array(node: tree.ArrayType, ctx: BodyContext, members: bool) -> Type:
    if not members:
        help = "declare it as a `sub` of a block"
        if isinstance(node.element, tree.NamedType) and node.element.path.text in DTYPES:
            help = f"an array of numbers is a tensor: `Tensor[{node.length.span.text}; {node.element.path.text}]`"
        ctx.checker.diagnostics.report("E1208", "an array of blocks is only the type of a `sub`", node.span, help=help)
        return ERROR
    element = resolve_type(node.element, ctx, members=True)
    if isinstance(element, ErrorType):
        return ERROR
    length = resolve_dim(node.length, ctx, extent=True)
    if length is None:
        return ERROR
    if not isinstance(element, BlockType | ArrayType):
        message, help = f"an array holds blocks, and {quote(element)} is none", "name a block"
        if isinstance(element, ScalarType | TensorType):
            inner = element.shape if isinstance(element, TensorType) else ()
            help = f"write one tensor: `{show(TensorType((length, *inner), element.dtype))}`"
        elif isinstance(element, OptionalType) and isinstance(element.inner, BlockType | ArrayType):
            help = f"leave the `?` out: all of `[{show(element.inner)}; {length}]` are there"
        ctx.checker.diagnostics.report("E4101", message, node.element.span, help=help)
        return ERROR
    return ArrayType(element, length)
