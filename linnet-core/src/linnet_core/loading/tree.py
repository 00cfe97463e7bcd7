"""The members of a root block under numbers: what a loader builds.

In: a module, a block and its bindings.  Out: a tree of `Node`s, `Array`s and `Leaf`s in the order of declaration, optional members
included.  Every `where` clause of the blocks is held against the numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from linnet_core.errors import DocumentError
from linnet_core.graph.bind import check_constraints
from linnet_core.graph.calls import Parameter
from linnet_core.graph.calls.values import ResultType
from linnet_core.graph.emitter import Emitter
from linnet_core.graph.hierarchy import Hierarchy
from linnet_core.graph.instances import Instances
from linnet_core.graph.states import States
from linnet_core.graph.target import Capabilities
from linnet_core.graph.values import ArrayValue, BlockValue, Present
from linnet_core.text.cells import show_inline
from linnet_core.weights.arrays import describe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from linnet_core.check.program import Block, Member
    from linnet_core.graph.bind import Bindings
    from linnet_core.graph.calls import Call, CallHeader, Operand
    from linnet_core.graph.target import RegionCallback
    from linnet_core.graph.values import Value
    from linnet_core.ir.module import Module

Kind = Literal["param", "buffer", "state"]


class Leaf(Struct, frozen=True):
    """A parameter, buffer or state; `optional` where its own type is."""

    name: str
    path: str
    kind: Kind
    shape: tuple[int, ...]
    dtype: str
    optional: bool = False

    def __str__(self) -> str:
        return f"`{self.path}` ({describe(self.shape, self.dtype)})"


class Node(Struct, frozen=True):
    """A block; the root's path is empty."""

    name: str
    path: str
    block: str
    members: tuple[Part, ...]
    optional: bool = False


class Array(Struct, frozen=True):
    """An array of blocks; its elements are named by their numbers."""

    name: str
    path: str
    elements: tuple[Part, ...]
    optional: bool = False


Part = Leaf | Node | Array


def member_tree(module: Module, block: Block, bindings: Bindings) -> Node:
    """The tree of `block`; `SourceError` where a size, a `where` clause or a limit is broken."""
    check_constraints(block.constraints, bindings, block.span, f"block `{block.name}`")
    return _Builder(module).build(block, bindings)


def leaves(part: Part, absent: frozenset[str] = frozenset()) -> Iterator[Leaf]:
    """Every leaf below in order, without what stands in `absent` or below it."""
    pending: list[Part] = [part]
    while pending:
        each = pending.pop()
        if each.path in absent:
            continue
        match each:
            case Leaf():
                yield each
            case Node():
                pending.extend(reversed(each.members))
            case Array():
                pending.extend(reversed(each.elements))


def optional_members(tree: Node) -> frozenset[str]:
    """The optional members that stand in no other."""
    found: set[str] = set()
    pending: list[Part] = [tree]
    while pending:
        each = pending.pop()
        if each.optional:
            found.add(each.path)
        elif not isinstance(each, Leaf):
            pending.extend(each.members if isinstance(each, Node) else each.elements)
    return frozenset(found)


class _Members:
    """A target that is told of parameters, and keeps their types by path."""

    name = "members"
    capabilities = Capabilities()

    def __init__(self) -> None:
        self.types: dict[str, ResultType] = {}

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...]:
        assert isinstance(call, Parameter), "a hierarchy emits parameters only"
        self.types[call.path] = ResultType(call.shape, call.dtype)
        return (call.path,)

    def begin_call(self, header: CallHeader) -> None:
        raise AssertionError("a hierarchy calls nothing")

    def end_call(self, results: Sequence[Operand | None]) -> None:
        raise AssertionError("a hierarchy calls nothing")

    def source(self) -> str:
        return ""


class _Builder:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.target = _Members()
        self.emitter = Emitter(self.target)
        self.states = States(self.emitter)
        self.checked: set[tuple[str, int]] = set()

    def build(self, block: Block, bindings: Bindings) -> Node:
        hierarchy = Hierarchy(self.module, Instances(self.module), self.emitter, self.states, optionals=True, absent=frozenset())
        return self.node("", hierarchy.build(block, bindings.only(block.generics)), optional=False)

    def node(self, name: str, value: BlockValue, *, optional: bool) -> Node:
        decl = value.decl
        key = (decl.key, id(value.bindings))
        if key not in self.checked:
            self.checked.add(key)
            check_constraints(decl.constraints, value.bindings, decl.span, f"block `{decl.name}`")
        return Node(name, value.path, decl.name, tuple([self.member(value, member) for member in decl.members]), optional)

    def member(self, block: BlockValue, member: Member) -> Part:
        if not member.name.isidentifier():  # a plan may say anything
            raise DocumentError(f"`{show_inline(member.name)}` of block `{block.decl.name}` is no name of a member")
        path = block.member_path(member.name)
        if member.kind == "state":
            type = self.states.types[path]
            return Leaf(member.name, path, "state", type.shape, type.dtype)
        value = block.members[member.name]
        if member.kind == "sub":
            return self.sub(member.name, path, value, optional=False)
        type = self.target.types[path]
        return Leaf(member.name, path, member.kind, type.shape, type.dtype, isinstance(value, Present))

    def sub(self, name: str, path: str, value: Value, *, optional: bool) -> Part:
        match value:
            case Present():
                return self.sub(name, path, value.value, optional=True)
            case ArrayValue():
                inner = [self.sub(str(at), f"{path}.{at}", each, optional=False) for at, each in enumerate(value.elements)]
                return Array(name, path, tuple(inner), optional)
            case BlockValue():
                return self.node(name, value, optional=optional)
        raise AssertionError(f"a member of a block is {type(value).__name__}")
