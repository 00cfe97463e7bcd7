"""A file and its items to events.

In: a `Writer` at the start of a file, and its tree.  Out: the events of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax.format import write_expressions as expressions
from linnet_core.syntax.format import write_functions as functions
from linnet_core.syntax.format import write_types as types
from linnet_core.syntax.tree.items import Alias, Block, Const, EnumDecl, Function, Item, Kernel, Member, StructDecl, Use

if TYPE_CHECKING:
    from linnet_core.syntax.format.writer import Writer
    from linnet_core.syntax.tree.items import File


def file(w: Writer, node: File) -> None:
    """The whole file."""
    w.begin()
    w.take("module")
    w.space()
    assert node.name is not None
    w.take_to(node.name.span.end)
    before: Use | Item | None = None
    for part in (*node.uses, *node.items):
        w.line(hard=True, keep=True, blank=not _together(before, part))
        if isinstance(part, Use):
            _use(w, part)
        else:
            _item(w, part)
        before = part
    w.end()


def _together(before: Use | Item | Member | None, part: Use | Item | Member) -> bool:
    """Whether the two may follow each other without an empty line between them."""
    return any(isinstance(before, kinds) and isinstance(part, kinds) for kinds in (Use, Member, (Const, Alias)))


def _use(w: Writer, node: Use) -> None:
    """`use a.b::{x, y as z}`."""
    w.take("use")
    w.space()
    w.take_to(node.path.span.end)
    if node.names is None:
        return
    w.take(":")
    w.take(":")
    if w.kind != "{":
        w.take()
        return
    w.open_list()
    for index, name in enumerate(node.names):
        if index:
            w.next_part()
        w.take()
        if name.alias is not None:
            w.space()
            w.take("as")
            w.space()
            w.take()
    w.close_list("}")


def _item(w: Writer, node: Item) -> None:
    """One item, with its `pub`."""
    if node.public:
        w.take("pub")
        w.space()
    match node:
        case Function():
            functions.function(w, node)
        case Kernel():
            functions.kernel(w, node)
        case Block():
            _block(w, node)
        case Const():
            _const(w, node)
        case Alias():
            _alias(w, node)
        case StructDecl():
            _struct(w, node)
        case EnumDecl():
            _enum(w, node)


def _const(w: Writer, node: Const) -> None:
    """`const X: i64 = 1`."""
    w.take("const")
    w.space()
    w.take()
    if node.type is not None:
        w.take(":")
        w.space()
        types.type_(w, node.type)
    w.space()
    w.take("=")
    expressions.value(w, node.value)


def _alias(w: Writer, node: Alias) -> None:
    """`type Row<N: Dim> = Tensor[N; f32]`."""
    w.take("type")
    w.space()
    w.take()
    types.generics(w, node.generics)
    w.space()
    w.take("=")
    w.space()
    types.type_(w, node.type)


def _struct(w: Writer, node: StructDecl) -> None:
    """`struct Moments<N: Dim> { mean: ... }`, a field a line."""
    w.take("struct")
    w.space()
    w.take()
    types.generics(w, node.generics)
    w.space()
    w.take("{")
    if not node.fields and not w.must_end_line:
        w.take("}")
        return
    w.open()
    for index, field in enumerate(node.fields):
        if index:
            w.line(hard=True, keep=True)
        else:
            w.first_line(hard=True)
        w.take()
        w.take(":")
        w.space()
        types.type_(w, field.type)
    w.last_line(hard=True, first=not node.fields)
    w.take("}")
    w.close(indent=False)


def _enum(w: Writer, node: EnumDecl) -> None:
    """`enum Pooling { Mean, Max }`."""
    w.take("enum")
    w.space()
    w.take()
    types.generics(w, node.generics)
    w.space()
    if not node.variants:
        w.empty_list("}")
        return
    w.open_list(flat=" ")
    for index in range(len(node.variants)):
        if index:
            w.next_part()
        w.take()
    w.close_list("}", flat=" ")


def _block(w: Writer, node: Block) -> None:
    """`block Name<generics> where ... { members and items }`, in the order written."""
    w.take("block")
    w.space()
    w.take()
    types.generics(w, node.generics)
    if node.where:
        types.where_clause(w, node.where)
    else:
        w.space()
    w.take("{")
    parts = sorted((*node.members, *node.items), key=lambda part: part.span.start)
    if not parts and not w.must_end_line:
        w.take("}")
        return
    w.open()
    before: Member | Item | None = None
    for part in parts:
        if before is None:
            w.first_line(hard=True)
        else:
            w.line(hard=True, keep=True, blank=not _together(before, part))
        if isinstance(part, Member):
            _member(w, part)
        else:
            _item(w, part)
        before = part
    w.last_line(hard=True, first=not parts)
    w.take("}")
    w.close(indent=False)


def _member(w: Writer, node: Member) -> None:
    """`param weight: type = none`."""
    w.take()
    w.space()
    w.take()
    w.take(":")
    w.space()
    types.type_(w, node.type)
    if node.value is not None:
        w.space()
        w.take("=")
        expressions.value(w, node.value)
