"""Tokens to kernels: their header, and the statements that only they hold.

In: a `Cursor` before the word `kernel` of an item, or before a `store`.  Out: `Kernel` and `Store` nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from linnet_core.syntax import parse_expressions as expressions
from linnet_core.syntax import parse_items as items
from linnet_core.syntax import parse_statements as statements
from linnet_core.syntax import parse_types as types
from linnet_core.syntax.cursor import Cursor
from linnet_core.syntax.tree.expressions import Ref
from linnet_core.syntax.tree.items import Kernel, KernelHint, Param
from linnet_core.syntax.tree.statements import Store

if TYPE_CHECKING:
    from linnet_core.syntax.tree.expressions import Expression

#: Words that begin a store when `(` follows them at the start of a statement.
STORES = frozenset(("store", "atomic_add", "atomic_max", "atomic_min"))
_HINTS = frozenset(("warps", "stages"))


def store(c: Cursor) -> Store:
    """`store(x[i], value, mask)`."""
    start = c.token.start
    kind = cast('Literal["store", "atomic_add", "atomic_max", "atomic_min"]', c.advance().text)
    opener = c.open("(")
    target = _part(c, "the place to write", kind)
    if c.kind != ",":
        c.fail("`,` and the value to write", help="a write has a place and a value: `store(y[i], value)`")
    c.advance()
    value = _part(c, "the value to write", kind)
    mask = _part(c, "a mask", kind) if c.accept(",") else None
    c.expect(")", opener)
    return Store(c.span(start), kind, target, value, mask)


def _part(c: Cursor, what: str, kind: str) -> Expression:
    """The place, the value or the mask of a write, none of which has a name."""
    found = expressions.expression(c, what)
    if c.kind == "=" and isinstance(found, Ref):
        c.fail("`,` or `)`", help=f"leave out `{found.name} =`: a write is told by position, `{kind}(y[i], value, mask)`")
    return found


def kernel(c: Cursor, start: int, public: bool) -> Kernel:
    """`kernel k<..>(x: ...) -> y: ... grid(n) warps(4) where ... { }`."""
    c.advance()
    name = c.name("the name of the kernel")
    generics = types.generics(c)
    params = items.params(c)
    if c.kind != "->":
        c.fail("`->` and the results of the kernel", help="a kernel names what it writes: `-> y: Tensor[N; f32]`")
    c.advance()
    results = _results(c)
    if not c.is_word("grid"):
        c.fail("`grid(...)`", help="a kernel's header says how many programs run: `grid(n)`")
    c.advance()
    grid = _sizes(c)
    hints: list[KernelHint] = []
    while c.kind == "name" and c.token.text in _HINTS:
        hints.append(_hint(c))
    where = types.where_clause(c)
    if c.kind != "{":
        c.fail("`{`" if where else "`warps(n)`, `stages(n)`, `where` or `{`")
    body = statements.body(c)
    return Kernel(c.span(start), public, name, generics, params, results, grid, tuple(hints), where, body)


def _results(c: Cursor) -> tuple[Param, ...]:
    """`y: type`, or several in parentheses."""
    if c.kind != "(":
        return (_result(c),)
    opener = c.open("(")
    found = [_result(c)]
    while c.accept(","):
        found.append(_result(c))
    c.close(")", opener)
    return tuple(found)


def _result(c: Cursor) -> Param:
    """`y: type`."""
    start = c.token.start
    name = c.name("the name of a result")
    if c.kind != ":":
        c.fail("`:` and a type", help=f"the results of a kernel have names: `{name.text}: Tensor[N; f32]`")
    c.advance()
    type = types.type_(c)
    return Param(c.span(start), name, type, None)


def _sizes(c: Cursor) -> tuple[Expression, ...]:
    """`(n, m)` after `grid`."""
    opener = c.open("(")
    sizes = [expressions.expression(c, "a size of the grid")]
    while c.accept(","):
        sizes.append(expressions.expression(c, "a size of the grid"))
    c.close(")", opener)
    return tuple(sizes)


def _hint(c: Cursor) -> KernelHint:
    """`warps(4)`."""
    start = c.token.start
    name = cast('Literal["warps", "stages"]', c.advance().text)
    opener = c.open("(")
    value = expressions.expression(c, "an integer")
    c.expect(")", opener)
    return KernelHint(c.span(start), name, value)
