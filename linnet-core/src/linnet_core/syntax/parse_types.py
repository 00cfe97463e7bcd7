"""Tokens to types, generic parameters, generic arguments and `where` clauses.

In: a `Cursor` before the construct.  Out: nodes of `tree/types.py`.  A dimension is an expression; a generic argument is a
type where it reads as one, and an expression where it does not.
"""

from __future__ import annotations

from linnet_core.errors import SourceError
from linnet_core.syntax import parse_expressions as expressions
from linnet_core.syntax.cursor import Cursor
from linnet_core.syntax.tokens import IDENT, INTEGER, REFUSED, RESERVED_WORD
from linnet_core.syntax.tree.expressions import Expression
from linnet_core.syntax.tree.node import Path
from linnet_core.syntax.tree.types import (
    Arg,
    ArrayType,
    Constraint,
    GenericParam,
    NamedType,
    OptionalType,
    PackRef,
    ShapeArg,
    TensorType,
    TupleType,
    Type,
)
from linnet_core.text.span import Span

KINDS = ("Dim", "Shape", "DType", "Numeric", "Integer", "Float")
_RELATIONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


def type_(c: Cursor) -> Type:
    """A type, with its `?` if it has one."""
    start = c.token.start
    c.enter()
    inner = _plain_type(c)
    c.leave()
    return OptionalType(c.span(start), inner) if c.accept("?") else inner


def _plain_type(c: Cursor) -> Type:
    """A type without `?`."""
    if c.kind == IDENT:
        return _tensor(c) if c.token.text == "Tensor" else named_type(c)
    if c.kind == "(":
        return _tuple_type(c)
    if c.kind == "[":
        return _array_type(c)
    if c.kind == RESERVED_WORD or c.kind in REFUSED:
        return named_type(c)
    c.fail("a type")


def named_type(c: Cursor) -> NamedType:
    """`a.b.Name<args>`."""
    start = c.token.start
    where = path(c, "a type")
    args = generic_args(c) if c.kind == "<" else None
    return NamedType(c.span(start), where, args)


def path(c: Cursor, what: str) -> Path:
    """Names joined by dots."""
    start = c.token.start
    parts = [c.name(what)]
    while c.kind == ".":
        c.advance()
        parts.append(c.name("a name after `.`"))
    return Path(c.span(start), tuple(parts))


def _tensor(c: Cursor) -> TensorType:
    """`Tensor[dims; dtype]`."""
    start = c.token.start
    c.advance()
    if c.kind != "[":
        c.fail("`[`", help="a tensor type is written `Tensor[dims; dtype]`")
    opener = c.open("[")
    dims: list[Expression | PackRef] = []
    if c.kind == ";":
        scalar = c.peek().text if c.peek().kind == IDENT else "f32"
        c.report("E1103", "a tensor without axes has no type of its own", c.here(), help=f"write the scalar type: `{scalar}`")
    elif c.kind == "]":
        c.fail("a dimension", help="a tensor type is written `Tensor[dims; dtype]`")
    else:
        dims = dim_list(c)
    if c.kind == "]":
        c.fail("`;` and a dtype", help="a tensor type is written `Tensor[dims; dtype]`")
    if c.kind != ";":
        c.fail("`,` or `;`", help=f"write `,` before {c.describe()}, or `;` and a dtype")
    c.advance()
    dtype = named_type(c)
    c.expect("]", opener)
    return TensorType(c.span(start), tuple(dims), dtype)


def dim_list(c: Cursor) -> list[Expression | PackRef]:
    """Dimensions and packs between commas, at least one."""
    dims = [dim(c)]
    height = c.height
    while c.accept(","):
        dims.append(dim(c))
        height = max(height, c.height)
    c.height = height
    return dims


def dim(c: Cursor) -> Expression | PackRef:
    """A dimension, or `*S`."""
    if c.kind == "*":
        return pack_ref(c)
    return expressions.expression(c, "a dimension")


def pack_ref(c: Cursor) -> PackRef:
    """`*S`."""
    start = c.token.start
    c.advance()
    name = c.name("the name of a pack")
    return PackRef(c.span(start), name)


def _tuple_type(c: Cursor) -> Type:
    """`(A, B)`; `(A)` is `A`."""
    start = c.token.start
    opener = c.open("(")
    elements = [type_(c)]
    comma = False
    while c.accept(","):
        comma = True
        if c.kind == ")":
            break
        elements.append(type_(c))
    _close(c, ")", opener)
    return TupleType(c.span(start), tuple(elements)) if comma else elements[0]


def _array_type(c: Cursor) -> ArrayType:
    """`[Block<..>; N]`."""
    start = c.token.start
    opener = c.open("[")
    element = type_(c)
    if not c.accept(";"):
        c.fail("`;` and the length of the array", help="the type of an array is written `[Layer; 4]`")
    length = expressions.expression(c, "the length of the array")
    c.expect("]", opener)
    return ArrayType(c.span(start), element, length)


def _close(c: Cursor, kind: str, opener: Span) -> None:
    """The end of a list between commas."""
    if c.kind != kind:
        from_where = None if c.kind != ";" else "parts of a list are separated by `,`"
        c.fail(f"`,` or `{kind}`", help=from_where)
    c.expect(kind, opener)


# generic parameters


def generics(c: Cursor) -> tuple[GenericParam, ...]:
    """`<N: Dim, *S: Shape>`, or nothing."""
    if c.kind != "<":
        return ()
    opener = c.open("<")
    params = [_generic_param(c)]
    while c.accept(","):
        if c.kind == ">":
            break
        params.append(_generic_param(c))
    if c.kind != ">":
        c.fail("`,` or `>`")
    c.expect(">", opener)
    return tuple(params)


def _generic_param(c: Cursor) -> GenericParam:
    """`N: Dim = 4`."""
    start = c.token.start
    pack = c.accept("*")
    name = c.name("the name of a generic")
    if not c.accept(":"):
        c.fail("`:` and a kind", help=f"a generic is written `{name.text}: Dim`")
    kind = c.name("a kind")
    if kind.text not in KINDS and not c.trying:
        shown = ", ".join(f"`{known}`" for known in KINDS)
        c.report("E1101", f"expected a kind, found the name `{kind.text}`", kind.span, help=f"the kinds are {shown}")
    default = generic_arg(c) if c.accept("=") else None
    return GenericParam(c.span(start), name, pack, kind, default)


# generic arguments


def generic_args(c: Cursor) -> tuple[Arg, ...]:
    """`<A, 8 * D, [B, S], bf16>`.  What was read while trying is not read again."""
    known = c.args_read.get(c.at)
    if known is not None:
        if isinstance(known, SourceError):
            raise known
        args, after, errors, c.height = known
        c.errors.extend(errors)
        c.go_to(after)
        return args
    if not c.trying:
        return _read_args(c)
    start, mark = c.at, len(c.errors)
    try:
        args = _read_args(c)
    except SourceError as error:
        c.args_read[start] = error
        raise
    c.args_read[start] = (args, c.at, c.errors[mark:], c.height)
    return args


def _read_args(c: Cursor) -> tuple[Arg, ...]:
    """The list itself; it costs two levels, since reading one takes more calls than any other bracket."""
    opener = c.open("<")
    c.enter(2)
    args: list[Arg] = []
    height = 0
    while True:
        c.height = 0
        args.append(generic_arg(c))
        height = max(height, c.height)
        if not c.accept(",") or c.kind == ">":
            break
    c.height = height
    if c.kind == ">=" and not c.trying:
        c.take_half()
    elif c.kind != ">":
        c.fail("`,` or `>`", related=c.waiting(opener))
    else:
        c.advance()
    c.leave(2)
    return tuple(args)


def generic_arg(c: Cursor) -> Arg:
    """A type if it reads as one, a shape, or an expression of `+` and tighter."""
    following = c.peek().kind
    if c.kind == INTEGER and following in (",", ">"):
        return expressions.additive(c)
    if c.kind == IDENT and following in (",", ">") and c.token.text != "Tensor":
        return named_type(c)
    kind = c.kind
    if kind == IDENT or kind == "(" or kind == "[":
        found = _try_type(c)
        if found is not None:
            return found
    if kind == "[":
        return _shape_arg(c)
    if kind == "*":
        c.fail("a generic argument", help="a shape is written `[A, *S]`, a pack alone by its name")
    return expressions.additive(c)


def _try_type(c: Cursor) -> Type | None:
    """The type that stands here if it is a whole argument; else None and nothing is taken."""
    start, mark, depth = c.at, len(c.errors), c.depth
    c.trying += 1
    try:
        found = type_(c)
        if c.kind in (",", ">", ">="):
            return found
    except SourceError as error:
        if error.diagnostics[0].code == "E1104":
            raise
    finally:
        c.trying -= 1
    c.depth = depth
    del c.errors[mark:]
    c.go_to(start)
    return None


def _shape_arg(c: Cursor) -> ShapeArg:
    """`[A, *S]` or `[]`."""
    start = c.token.start
    opener = c.open("[")
    dims = dim_list(c) if c.kind != "]" else []
    _close(c, "]", opener)
    return ShapeArg(c.span(start), tuple(dims))


# where


def where_clause(c: Cursor) -> tuple[Constraint, ...]:
    """`where A == B, N > 0`, or nothing; a comma may stand after the last constraint."""
    if not c.accept("where"):
        return ()
    constraints = [_constraint(c)]
    while c.accept(","):
        if c.kind == "{":
            break
        constraints.append(_constraint(c))
    return tuple(constraints)


def _constraint(c: Cursor) -> Constraint:
    """`H % N == 0`."""
    start = c.token.start
    left = expressions.bits(c)
    relation = c.kind
    if relation not in _RELATIONS:
        c.fail("a relation (`==`, `!=`, `<`, `<=`, `>` or `>=`)")
    c.advance()
    right = expressions.bits(c)
    return Constraint(c.span(start), relation, left, right)
