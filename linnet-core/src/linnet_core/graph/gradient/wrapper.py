"""A target around a target, which sends it an entry and the entry's gradient.

In: the calls of an entry.  Out: nothing to the inner target until `finish`; then all calls, those of the way back after them, and
`finish` with the loss, the gradients and the new states.  Library calls and kernels are declined, so that ops are differentiated by their
bodies, or by their `grad` clauses; all but the exchanges between processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.check.types import FLOATS
from linnet_core.errors import InternalError
from linnet_core.graph.calls import (
    BeginCustomGradient,
    EndCustomGradient,
    Finish,
    Input,
    LaunchKernel,
    NativeCall,
    Operand,
    Parameter,
)
from linnet_core.graph.emitter import Emitter
from linnet_core.graph.exchanges import exchanges
from linnet_core.graph.gradient.activity import Activity
from linnet_core.graph.gradient.adjoints import Adjoints
from linnet_core.graph.gradient.forward import Forward
from linnet_core.graph.gradient.guarded import guarded
from linnet_core.graph.gradient.invariant import before_loops
from linnet_core.graph.gradient.reverse import reverse
from linnet_core.graph.gradient.tape import Step, Tape
from linnet_core.graph.gradient.terms import Terms
from linnet_core.graph.gradient.turns import constants_of
from linnet_core.graph.target import Capabilities, Declined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set

    from linnet_core.graph.calls import Call, CallHeader
    from linnet_core.graph.target import RegionCallback, Target

#: Why library calls and kernels are declined.
DECLINED = Declined("a gradient is that of the op's own body")


class Gradient:
    """Takes an entry's calls for `target`.

    The gradients are those of the float parameters but `buffers` in their order, or with `of_inputs` of the float inputs.
    """

    name: str
    capabilities: Capabilities

    def __init__(self, target: Target, *, of_inputs: bool, buffers: Set[str]) -> None:
        self.target = target
        self.name = target.name
        self.capabilities = target.capabilities
        self._leaf = Input if of_inputs else Parameter
        self._buffers = buffers
        self._tape = Tape()
        self._activity = Activity(self._tape.types, counted=self.capabilities.supports_counted)
        #: The tape's name of each leaf that has a gradient, by path or name of input.
        self._leaves: dict[str, str] = {}
        self._finishing = False

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        """Keep one call; with `finish`, emit all.  While `finish` is at work, what gradient clauses emit is passed on."""
        if isinstance(call, NativeCall | LaunchKernel) and not exchanges(call):
            return DECLINED
        if self._finishing:
            return self._passed_on(call)
        if isinstance(call, Finish):
            self._finish(call)
            return ()
        taken = self._tape.take(call, (regions or {}).get("pullback"))
        if isinstance(taken, Step) and isinstance(call, Input | Parameter):
            self._start(call, taken.results[0])
        else:
            self._activity.mark(taken)
        return taken.results if isinstance(taken, Step) else taken.end.results

    def begin_call(self, header: CallHeader) -> None:
        """A function's call starts."""
        if self._finishing:
            self.target.begin_call(header)
        else:
            self._tape.open_call(header)

    def end_call(self, results: Sequence[Operand | None]) -> None:
        """The call that started last ends."""
        if self._finishing:
            self.target.end_call(results)
        else:
            self._tape.close_call(results)

    def source(self) -> str:
        """The inner target's text."""
        return self.target.source()

    def _start(self, call: Input | Parameter, name: str) -> None:
        label = call.name if isinstance(call, Input) else call.path
        if isinstance(call, self._leaf) and call.dtype in FLOATS and label not in self._buffers:
            self._leaves[label] = name
            self._activity.start(name)

    def _passed_on(self, call: Call) -> tuple[str, ...] | Declined:
        """A call of a gradient clause: a gradient clause of another op in it is of no use, since nothing differentiates this one."""
        if isinstance(call, BeginCustomGradient):
            return tuple([str(operand.value) for operand in call.operands if operand is not None])
        if isinstance(call, EndCustomGradient):
            return (str(call.operand(-1).value),)
        return self.target.emit(call)

    def _finish(self, finish: Finish) -> None:
        self._finishing = True
        loss = finish.operand(0)
        if finish.returns != 1 or loss.shape or loss.dtype not in FLOATS:
            raise InternalError("the gradient of something else than one float scalar")
        name = str(loss.value)
        ends = [str(operand.value) for operand in finish.operands if operand is not None]
        items = before_loops(guarded(self._tape, ends, self.capabilities))
        wanted = self._activity.reaching(items, name)
        terms = Terms(Emitter(self.target))
        forward = Forward(terms, wanted)
        names: dict[str, str] = {}
        forward.run(items, names)
        adjoints = Adjoints(terms, names, self._tape.types, wanted, constants_of(items))
        adjoints.add(loss, terms.real(1.0, loss.dtype))
        reverse(items, adjoints, forward)
        gradients = [adjoints.take_or_zeros(leaf) for leaf in self._leaves.values()]
        results = (adjoints.value(loss), *gradients)
        states = [adjoints.value(operand) for operand in finish.operands[1:]]
        terms.emitter.names(replace(finish, returns=len(results), gradients=tuple(self._leaves), operands=(*results, *states)))
