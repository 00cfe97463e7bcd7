"""Why an op is computed by a library call or by its own body.

In: a module, and the decisions of an export (`decided`) or only the entries it might be of (`possible`).  Out: `ExplainedCall`: a call
with all library calls of its op and what became of each; equal ones are one with a count.  `explain_document` is the JSON of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from linnet_core.check.types import DTypeVar, OptionalType, ScalarType, TensorType
from linnet_core.graph.decisions import NOT_ADMITTED, NOT_WANTED
from linnet_core.graph.explained_kernels import kernel_document
from linnet_core.ir.library_calls import WITH_LIBRARY_CALLS, Legality, is_admitted, rows_of
from linnet_core.shapes import Dim
from linnet_core.shapes.atoms import PackSize, Symbol
from linnet_core.shapes.dims import nested_atoms
from linnet_core.text.show_json import location

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from linnet_core.check.types import Type
    from linnet_core.graph.decisions import Decision
    from linnet_core.graph.explained_kernels import ExplainedKernel
    from linnet_core.ir.library_calls import LibraryCall, Numerics
    from linnet_core.ir.module import Function, Module, Op
    from linnet_core.text.span import Span

VERSION = 1

#: What became of a candidate: the target took it; it refused it; it was not asked, because one before was taken or none was offered;
#: the policy does not admit it; it would be offered, and the target answers at the sizes of an export.
Answer = Literal["taken", "refused", "not asked", "not admitted", "open"]

_NO_CALL = "the target refuses every library call it is offered"
#: The reason of a call of which nothing is decided yet.
OPEN = "the target answers at the sizes of an export"


class Candidate(Struct, frozen=True):
    """A library call of the op and what became of it; `reason` is the target's, of one it refused."""

    implementation: str
    legality: Legality
    requirements: tuple[str, ...]
    answer: Answer
    reason: str | None = None


class ExplainedCall(Struct, frozen=True):
    """Calls of `op` at one place that went the same way: `count` of them.

    `chosen` is the library call that was taken; without one `reason` says why the op's body is exported.  `depends_on` names the generics
    of `caller` that the sizes and dtypes of the call are made of.
    """

    op: str
    caller: str
    span: Span | None
    count: int
    candidates: tuple[Candidate, ...]
    chosen: str | None
    reason: str | None
    depends_on: tuple[str, ...]


def decided(module: Module, decisions: Iterable[Decision], numerics: Numerics) -> list[ExplainedCall]:
    """The calls of an export, in the order in which the first of each kind was made."""
    counts: dict[Decision | tuple[Any, ...], int] = {}
    first: dict[Decision | tuple[Any, ...], Decision] = {}
    for decision in decisions:
        key = (id(decision.op), decision.attempts, decision.reason)
        counts[key] = counts.get(key, 0) + 1
        first.setdefault(key, decision)
    callers = {id(op): function.name for function in module.functions.values() for op in library_ops(function)}
    return [_of(decision, callers.get(id(decision.op), ""), counts[key], numerics) for key, decision in first.items()]


def possible(module: Module, entries: Sequence[Function], numerics: Numerics, *, library: bool = True) -> list[ExplainedCall]:
    """The calls in whatever `entries` reach, in the order in which a walk from them meets the functions."""
    offered: Answer = "open" if library else "not asked"
    found: list[ExplainedCall] = []
    for function in reached(module, entries):
        for op in library_ops(function, gradient=False):
            candidates = tuple([_candidate(row, offered if is_admitted(row, numerics) else "not admitted") for row in rows_of(_callee(op))])
            is_open = any(candidate.answer == "open" for candidate in candidates)
            reason = OPEN if is_open else NOT_ADMITTED if library else NOT_WANTED
            found.append(ExplainedCall(_callee(op), function.name, op.span, 1, candidates, None, reason, depends_on(op)))
    return found


def reached(module: Module, entries: Sequence[Function]) -> list[Function]:
    """`entries` and every function they call, directly or not."""
    found: dict[str, Function] = {}
    waiting = list(reversed(entries))
    while waiting:
        function = waiting.pop()
        if function.name in found:
            continue
        found[function.name] = function
        called = [op.attrs["callee"] for op in _ops(function, gradient=False) if op.kind in ("call", "semantic.call")]
        waiting += [module.functions[name] for name in reversed(called)]
    return list(found.values())


def library_ops(function: Function, *, gradient: bool = True) -> Iterator[Op]:
    """The calls of ops that have library calls."""
    return (op for op in _ops(function, gradient=gradient) if op.kind == "semantic.call" and _callee(op) in WITH_LIBRARY_CALLS)


def depends_on(op: Op) -> tuple[str, ...]:
    """The generics that the types of a call's operands and results are made of, in the order they are met."""
    names: dict[str, None] = {}
    for value in (*op.operands, *op.results):
        names.update(dict.fromkeys(_generics(value.type)))
    return tuple(names)


def explain_document(calls: Iterable[ExplainedCall], header: Mapping[str, Any], kernels: Sequence[ExplainedKernel] = ()) -> dict[str, Any]:
    """The document of `schemas/explain-1.schema.json`; `header` holds what stands before the calls."""
    document = {"version": VERSION, **header, "calls": [_call_document(call) for call in calls]}
    return document | ({"kernels": [kernel_document(kernel) for kernel in kernels]} if kernels else {})


def _call_document(call: ExplainedCall) -> dict[str, Any]:
    return {
        "op": call.op,
        "caller": call.caller,
        "location": None if call.span is None else location(call.span),
        "count": call.count,
        "depends_on": list(call.depends_on),
        "chosen": call.chosen,
        "reason": call.reason,
        "candidates": [
            {
                "implementation": candidate.implementation,
                "legality": candidate.legality,
                "requirements": list(candidate.requirements),
                "answer": candidate.answer,
                "reason": candidate.reason,
            }
            for candidate in call.candidates
        ],
    }


def _of(decision: Decision, caller: str, count: int, numerics: Numerics) -> ExplainedCall:
    refusals = {attempt.candidate: attempt.refusal for attempt in decision.attempts}
    candidates: list[Candidate] = []
    for row in rows_of(_callee(decision.op)):
        if row in refusals:
            candidates.append(_candidate(row, "taken" if refusals[row] is None else "refused", refusals[row]))
        else:
            candidates.append(_candidate(row, "not asked" if is_admitted(row, numerics) else "not admitted"))
    taken = decision.taken
    reason = None if taken is not None else decision.reason or _NO_CALL
    op = decision.op
    chosen = None if taken is None else taken.implementation
    return ExplainedCall(_callee(op), caller, op.span, count, tuple(candidates), chosen, reason, depends_on(op))


def _candidate(row: LibraryCall, answer: Answer, reason: str | None = None) -> Candidate:
    return Candidate(row.implementation, row.legality, row.requirements, answer, reason)


def _callee(op: Op) -> str:
    return op.attrs["callee"]


def _ops(function: Function, *, gradient: bool) -> Iterator[Op]:
    """Every operation in order, those of regions after the one they belong to."""
    bodies = [function.body, *([function.grad] if gradient and function.grad is not None else [])]
    stack = [iter(body.ops) for body in reversed(bodies)]
    while stack:
        op = next(stack[-1], None)
        if op is None:
            stack.pop()
            continue
        yield op
        stack += [iter(region.ops) for region in reversed(op.regions)]


def _generics(type: Type) -> Iterator[str]:
    while isinstance(type, OptionalType):
        type = type.inner
    if not isinstance(type, TensorType | ScalarType):
        return
    for unit in type.shape if isinstance(type, TensorType) else ():
        if not isinstance(unit, Dim):
            yield unit.name
            continue
        for atom in nested_atoms(unit):
            if isinstance(atom, Symbol | PackSize):
                yield atom.name
    if isinstance(type.dtype, DTypeVar):
        yield type.dtype.name
