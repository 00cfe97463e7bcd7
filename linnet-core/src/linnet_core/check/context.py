"""Where a body is being checked: the scopes from the innermost local out to the prelude, the facts, the function.

In: a function's signature (or a constant).  Out: `BodyContext`, which every function of the checker that looks at expressions
takes as its second argument.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from linnet_core.check.environment import Checker, Entity, FunctionInfo, IndexBinding, ModuleInfo
from linnet_core.check.program import Local
from linnet_core.shapes import Facts

if TYPE_CHECKING:
    from linnet_core.check.environment import BlockInfo, KernelInfo
    from linnet_core.check.program import Generic
    from linnet_core.check.types import Type
    from linnet_core.text.span import Span


#: What most locals are.
LET = "bound by `let`"


class LocalUse(Struct, eq=False):
    """A local and what the lint needs to know of it."""

    local: Local
    span: Span
    lint: bool
    used: bool = False
    #: What kind of local it is, in the words of a message: bound by `let`, a parameter, ...
    origin: str = LET
    #: Whether an assignment to it was reported.
    refused: bool = False


class Frame(Struct, eq=False):
    """One lexical scope of locals."""

    names: dict[str, LocalUse] = field(default_factory=dict)


class BodyContext(Struct, eq=False):
    """The state while one body (or default, or constant) is checked.

    `indices` are the indices of index notation in scope, innermost list last; empty outside index notation.
    `parent` is the block around a nested item (or around `block`): its items can be named, its members and generics cannot.
    `loop_depth` counts the loops around the statement.
    """

    checker: Checker
    module: ModuleInfo
    facts: Facts
    block: BlockInfo | None = None
    parent: BlockInfo | None = None
    function: FunctionInfo | None = None
    kernel: KernelInfo | None = None
    generics: dict[str, Generic] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    indices: list[list[IndexBinding]] = field(default_factory=list)
    #: All locals in order of declaration, for the unused-local lint.
    locals: list[LocalUse] = field(default_factory=list)
    loop_depth: int = 0
    #: Ids of the locals that are tensors in memory, which are no values: a kernel's tensor parameters and its results.
    memory: frozenset[int] = frozenset()
    #: Whether a clause of the `where` in force was reported.
    broken: bool = False
    next_local: int = 0

    def push(self) -> None:
        """Open a scope."""
        self.frames.append(Frame())

    def pop(self) -> None:
        """Close the innermost scope."""
        self.frames.pop()

    def declare(self, name: str, type: Type, span: Span, *, mutable: bool = False, lint: bool = True, origin: str = LET) -> Local:
        """A new local in the innermost scope, hiding an outer one of the same name; `_` is declared but cannot be found."""
        local = Local(self.fresh_local_id(), name, type, mutable)
        use = LocalUse(local, span, lint and not name.startswith("_"), origin=origin)
        self.locals.append(use)
        if name != "_":
            self.frames[-1].names[name] = use
        return local

    def fresh_local_id(self) -> int:
        """An id for a local or an index, unique in the function."""
        self.next_local += 1
        return self.next_local - 1

    def find_local(self, name: str) -> LocalUse | None:
        """The innermost local of that name."""
        for frame in reversed(self.frames):
            found = frame.names.get(name)
            if found is not None:
                return found
        return None

    def find_index(self, name: str) -> IndexBinding | None:
        """The innermost index of that name."""
        for bindings in reversed(self.indices):
            for binding in bindings:
                if binding.name == name:
                    return binding
        return None

    @property
    def in_index_notation(self) -> bool:
        """Whether scalars here stand for one element of a grid."""
        return bool(self.indices)


__all__ = ["BodyContext", "Entity", "Frame", "LocalUse"]
