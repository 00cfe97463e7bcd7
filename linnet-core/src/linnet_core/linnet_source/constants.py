"""Constants of modules found again in the functions that use them.

In: the constants that a module may name.  Out: `Constants`, which finds the one a value was computed as.  Lowering puts the value of a
constant where it is used, once a region; used twice there, it is one value that no literal could be written for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from linnet_core.ir.module import Constant, Op
    from linnet_core.ir.uses import Uses


class Constants:
    """Constants of a definite type, by the kind of operation that gives their value."""

    def __init__(self, constants: Iterable[Constant]) -> None:
        """A contextual constant is never looked for: a use of one is a literal."""
        self._by_kind: dict[str, list[Constant]] = {}
        for constant in constants:
            if not constant.contextual and len(constant.body.ops) > 1:
                self._by_kind.setdefault(constant.body.ops[-2].kind, []).append(constant)

    def find(self, op: Op, uses: Uses, taken: Set[str]) -> str | None:
        """The key of the first constant, not among `taken`, whose value the operation computes; None when there is none."""
        for constant in self._by_kind.get(op.kind, ()):
            result = constant.body.ops[-1].operands[0]
            definitions = {value.id: one for one in constant.body.ops for value in one.results}
            if constant.name not in taken and _are_equal(op, definitions[result.id], uses.definitions, definitions):
                return constant.name
        return None


def _are_equal(some: Op, other: Op, these: dict[int, Op], those: dict[int, Op]) -> bool:
    """Whether two operations compute the same of the same; operations with regions are never told to."""
    pending = [(some, other)]
    while pending:
        a, b = pending.pop()
        if a.kind != b.kind or a.attrs != b.attrs or a.regions or b.regions or len(a.operands) != len(b.operands):
            return False
        if [value.type for value in a.results] != [value.type for value in b.results]:
            return False
        for x, y in zip(a.operands, b.operands, strict=True):
            if x.id not in these or y.id not in those:
                return False
            pending.append((these[x.id], those[y.id]))
    return True
