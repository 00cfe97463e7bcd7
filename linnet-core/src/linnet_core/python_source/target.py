"""The base of targets that collect the calls of an entry first: it names results, shares equal expressions and keeps the steps.

In: calls, one by one.  Out: `steps`, `types`, the names of inputs, parameters and states; a subclass decides what to decline and
prints the rest, as its `source()`: Python, or nothing where only the recorded calls are wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.check.types import FLOATS
from linnet_core.errors import DocumentError
from linnet_core.graph.calls import (
    BeginCounted,
    BeginCustomGradient,
    BeginRemat,
    BeginWhile,
    Broadcast,
    Call,
    CallHeader,
    Compare,
    Concat,
    Constant,
    Convert,
    Elementwise,
    EnablePlacement,
    EndCounted,
    EndCustomGradient,
    EndRemat,
    EndWhile,
    Finish,
    GatherParts,
    Input,
    LaunchKernel,
    NativeCall,
    Operand,
    Parameter,
    Reduce,
    Release,
    Reshape,
    ResultType,
    Select,
    SetSlot,
    Slice,
    State,
    Transfer,
    Transpose,
    WhileCondition,
)
from linnet_core.graph.exchanges import exchanges
from linnet_core.graph.failures import beyond
from linnet_core.graph.target import Capabilities, Declined
from linnet_core.python_source.fold import known_literal, known_scalar
from linnet_core.python_source.names import Names
from linnet_core.python_source.region_calls import CloseGradient, CloseLaunch, OpenGradient, OpenLaunch, Pullback
from linnet_core.python_source.scopes import Scopes
from linnet_core.python_source.steps import Step, call_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.target import RegionCallback
    from linnet_core.python_source.fold import Scalar


#: Python reads at most 20 loops one inside the other.
MAX_LOOPS = 20
#: Most calls are of these kinds, told by their type: asking of an object whether it is one of twenty kinds takes as long as keeping it.
#: They compute and do nothing else; those that move elements may give their operand back as it is.
_COMPUTING: frozenset[type[Call]] = frozenset({Elementwise, Constant, Convert, Compare, Select})
_MOVING: frozenset[type[Call]] = frozenset({Reshape, Slice, Transpose, Concat, Broadcast, Reduce})


class _Gradient(Struct, frozen=True):
    """A custom gradient that is open: where, the op's arguments, and their names inside; those of `inner` have a name of their own."""

    at: int
    name: str
    arguments: tuple[Operand, ...]
    inside: tuple[str, ...]
    inner: tuple[int, ...]


class SourceTarget:
    """Collects the calls of one entry.

    A result gets a fresh name (`in_x`, `p0`, `s0`, `v0`, `w0_0`); an equal call in an open scope gets the names its twin got, and
    one that changes nothing its operand's.  Where `own_gradients` is set, an op with a gradient of its own is kept as a region that holds
    its backward part, too; else its names are passed through.
    """

    name: str
    capabilities: Capabilities = Capabilities()
    #: Whether the printed source is differentiated by the framework, and an op's own gradient printed for it.
    own_gradients: bool = False

    def __init__(self) -> None:
        self.steps: list[Step] = []
        #: Shape and dtype every name was defined with.
        self.types: dict[str, ResultType] = {}
        #: The rank-0 names whose value is known already.
        self.scalars: dict[str, Scalar] = {}
        self.inputs: list[str] = []
        self.parameters: list[str] = []
        self.states: list[str] = []
        #: The parameters that are gathered from their parts; a scalar has none.
        self.gathered: set[str] = set()
        #: How many devices there are (0: nothing is placed), and the position of the one that calls run on at present.
        self.slots = 0
        self.slot = 0
        #: Which call each name was made in.
        self.scopes = Scopes()
        self._names = Names()
        self._scopes: list[dict[Any, tuple[str, ...]]] = [{}]
        self._loops: list[tuple[str, ...]] = []
        self._gradients: list[_Gradient] = []

    def declines(self, call: Call) -> str | None:
        """Why this target does not write `call` (of a kind that may be declined); None when it does."""
        return None

    def begin_call(self, header: CallHeader) -> None:
        """Calls of functions are inlined; where a block's method begins is noted."""
        self.scopes.enter(header)

    def end_call(self, results: Sequence[Operand | None]) -> None:
        """The call that began last ends."""
        self.scopes.leave()

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        """Keep the call; answer its results' names."""
        if call.may_decline:
            reason = self.declines(call)
            if reason is not None:
                return Declined(reason)
        kind = type(call)
        if kind in _COMPUTING:
            return self._share(call)
        if kind in _MOVING:
            same = self._unchanged(call)
            return (same,) if same is not None else self._share(call)
        match call:
            case NativeCall():
                return self._made(call) if exchanges(call) else self._share(call)
            case Parameter() | State() | Input():
                return self._leaf(call)
            case BeginWhile() | BeginCounted():
                self._scopes.append({})
                return self._keep(call, self._loop_names(call))
            case WhileCondition():
                return self._keep(call, self._loops[-1])
            case EndWhile() | EndCounted():
                self._scopes.pop()
                self._loops.pop()
                return self._made(call)
            case BeginCustomGradient() if self.own_gradients:
                return self._open_gradient(call)
            case BeginCustomGradient():
                return tuple(str(o.value) for o in call.operands if o is not None)
            case EndCustomGradient() if self.own_gradients:
                return self._close_gradient(call, (regions or {}).get("pullback"))
            case EndCustomGradient():
                return (str(call.operand(-1).value),)
            case LaunchKernel() if regions and "body" in regions:
                return self._launch(call, regions["body"])
            case LaunchKernel():
                return Declined("regions: no `body` that runs where the kernel cannot")
            case BeginRemat():
                self._scopes.append({})  # what is computed again is shared with nothing outside
                return self._keep(call, ())
            case EndRemat():
                self._scopes.pop()
                return self._keep(call, ())
            case Finish():
                self._keep(call, ())
                if any(isinstance(step.call, BeginRemat) for step in self.steps):
                    from linnet_core.python_source.kept_values import close_remats

                    self.steps = close_remats(self.steps, self.types, self.scalars)
                return ()
            case EnablePlacement() | SetSlot() | Transfer() | Release():
                return self._place(call)
            case GatherParts():
                if call.operand(0).shape:
                    self.gathered.add(str(call.operand(0).value))
                return self._made(call)
        return self._share(call)

    def _unchanged(self, call: Call) -> str | None:
        """The name of the first operand when the call gives it back as it is."""
        first = call.operand(0)
        if self.types.get(str(first.value)) != ResultType(first.shape, first.dtype):
            return None
        match call:
            case Slice(starts=starts, limits=limits, strides=strides):
                same = limits == first.shape and not any(starts) and all(stride == 1 for stride in strides)
            case Transpose(permutation=axes) | Broadcast(dims=axes):
                same = axes == tuple(range(len(axes))) and call.result_types()[0].shape == first.shape
            case Reshape(shape=shape):
                same = shape == first.shape
            case Concat():
                same = len(call.operands) == 1
            case Reduce(dims=dims):
                same = not dims
            case _:
                return None
        return str(first.value) if same else None

    def _place(self, call: EnablePlacement | SetSlot | Transfer | Release) -> tuple[str, ...]:
        """Devices.  A number is made again where it is wanted; a copy is never shared, since it is given up where its block ends.

        Nothing is printed for that: every name goes after its last use.
        """
        match call:
            case EnablePlacement(slots=slots):
                self.slots = slots
            case SetSlot(slot=slot):
                self.slot = slot
            case Transfer(slot=slot):
                number = known_literal(call.operand(0), self.scalars)
                return self._share(number) if number is not None else self._made(call)
        return ()

    def _leaf(self, call: Input | Parameter | State) -> tuple[str, ...]:
        match call:
            case Input():
                kind, name = self.inputs, self._names.input(call.name)
            case Parameter():
                kind, name = self.parameters, self._names.numbered("p")
            case State():
                kind, name = self.states, self._names.numbered("s")
        kind.append(name)
        return self._keep(call, (name,))

    def _loop_names(self, call: BeginWhile | BeginCounted) -> tuple[str, ...]:
        if len(self._loops) == MAX_LOOPS:
            raise beyond(
                f"run-time loops are nested more than {MAX_LOOPS} deep, which Python does not read", None, help="nest loops less deeply"
            )
        loop = self._names.numbered("w")
        names = tuple(f"{loop}_{i}" for i in range(len(call.result_types())))
        self._loops.append(names)
        return names

    def _open_gradient(self, call: BeginCustomGradient) -> tuple[str, ...]:
        """Names for the arguments inside: new ones for floats, which may be differentiated, but for those whose value is known."""
        arguments = tuple([o for o in call.operands if o is not None])
        name = self._names.numbered("c")
        inner = tuple([at for at, o in enumerate(arguments) if o.dtype in FLOATS and o.value not in self.scalars])
        inside = [str(o.value) for o in arguments]
        for at in inner:
            inside[at] = f"{name}_{at}"
        self._gradients.append(_Gradient(len(self.steps), name, arguments, tuple(inside), inner))
        self._scopes.append({})
        self._keep(OpenGradient(operands=tuple([arguments[at] for at in inner])), tuple([inside[at] for at in inner]))
        return tuple(inside)

    def _close_gradient(self, call: EndCustomGradient, pullback: RegionCallback | None) -> tuple[str, ...]:
        """Keep the backward part, which is computed from the arguments, y and dy alone and shares nothing with other steps."""
        opened = self._gradients.pop()
        self._scopes.pop()
        y = call.operand(-1)
        if pullback is None:
            return self._without_gradient(opened, y)
        read = (f"{opened.name}_y", f"{opened.name}_dy")
        self._keep(Pullback(operands=(y,)), read)
        outer, self._scopes = self._scopes, [{}]
        begun = len(self.steps)
        found = pullback([*opened.inside, *read])
        self._scopes = outer
        self._check_apart(begun, {*opened.inside, *read}, found)
        gradients = [self._gradient(found[at], opened.arguments[at]) for at in opened.inner]
        closed = CloseGradient(operands=(y, *gradients))
        return self._made(closed)

    def _check_apart(self, begun: int, given: set[str], found: Sequence[str | None]) -> None:
        """That the steps since `begun`, a backward part, read what they were given and what they make: it is printed apart."""
        known = set(given)
        for step in self.steps[begun:]:
            known.update(step.results)
        read = [name for step in self.steps[begun:] for name in step.reads()]
        strange = next((name for name in [*read, *found] if name is not None and name not in known), None)
        if strange is not None:
            raise DocumentError(f"regions: `pullback` reads `{strange}`, which it is not given")

    def _launch(self, call: LaunchKernel, body: RegionCallback) -> tuple[str, ...]:
        """Keep the body, which runs where the kernel cannot; nothing behind it shares what is computed in it."""
        self._scopes.append({})
        self._keep(OpenLaunch(launch=call, operands=call.operands), ())
        found = body([str(o.value) for o in call.operands if o is not None])
        if len(found) != len(call.result_shapes) or None in found:
            raise DocumentError(f"regions: `body` gives not the {len(call.result_shapes)} results of the kernel")
        self._scopes.pop()
        given = zip(found, call.result_types(), strict=True)
        closed = CloseLaunch(operands=tuple([Operand(str(name), type.shape, type.dtype) for name, type in given]))
        return self._made(closed)

    def _gradient(self, name: str | None, argument: Operand) -> Operand | None:
        return None if name is None else Operand(name, argument.shape, argument.dtype)

    def _without_gradient(self, opened: _Gradient, y: Operand) -> tuple[str, ...]:
        """The body in place of the region: a graph in which no target ran the backward part."""
        from linnet_core.python_source.renaming import renamed  # few programs are taken so

        outer = {opened.inside[at]: str(opened.arguments[at].value) for at in opened.inner}
        self.steps[opened.at :] = renamed(self.steps[opened.at + 1 :], outer)
        return (outer.get(str(y.value), str(y.value)),)

    def _share(self, call: Call) -> tuple[str, ...]:
        """The names an equal call got in an open scope, or fresh ones."""
        key = (self.slot, call_key(call))
        for scope in reversed(self._scopes):
            known = scope.get(key)
            if known is not None:
                self.scopes.answered_again(known)
                return known
        names = self._made(call)
        if names:  # a call without results is made for its effect
            self._scopes[-1][key] = names
        return names

    def _made(self, call: Call) -> tuple[str, ...]:
        """Keep the call under fresh names."""
        types = call.result_types()
        return self._keep(call, tuple([self._names.numbered("v") for _ in types]), types)

    def _keep(self, call: Call, names: tuple[str, ...], types: tuple[ResultType, ...] | None = None) -> tuple[str, ...]:
        step = Step(call, names, self.slot)
        self.steps.append(step)
        self.scopes.made(names)
        for name, type in zip(names, call.result_types() if types is None else types, strict=True):
            self.types.setdefault(name, type)
            if not type.shape:
                value = known_scalar(step, self.scalars)
                if value is not None:
                    self.scalars[name] = value
        return names
