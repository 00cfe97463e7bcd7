"""Which repeated functions torch.compile may trace once for all their calls.

In: the final steps of the module before and after layers were found alike.  Out: `Marks`, asked for each function when it is printed.

`torch.compiler.nested_compile_region` refuses, with an error and not a break of the graph, a function that breaks the graph itself, and one
whose arguments and results do not each lie in memory of their own.  An argument written in place is none of the results by now.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from linnet_core.graph.calls import GatherParts, Transfer
from linnet_core.graph.exchanges import exchanges
from linnet_core.python_source.branch import Branch
from linnet_core.python_source.in_place import storage_of
from linnet_core.python_source.outline import Repeated
from linnet_core.python_source.steps import BRACKETS, LOOPS, OPENERS
from linnet_core.python_source.storage import writes_in_place
from linnet_torch.calls import Packed, PackedLinear

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.python_source.outline import Body
    from linnet_core.python_source.steps import Step
    from linnet_core.python_source.storage import Storage


class Marks:
    """What is known of the functions in `steps`; `flat` are the steps that make all values, none of them in a function."""

    def __init__(self, flat: Sequence[Step], steps: Sequence[Step]) -> None:
        self._flat = flat
        self._calls = [(step, step.call) for step in steps if isinstance(step.call, Repeated)]

    @cached_property
    def _places(self) -> _Places:
        return _Places(self._flat)

    def views(self, body: Body, taken: Sequence[int]) -> tuple[int, ...] | None:
        """None where the function of `body`, which takes the operands at `taken`, may not be traced once.

        Else the positions among its arguments of views, which lie apart from the others for all that their memory is not theirs alone.
        """
        if not body.values or not all(_is_plain(step.call) for step in body.steps):
            return None
        found: set[int] = set()
        for step, call in self._calls:
            if call.body is body:
                given = [str(call.operand(at).value) for at in taken]
                if self._places.shared([*given, *step.results]):
                    return None
                found.update(at for at, name in enumerate(given) if self._places.is_view(name))
        return tuple(sorted(found))


def _is_plain(call: Call) -> bool:
    """Whether it is one step of torch, on one device and in one process, that a graph can hold."""
    return (
        type(call) not in BRACKETS and not isinstance(call, (Branch, GatherParts, Packed, PackedLinear, Transfer)) and not exchanges(call)
    )


class _Places:
    """Which objects values may be, and where objects lie."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._storage: Storage = storage_of(steps)
        #: What is handed on as it is, by a loop or by a write in place -> the values that it may be.
        self._passed: dict[str, tuple[str, ...]] = {}
        opened: list[Step] = []
        for step in steps:
            if type(step.call) in LOOPS:
                opened.append(step)
            elif opened and type(step.call) is OPENERS[type(opened[-1].call)]:
                self._loop(opened.pop(), step)
            elif writes_in_place(step.call):
                self._passed[step.results[0]] = (str(step.call.operand(0).value),)

    def _loop(self, begin: Step, end: Step) -> None:
        heads = begin.results[len(begin.results) - len(end.results) :]
        for head, start, answer, result in zip(heads, begin.reads(), end.reads(), end.results, strict=True):
            self._passed[head] = (start, answer)
            self._passed[result] = (head,)

    def is_view(self, name: str) -> bool:
        """Whether the value may lie in another."""
        return any(self._roots(each) != [each] for each in self._ends(name))

    def shared(self, names: Sequence[str]) -> bool:
        """Whether two of the values may be two objects that share memory; that two are one is seen while tracing."""
        known: dict[str, str] = {}
        for name in names:
            for each in self._ends(name):
                if any(known.setdefault(root, each) != each for root in self._roots(each)):
                    return True
        return False

    def _ends(self, name: str) -> list[str]:
        """The objects a value may be."""
        found = _reached([name], lambda each: self._passed.get(each, ()))
        return [each for each in found if each not in self._passed]

    def _roots(self, name: str) -> list[str]:
        """The objects an object may lie in."""
        found = _reached([name], lambda each: (*self._passed.get(each, ()), *self._storage.roots(each)))
        return [each for each in found if each not in self._passed]


def _reached(names: Sequence[str], further: Callable[[str], Sequence[str]]) -> list[str]:
    """The names, and what is reached from them."""
    found = dict.fromkeys(names)
    waiting = list(found)
    while waiting:
        new = [each for each in further(waiting.pop()) if each not in found]
        found.update(dict.fromkeys(new))
        waiting.extend(new)
    return list(found)
