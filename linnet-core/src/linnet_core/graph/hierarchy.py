"""The blocks of an entry's root: instances, parameters, states, and what is optional.

In: a root block with its bindings.  Out: a `BlockValue` with its members, depth-first in the order of declaration; each present `param`
and `buffer` is emitted on the way, used or not, and each state is declared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import ArrayType, BlockType, OptionalType, ScalarType, TensorType, Type
from linnet_core.errors import InternalError, UsageError
from linnet_core.graph.bind import Bindings
from linnet_core.graph.calls import Parameter
from linnet_core.graph.calls.values import ResultType
from linnet_core.graph.failures import beyond, unfit
from linnet_core.graph.instances import concrete_dim, concrete_shape
from linnet_core.graph.values import ABSENT, ArrayValue, BlockValue, Present, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.check.program import Block, Member
    from linnet_core.graph.emitter import Emitter
    from linnet_core.graph.instances import Instances
    from linnet_core.graph.states import States
    from linnet_core.ir.module import Module

#: The longest array of blocks, and the most iterations of a loop that is unrolled.
MAX_UNROLLED = 65_536
#: How deep blocks may be nested.
MAX_BLOCK_DEPTH = 256


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
        self._seen: set[str] = set()
        self._types: dict[tuple[int, int], ResultType] = {}
        self._children: dict[tuple[int, int], Bindings] = {}

    def build(self, block: Block, bindings: Bindings) -> BlockValue:
        """The root block; `UsageError` when a path listed as absent is none that may be."""
        root = self._block(block, self.instances.shared(bindings), "", 0)
        unknown = [path for path in sorted(self.absent) if path not in self._seen and not self._under_absent(path)]
        if unknown:
            raise UsageError(f"`{unknown[0]}` cannot be absent: it is no optional parameter, and no part of an optional block")
        return root

    def _under_absent(self, path: str) -> bool:
        """Whether a parent of `path` was left out."""
        parts = path.split(".")
        return any(".".join(parts[:count]) in self._seen for count in range(1, len(parts)))

    def _block(self, decl: Block, bindings: Bindings, path: str, depth: int) -> BlockValue:
        if depth > MAX_BLOCK_DEPTH:
            raise beyond(f"blocks are nested more than {MAX_BLOCK_DEPTH} deep", decl.span)
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
            self._seen.add(path)
            if not self.optionals or path in self.absent:
                return ABSENT
            return Present(self._parameter(type.inner, bindings, path, member))
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
                    self._seen.add(path)
                    return ABSENT
                return Present(self._child(type.inner, bindings, path, depth, member))
            case _:
                raise InternalError(f"member `{member.name}` of type {type}")

    def _bindings(self, type: BlockType, decl: Block, outer: Bindings, member: Member) -> Bindings:
        key = (id(type), id(outer))
        shared = self._children.get(key)
        if shared is None:
            found = Bindings({}, {}, {})
            try:
                found.bound(decl.generics, type.args, outer)
            except ZeroDivisionError:
                raise unfit(f"a generic of `{member.name}` divides by zero at these sizes", member.span) from None
            shared = self._children[key] = self.instances.shared(found)
        return shared

    def _length(self, type: ArrayType, bindings: Bindings, member: Member) -> int:
        length = concrete_dim(type.length, bindings, member.span)
        if length < 0:
            raise unfit(f"the length `{type.length}` of `{member.name}` is {length} at these sizes", member.span)
        if length > MAX_UNROLLED:
            raise beyond(f"`{member.name}` has {length} elements; an array of blocks has at most {MAX_UNROLLED}", member.span)
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
        prefix = f"{path}."
        listed = {name for name in self.absent if name.startswith(prefix)}
        return bool(listed) and any(name in listed for name in self._required(type, bindings, path, member))

    def _required(self, type: Type, bindings: Bindings, path: str, member: Member) -> Iterator[str]:
        """Paths of the parameters below that are not optional."""
        match type:
            case BlockType():
                decl = self.module.blocks[f"{type.module}::{type.name}"]
                inner = self._bindings(type, decl, bindings, member)
                for part in decl.members:
                    if part.kind in ("param", "buffer") and not isinstance(part.type, OptionalType):
                        yield f"{path}.{part.name}"
                    elif part.kind == "sub":
                        yield from self._required(part.type, inner, f"{path}.{part.name}", part)
            case ArrayType():
                for at in range(self._length(type, bindings, member)):
                    yield from self._required(type.element, bindings, f"{path}.{at}", member)
            case _:
                return
