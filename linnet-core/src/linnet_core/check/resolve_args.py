"""Generic arguments as they are written, resolved against the parameters they are for.

In: syntax between `<` and `>`, the declaration's generics and the `BodyContext`.  Out: `Args` in the order of the generics.
Arguments bind from the left, defaults fill the rest.  E2111 (wrong number or kind), E2112 (a dtype outside its class).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.describe import describe_generic
from linnet_core.check.environment import GenericRef, PreludeType
from linnet_core.check.names import lookup
from linnet_core.check.program import Substitution
from linnet_core.check.repairs import cast_to
from linnet_core.check.reserved import KINDS
from linnet_core.check.resolve_dims import resolve_dim, resolve_shape
from linnet_core.check.show_types import show_arg
from linnet_core.check.substitute import bind, substitute_arg
from linnet_core.check.types import CLASS_WORDS, DimArg, DTypeArg, DTypeVar, ShapeArg, is_in_class
from linnet_core.syntax import tree
from linnet_core.text.near import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Generic
    from linnet_core.check.types import Args, DType, DTypeName, GenericArg
    from linnet_core.text.span import Span


def resolve_args(nodes: Sequence[tree.Arg] | None, generics: tuple[Generic, ...], ctx: BodyContext, span: Span, what: str) -> Args | None:
    """All arguments of a type `what` (as shown in messages): those written, then defaults; None when it was reported.

    `nodes` is None where no `<...>` is written.
    """
    explicit = resolve_explicit_args(nodes, generics, ctx, what)
    if explicit is None:
        return None
    args = fill_defaults(explicit, generics)
    if len(args) == len(generics):
        return args
    missing = [generic for generic in generics[len(args) :] if generic.default is None]
    if not ctx.checker.broken_defaults.isdisjoint(generic.id for generic in missing):
        return None
    written = ", ".join([*(show_arg(arg) for arg in args), *(_placeholder(generic) for generic in missing)])
    message = f"{what} needs a value for {', '.join(f'`{generic.name}`' for generic in missing)}"
    help = f"write it: `{span.brief.partition('<')[0]}<{written}>`"
    ctx.checker.diagnostics.report("E2111", message, span, label="not all of its generics are given", help=help)
    return None


def _placeholder(generic: Generic) -> str:
    """What stands for an argument that is missing: the generic's name, in brackets for a pack."""
    return f"[{generic.name}]" if generic.kind == "shape" else generic.name


def resolve_explicit_args(nodes: Sequence[tree.Arg] | None, generics: tuple[Generic, ...], ctx: BodyContext, what: str) -> Args | None:
    """The arguments that are written, for the first generics; None when there are too many or one was reported."""
    if not nodes:
        return ()
    if len(nodes) > len(generics):
        takes = "no generic arguments" if not generics else f"{len(generics)} generic argument{'s' * (len(generics) > 1)}"
        given = f"{len(nodes)} {'is' if len(nodes) == 1 else 'are'} given"
        help = f"its generics are {listed(_declared(generic) for generic in generics)}" if generics else "leave out the `<...>`"
        message, place = f"{what} takes {takes}, and {given}", nodes[len(generics)].span
        ctx.checker.diagnostics.report("E2111", message, place, label="one too many", help=help)
        return None
    args = [resolve_arg(node, generic, ctx) for node, generic in zip(nodes, generics, strict=False)]
    return tuple(arg for arg in args if arg is not None) if None not in args else None


def fill_defaults(args: Args, generics: tuple[Generic, ...]) -> Args:
    """`args` and the defaults that follow them, up to the first generic without one.

    A default may speak of the generics before it.
    """
    filled = list(args)
    substitution = Substitution()
    for position, generic in enumerate(generics):
        if position == len(filled):
            if generic.default is None:
                break
            filled.append(substitute_arg(generic.default, substitution))
        bind(substitution, generic, filled[position])
    return tuple(filled)


def resolve_arg(node: tree.Arg, generic: Generic, ctx: BodyContext) -> GenericArg | None:
    """One argument for `generic`; None when it was reported."""
    match generic.kind:
        case "dim":
            expression = as_expression(node)
            if expression is None:
                return _wrong_kind(node, generic, ctx, help="write a size: a number, a `Dim` generic or a constant without a type")
            dim = resolve_dim(expression, ctx, extent=True)
            return None if dim is None else DimArg(dim)
        case "shape":
            if not isinstance(node, tree.ShapeArg | tree.List):
                return _wrong_kind(node, generic, ctx, help=f"a shape is written in brackets: `[{_in_brackets(node, ctx)}]`")
            shape = resolve_shape(node.dims if isinstance(node, tree.ShapeArg) else node.elements, ctx)
            return None if shape is None else ShapeArg(shape)
        case "dtype":
            return _dtype_arg(node, generic, ctx)


def _in_brackets(node: tree.Arg, ctx: BodyContext) -> str:
    """The argument as the one part of a shape; an example where it is no size."""
    expression = as_expression(node)
    if expression is None:
        return "2, 3"
    if not isinstance(expression, tree.Ref):
        return node.span.brief
    entity = lookup(expression.name, ctx, expression.span, report=False)
    if isinstance(entity, PreludeType):
        return "2, 3"
    is_pack = isinstance(entity, GenericRef) and entity.generic.kind == "shape"
    return f"*{expression.name}" if is_pack else expression.name


def _dtype_arg(node: tree.Arg, generic: Generic, ctx: BodyContext) -> GenericArg | None:
    from linnet_core.check.resolve_types import resolve_dtype

    if isinstance(node, tree.Ref):
        name = tree.Name(node.span, node.name)
        node = tree.NamedType(node.span, tree.Path(node.span, (name,)), None)
    if not isinstance(node, tree.NamedType):
        return _wrong_kind(node, generic, ctx, help=f"write a dtype, such as `{_an_example(generic)}`")
    dtype = resolve_dtype(node, ctx)
    if dtype is None or not check_class(dtype, generic, node.span, ctx):
        return None
    return DTypeArg(dtype)


def check_class(dtype: DType, generic: Generic, span: Span, ctx: BodyContext, *, inferred: bool = False) -> bool:
    """Whether `dtype` may stand for `generic`; E2112 when it is outside the generic's class.

    `inferred` says that `span` is an argument whose type gave the dtype, and not the dtype as it was written.
    """
    wanted = generic.bound or "any"
    if is_in_class(dtype, wanted):
        return True
    found = f"{dtype} is none"
    if isinstance(dtype, DTypeVar):
        found, help = f"`{dtype}` here for {CLASS_WORDS[dtype.bound]}", f"declare `{dtype}: {_kind(generic)}`"
    elif inferred:
        is_literal = wanted == "float" and span.text.isdecimal()
        help = f"write a float: `{span.text}.0`" if is_literal else f"convert it: `{cast_to(_an_example(generic), span.brief)}`"
    else:
        help = f"write one of them, such as `{_an_example(generic)}`"
    message = f"`{generic.name}` stands for {CLASS_WORDS[wanted]}, and {found}"
    ctx.checker.diagnostics.report("E2112", message, span, label=f"this is {dtype}", help=help)
    return False


def _declared(generic: Generic) -> str:
    """A generic as it is declared."""
    return f"{'*' if generic.kind == 'shape' else ''}{generic.name}: {_kind(generic)}"


def _kind(generic: Generic) -> str:
    return next(word for word, meaning in KINDS.items() if meaning == (generic.kind, generic.bound))


def _an_example(generic: Generic) -> DTypeName:
    return "i32" if generic.bound == "integer" else "f32"


def as_expression(node: tree.Arg) -> tree.Expression | None:
    """The argument as an expression: what parses as a type may name a dimension (`B`, `sizes.WIDTH`)."""
    match node:
        case tree.NamedType():
            if node.args is not None:
                return None
            first, *rest = node.path.parts
            expression: tree.Expression = tree.Ref(first.span, first.text)
            for part in rest:
                expression = tree.Field(node.span, expression, part)
            return expression
        case tree.TensorType() | tree.TupleType() | tree.ArrayType() | tree.OptionalType() | tree.ShapeArg():
            return None
        case _:
            return node


def _wrong_kind(node: tree.Arg, generic: Generic, ctx: BodyContext, help: str | None = None) -> None:
    message = f"`{generic.name}` is {describe_generic(generic)}, and `{node.span.brief}` is none"
    ctx.checker.diagnostics.report("E2111", message, node.span, label=f"{describe_generic(generic)} is due", help=help)
