"""`where` clauses: facts inside a declaration, obligations where it is used.

In: syntax of constraints, or constraints of a callee with what its generics are given.  Out: `Constraint`s and extended
facts, or E2206 (an obligation not proved), E2211 (clauses that contradict each other), E2205 (a `/` by what may be 0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from linnet_core.check.proof_notes import proof_notes, was_assumed
from linnet_core.check.resolve_dims import Divisor, is_dtype, prove_divisor, resolve_bound
from linnet_core.check.spell_clauses import spell_clause
from linnet_core.shapes import Constraint, Symbol, prove, refute
from linnet_core.shapes.dims import nested_atoms
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Substitution
    from linnet_core.shapes import Dim, Relation
    from linnet_core.syntax import tree
    from linnet_core.text.span import Span


def resolve_where(nodes: Sequence[tree.Constraint], ctx: BodyContext) -> tuple[Constraint, ...]:
    """The constraints of a clause; `ctx.facts` is extended by them, and `ctx.broken` set when one of them was reported.

    `H % N == 0` may be written without `N > 0`; a divisor of `/` is proved positive from the whole clause.
    """
    if not nodes:
        return ()
    divisors: list[Divisor] = []
    made: list[tuple[tree.Constraint, Constraint]] = []
    for node in nodes:
        left = resolve_bound(node.left, ctx, divisors)
        right = None if left is None and is_dtype(node.left, ctx) else resolve_bound(node.right, ctx, divisors)
        if left is not None and right is not None:
            made.append((node, Constraint(cast("Relation", node.relation), left, right)))
        else:
            ctx.broken = True
    constraints = tuple(constraint for _, constraint in made)
    ctx.facts = ctx.facts.extended(constraints)
    for divisor in divisors:
        if divisor.operator == "/":
            prove_divisor(divisor, ctx)
    _check_consistent(made, ctx)
    return constraints


def _check_consistent(made: Sequence[tuple[tree.Constraint, Constraint]], ctx: BodyContext) -> None:
    """E2211 at the last clause of those that cannot hold together; clauses of the block around are among them."""
    clash = ctx.facts.contradiction()
    own = [(node, constraint) for node, constraint in made if clash and constraint in clash]
    if not clash or not own or any(was_assumed(str(constraint), ctx) for constraint in clash):
        return
    ctx.broken = True
    last, what = own[-1]
    around = zip(ctx.block.syntax.where, ctx.block.constraints, strict=False) if ctx.block is not None else ()
    others = [(node, constraint) for node, constraint in (*around, *own[:-1]) if constraint in clash and constraint != what]
    related = [Label(node.span, "contradicts it") for node, _ in others]
    shown = _short(last.span.text, what)
    against = [f"`{_short(node.span.text, constraint)}`" for node, constraint in others]
    message = f"`{shown}` contradicts {' and '.join(against)}" if against else f"`{shown}` never holds"
    help = "take one of them out" if against else "take it out: a size is at least 0, and nothing else may stand in the way"
    ctx.checker.diagnostics.report("E2211", message, last.span, label="no sizes satisfy it", related=related, help=help)


def _short(text: str, constraint: Constraint) -> str:
    """A clause as it was written, if that is a few words on one line."""
    return text if len(text) <= 100 and "\n" not in text else str(constraint)


def prove_obligations(
    constraints: Sequence[Constraint],
    substitution: Substitution,
    ctx: BodyContext,
    span: Span,
    what: str,
    declared: Sequence[tree.Constraint] = (),
) -> bool:
    """Whether all constraints of a callee or block hold here once its generics are replaced; E2206 for each that does not.

    `what` names what is used, as messages show it; `declared` are the clauses' syntax in the same order, for a label.
    """
    proved = True
    for position, constraint in enumerate(constraints):
        goal = constraint.substitute(substitution.dims, substitution.packs)
        if prove(goal, ctx.facts):
            continue
        proved = False
        written = declared[position] if position < len(declared) else None
        shown = spell_clause(written, _given(constraint, substitution)) if written is not None else None
        _report_unproved(goal, shown or str(goal), ctx, span, what, written.span if written is not None else None)
    return proved


def _given(constraint: Constraint, substitution: Substitution) -> dict[str, Dim]:
    """What the generics of a clause stand for, by name."""
    atoms = [*nested_atoms(constraint.left), *nested_atoms(constraint.right)]
    return {atom.name: substitution.dims[atom.id] for atom in atoms if isinstance(atom, Symbol) and atom.id in substitution.dims}


def _report_unproved(goal: Constraint, shown: str, ctx: BodyContext, span: Span, what: str, where: Span | None) -> None:
    false = refute(goal, ctx.facts)
    notes, help = proof_notes(goal, ctx, needed="")
    ctx.checker.diagnostics.report(
        "E2206",
        f"{what} needs `{shown}`, which is {'false' if false else 'not proved'}",
        span,
        label="needs it",
        related=(Label(where, "required here"),) if where is not None else (),
        notes=notes,
        help=help if not false else f"{what} does not take these sizes: give it others",
        apart=True,
    )
