"""The way back: from the adjoint of the loss to those of the leaves.

In: the items of a tape that were emitted, and a scope of adjoints that holds the first.  Out: the scope, with the adjoints of everything
made before the items.  A counted loop becomes a counted loop from its last iteration to its first: it carries the adjoints of what the
loop carries and of what its body reads from outside, and runs again what it needs of the body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import BeginCounted, EndCounted, Operand
from linnet_core.graph.gradient.forward import iterations
from linnet_core.graph.gradient.needs import has_adjoint, kept_of
from linnet_core.graph.gradient.rules import RULES
from linnet_core.graph.gradient.tape import Loop, Step, read_from_outside
from linnet_core.graph.rows import row_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.forward import Forward
    from linnet_core.graph.gradient.tape import Item


def reverse(items: Sequence[Item], b: Adjoints, forward: Forward) -> None:
    """Walk back through items."""
    for item in reversed(items):
        match item:
            case Step() if item.first:
                _step(item, b)
            case Loop() if has_adjoint(item, b.wanted):
                _loop(item, b, forward)
            case _:
                pass


def _step(step: Step, b: Adjoints) -> None:
    rule = RULES.get(type(step.call))
    if rule is None or len(step.results) != 1 or step.results[0] not in b.wanted:
        return
    gradient = b.take(step.results[0])
    if gradient is not None:
        rule.pull(b, step, step.call, gradient)


def _loop(loop: Loop, b: Adjoints, forward: Forward) -> None:
    if not iterations(loop):
        for start, result in zip(loop.begin.call.operands, loop.end.results, strict=True):
            gradient = b.take(result)
            if gradient is not None:
                b.add(start, gradient)
        return
    own = [at for at, head in enumerate(loop.carried) if head in b.wanted or loop.end.results[at] in b.wanted]
    outer = [name for name in read_from_outside(loop, start=False) if name in b.wanted]
    initial = [*[b.take_or_zeros(loop.end.results[at]) for at in own], *[b.take_or_zeros(name) for name in outer]]
    finals = _turned_back(loop, b, forward, own, outer, initial)
    for at, final in zip(own, finals, strict=False):
        b.add(loop.begin.call.operands[at], final)
    for name, final in zip(outer, finals[len(own) :], strict=True):
        b.put(name, final)


def _turned_back(
    loop: Loop, b: Adjoints, forward: Forward, own: Sequence[int], outer: Sequence[str], initial: Sequence[Operand]
) -> list[Operand]:
    """The reverse loop: `initial` are the adjoints after the loop, of the carried values `own` and of the values `outer`."""
    turn, *begun = b.emitter.names(BeginCounted(start=0, stop=iterations(loop), operands=tuple(initial)))
    seen = [Operand(name, like.shape, like.dtype) for name, like in zip(begun, initial, strict=True)]
    inside = b.inside(_values_of_iteration(loop, b, forward, Operand(turn, (), "i64")))
    for at, gradient in zip(own, seen, strict=False):
        inside.add(loop.end.call.operands[at], gradient)
    for name, gradient in zip(outer, seen[len(own) :], strict=True):
        inside.put(name, gradient)
    reverse(loop.body, inside, forward)
    following = [*[inside.take_or_zeros(loop.carried[at]) for at in own], *[inside.take_or_zeros(name) for name in outer]]
    ended = b.emitter.names(EndCounted(operands=tuple(following)))
    return [Operand(name, like.shape, like.dtype) for name, like in zip(ended, initial, strict=True)]


def _values_of_iteration(loop: Loop, b: Adjoints, forward: Forward, turn: Operand) -> dict[str, str]:
    """The names at hand in turn `turn` of the way back: those from outside, and what the body made in that iteration, made again."""
    names, call = dict(b.names), loop.begin.call
    assert isinstance(call, BeginCounted)
    kept = kept_of(loop, b.wanted)
    if loop.begin.results[0] in kept.read:
        names[loop.begin.results[0]] = str(b.terms.binary("sub", b.emitter.integer(call.stop - 1), turn).value)
    stacks = forward.stacks.get(loop.end.results[0], {})
    if stacks:
        position = b.terms.binary("sub", b.emitter.integer(iterations(loop) - 1), turn)
        names.update((loop.carried[at], str(row_at(b.emitter, stack, position).value)) for at, stack in stacks.items())
    forward.run(kept.items, names, headers=False)
    return names
