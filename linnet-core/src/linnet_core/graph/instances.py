"""Functions with numbers for their generics.

In: a Core IR function and `Bindings`.  Out: `Instance`, made once for each distinct pair: the shapes and dtypes of its values, the
instances it calls and how its generics are shown, each worked out when first asked for.  A `Frame` is one run of an instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from linnet_core.check.types import ScalarType, TensorType, Type
from linnet_core.errors import InternalError
from linnet_core.graph.bind import MAX_SIZE, Bindings, size_notes
from linnet_core.graph.calls.values import ResultType
from linnet_core.graph.failures import number, unfit
from linnet_core.shapes import Dim, show_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.program import Generic
    from linnet_core.graph.calls.values import Shape as Sizes
    from linnet_core.graph.values import BlockValue, Value
    from linnet_core.ir.module import Function, Module, Op
    from linnet_core.ir.module import Value as IRValue
    from linnet_core.shapes import Shape
    from linnet_core.text.span import Span


class Instance(Struct, eq=False):
    """A function under one binding."""

    function: Function
    bindings: Bindings
    #: The callee's generics by name, then its block's: of a `call` node, and the dims alone for a `native_call`.
    generics: dict[str, Any]
    sizes: dict[str, int]
    #: Whether the function is an op, as a `call` node says it.
    semantic: int
    #: Types by value id; instances called, by the identity of the operation and of the receiver's bindings.
    types: dict[int, ResultType] = field(default_factory=dict)
    callees: dict[tuple[int, int], Instance] = field(default_factory=dict)
    #: Shape and dtype of the only result, when it was asked for.
    result: ResultType | None = None
    #: Whatever the shapes of an operation's attributes come to, by its identity.
    attributes: dict[int, Any] = field(default_factory=dict)

    def type_of(self, value: IRValue, op: Op) -> ResultType:
        """Shape and dtype of a tensor or scalar that `op` makes."""
        found = self.types.get(value.id)
        if found is None:
            found = self.types[value.id] = self.concrete(value.type, op.span)
        return found

    def concrete(self, type: Type, span: Span | None) -> ResultType:
        """Shape and dtype of a tensor or scalar type; E6002 at `span` where they are none at these sizes."""
        match type:
            case ScalarType():
                return ResultType((), self.bindings.dtype(type.dtype))
            case TensorType():
                return ResultType(concrete_shape(type.shape, self.bindings, span), self.bindings.dtype(type.dtype))
            case _:
                raise InternalError(f"{type} has no tensor form")

    def result_type(self, span: Span | None) -> ResultType:
        """Shape and dtype of the function's only result."""
        if self.result is None:
            self.result = self.concrete(self.function.results[0], span)
        return self.result


class Frame(Struct, eq=False):
    """One run of an instance: the values made so far, by id."""

    instance: Instance
    values: dict[int, Value] = field(default_factory=dict)


class Instances:
    """All instances of an export."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._found: dict[Any, Instance] = {}
        self._bindings: dict[Any, Bindings] = {}

    def shared(self, bindings: Bindings) -> Bindings:
        """One object for equal bindings."""
        return self._bindings.setdefault(bindings.key(), bindings)

    def of(self, function: Function, bindings: Bindings) -> Instance:
        """The instance of `function` under `bindings` (its own generics and its block's)."""
        bindings = self.shared(bindings)
        key = (function.name, id(bindings))
        found = self._found.get(key)
        if found is None:
            block = self.module.blocks[function.block].generics if function.block else ()
            generics = {generic.name: bindings.value(generic) for generic in (*function.generics, *block)}
            sizes = {name: value for name, value in generics.items() if isinstance(value, int)}
            found = self._found[key] = Instance(function, bindings, generics, sizes, int(function.kind == "op"))
        return found

    def called(self, op: Op, caller: Instance, receiver: BlockValue | None) -> Instance:
        """The instance that the call `op` in `caller` runs."""
        key = (id(op), id(receiver.bindings) if receiver else 0)
        found = caller.callees.get(key)
        if found is None:
            callee = self.module.functions[op.attrs["callee"]]
            try:
                bindings = caller.bindings.passed(callee.generics, op.attrs["generics"])
            except ZeroDivisionError:
                raise unfit(f"a generic of `{callee.name}` divides by zero at these sizes", op.span) from None
            check_sizes(callee.generics, callee.name, bindings, op.span)
            if receiver is not None:
                bindings = receiver.bindings.joined(bindings)
            found = caller.callees[key] = self.of(callee, bindings)
        return found


def concrete_shape(shape: Shape, bindings: Bindings, span: Span | None) -> Sizes:
    """The sizes of a shape; E6002 at `span` where one is negative, divides by zero or is beyond 64 bits."""
    try:
        found = bindings.shape(shape)
    except ZeroDivisionError:
        found = None
    if found is not None and all(0 <= size <= MAX_SIZE for size in found):
        return found
    what = "divides by zero" if found is None else f"is [{', '.join(map(number, found))}]"
    notes = size_notes((unit for unit in shape if isinstance(unit, Dim)), bindings)
    raise unfit(f"the shape {show_shape(shape)} {what} at these sizes", span, notes)


def concrete_dim(dim: Dim, bindings: Bindings, span: Span | None) -> int:
    """The number of a dim; E6002 at `span` where it divides by zero."""
    try:
        return bindings.dim(dim)
    except ZeroDivisionError:
        raise unfit(f"`{dim}` divides by zero at these sizes", span, size_notes((dim,), bindings)) from None


def check_sizes(generics: Sequence[Generic], owner: str, bindings: Bindings, span: Span | None) -> None:
    """E6002 at `span` where one of `generics` is bound to no size: also so that squares of squares do not fill the memory."""
    for generic in generics:
        value = bindings.value(generic)
        for size in value if isinstance(value, tuple) else (value,):
            if isinstance(size, int) and not 0 <= size <= MAX_SIZE:
                raise unfit(f"`{generic.name}` of `{owner}` is {number(size)} at these sizes", span)
