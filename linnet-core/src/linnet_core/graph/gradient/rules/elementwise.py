"""elementwise, compare, select, convert.

In: a step and the adjoint of its result.  Out: the operands' shares.  Two equal values share a `max` or `min` evenly, `abs` is flat at 0.
Where a slope may be infinite at a finite value, or come of a value that overflowed, a gradient of 0 stays 0 whatever the slope, so that
the arm a `select` did not take adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linnet_core.check.types import FLOATS
from linnet_core.graph.calls import Convert, Elementwise, Select
from linnet_core.graph.gradient.rules.rule import Rule, name_of

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.graph.calls.elementwise import CompareKind
    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.tape import Step


def _exp(b: Adjoints, step: Step, g: Operand) -> Operand:
    return b.terms.unless_zero(g, b.terms.mul(g, b.result(step)))


def _log(b: Adjoints, step: Step, g: Operand) -> Operand:
    return b.terms.unless_zero(g, b.terms.div(g, b.value(step.call.operands[0])))


def _sqrt(b: Adjoints, step: Step, g: Operand) -> Operand:
    t = b.terms
    return t.unless_zero(g, t.div(t.mul(g, t.real(0.5, g.dtype)), b.result(step)))


def _rsqrt(b: Adjoints, step: Step, g: Operand) -> Operand:
    t, x, y = b.terms, b.value(step.call.operands[0]), b.result(step)
    return t.unless_zero(g, t.mul(t.mul(g, t.real(-0.5, g.dtype)), t.div(y, x)))


def _sin(b: Adjoints, step: Step, g: Operand) -> Operand:
    return b.terms.mul(g, b.terms.unary("cos", b.value(step.call.operands[0])))


def _cos(b: Adjoints, step: Step, g: Operand) -> Operand:
    return b.terms.neg(b.terms.mul(g, b.terms.unary("sin", b.value(step.call.operands[0]))))


def _tanh(b: Adjoints, step: Step, g: Operand) -> Operand:
    t, y = b.terms, b.result(step)
    return t.mul(g, t.binary("sub", t.real(1.0, g.dtype), t.mul(y, y)))


def _abs(b: Adjoints, step: Step, g: Operand) -> Operand:
    t, x = b.terms, b.value(step.call.operands[0])
    none = t.zero(x)
    return t.select(t.compare("gt", x, none), g, t.select(t.compare("lt", x, none), t.neg(g), none))


#: The operand's share, and which of operand and result it reads.
_UNARY: dict[str, tuple[Callable[[Adjoints, Step, Operand], Operand], str]] = {
    "neg": (lambda b, step, g: b.terms.neg(g), ""),
    "exp": (_exp, "y"),
    "log": (_log, "a"),
    "sqrt": (_sqrt, "y"),
    "rsqrt": (_rsqrt, "ay"),
    "sin": (_sin, "a"),
    "cos": (_cos, "a"),
    "tanh": (_tanh, "y"),
    "abs": (_abs, "a"),
}


def _add(b: Adjoints, step: Step, g: Operand, first: bool) -> Operand:
    return g


def _sub(b: Adjoints, step: Step, g: Operand, first: bool) -> Operand:
    return g if first else b.terms.neg(g)


def _mul(b: Adjoints, step: Step, g: Operand, first: bool) -> Operand:
    return b.terms.mul(g, b.value(step.call.operands[1 if first else 0]))


def _div(b: Adjoints, step: Step, g: Operand, first: bool) -> Operand:
    t, by = b.terms, b.value(step.call.operands[1])
    if first:
        return t.unless_zero(g, t.div(g, by))
    return t.unless_zero(g, t.neg(t.mul(g, t.div(b.result(step), by))))


def _rem(b: Adjoints, step: Step, g: Operand, first: bool) -> Operand:
    """`a - trunc(a / b) b`, and `trunc(a / b)` is flat."""
    if first:
        return g
    t, a, by = b.terms, b.value(step.call.operands[0]), b.value(step.call.operands[1])
    return t.unless_zero(g, t.neg(t.mul(g, t.div(t.binary("sub", a, b.result(step)), by))))


def _extreme(kind: CompareKind) -> Callable[[Adjoints, Step, Operand, bool], Operand]:
    """All of the gradient to the one that is `kind` the other, half to each of equals."""

    def share(b: Adjoints, step: Step, g: Operand, first: bool) -> Operand:
        t = b.terms
        mine, other = (b.value(step.call.operands[at]) for at in ((0, 1) if first else (1, 0)))
        half = t.mul(g, t.real(0.5, g.dtype))
        return t.select(t.compare("eq", mine, other), half, t.select(t.compare(kind, mine, other), g, t.zero(g)))

    return share


#: An operand's share, and what it reads for the first operand and for the second.
_BINARY: dict[str, tuple[Callable[[Adjoints, Step, Operand, bool], Operand], str, str]] = {
    "add": (_add, "", ""),
    "sub": (_sub, "", ""),
    "mul": (_mul, "b", "a"),
    "div": (_div, "b", "by"),
    "rem": (_rem, "", "aby"),
    "max": (_extreme("gt"), "ab", "ab"),
    "min": (_extreme("lt"), "ab", "ab"),
}


def _elementwise(b: Adjoints, step: Step, call: Elementwise, g: Operand) -> None:
    if len(call.operands) == 1:
        b.add(call.operands[0], _UNARY[call.kind][0](b, step, g))
        return
    share = _BINARY[call.kind][0]
    for operand, first in zip(call.operands, (True, False), strict=True):
        if b.wants(operand):
            b.add(operand, share(b, step, g, first))


def _elementwise_reads(step: Step, call: Elementwise, wanted: frozenset[str]) -> list[str]:
    if len(call.operands) == 1:
        letters = _UNARY[call.kind][1]
    else:
        letters = "".join(of for of, operand in zip(_BINARY[call.kind][1:], call.operands, strict=True) if name_of(operand) in wanted)
    named = dict(zip("ab", call.operands, strict=False))
    return [step.results[0] if letter == "y" else name_of(named[letter]) for letter in dict.fromkeys(letters)]


def _select(b: Adjoints, step: Step, call: Select, g: Operand) -> None:
    condition, x, y = call.operands
    none = b.terms.zero(g)
    if b.wants(x):
        b.add(x, b.terms.select(b.value(condition), g, none))
    if b.wants(y):
        b.add(y, b.terms.select(b.value(condition), none, g))


def _select_reads(step: Step, call: Select, wanted: frozenset[str]) -> list[str]:
    return [name_of(call.operands[0])]


def _convert(b: Adjoints, step: Step, call: Convert, g: Operand) -> None:
    x = call.operand(0)
    if x.dtype in FLOATS:
        b.add(x, b.emitter.convert(g, x.dtype))


RULES = {
    Elementwise: Rule(_elementwise, _elementwise_reads),
    Select: Rule(_select, _select_reads),
    Convert: Rule(_convert),
}
