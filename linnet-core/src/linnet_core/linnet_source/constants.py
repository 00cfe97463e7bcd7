"""Constants of modules found again in the functions that use them.

In: the constants that an item may name.  Out: `Constants`, which finds the one a value was computed as, and `ConstantNames`, which names
each once in a region.  Lowering puts the value of a constant where it is used, once a region; used twice there, or where the place gives a
number no dtype, it is a value that no literal could be written for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence, Set

    from linnet_core.ir.module import Constant, Op, Value
    from linnet_core.ir.uses import Uses


class Constants:
    """Constants of a definite type, by the kinds of the operations that give their value."""

    def __init__(self, constants: Iterable[Constant], eager: Iterable[Constant] = ()) -> None:
        """A contextual constant is never looked for: a use of one is a literal.  `eager` ones are named even where a literal would do."""
        self.eager = frozenset(constant.name for constant in eager)
        self._by_kind: dict[str, list[Constant]] = {}
        self._by_beginning: dict[tuple[str, object], list[Constant]] = {}
        for constant in constants:
            if constant.contextual or len(constant.body.ops) < 2:
                continue
            self._by_kind.setdefault(constant.body.ops[-2].kind, []).append(constant)
            if len(constant.body.ops) > 2:
                self._by_beginning.setdefault(_beginning(constant.body.ops[0]), []).append(constant)

    def find(self, op: Op, uses: Uses, taken: Set[str], *, only_eager: bool = False) -> str | None:
        """The key of the first constant, not among `taken`, whose value the operation computes; None when there is none."""
        for constant in self._by_kind.get(op.kind, ()):
            if only_eager and constant.name not in self.eager:
                continue
            result = constant.body.ops[-1].operands[0]
            definitions = {value.id: one for one in constant.body.ops for value in one.results}
            if constant.name not in taken and _are_equal(op, definitions[result.id], uses.definitions, definitions):
                return constant.name
        return None

    def leading(self, ops: Sequence[Op], at: int, uses: Uses, taken: Set[str]) -> tuple[str, int] | None:
        """The longest constant, not among `taken`, whose operations (two or more) stand at `at`, with how many they are.

        Only the last of them has a value that others use, and that has no name.
        """
        best: tuple[str, int] | None = None
        for constant in self._by_beginning.get(_beginning(ops[at]), ()) if self._by_beginning else ():
            length = len(constant.body.ops) - 1
            is_longer = best is None or length > best[1]
            if is_longer and constant.name not in taken and _stand_at(constant.body.ops[:length], ops[at : at + length], uses):
                best = constant.name, length
        return best


class ConstantNames:
    """Names constants in one region: each for one value, since lowering makes one value of all its uses there."""

    def __init__(self, constants: Constants, uses: Uses, item_name: Callable[[str], str]) -> None:
        self.constants = constants
        self.uses = uses
        self.item_name = item_name
        self.used: dict[str, None] = {}

    def of(self, op: Op | None) -> str | None:
        """The name of the constant an operation computes."""
        return None if op is None else self._named(self.constants.find(op, self.uses, self.used.keys()))

    def of_value(self, value: Value, op: Op) -> str | None:
        """The name a value has to have, or better has: one without a name that is used more than once, or whose constant is eager."""
        if value.name or not self.uses.is_local(value):
            return None
        only_eager = self.uses.count(value) < 2
        return self._named(self.constants.find(op, self.uses, self.used.keys(), only_eager=only_eager))

    def leading(self, ops: Sequence[Op], at: int) -> tuple[str, int] | None:
        """The name of the constant of two operations or more that stand at `at`, with how many they are."""
        found = self.constants.leading(ops, at, self.uses, self.used.keys())
        if found is None:
            return None
        key, length = found
        self.used[key] = None
        return self.item_name(key), length

    def _named(self, key: str | None) -> str | None:
        if key is None:
            return None
        self.used[key] = None
        return self.item_name(key)


def _beginning(op: Op) -> tuple[str, object]:
    value = op.attrs.get("value")
    return op.kind, value if isinstance(value, int | str) else None


def _stand_at(those: Sequence[Op], these: Sequence[Op], uses: Uses) -> bool:
    """Whether operations of a function are a constant's, one by one, and used as there."""
    if len(these) != len(those):
        return False
    own: dict[int, int] = {}
    used: dict[int, int] = {}
    for a, b in zip(these, those, strict=True):
        if not _look_equal(a, b) or any(own.get(x.id) != y.id for x, y in zip(a.operands, b.operands, strict=True)):
            return False
        own.update((x.id, y.id) for x, y in zip(a.results, b.results, strict=True))
        for value in a.operands:
            used[value.id] = used.get(value.id, 0) + 1
    inner = [value for op in these[:-1] for value in op.results]
    nameless = not any(value.name for op in these for value in op.results)
    return nameless and all(uses.count(value) == used.get(value.id) for value in inner) and all(map(uses.is_local, these[-1].results))


def _look_equal(a: Op, b: Op) -> bool:
    """Whether two operations are equal but for their operands; operations with regions are never told to be."""
    if a.kind != b.kind or a.attrs != b.attrs or a.regions or b.regions or len(a.operands) != len(b.operands):
        return False
    return [value.type for value in a.results] == [value.type for value in b.results]


def _are_equal(some: Op, other: Op, these: dict[int, Op], those: dict[int, Op]) -> bool:
    """Whether two operations compute the same of the same."""
    pending = [(some, other)]
    while pending:
        a, b = pending.pop()
        if not _look_equal(a, b):
            return False
        for x, y in zip(a.operands, b.operands, strict=True):
            if x.id not in these or y.id not in those:
                return False
            pending.append((these[x.id], those[y.id]))
    return True
