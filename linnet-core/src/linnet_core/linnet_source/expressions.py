"""Operations as expressions.

In: an operation and the pieces of its operands.  Out: its piece.  Operations with regions, calls and members are elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.check.program import WholeAxes
from linnet_core.check.types import F64, I64, OptionalType, ScalarType, ShapeIndexType, shape_of
from linnet_core.errors import DocumentError
from linnet_core.ir.ops import UNARY_KINDS
from linnet_core.linnet_source.pieces import ATOM, SIGNS, SUM, UNARY, Piece
from linnet_core.linnet_source.spelling import tuple_of
from linnet_core.shapes import Dim, Pack, show_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.types import Type
    from linnet_core.ir.module import Op

_CALLED_BINARY = ("min", "max", "shl", "shr")


def constant(op: Op) -> Piece | None:
    """A number, bool or dimension; None for any other operation, and for a float that has no spelling."""
    type = op.results[0].type if op.results else None
    match op.kind:
        case "const.int":
            return _number(str(op.attrs["value"]), op, type != I64)
        case "const.float":
            return _number(op.attrs["value"], op, type != F64)
        case "const.bool":
            return Piece("true" if op.attrs["value"] else "false", ATOM, op.results[0].type)
        case "const.dim":
            return dimension(op.attrs["value"], op.results[0].type)
        case "option.none":
            return Piece("none", ATOM, op.results[0].type, loose=True)
        case _:
            return None


def _number(text: str, op: Op, loose: bool) -> Piece:
    return Piece(text, UNARY if text.startswith("-") else ATOM, op.results[0].type, loose=True, firm=None if loose else text)


def dimension(dim: Dim, type: Type) -> Piece:
    """A dimension as a value."""
    text = str(dim)
    atom = text.isalnum() or text.isidentifier()
    return Piece(text, ATOM if atom else SUM, type, loose=True, dim=True)


def elementwise(op: Op, pieces: Sequence[Piece]) -> Piece | None:
    """Arithmetic, comparisons, functions of the prelude on elements."""
    type = op.results[0].type
    kind = op.attrs["compare"] if op.kind == "compare" else op.kind
    if kind in SIGNS and len(pieces) == 2:
        sign, level = SIGNS[kind]
        return Piece(f"{pieces[0].at(level)} {sign} {pieces[1].at(level + 1)}", level, type)
    if kind in _CALLED_BINARY or kind == "select":
        made = _call(kind, [piece.text for piece in pieces], type)
        made.loose = all(piece.loose for piece in pieces[kind == "select" :])
        return made
    if kind in ("neg", "not"):
        return Piece(("-" if kind == "neg" else "!") + pieces[0].at(ATOM), UNARY, type)
    if kind in UNARY_KINDS:
        made = _call(kind, [pieces[0].text], type)
        made.loose = pieces[0].loose and pieces[0].firm is None
        return made
    if kind == "cast":
        return _cast(op, pieces[0])
    return None


def _cast(op: Op, operand: Piece) -> Piece:
    type = op.results[0].type
    assert isinstance(shape_of(type), tuple)
    dtype = type.dtype  # pyright: ignore[reportAttributeAccessIssue]  # it has a shape
    piece = _call(f"cast<{dtype}>", [operand.text], type)
    if type == I64 and isinstance(operand.type, ScalarType) and operand.type != I64 and not operand.loose:
        piece.inner = operand.text
    return piece


def _call(name: str, arguments: Sequence[str], type: Type) -> Piece:
    return Piece(f"{name}({', '.join(arguments)})", ATOM, type)


def shaped(op: Op, pieces: Sequence[Piece], under_indices: bool) -> Piece | None:
    """Operations that say a shape, an order or ranges of axes."""
    type = op.results[0].type
    match op.kind:
        case "reshape":
            return _call("reshape", [pieces[0].text, show_shape(op.attrs["shape"])], type)
        case "broadcast":
            return _call("broadcast_to", [pieces[0].text, show_shape(op.attrs["shape"])], type)
        case "fill":
            return _call(f"fill<{_dtype(type)}>", [show_shape(op.attrs["shape"]), pieces[0].text], type)
        case "iota":
            dtype = _dtype(type)
            name = "iota" if dtype == "i64" else f"iota<{dtype}>"
            return _call(name, [show_shape(op.attrs["shape"])[1:-1]], type)
        case "permute":
            return _call("permute", [pieces[0].text, f"[{', '.join(map(str, op.attrs['shape']))}]"], type)
        case "concat":
            return _call("concat", [*(piece.text for piece in pieces), f"axis = {op.attrs['axis']}"], type)
        case "cumsum":
            return _call("cumsum", [pieces[0].text, f"axis = {op.attrs['axis']}"], type)
        case "slice":
            return Piece(f"{pieces[0].at(ATOM)}[{', '.join(slice_components(op.attrs['axes'], under_indices))}]", ATOM, type)
        case _:
            return None


def _dtype(type: Type) -> Any:
    return type.dtype  # pyright: ignore[reportAttributeAccessIssue]  # callers have a tensor


def slice_components(axes: Sequence[Any], under_indices: bool) -> list[str]:
    """`0:H`, `:`, `2`, and `...` for the axes of a pack with what is whole beside it.

    Whole axes at the end are left out, but under indices, where a slice is told from an access by its `:`.
    """
    texts = [_component(axis) for axis in axes]
    packs = [at for at, axis in enumerate(axes) if isinstance(axis, WholeAxes) and isinstance(axis.unit, Pack)]
    if not packs:
        while len(texts) > 1 and texts[-1] == ":" and not under_indices:
            texts.pop()
        return texts
    first = last = packs[0]
    while first > 0 and isinstance(axes[first - 1], WholeAxes):
        first -= 1
    while last + 1 < len(axes) and isinstance(axes[last + 1], WholeAxes):
        last += 1
    if any(at > last for at in packs):
        raise DocumentError("a slice between two packs has no spelling")
    before, behind = texts[:first], texts[last + 1 :]
    return before if before and not behind and not under_indices else [*before, "...", *behind]


def _component(axis: Any) -> str:
    if isinstance(axis, WholeAxes):
        return ":"
    if axis.squeeze:
        return str(axis.start)
    step = "" if axis.step == 1 else f":{axis.step}"
    return f"{axis.start}:{axis.stop}{step}"


def gather(op: Op, read: Op, pieces: Sequence[Piece]) -> Piece:
    """`x[position, :]` outside index notation; `pieces` are the tensor and the positions that are given."""
    given = iter(pieces[1:])
    own = {arg.id for arg in op.regions[0].args}
    texts: list[str] = []
    for value in read.operands[1:]:
        if value.id in own:
            texts.append("..." if isinstance(value.type, ShapeIndexType) else ":")
        else:
            texts.append(position(next(given)))
    while len(texts) > 1 and texts[-1] in (":", "..."):
        texts.pop()
    return Piece(f"{pieces[0].at(ATOM)}[{', '.join(texts)}]", ATOM, op.results[0].type)


def position(piece: Piece) -> str:
    """A position in an axis: a cast to `i64` need not be written."""
    return piece.inner if piece.inner is not None else piece.text


def element(op: Op, pieces: Sequence[Piece]) -> Piece:
    """`x[i, *s, n]`; pieces of pack indices have their star."""
    return Piece(f"{pieces[0].at(ATOM)}[{', '.join(map(position, pieces[1:]))}]", ATOM, op.results[0].type)


def structural(op: Op, pieces: Sequence[Piece]) -> Piece | None:
    """Tuples and optionals."""
    type = op.results[0].type
    loose = any(piece.loose for piece in pieces)
    match op.kind:
        case "tuple.make":
            return Piece(tuple_of(piece.text for piece in pieces), ATOM, type, loose=loose)
        case "option.some":
            assert isinstance(type, OptionalType)
            return Piece(f"some({pieces[0].text})", ATOM, type, loose=loose)
        case _:
            return None


#: Operations whose operands give each other their type: one that has a type of its own is enough.
MUTUAL = frozenset(
    ("compare", "add", "sub", "mul", "div", "rem", "min", "max", "bitand", "bitor", "bitxor", "shl", "shr", "select"),
)


def lacking(op: Op, pieces: Sequence[Piece]) -> list[int]:
    """Which of the operands cannot take their type from this place, and have to have one: as a constant that is named, or from a statement
    before.  Of a `MUTUAL` operation, only one has to."""
    loose = [at for at, piece in enumerate(pieces) if piece.loose]
    if not loose:
        return []
    if op.kind in MUTUAL:
        return loose if len(loose) > 1 else []
    match op.kind:
        case "neg" | "abs" | "option.match":
            return loose
        case "cast":
            return [] if pieces[0].dim or pieces[0].firm == pieces[0].text else loose
        case "tensor.element" | "comprehension":
            return [at for at in loose if not pieces[at].dim]
        case "reshape" | "broadcast" | "exp" | "log" | "sqrt" | "rsqrt" | "sin" | "cos" | "tanh":
            return [at for at in loose if pieces[at].firm != pieces[at].text]
        case _:
            return []


__all__ = [
    "MUTUAL",
    "constant",
    "dimension",
    "element",
    "elementwise",
    "gather",
    "lacking",
    "position",
    "shaped",
    "slice_components",
    "structural",
]
