"""`x[i, *s, n]` inside index notation: one scalar, every axis covered.

In: a checked tensor and the components written after it.  Out: `Element`, with each index bound to the axis it stands at.
E2204, E3101, E3104, E3106 and, through `index_scopes.py`, E2201.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import failed
from linnet_core.check.environment import ConstInfo, GenericRef, IndexBinding, MemberEntity
from linnet_core.check.index_scopes import index_var, is_poisoned, poison, report_unbound, stand_at
from linnet_core.check.names import lookup
from linnet_core.check.positions import check_position
from linnet_core.check.program import DimValue, Element, Expr, IndexRef, Local
from linnet_core.check.proof_notes import show_units
from linnet_core.check.show_types import quote
from linnet_core.check.types import I64, ScalarType, TensorType
from linnet_core.shapes import Dim, Pack
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.shapes import Unit

Position = IndexRef | Expr


def check_element(base: Expr, type: TensorType, node: tree.Index, ctx: BodyContext) -> Expr:
    """The element of `base` at the written positions; failed when a position is wrong."""
    if not _kinds_match(type, node, ctx):
        return failed(node.span)
    positions: list[Position] = []
    good = True
    for component, unit in zip(node.components, type.shape, strict=True):
        position = _check_component(component, unit, node, ctx)
        if position is None:
            good = False
        else:
            positions.append(position)
    return Element(ScalarType(type.dtype), node.span, base, tuple(positions)) if good else failed(node.span)


def _kinds_match(type: TensorType, node: tree.Index, ctx: BodyContext) -> bool:
    """Whether there is one component a unit, packs under `*s` and axes under plain ones (E3106, then E2204)."""
    for component, unit in zip(node.components, type.shape, strict=False):
        if isinstance(component, tree.Slice | tree.Ellipsis_):
            ctx.checker.diagnostics.report(
                "E3104",
                "an access in index notation takes one position for every axis",
                component.span,
                label="several axes or positions",
                help="use an index here, or slice the tensor in a statement of its own",
            )
            return False
        if isinstance(unit, Pack) != isinstance(component, tree.PackComponent):
            _report_pack_mix_up(component, unit, node, ctx)
            return False
    if len(node.components) == len(type.shape):
        return True
    ctx.checker.diagnostics.report(
        "E2204",
        f"`{_spell_base(node)}` takes {_count(len(type.shape), 'index', 'indices')}, got {len(node.components)}",
        node.span,
        label=f"this is {quote(type)}",
        help="in index notation every access indexes every axis",
    )
    return False


def _report_pack_mix_up(component: tree.Component, unit: Unit, node: tree.Index, ctx: BodyContext) -> None:
    text = component.span.text
    name = _bare_name(component)
    binding = None if name is None else ctx.find_index(name)
    if binding is not None and is_poisoned(binding):
        return
    if isinstance(unit, Pack):
        message = f"`{text}` stands at the axes of the pack `*{unit.name}`"
        help = f"a pack is indexed as a whole: `*{name}`" if name is not None else "a pack is indexed as a whole, with `*s`"
    else:
        message = f"`{text}` stands at one axis, {unit}, of `{_spell_base(node)}`"
        help = "one axis takes a plain index" + (f": `{name}`" if name is not None else "")
    ctx.checker.diagnostics.report("E3106", message, component.span, related=_listed(binding), help=help)
    if binding is not None:
        poison(binding)


def _listed(binding: IndexBinding | None) -> tuple[Label, ...]:
    """Where the index is listed."""
    return () if binding is None else (Label(binding.span, "listed here"),)


def _bare_name(component: tree.Component) -> str | None:
    """The name a component is, with or without a star; None when it is something else."""
    match component:
        case tree.PackComponent():
            return component.name.text
        case tree.At(value=tree.Ref(name=name)):
            return name
        case _:
            return None


def _check_component(component: tree.Component, unit: Unit, node: tree.Index, ctx: BodyContext) -> Position | None:
    """One position; None when it was wrong and reported."""
    if isinstance(component, tree.PackComponent):
        return _check_pack_index(component, unit, node, ctx)
    assert isinstance(component, tree.At)
    assert isinstance(unit, Dim)
    if isinstance(component.value, tree.Ref):
        binding = _find_index(component.value, ctx)
        if isinstance(binding, IndexBinding):
            return _use_index(binding, unit, node, component.value, ctx)
        if binding is None:
            return None
    position = check_position(component.value, unit, ctx)
    if isinstance(position, Dim):
        return DimValue(I64, component.value.span, position)
    return position


def _find_index(ref: tree.Ref, ctx: BodyContext) -> IndexBinding | bool | None:
    """The index a bare name is, True when the name is a value instead, None when it is neither (E3101)."""
    binding = ctx.find_index(ref.name)
    if binding is not None:
        return None if is_poisoned(binding) else binding
    entity = lookup(ref.name, ctx, ref.span, report=False)
    if isinstance(entity, Local | GenericRef | ConstInfo | MemberEntity):
        return True
    report_unbound(ref.name, False, ref.span, ctx)
    return None


def _check_pack_index(component: tree.PackComponent, unit: Unit, node: tree.Index, ctx: BodyContext) -> Position | None:
    name = component.name
    binding = ctx.find_index(name.text)
    if binding is None:
        report_unbound(name.text, True, component.span, ctx)
        return None
    if is_poisoned(binding):
        return None
    if not binding.pack:
        ctx.checker.diagnostics.report(
            "E3106",
            f"`{name.text}` is a plain index, not one of a pack",
            component.span,
            related=_listed(binding),
            help=f"list it as `*{name.text}`",
        )
        poison(binding)
        return None
    stand_at(binding, (unit,), _spell_base(node), component.span, ctx)
    return IndexRef(index_var(binding))


def _use_index(binding: IndexBinding, unit: Dim, node: tree.Index, ref: tree.Ref, ctx: BodyContext) -> Position | None:
    if binding.pack:
        ctx.checker.diagnostics.report(
            "E3106",
            f"`{binding.name}` indexes all axes of a pack, and stands at one axis, {show_units((unit,))}",
            ref.span,
            related=_listed(binding),
            help=f"list it without `*`, or write `*{binding.name}` at a pack",
        )
        poison(binding)
        return None
    stand_at(binding, (unit,), _spell_base(node), ref.span, ctx)
    return IndexRef(index_var(binding))


def _spell_base(node: tree.Index) -> str:
    """The indexed tensor as written, shortened when it is long."""
    text = " ".join(node.base.span.text.split())
    return text if len(text) <= 40 else text[:37] + "..."


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"
