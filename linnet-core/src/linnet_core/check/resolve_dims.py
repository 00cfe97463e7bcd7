"""Expressions as compile-time integers, and lists of them as shapes.

In: syntax of an expression where a dimension is due, and the `BodyContext`.  Out: `Dim` and `Shape` values, or None when it
was reported: E2123 (not a compile-time integer), E2205 (a divisor not proved positive), E2208 (a size proved negative).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.describe import describe
from linnet_core.check.environment import ConstInfo, GenericRef, IndexBinding, PreludeFunction, PreludeType, UnknownEntity
from linnet_core.check.names import lookup, lookup_field_path
from linnet_core.check.program import Local
from linnet_core.check.proof_notes import proof_notes
from linnet_core.check.types import DimType, ErrorType, ScalarType, is_in_class
from linnet_core.errors import LinnetError
from linnet_core.shapes import Constraint, Dim, Pack, floordiv, maximum, minimum, mod, prove_positive, refute
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import Entity
    from linnet_core.shapes import Shape, Unit
    from linnet_core.text.span import Span

LOWEST, HIGHEST = -(2**63), 2**63 - 1

#: What helps where something else stands for a size.
MADE_OF = "a size is made of numbers, `Dim` generics and constants without a type"


class Divisor(Struct, frozen=True):
    """A divisor still to be proved positive, with the words it stands in."""

    dim: Dim
    operator: str
    span: Span


class _Reader(Struct):
    """How one expression is read: where, whether problems are reported, and divisors put off (in a `where`)."""

    ctx: BodyContext
    report: bool
    deferred: list[Divisor] | None = None

    def fail(self, code: str, message: str, span: Span, *, notes: Sequence[str] = (), help: str | None = None) -> None:
        if self.report:
            self.ctx.checker.diagnostics.report(code, message, span, notes=notes, help=help)


def resolve_dim(node: tree.Expression, ctx: BodyContext, *, report: bool = True, extent: bool = False) -> Dim | None:
    """The compile-time integer an expression is; None when it is none (E2123) or a divisor is unproved (E2205).

    With `extent` it is a size, and one proved negative is E2208.
    """
    dim = _guarded(node, _Reader(ctx, report))
    if dim is not None and extent and not check_extent(dim, node.span, ctx, report=report):
        return None
    return dim


def resolve_bound(node: tree.Expression, ctx: BodyContext, deferred: list[Divisor]) -> Dim | None:
    """As `resolve_dim`, but divisors are put in `deferred` instead of being proved: the sides of a `where` clause."""
    return _guarded(node, _Reader(ctx, True, deferred))


def is_dtype(node: tree.Expression, ctx: BodyContext) -> bool:
    """Whether a side of a clause is a dtype, which the other side is then compared with."""
    entity = lookup(node.name, ctx, node.span, report=False) if isinstance(node, tree.Ref) else None
    return isinstance(entity, PreludeType) or (isinstance(entity, GenericRef) and entity.generic.kind == "dtype")


def check_extent(dim: Dim, span: Span, ctx: BodyContext, *, report: bool = True, notes: tuple[str, ...] = ()) -> bool:
    """Whether `dim` may be a size; one proved negative is E2208.  `notes` say where it is from."""
    if dim.nonnegative or ctx.broken:
        return True
    goal = Constraint(">=", dim, Dim.constant(0))
    if not refute(goal, ctx.facts):
        return True
    if report:
        known, _ = proof_notes(goal, ctx, needed="")
        help = "a size is at least 0: turn the difference round, or write the size itself"
        if dim.value == -1 and span.text == "-1":
            help = "write the size: none is worked out from the others"
        ctx.checker.diagnostics.report("E2208", f"the size `{dim}` is negative", span, label="below 0", notes=(*notes, *known), help=help)
    return False


def resolve_shape(nodes: Sequence[tree.Expression | tree.PackRef], ctx: BodyContext, *, report: bool = True) -> Shape | None:
    """The shape of a list of dimensions and packs; None when one of them was reported."""
    units: list[Unit] = []
    complete = True
    for node in nodes:
        unit = _pack(node, ctx, report) if isinstance(node, tree.PackRef) else resolve_dim(node, ctx, report=report, extent=True)
        if unit is None:
            complete = False
        else:
            units.append(unit)
    return tuple(units) if complete else None


def prove_divisor(divisor: Divisor, ctx: BodyContext) -> bool:
    """Whether a divisor is positive under the facts in force; E2205 otherwise, once for all its uses in a declaration."""
    if ctx.broken or prove_positive(divisor.dim, ctx.facts):
        return True
    shown = str(divisor.dim)
    if divisor.dim.value is not None:
        label = "is 0" if divisor.dim.value == 0 else "is negative"
        help = "a compile-time integer is divided by a positive one only"
        ctx.checker.diagnostics.report("E2205", f"`{divisor.operator}` divides by {shown}", divisor.span, label=label, help=help)
        return False
    if _was_said(shown, ctx):
        return False
    notes, help = proof_notes(Constraint(">", divisor.dim, Dim.constant(0)), ctx)
    if not _has_where(ctx):
        help = "nothing can be stated here: divide by a number, or make the quotient a generic of its own"
    ctx.checker.diagnostics.report(
        "E2205",
        f"the divisor `{shown}` of `{divisor.operator}` is not proved positive",
        divisor.span,
        label="may be 0",
        notes=notes,
        help=help,
    )
    return False


def _was_said(what: str, ctx: BodyContext) -> bool:
    """Whether a divisor or the name of something that is no size was reported in the declaration; it is from now on."""
    places = [info.qualified for info in (ctx.block, ctx.function, ctx.kernel) if info is not None]
    if any((place, what) in ctx.checker.said for place in places):
        return True
    ctx.checker.said.update((place, what) for place in places[-1:])
    return False


def _has_where(ctx: BodyContext) -> bool:
    """Whether the declaration may state facts: structs, enums, aliases and constants have no `where`."""
    return ctx.function is not None or ctx.block is not None or ctx.kernel is not None


def _guarded(node: tree.Expression, reader: _Reader) -> Dim | None:
    try:
        dim = _read(node, reader)
    except LinnetError as error:
        reader.fail("E6003", str(error), node.span, help="split it: give a part of it a generic of its own")
        return None
    if dim is not None and dim.value is not None and not LOWEST <= dim.value <= HIGHEST:
        reader.fail("E2105", f"the compile-time integer {dim} does not fit i64", node.span, help=f"a size is at most {HIGHEST}")
        return None
    return dim


def _read(node: tree.Expression, reader: _Reader) -> Dim | None:
    match node:
        case tree.IntLiteral(value=value):
            return Dim.constant(value)
        case tree.Ref():
            entity = lookup(node.name, reader.ctx, node.span, report=reader.report, help=_declare_help(node.name, reader))
            return None if entity is None else _dim_of(entity, node.name, node.span, reader)
        case tree.Field():
            entity = lookup_field_path(node, reader.ctx, report=reader.report)
            if isinstance(entity, UnknownEntity):
                return None
            if entity is None:
                return _not_compile_time(node, reader)
            return _dim_of(entity, node.name.text, node.span, reader)
        case tree.Unary(operator="-" | "+"):
            operand = _read(node.operand, reader)
            return -operand if operand is not None and node.operator == "-" else operand
        case tree.Binary():
            return _read_chain(node, reader)
        case tree.Call():
            return _read_call(node, reader)
        case _:
            return _not_compile_time(node, reader)


def _declare_help(name: str, reader: _Reader) -> str:
    """How a size is declared; a `where` may name a parameter, which none is."""
    function = reader.ctx.function
    if reader.deferred is not None and function is not None and any(param.name.text == name for param in function.syntax.params):
        return f"`{name}` is a parameter, whose value is known at run time only; {MADE_OF}"
    return f"a size is a generic, `<{name}: Dim>`, or a `const`"


def _not_compile_time(node: tree.Expression, reader: _Reader) -> None:
    what = {
        tree.FloatLiteral: "this is a float",
        tree.BoolLiteral: "this is a bool",
        tree.StringLiteral: "this is a string",
    }.get(type(node), f"`{node.span.brief}` is none")
    reader.fail("E2123", f"a compile-time integer is needed, and {what}", node.span, help=MADE_OF)


def _dim_of(entity: Entity, name: str, span: Span, reader: _Reader) -> Dim | None:
    help: str | None = None
    match entity:
        case GenericRef() if entity.generic.kind == "dim":
            return Dim.symbol(entity.generic.id, entity.generic.name)
        case GenericRef() if entity.generic.kind == "shape":
            help = f"a pack is written `*{name}` in a list of dimensions"
        case GenericRef() if reader.deferred is not None:
            help = f"a `where` compares sizes; a bound, `<{name}: Float>`, says which dtypes `{name}` stands for"
        case ConstInfo() if entity.dim is not None:
            return entity.dim
        case ConstInfo(type=ScalarType() as type) if entity.const is not None and not entity.const.contextual:
            if is_in_class(type.dtype, "integer"):
                help = f"declare it without a type: `const {entity.syntax.name.text} = {entity.syntax.value.span.brief}`"
        case Local(type=ScalarType()):
            help = f"{MADE_OF}, never of what is known at run time only"
        case Local(type=DimType(dim=dim)):
            return dim
        case Local(type=ErrorType()):
            return None
        case IndexBinding():
            help = "a size is the same at every position: write a number, a generic, or what is computed from them"
            reader.fail("E3104", f"the index `{name}` is a position, and a size is due", span, help=help)
            return None
        case _:
            pass
    if reader.report and _was_said(name, reader.ctx):
        return None
    what = "a float constant" if isinstance(entity, ConstInfo) and entity.literal is not None else describe(entity)
    reader.fail("E2123", f"a compile-time integer is needed, and `{name}` is {what}", span, help=help or MADE_OF)
    return None


def _read_chain(node: tree.Binary, reader: _Reader) -> Dim | None:
    """A chain of operators that leans to the left, without recursion along it."""
    spine: list[tree.Binary] = []
    first: tree.Expression = node
    while isinstance(first, tree.Binary):
        spine.append(first)
        first = first.left
    total = _read(first, reader)
    for step in reversed(spine):
        right = _read(step.right, reader)
        total = None if total is None or right is None else _apply(step, total, right, reader)
    return total


def _apply(node: tree.Binary, left: Dim, right: Dim, reader: _Reader) -> Dim | None:
    match node.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%":
            return _divide(node, left, right, reader)
        case "&" | "|" | "^":
            if left.value is None or right.value is None:
                message = f"`{node.operator}` of compile-time integers needs two constants"
                reader.fail("E2123", message, node.span, help="of sizes there are `+`, `-`, `*`, `/`, `%`, `min` and `max`")
                return None
            folded = {"&": left.value & right.value, "|": left.value | right.value, "^": left.value ^ right.value}
            return Dim.constant(folded[node.operator])
        case _:
            reader.fail("E2123", f"a compile-time integer is needed, and `{node.operator}` gives a bool", node.span, help=MADE_OF)
            return None


def _divide(node: tree.Binary, left: Dim, right: Dim, reader: _Reader) -> Dim | None:
    divisor = Divisor(right, node.operator, node.right.span)
    if right.value is None and reader.deferred is not None:
        reader.deferred.append(divisor)
    elif not reader.report:
        if not prove_positive(right, reader.ctx.facts):
            return None
    elif not prove_divisor(divisor, reader.ctx):
        return None
    return floordiv(left, right) if node.operator == "/" else mod(left, right)


def _read_call(node: tree.Call, reader: _Reader) -> Dim | None:
    """`min(a, b)`, `max(a, b)`, and `shl`, `shr` of two constants."""
    callee = node.callee
    entity = lookup(callee.name, reader.ctx, callee.span, report=reader.report, help=MADE_OF) if isinstance(callee, tree.Ref) else None
    if not isinstance(entity, PreludeFunction) or entity.name not in ("min", "max", "shl", "shr"):
        if entity is not None or not isinstance(callee, tree.Ref):
            reader.fail("E2123", "a compile-time integer is needed, and the result of a call is none", node.span, help=MADE_OF)
        return None
    if len(node.arguments) != 2 or node.generics or any(argument.name for argument in node.arguments):
        reader.fail("E2102", f"`{entity.name}` takes two values", node.span, help=f"call it as `{entity.name}(a, b)`")
        return None
    left, right = (_read(argument.value, reader) for argument in node.arguments)
    if left is None or right is None:
        return None
    if entity.name in ("min", "max"):
        return minimum(left, right) if entity.name == "min" else maximum(left, right)
    if left.value is None or right.value is None:
        message = f"`{entity.name}` of compile-time integers needs two constants"
        reader.fail("E2123", message, node.span, help="multiply or divide by a power of two")
        return None
    return Dim.constant(shifted(entity.name, left.value, right.value))


def shifted(name: str, value: int, amount: int) -> int:
    """`shl` and `shr` of i64 constants: an amount outside 0..63 shifts everything out."""
    if not 0 <= amount < 64:
        return -1 if name == "shr" and value < 0 else 0
    if name == "shr":
        return value >> amount
    wrapped = (value << amount) & (2**64 - 1)
    return wrapped - 2**64 if wrapped > HIGHEST else wrapped


def _pack(node: tree.PackRef, ctx: BodyContext, report: bool) -> Pack | None:
    help = f"a pack is a generic, `<*{node.name.text}: Shape>`"
    entity = lookup(node.name.text, ctx, node.name.span, report=report, help=help)
    if isinstance(entity, GenericRef) and entity.generic.kind == "shape":
        return Pack(entity.generic.id, entity.generic.name)
    if entity is not None and report:
        message = f"`*{node.name.text}` needs a pack of dimensions, and `{node.name.text}` is {describe(entity)}"
        help = f"write it without the star: `{node.name.text}`" if isinstance(entity, GenericRef | ConstInfo) else MADE_OF
        ctx.checker.diagnostics.report("E2123", message, node.span, help=help)
    return None
