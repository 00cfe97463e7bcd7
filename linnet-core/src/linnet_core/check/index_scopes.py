"""Indices of index notation: opening their scope, giving them domains, and what is wrong with how they are used.

In: the names listed on the left of an indexed `let` or in a reduction, and the axes their uses stand at.  Out: `IndexBinding`s
whose domains every access agrees on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.describe import RENAME
from linnet_core.check.environment import IndexBinding, IndexUse
from linnet_core.check.generics import check_name
from linnet_core.check.program import IndexVar
from linnet_core.check.proof_notes import equality_help, show_units
from linnet_core.shapes import equal_shapes
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.shapes import Shape
    from linnet_core.text.span import Span


def open_indices(names: tuple[tree.IndexName, ...], ctx: BodyContext, *, head: Span | None) -> list[IndexBinding]:
    """Bind the listed indices and push them as the innermost scope; the caller pops `ctx.indices`.

    `head` is the reduction's head, None for an indexed `let`, whose indices are each their own head.  Reports E3105 for an
    index that is listed twice, or in a reduction under one of its name, E1207 for a name of the prelude.
    """
    bindings: list[IndexBinding] = []
    twice: list[IndexBinding] = []
    for name in names:
        check_name(tree.Name(name.span, name.name), ctx)
        outer = next((b for b in bindings if b.name == name.name), None) or ctx.find_index(name.name)
        if outer is not None and not is_poisoned(outer):
            ctx.checker.diagnostics.report(
                "E3105",
                f"index `{name.name}` is listed twice",
                name.span,
                label="again",
                related=[Label(outer.span, "first listed here")],
                help=RENAME,
            )
            twice.append(_poisoned(name.name, name.pack, name.span))
            continue
        bindings.append(
            IndexBinding(
                id=ctx.fresh_local_id(),
                name=name.name,
                pack=name.pack,
                span=name.span,
                head=head if head is not None else name.span,
                reduction=head is not None,
            )
        )
    ctx.indices.append([*twice, *bindings])
    return bindings


def index_var(binding: IndexBinding) -> IndexVar:
    """The index with the domain its first use gave it."""
    return IndexVar(binding.id, binding.name, binding.domain or (), binding.pack)


def spell_index(binding: IndexBinding) -> str:
    """`k` or `*s`."""
    return f"*{binding.name}" if binding.pack else binding.name


def stand_at(binding: IndexBinding, domain: Shape, tensor: str, span: Span, ctx: BodyContext) -> None:
    """Record that an index stands at axes of `tensor`; the first use gives the domain, later ones must agree (E2201)."""
    use = IndexUse(tensor, domain, span)
    if binding.domain is None:
        binding.domain = domain
    elif not equal_shapes(binding.domain, domain, ctx.facts):
        _report_two_extents(binding, use, ctx)
        binding.clashes = True
    binding.uses.append(use)


def _report_two_extents(binding: IndexBinding, use: IndexUse, ctx: BodyContext) -> None:
    first = binding.uses[0]
    uses = (first, use)
    help = "declare both over the same pack" if binding.pack else None
    if help is None and len(first.domain) == 1 and len(use.domain) == 1:
        help = equality_help(first.domain[0], use.domain[0], ctx)
    ctx.checker.diagnostics.report(
        "E2201",
        f"`{binding.name}` stands for two extents",
        binding.head,
        label="two extents",
        related=[Label(one.span, f"{show_units(one.domain)} here") for one in uses],
        notes=[f"`{one.tensor}` binds `{binding.name}` to {show_units(one.domain)}" for one in uses],
        help=help,
    )


def report_unused(bindings: list[IndexBinding], ctx: BodyContext) -> bool:
    """E3102 and E3103 for indices that index nothing; True when there was one."""
    unused = [binding for binding in bindings if binding.domain is None]
    for binding in unused:
        name = spell_index(binding)
        if binding.reduction:
            code, message = "E3102", f"reduction index `{name}` indexes nothing"
        else:
            code, message = "E3103", f"output index `{name}` indexes nothing"
        ctx.checker.diagnostics.report(code, message, binding.span, label="no axis gives it an extent", help=_unused_help(name, binding))
    return bool(unused)


def _unused_help(name: str, binding: IndexBinding) -> str:
    if binding.reduction:
        return f"index an axis with `{name}`, or take it out of the list"
    return f"index an axis with `{name}`, or widen the result with `broadcast_to`"


def report_unbound(name: str, pack: bool, span: Span, ctx: BodyContext) -> None:
    """E3101 at the first use of an index nobody lists; further uses in the same statement stay silent."""
    spelled = f"*{name}" if pack else name
    ctx.checker.diagnostics.report(
        "E3101",
        f"index `{spelled}` is unbound",
        span,
        label="neither listed on the left nor reduced",
        help=f"list `{spelled}` on the left of the `let`, or reduce over it: `sum[{spelled}] ...`",
    )
    ctx.indices[0].append(_poisoned(name, pack, span))


def _poisoned(name: str, pack: bool, span: Span) -> IndexBinding:
    return IndexBinding(id=-1, name=name, pack=pack, span=span, head=span, reduction=False, used_at=span)


def poison(binding: IndexBinding) -> None:
    """Let an index that was reported silence its other uses."""
    binding.id = -1


def is_poisoned(binding: IndexBinding) -> bool:
    """Whether the index was reported (unbound, listed twice, misused) and only stands in to silence its uses."""
    return binding.id < 0
