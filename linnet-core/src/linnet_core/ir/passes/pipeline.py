"""The passes in order, run until nothing changes.

In: a verified module.  Out: an equal one, smaller, its values numbered anew as lowering numbers them.  Every pass here is exact: it changes
no bit of any result under any numerics policy.  Functions are independent of each other, so each is run to its own end, and verified after
every pass that changed it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linnet_core.errors import InternalError
from linnet_core.ir.passes import dead, fold, identities, order, permutes, share
from linnet_core.ir.passes.effects import Effects
from linnet_core.ir.passes.footprints import narrowed
from linnet_core.ir.renumber import renumbered
from linnet_core.ir.rewrite import with_bodies, with_body
from linnet_core.ir.verify import verify_constant, verify_function

if TYPE_CHECKING:
    from linnet_core.ir.module import Constant, Function, Module, Region

Pass = Callable[["tuple[Region, ...]", Effects], "tuple[Region, ...]"]

#: In the order they run.
PASSES: dict[str, Pass] = {
    "identities": identities.run,
    "permutes": permutes.run,
    "fold": fold.run,
    "share": share.run,
    "dead": dead.run,
}

#: The kinds of operations some of them are about: a round in which the function has none of these leaves the pass out.
ABOUT: dict[str, frozenset[str]] = {"identities": identities.KINDS, "permutes": permutes.KINDS, "fold": fold.KINDS}

#: More rounds than any program needs: every pass makes the function smaller or an operand chain shorter.
_MOST_ROUNDS = 1000


def optimize(module: Module) -> Module:
    """The module after all passes; `InternalError` naming the pass and the function when a pass breaks a rule of the IR."""
    effects = Effects(module)
    functions = {name: _function(module, function, effects) for name, function in module.functions.items()}
    constants = {name: _constant(module, constant, effects) for name, constant in module.constants.items()}
    return narrowed(type(module)(module.name, module.blocks, functions, constants, module.structs, module.enums))


def _function(module: Module, function: Function, effects: Effects) -> Function:
    def rebuilt(regions: tuple[Region, ...]) -> Function:
        body, grad = regions if function.grad is not None else (regions[0], None)
        return with_bodies(function, body, grad)

    def check(regions: tuple[Region, ...]) -> None:
        verify_function(module, rebuilt(regions))

    regions = (function.body,) if function.grad is None else (function.body, function.grad)
    after = _to_the_end(regions, effects, check)
    if _same(after, regions):
        return function  # Nothing was done: order and numbers are those of lowering.
    return rebuilt(_in_order(after, check))


def _constant(module: Module, constant: Constant, effects: Effects) -> Constant:
    def check(regions: tuple[Region, ...]) -> None:
        verify_constant(module, with_body(constant, regions[0]))

    return with_body(constant, renumbered(_to_the_end((constant.body,), effects, check))[0])


def _in_order(regions: tuple[Region, ...], check: Callable[[tuple[Region, ...]], None]) -> tuple[Region, ...]:
    """The regions after the passes, ordered and numbered as lowering would from source."""
    ordered = order.run(regions)
    if not _same(ordered, regions):
        try:
            check(ordered)
        except InternalError as error:
            raise InternalError(f"after pass `order`: {error}") from error
    return renumbered(ordered)


def _to_the_end(regions: tuple[Region, ...], effects: Effects, check: Callable[[tuple[Region, ...]], None]) -> tuple[Region, ...]:
    """The regions after rounds of all passes, the last of which changed nothing."""
    for _ in range(_MOST_ROUNDS):
        before = regions
        kinds = _kinds(regions)
        for name, run in PASSES.items():
            if name in ABOUT and kinds.isdisjoint(ABOUT[name]):
                continue
            after = run(regions, effects)
            if _same(after, regions):
                continue
            regions = after
            try:
                check(regions)
            except InternalError as error:
                raise InternalError(f"after pass `{name}`: {error}") from error
        if _same(regions, before):
            return regions
    raise InternalError(f"the passes do not come to an end in {_MOST_ROUNDS} rounds")


def _kinds(regions: tuple[Region, ...]) -> set[str]:
    """The kinds of all operations in the regions."""
    found: set[str] = set()
    pending = list(regions)
    while pending:
        for op in pending.pop().ops:
            found.add(op.kind)
            pending.extend(op.regions)
    return found


def _same(a: tuple[Region, ...], b: tuple[Region, ...]) -> bool:
    return all(x is y for x, y in zip(a, b, strict=True))
