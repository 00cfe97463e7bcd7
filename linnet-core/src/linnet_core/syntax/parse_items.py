"""Tokens to items and the members of blocks.

In: a `Cursor` before an item.  Out: nodes of `tree/items.py`.  An error in an item's header costs that item, or that
member: it is kept, and reading goes on at the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from linnet_core.errors import SourceError
from linnet_core.syntax import parse_expressions as expressions
from linnet_core.syntax import parse_kernels as kernels
from linnet_core.syntax import parse_statements as statements
from linnet_core.syntax import parse_types as types
from linnet_core.syntax.cursor import Cursor
from linnet_core.syntax.recovery import ITEM_STARTS, MEMBER_STARTS, skip_to_item
from linnet_core.syntax.tokens import END, IDENT
from linnet_core.syntax.tree.items import (
    Alias,
    Block,
    Const,
    EnumDecl,
    FieldDecl,
    Function,
    Grad,
    Item,
    KernelUse,
    Member,
    Param,
    StructDecl,
)
from linnet_core.syntax.tree.node import Name
from linnet_core.text.near import did_you_mean

if TYPE_CHECKING:
    from linnet_core.syntax.tree.types import Type

#: How many tokens of further results are looked at for a help.
_LOOKED_AHEAD = 40
_ITEMS = "`const`, `type`, `struct`, `enum`, `fn`, `op`, `kernel`, `block` or `entry`"


def item(c: Cursor) -> Item:
    """One item, with its `pub`."""
    start = c.token.start
    public = c.accept("pub")
    match c.kind:
        case "fn" | "op" | "entry":
            return _function(c, start, public)
        case "block":
            return _block(c, start, public)
        case "const":
            return _const(c, start, public)
        case "type":
            return _alias(c, start, public)
        case "struct":
            return _struct(c, start, public)
        case "enum":
            return _enum(c, start, public)
        case "kernel":
            return kernels.kernel(c, start, public)
        case "param" | "buffer" | "state" | "sub" if public:
            c.fail("an item after `pub`", help="members of a block take no `pub`")
        case "use" if public:
            c.fail("an item after `pub`", help="an import cannot be passed on with `pub`")
        case _:
            c.fail(f"an item after `pub` ({_ITEMS})" if public else f"an item ({_ITEMS})", help=_item_help(c))


_BEGINS_ITEM = "an item begins with its keyword, or with `pub` and that"
_BEGINS_MEMBER = "a member begins with `param`, `buffer`, `state` or `sub`"
#: What other languages begin these items with.
_OTHER_WORDS = {"def": "fn", "func": "fn", "fun": "fn", "function": "fn", "import": "use", "from": "use", "class": "block", "public": "pub"}


def _item_help(c: Cursor) -> str | None:
    """What the writer of something that is no item probably wants."""
    match c.kind:
        case "param" | "buffer" | "state" | "sub":
            return f"a `{c.kind}` stands inside a `block`"
        case "let" | "var":
            return "a value at module level is a `const`"
        case "return" | "while" | "for" | "static" | "yield":
            return "a statement stands inside the body of a `fn`, `op` or `entry`"
        case ";":
            return "remove it: items are not separated by anything"
        case "name":
            meant = _OTHER_WORDS.get(c.token.text)
            near = f"did you mean `{meant}`?" if meant is not None else did_you_mean(c.token.text, (*ITEM_STARTS, "use"))
            return near or _BEGINS_ITEM
        case "}":
            return "remove it: it closes nothing"
        case _:
            return _BEGINS_ITEM


def _const(c: Cursor, start: int, public: bool) -> Const:
    """`const X: i64 = 1`."""
    c.advance()
    name = c.name("the name of the constant")
    type = types.type_(c) if c.accept(":") else None
    if c.kind != "=":
        c.fail("`=`" if type is not None else "`:` or `=`")
    c.advance()
    value = expressions.expression(c)
    return Const(c.span(start), public, name, type, value)


def _alias(c: Cursor, start: int, public: bool) -> Alias:
    """`type Row<N: Dim> = Tensor[N; f32]`."""
    c.advance()
    name = c.name("the name of the type")
    generics = types.generics(c)
    if c.kind != "=":
        c.fail("`=`" if generics else "`<` or `=`")
    c.advance()
    type = types.type_(c)
    return Alias(c.span(start), public, name, generics, type)


def _struct(c: Cursor, start: int, public: bool) -> StructDecl:
    """`struct Moments<N: Dim> { mean: ... }`."""
    c.advance()
    name = c.name("the name of the struct")
    generics = types.generics(c)
    opener = c.open("{")
    fields: list[FieldDecl] = []
    while c.kind != "}":
        if c.kind == "," and fields:
            c.report("E1101", "expected a field or `}`, found `,`", c.here(), help="remove it: nothing stands between two fields")
            c.advance()
            continue
        if c.kind == END or c.kind in ITEM_STARTS:
            help = None if c.peek().kind == ":" else "close what is open with `}`"
            c.fail("a field or `}`", related=c.waiting(opener), help=help)
        fields.append(_field(c))
    c.advance()
    return StructDecl(c.span(start), public, name, generics, tuple(fields))


def _field(c: Cursor) -> FieldDecl:
    """`mean: type`."""
    start = c.token.start
    name = c.name("a field or `}`")
    if c.kind != ":":
        c.fail("`:` and a type")
    c.advance()
    type = types.type_(c)
    return FieldDecl(c.span(start), name, type)


def _enum(c: Cursor, start: int, public: bool) -> EnumDecl:
    """`enum Pooling { Mean, Max }`."""
    c.advance()
    name = c.name("the name of the enum")
    generics = types.generics(c)
    opener = c.open("{")
    variants: list[Name] = []
    while c.kind != "}":
        variants.append(c.name("a variant or `}`"))
        if not c.accept(","):
            break
    c.close("}", opener)
    return EnumDecl(c.span(start), public, name, generics, tuple(variants))


# functions


def params(c: Cursor) -> tuple[Param, ...]:
    """`(x: type, y: type = default)`."""
    opener = c.open("(")
    found: list[Param] = []
    while c.kind != ")":
        found.append(_param(c))
        if not c.accept(","):
            break
    c.close(")", opener)
    return tuple(found)


def _param(c: Cursor) -> Param:
    """`x: type = default`."""
    start = c.token.start
    name = c.name("a parameter or `)`")
    if c.kind != ":":
        c.fail("`:` and a type", help=f"every parameter has a type: `{name.text}: f32`")
    c.advance()
    type = types.type_(c)
    default = expressions.expression(c, "the default value") if c.accept("=") else None
    return Param(c.span(start), name, type, default)


def _function(c: Cursor, start: int, public: bool) -> Function:
    """A `fn`, `op` or `entry`; `kernel` and `grad` are read after each of them."""
    kind = cast('Literal["fn", "op", "entry"]', c.advance().kind)
    name = c.name(f"the name of the {kind}")
    generics = types.generics(c)
    if c.kind != "(":
        help = "generics stand in `<...>`" if c.kind == "[" else None
        c.fail("`(`" if generics else "`<` or `(`", help=help)
    found = params(c)
    result = None
    if c.accept("->"):
        result = types.type_(c)
    elif kind == "op":
        c.fail("`->` and a type", help="an op has a result: `-> f32`")
    kernel = _kernel_use(c) if c.kind == "kernel" else None
    where = types.where_clause(c)
    if c.kind == "," and result is not None and not where:
        c.fail("`where` or `{`", help=f"several results are a tuple: `-> ({_more_results(c, result)})`")
    if c.kind != "{":
        c.fail(_before_body(result is not None, bool(where)), help=_arrow_help(c, result is not None, bool(where)))
    open_at = c.token.start
    body = statements.body(c)
    body_span = c.span(open_at)
    grad = _grad(c) if c.is_word("grad") else None
    return Function(c.span(start), public, kind, name, generics, found, result, where, body, body_span, grad, kernel)


def _more_results(c: Cursor, first: Type) -> str:
    """What is written up to the body, or the first result and dots where that is long."""
    ahead = next((at for at in range(_LOOKED_AHEAD) if c.peek(at).kind in ("{", "where", END)), None)
    if ahead is None or c.peek(ahead).kind == END:
        return f"{first.span.brief}, ..."
    return " ".join(c.source.text[first.span.start : c.peek(ahead - 1).end].split())


def _arrow_help(c: Cursor, has_result: bool, has_where: bool) -> str | None:
    """How the result is written, where it seems to be meant."""
    if has_result:
        return None
    if has_where:
        return "the result stands before the `where`" if c.kind == "->" else None
    if c.kind in (":", "=>"):
        return f"write `->` instead of `{c.kind}`"
    return f"write `->` before {c.describe()}" if c.kind == IDENT else None


def _before_body(has_result: bool, has_where: bool) -> str:
    """What could stand before the body of a function, in words."""
    if has_where:
        return "`,` or `{`"
    return "`where` or `{`" if has_result else "`->`, `where` or `{`"


def _kernel_use(c: Cursor) -> KernelUse:
    """`kernel name<args>` in a header."""
    start = c.token.start
    c.advance()
    name = c.name("the name of a kernel")
    args = types.generic_args(c) if c.kind == "<" else None
    return KernelUse(c.span(start), name, args)


def _grad(c: Cursor) -> Grad:
    """`grad(y, dy) { }`."""
    start = c.token.start
    c.advance()
    opener = c.open("(")
    result = c.name("a name for the result")
    if c.kind != ",":
        c.fail("`,` and a name for the gradient of the result", help="name both: `grad(y, dy)`")
    c.advance()
    gradient = c.name("a name for the gradient of the result")
    c.expect(")", opener)
    body = statements.body(c)
    return Grad(c.span(start), result, gradient, body)


# blocks


def _block(c: Cursor, start: int, public: bool) -> Block:
    """`block Name<generics> where ... { members and items }`."""
    c.advance()
    name = c.name("the name of the block")
    generics = types.generics(c)
    where = types.where_clause(c)
    if c.kind != "{":
        c.fail("`,` or `{`" if where else "`where` or `{`" if generics else "`<`, `where` or `{`")
    c.enter()
    opener = c.open("{")
    members: list[Member] = []
    inner: list[Item] = []
    failed = False
    while c.kind not in ("}", END):
        at, depth, braces = c.at, c.depth, c.layout.braces[c.at]
        try:
            if c.kind in MEMBER_STARTS:
                members.append(_member(c))
            elif c.kind in ITEM_STARTS:
                inner.append(item(c))
            else:
                c.fail("a member, an item or `}`", help=_block_help(c))
        except SourceError as error:
            failed = True
            c.keep(error)
            c.depth = depth
            skip_to_item(c, at, braces, ITEM_STARTS | MEMBER_STARTS)
    if c.kind == "}":
        c.advance()
    elif not failed:
        c.fail("a member, an item or `}`", related=c.waiting(opener))
    c.leave()
    return Block(c.span(start), public, name, generics, where, tuple(members), tuple(inner))


def _block_help(c: Cursor) -> str | None:
    """What the writer of something that is neither member nor item probably wants."""
    match c.kind:
        case ",":
            return "remove it: nothing stands between two members"
        case "name" if c.peek().kind == ":":
            return f"say what kind of member it is: `param {c.token.text}: ...`"
        case "let" | "var" | "return" | "while" | "for" | "static" | "yield":
            return "a statement stands inside the body of a `fn`, `op` or `entry`"
        case "name":
            meant = _OTHER_WORDS.get(c.token.text)
            near = f"did you mean `{meant}`?" if meant is not None else did_you_mean(c.token.text, (*ITEM_STARTS, *MEMBER_STARTS))
            return near or _BEGINS_MEMBER
        case _:
            return _BEGINS_MEMBER


def _member(c: Cursor) -> Member:
    """`param weight: type`."""
    start = c.token.start
    kind = cast('Literal["param", "buffer", "state", "sub"]', c.advance().kind)
    name = c.name(f"the name of the {kind}")
    if c.kind != ":":
        help = "write `:` in place of `=`" if c.kind == "=" else "write its type after it: `: Linear<In, Out>`"
        c.fail("`:` and a type", help=help if kind == "sub" else None)
    c.advance()
    type = types.type_(c)
    value = None
    if c.kind == "=":
        if kind not in ("param", "sub"):
            helps = {"buffer": "a buffer's value comes with the weights", "state": "a state is zero at first"}
            c.fail("a member, an item or `}`", help=helps[kind])
        c.advance()
        value = expressions.expression(c)
    return Member(c.span(start), kind, name, type, value)
