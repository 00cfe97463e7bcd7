"""The blocks of an entry's root: instances, parameters, states, and what is optional.

In: a root block with its bindings.  Out: a `BlockValue` with its members, depth-first in the order of declaration; each present `param`
and `buffer` is emitted on the way, used or not, and each state is declared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.types import ArrayType, BlockType, OptionalType, ScalarType, TensorType, Type
from linnet_core.errors import InternalError, UsageError
from linnet_core.graph.bind import Bindings
from linnet_core.graph.calls import Parameter
from linnet_core.graph.calls.values import ResultType
from linnet_core.graph.failures import beyond, number, unfit
from linnet_core.graph.instances import check_sizes, concrete_dim, concrete_shape
from linnet_core.graph.values import ABSENT, ArrayValue, BlockValue, Present, Tensor, Value

if TYPE_CHECKING:
    from linnet_core.check.program import Block, Member
    from linnet_core.graph.emitter import Emitter
    from linnet_core.graph.instances import Instances
    from linnet_core.graph.states import States
    from linnet_core.ir.module import Module

#: The longest array of blocks, and the most iterations of a loop that is unrolled.
MAX_UNROLLED = 65_536
#: The most blocks in a hierarchy.
MAX_BLOCKS = 262_144
#: How many elements of an array are named one by one.
_SHOWN = 8
#: How deep blocks may be nested.
MAX_BLOCK_DEPTH = 256


class _Named(Struct, frozen=True):
    """What a member path names: the kind and type, and whether it stands below an optional block."""

    member: Member
    type: Type
    #: Of the block the member stands in.
    bindings: Bindings
    below_optional: bool

    @property
    def kind(self) -> str:
        """`param`, `buffer`, `state` or `sub`."""
        return self.member.kind

    @property
    def may_be_absent(self) -> bool:
        """An optional parameter or block, or any parameter below an optional block."""
        return isinstance(self.type, OptionalType) or (self.below_optional and self.kind in ("param", "buffer"))

    @property
    def is_required(self) -> bool:
        """A parameter that is there whenever the block is from which the path starts."""
        return self.kind in ("param", "buffer") and not self.below_optional and not isinstance(self.type, OptionalType)


class Hierarchy:
    """Builds block values.

    Optional members are present when `optionals` is on and their path is not in `absent`; an optional child is absent too when a
    parameter it requires is in `absent`.
    """

    def __init__(
        self, module: Module, instances: Instances, emitter: Emitter, states: States, *, optionals: bool, absent: frozenset[str]
    ) -> None:
        self.module = module
        self.instances = instances
        self.emitter = emitter
        self.states = states
        self.optionals = optionals
        self.absent = absent
        #: The paths of buffers, each noted before it is emitted.
        self.buffers: set[str] = set()
        self._blocks = 0
        self._types: dict[tuple[int, int], ResultType] = {}
        self._children: dict[tuple[int, int], Bindings] = {}

    def build(self, block: Block, bindings: Bindings) -> BlockValue:
        """The root block; `UsageError` when a path listed as absent is none that may be."""
        shared = self.instances.shared(bindings)
        for path in sorted(self.absent):
            named = self._named(block, shared, path)
            if named is None or not named.may_be_absent:
                raise UsageError(f"`{path}` cannot be absent: it is no optional parameter, and no part of an optional block")
        return self._block(block, shared, "", 0)

    def blocks_at(self, block: Block, bindings: Bindings, path: str) -> list[str] | None:
        """The paths of the blocks that `path` names below `block`: one, or those of an array; None where it names none."""
        named = self._named(block, self.instances.shared(bindings), path)
        if named is None or named.kind != "sub":
            return None
        found, type = [path], named.type
        while isinstance(type, ArrayType | OptionalType):
            if isinstance(type, ArrayType):
                length = self._length(type, named.bindings, named.member)
                found = [f"{one}.{at}" for one in found for at in range(length)]
                if len(found) > MAX_BLOCKS:
                    raise beyond(f"`{path}` holds more than {MAX_BLOCKS} blocks", named.member.span, help="bind shorter arrays of blocks")
            type = type.element if isinstance(type, ArrayType) else type.inner
        return found

    def nearest(self, block: Block, bindings: Bindings, path: str) -> tuple[str, list[str]]:
        """The longest beginning of `path` that names a block or an array of blocks ("" for none), and the paths right below it."""
        shared = self.instances.shared(bindings)
        parts = path.split(".")
        for count in range(len(parts) - 1, 0, -1):
            above = ".".join(parts[:count])
            named = self._named(block, shared, above)
            if named is not None and named.kind == "sub":
                return above, self._below(above, named)
        return "", [member.name for member in block.members if member.kind == "sub"]

    def _below(self, path: str, named: _Named) -> list[str]:
        type = named.type.inner if isinstance(named.type, OptionalType) else named.type
        if isinstance(type, ArrayType):
            length = self._length(type, named.bindings, named.member)
            return [f"{path}.{at}" for at in range(length)] if length <= _SHOWN else [f"{path}.0", "...", f"{path}.{length - 1}"]
        assert isinstance(type, BlockType)
        members = self.module.blocks[f"{type.module}::{type.name}"].members
        return [f"{path}.{member.name}" for member in members if member.kind == "sub"]

    def _block(self, decl: Block, bindings: Bindings, path: str, depth: int) -> BlockValue:
        if depth > MAX_BLOCK_DEPTH:
            raise beyond(f"blocks are nested more than {MAX_BLOCK_DEPTH} deep", decl.span, help="nest blocks less deeply")
        self._blocks += 1
        if self._blocks > MAX_BLOCKS:
            raise beyond(f"this model has more than {MAX_BLOCKS} blocks", decl.span, help="bind shorter arrays of blocks")
        value = BlockValue(decl, path, bindings, {})
        for member in decl.members:
            inner = value.member_path(member.name)
            if member.kind == "state":
                self.states.declare(inner, self._tensor_type(member.type, bindings, member))
            elif member.kind == "sub":
                value.members[member.name] = self._child(member.type, bindings, inner, depth, member)
            else:
                value.members[member.name] = self._parameter(member.type, bindings, inner, member)
        return value

    def _parameter(self, type: Type, bindings: Bindings, path: str, member: Member) -> Value:
        if isinstance(type, OptionalType):
            if not self.optionals or path in self.absent:
                return ABSENT
            return Present(self._parameter(type.inner, bindings, path, member))
        if member.kind == "buffer":
            self.buffers.add(path)
        found = self._tensor_type(type, bindings, member)
        call = Parameter(path=path, shape=found.shape, dtype=found.dtype)
        return Tensor(self.emitter.one(call, found.shape, found.dtype))

    def _child(self, type: Type, bindings: Bindings, path: str, depth: int, member: Member) -> Value:
        match type:
            case BlockType():
                decl = self.module.blocks[f"{type.module}::{type.name}"]
                return self._block(decl, self._bindings(type, decl, bindings, member), path, depth + 1)
            case ArrayType():
                length = self._length(type, bindings, member)
                return ArrayValue(tuple([self._child(type.element, bindings, f"{path}.{at}", depth + 1, member) for at in range(length)]))
            case OptionalType():
                if not self.optionals or path in self.absent or self._lacks_required(type.inner, bindings, path, member):
                    return ABSENT
                return Present(self._child(type.inner, bindings, path, depth, member))
            case _:
                raise InternalError(f"member `{member.name}` of type {type}")

    def _bindings(self, type: BlockType, decl: Block, outer: Bindings, member: Member) -> Bindings:
        key = (id(type), id(outer))
        shared = self._children.get(key)
        if shared is None:
            try:
                found = outer.passed(decl.generics, type.args)
            except ZeroDivisionError:
                raise unfit(f"a generic of `{member.name}` divides by zero at these sizes", member.span) from None
            check_sizes(decl.generics, decl.name, found, member.span)
            shared = self._children[key] = self.instances.shared(found)
        return shared

    def _length(self, type: ArrayType, bindings: Bindings, member: Member) -> int:
        length = concrete_dim(type.length, bindings, member.span)
        if length < 0:
            raise unfit(f"the length `{type.length}` of `{member.name}` is {number(length)} at these sizes", member.span)
        if length > MAX_UNROLLED:
            message = f"`{member.name}` has {number(length)} elements; an array of blocks has at most {MAX_UNROLLED}"
            help = "declare a shorter array" if type.length.value is not None else "bind a shorter array"
            raise beyond(message, member.span, help=help)
        return length

    def _tensor_type(self, type: Type, bindings: Bindings, member: Member) -> ResultType:
        """Shape and dtype of a member; worked out once for all instances with the same bindings."""
        key = (id(member), id(bindings))
        found = self._types.get(key)
        if found is not None:
            return found
        match type:
            case TensorType():
                found = ResultType(concrete_shape(type.shape, bindings, member.span), bindings.dtype(type.dtype))
            case ScalarType():
                found = ResultType((), bindings.dtype(type.dtype))
            case _:
                raise InternalError(f"member `{member.name}` of type {type}")
        self._types[key] = found
        return found

    def _lacks_required(self, type: Type, bindings: Bindings, path: str, member: Member) -> bool:
        """Whether a parameter that the child at `path` cannot do without is listed as absent."""
        listed = [name.removeprefix(f"{path}.") for name in self.absent if name.startswith(f"{path}.")]
        if not listed or not isinstance(type, BlockType):
            return False
        decl = self.module.blocks[f"{type.module}::{type.name}"]
        inner = self._bindings(type, decl, bindings, member)
        found = [self._named(decl, inner, name) for name in listed]
        return any(named is not None and named.is_required for named in found)

    def _named(self, decl: Block, bindings: Bindings, path: str) -> _Named | None:
        """What a path below a block names; None where there is no such member or element."""
        type: Type | None = None
        member: Member | None = None
        below = False
        for part in path.split("."):
            if isinstance(type, OptionalType):
                type, below = type.inner, True
            if isinstance(type, ArrayType) and member is not None:
                if not (
                    part.isascii() and part.isdigit() and str(int(part[:10])) == part and int(part) < self._length(type, bindings, member)
                ):
                    return None
                type = type.element
                continue
            if isinstance(type, BlockType) and member is not None:
                decl = self.module.blocks[f"{type.module}::{type.name}"]
                bindings = self._bindings(type, decl, bindings, member)
            elif type is not None:
                return None
            member = next((inner for inner in decl.members if inner.name == part), None)
            if member is None:
                return None
            type = member.type
        return None if member is None or type is None else _Named(member, type, bindings, below)
