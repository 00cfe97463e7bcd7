"""Arguments against declared types: what the generics stand for, and whether every argument fits.

In: the parameters of a function or the fields of a struct, and the arguments as written.  Out: typed arguments and the
substitution, all in the caller's terms.  E2110 (a generic nothing tells), E2112 (a dtype outside its class), and what
`mismatch.py` says of arguments of another type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.coerce import default_type, fit
from linnet_core.check.compile_time import failed, is_contextual, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.mentions import generics_of
from linnet_core.check.mismatch import report_mismatch
from linnet_core.check.program import Substitution
from linnet_core.check.receivers import block_of
from linnet_core.check.resolve_args import check_class
from linnet_core.check.same_type import same_args, same_type
from linnet_core.check.sequences import as_value
from linnet_core.check.show_types import show, show_arg
from linnet_core.check.solving import Origin, Solver
from linnet_core.check.substitute import bind, substitute_arg, substitute_type
from linnet_core.check.types import (
    F64,
    I64,
    BlockType,
    DTypeArg,
    DTypeVar,
    EnumType,
    OptionalType,
    ScalarType,
    ShapeArg,
    StructType,
    TensorType,
    TupleType,
)
from linnet_core.shapes import Dim, Pack
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr, Generic
    from linnet_core.check.types import DType, Type
    from linnet_core.text.span import Span


class Slot(Struct, frozen=True):
    """One parameter or field that has an argument: what messages call it, its declared type, the argument's syntax.

    `child` is the block whose method takes it, unless it is the caller's own: its generics are in the declared type already.
    """

    name: str
    what: str
    type: Type
    node: tree.Expression
    child: Expr | None = None


def infer(slots: Sequence[Slot], solver: Solver, ctx: BodyContext, span: Span, what: str, *, code: str | None = None) -> list[Expr] | None:
    """The typed arguments, one a slot, with `solver.given` completed; None when something was reported.

    `what` is called at `span`; `code` replaces the code for an argument of a wrong type.
    """
    values = [_first_look(slot, solver, ctx) for slot in slots]
    if any(value is not None and is_failed(value) for value in values):
        return None
    good = [_is_of_kind(slot, value, solver, ctx, code) for slot, value in zip(slots, values, strict=True)]
    if not all(good):
        return None
    solver.solve()
    _use_literals(slots, values, solver)
    if not _aligned(slots, values, solver, ctx, code) or not _complete(solver, ctx, span, what):
        return None
    return _fit_all(slots, values, solver, ctx, code)


def _first_look(slot: Slot, solver: Solver, ctx: BodyContext) -> Expr | None:
    """The argument before the generics are known, with what its type says of them collected.

    None for `none`, which has no type yet.
    """
    closed = not generics_of(slot.type) & solver.unknown()
    if isinstance(slot.node, tree.NoneLiteral) and not closed:
        return None
    hint = substitute_type(slot.type, solver.given) if closed else None
    value = as_value(check_expression(slot.node, ctx, hint), ctx)
    if not is_failed(value) and not is_contextual(value.type):
        solver.match(slot.type, value.type, Origin(slot.name, slot.node.span))
    return value


def _is_of_kind(slot: Slot, value: Expr | None, solver: Solver, ctx: BodyContext, code: str | None) -> bool:
    """Whether an argument is the kind of thing its parameter takes, with as many axes; reported otherwise."""
    if value is None:
        return True
    if not _same_kind(slot.type, value.type):
        solver.solve()  # what the others say, for the message alone
        wanted = substitute_type(slot.type, solver.given)
        report_mismatch(value, wanted, ctx, what=slot.what, code=code, closed=not generics_of(wanted) & solver.unknown())
        return False
    if not isinstance(slot.type, TensorType) or not isinstance(value.type, TensorType):
        return True
    plain = sum(1 for unit in slot.type.shape if isinstance(unit, Dim))
    found = len(value.type.shape)
    has_pack = plain < len(slot.type.shape)
    if found == plain or (has_pack and found > plain) or any(isinstance(unit, Pack) for unit in value.type.shape):
        return True
    needs = f"{'at least ' if has_pack else ''}{plain} {'axis' if plain == 1 else 'axes'}"
    message = f"{slot.what} needs {needs}, has {found}"
    help = "give it the axes it lacks with `reshape`" if found < plain else "take axes away with an index or a slice, or with `reshape`"
    ctx.checker.diagnostics.report(code or "E2202", message, value.span, label=f"needs {needs}", notes=[_declared(slot)], help=help)
    return False


def _same_kind(declared: Type, found: Type) -> bool:
    """Whether `found` could be `declared` for some values of the generics: scalars, tensors, tuples and so on are told apart."""
    match declared:
        case ScalarType():
            return isinstance(found, ScalarType) or is_contextual(found)
        case TensorType():
            if isinstance(found, ScalarType) or is_contextual(found):
                return all(isinstance(unit, Pack) for unit in declared.shape)
            return isinstance(found, TensorType)
        case OptionalType():
            return isinstance(found, OptionalType) and _same_kind(declared.inner, found.inner)
        case TupleType():
            if not isinstance(found, TupleType) or len(found.elements) != len(declared.elements):
                return False
            return all(_same_kind(one, other) for one, other in zip(declared.elements, found.elements, strict=True))
        case StructType() | EnumType():
            return isinstance(found, type(declared)) and (found.module, found.name) == (declared.module, declared.name)
        case _:
            return True


def _declared(slot: Slot) -> str:
    return f"{slot.what} is declared `{show(slot.type)}`"


def _use_literals(slots: Sequence[Slot], values: Sequence[Expr | None], solver: Solver) -> None:
    """Literals and compile-time integers decide last: a pack they stand for is empty, a dtype nobody else gives has its
    default or is theirs."""
    for slot, value in zip(slots, values, strict=True):
        if value is None or not is_contextual(value.type) or not isinstance(slot.type, TensorType | ScalarType):
            continue
        unknown = {generic.id: generic for generic in solver.generics if solver.value(generic) is None}
        for unit in slot.type.shape if isinstance(slot.type, TensorType) else ():
            if isinstance(unit, Pack) and unit.id in unknown:
                bind(solver.given, unknown[unit.id], ShapeArg(()))
        dtype = slot.type.dtype
        if isinstance(dtype, DTypeVar) and dtype.id in unknown and unknown[dtype.id].default is None:
            bind(solver.given, unknown[dtype.id], DTypeArg(_default_dtype(dtype, slots, values)))
            solver.origins[dtype.id] = Origin(slot.name, slot.node.span)


def _default_dtype(dtype: DTypeVar, slots: Sequence[Slot], values: Sequence[Expr | None]) -> DType:
    """What a dtype is that only literals tell: f64 where one of them is a float, else i64."""
    told = [value for slot, value in zip(slots, values, strict=True) if getattr(slot.type, "dtype", None) == dtype and value is not None]
    floats = [value for value in told if is_contextual(value.type) and default_type(value.type) == F64]
    return F64.dtype if floats else I64.dtype


def _aligned(slots: Sequence[Slot], values: Sequence[Expr | None], solver: Solver, ctx: BodyContext, code: str | None) -> bool:
    """Whether the axes of all arguments could be paired with what is declared; E2202 for one whose could not, and which therefore
    leaves a generic unknown (any other is found when it is compared)."""
    unknown = solver.unknown()
    for slot, value in zip(slots, values, strict=True):
        if value is not None and slot.name in solver.misaligned and generics_of(slot.type) & unknown:
            report_mismatch(value, substitute_type(slot.type, solver.given), ctx, what=slot.what, code=code, closed=False)
            return False
    return True


def _complete(solver: Solver, ctx: BodyContext, span: Span, what: str) -> bool:
    """Fill defaults; E2110 for what is still unknown, E2112 for an inferred dtype outside its class."""
    missing: list[Generic] = []
    good = True
    for generic in solver.generics:
        value = solver.value(generic)
        if value is None and generic.default is not None:
            bind(solver.given, generic, substitute_arg(generic.default, solver.given))
        elif value is None:
            missing.append(generic)
        elif isinstance(value, DTypeArg) and generic.id in solver.origins:
            good = check_class(value.dtype, generic, solver.origins[generic.id].span, ctx, inferred=True) and good
    if missing and ctx.checker.broken_defaults.isdisjoint(generic.id for generic in missing):
        names = " and ".join(f"`{generic.name}`" for generic in missing)
        written = ", ".join(_written(generic, solver) for generic in solver.generics[: solver.generics.index(missing[-1]) + 1])
        ctx.checker.diagnostics.report(
            "E2110",
            f"{names} of {what} cannot be inferred",
            span,
            label="no argument tells",
            help=f"write it: `{what.strip('`')}<{written}>(...)`",
        )
    return good and not missing


def _fit_all(slots: Sequence[Slot], values: Sequence[Expr | None], solver: Solver, ctx: BodyContext, code: str | None) -> list[Expr] | None:
    fitted: list[Expr] = []
    blamed: set[int] = set()
    for slot, value in zip(slots, values, strict=True):
        wanted = substitute_type(slot.type, solver.given)
        # Nothing is blamed in most calls; whose generics a slot has is not worked out for them.
        if value is not None and blamed and blamed & generics_of(slot.type) and not _fits(value, wanted, solver):
            fitted.append(failed(value.span))  # A generic of both stands for the wrong thing, which was said.
            continue
        if value is None:
            hint = wanted if isinstance(wanted, OptionalType) else None
            value = check_expression(slot.node, ctx, hint)
        fitted.append(
            fit(value, wanted, ctx, what=slot.what, code=code, notes=lambda slot=slot, value=value: _sources(slot, value, solver, ctx))
        )
        if is_failed(fitted[-1]):
            blamed |= generics_of(slot.type)
    return None if any(is_failed(value) for value in fitted) else fitted


def _fits(value: Expr, wanted: Type, solver: Solver) -> bool:
    return is_contextual(value.type) or same_type(value.type, wanted, solver.facts)


def _sources(slot: Slot, value: Expr, solver: Solver, ctx: BodyContext) -> list[str]:
    """Where the generics in a parameter's type have their values from: the child that is called, and what the other arguments say against
    what this one does."""
    alone = Solver(solver.generics, solver.facts, solver.before())
    alone.match(slot.type, value.type, Origin(slot.name, slot.node.span))
    alone.solve()
    notes = [_about_child(slot.child, slot.type, value.type, ctx)] if slot.child is not None else []
    for generic in solver.generics:
        origin, given, claimed = solver.origins.get(generic.id), solver.value(generic), alone.value(generic)
        if origin is None or given is None or origin.name == slot.name or generic.id not in generics_of(slot.type):
            continue
        if claimed is None or same_args((given,), (claimed,), solver.facts):
            notes.append(f"`{generic.name}` is {show_arg(given)} from `{origin.name}`")
        else:
            notes.append(f"`{generic.name}` is both {show_arg(given)}, from `{origin.name}`, and {show_arg(claimed)}, from `{slot.name}`")
    return [*notes, *_against_written(slot, value, solver)]


def _against_written(slot: Slot, value: Expr, solver: Solver) -> list[str]:
    """Which generics the caller wrote, where this argument alone says another value of them."""
    untold = Solver(tuple([generic for generic in solver.generics if generic.id in solver.written]), solver.facts, Substitution())
    if not untold.generics:
        return []
    untold.match(slot.type, value.type, Origin(slot.name, slot.node.span))
    untold.solve()
    pairs = [(generic, solver.value(generic), untold.value(generic)) for generic in untold.generics]
    return [
        f"`{generic.name}` is written as {show_arg(given)}, and by `{slot.name}` it is {show_arg(claimed)}"
        for generic, given, claimed in pairs
        if given is not None and claimed is not None and not same_args((given,), (claimed,), solver.facts)
    ]


def _about_child(child: Expr, wanted: Type, found: Type, ctx: BodyContext) -> str:
    """Which block the child is, and that its dtype is a default where that is what does not fit."""
    note = f"`{child.span.brief}` is `{show(child.type)}`"
    if (
        isinstance(child.type, BlockType)
        and isinstance(wanted, TensorType)
        and isinstance(found, TensorType)
        and wanted.dtype != found.dtype
    ):
        info, _ = block_of(child.type, ctx)
        for generic, arg in zip(info.generics, child.type.args, strict=True):
            if isinstance(arg, DTypeArg) and arg == generic.default and arg.dtype == wanted.dtype:
                return f"{note}; `{show_arg(arg)}` is the default of its `{generic.name}`"
    return note


def _written(generic: Generic, solver: Solver) -> str:
    """A generic argument as the caller writes it: its value, or its name where that is what is missing."""
    value = solver.value(generic)
    if value is not None:
        return show_arg(value)
    return "[...]" if generic.kind == "shape" else generic.name
