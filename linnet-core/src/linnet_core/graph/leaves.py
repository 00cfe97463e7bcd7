"""The leaves of an entry, as a document says them: each name and path once, and what `finish` says of them; and its devices.

In: nodes, in order.  Out: `DocumentError` where one is said twice, stands in a region, or ends as a value of another type; where a device
is named that is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import EnablePlacement, Finish, Input, Parameter, ResultType, SetSlot, State, Transfer
from linnet_core.graph.nodes import MAX_SLOTS

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call, Operand


class Leaves:
    """Inputs by name, parameters and states by path, and the number of devices."""

    def __init__(self) -> None:
        self._inputs: dict[str, ResultType] = {}
        self._parameters: dict[str, ResultType] = {}
        self._states: dict[str, ResultType] = {}
        #: How many devices there are, once that is said.
        self._slots = 0

    def take(self, call: Call, *, inside: bool) -> None:
        """Note a leaf, check `finish`; `inside` says that the call stands in a region."""
        if inside and isinstance(call, Input | Parameter | State | EnablePlacement | Finish):
            raise DocumentError(f"op: no {call.op} stands in a region")
        match call:
            case Input():
                self._note(self._inputs, call.name, call, "name")
            case Parameter():
                self._note(self._parameters, call.path, call, "path")
            case State():
                self._note(self._states, call.path, call, "path")
            case EnablePlacement(slots=slots):
                if self._slots or not 1 <= slots <= MAX_SLOTS:
                    raise DocumentError(f"slots: 1 to {MAX_SLOTS} devices are said, and once")
                self._slots = slots
            case SetSlot(slot=slot) | Transfer(slot=slot):
                if not 0 <= slot < max(self._slots, 1):
                    raise DocumentError(f"slot: {slot} is none of {max(self._slots, 1)} devices")
            case Finish():
                self._finish(call)

    def _note(self, known: dict[str, ResultType], name: str, call: Call, field: str) -> None:
        if name in known:
            raise DocumentError(f"{field}: {name!r} stands there twice")
        (known[name],) = call.result_types()

    def _finish(self, call: Finish) -> None:
        """States keep their type, a gradient has that of its leaf."""
        values = [call.operand(position) for position in range(len(call.operands))]
        for path, operand in zip(call.states, values[call.returns :], strict=True):
            if path in self._parameters:
                raise DocumentError(f"states: {path!r} is a parameter")
            self._check(f"states: {path!r}", self._states.get(path), operand)
        for name, operand in zip(call.gradients, values[1:], strict=False):
            leaf = self._parameters.get(name) or self._inputs.get(name)
            if leaf is None:
                raise DocumentError(f"gradients: {name!r} is no parameter and no input")
            self._check(f"gradients: {name!r}", leaf, operand)

    def _check(self, what: str, leaf: ResultType | None, operand: Operand) -> None:
        given = ResultType(operand.shape, operand.dtype)
        if leaf is not None and leaf != given:
            raise DocumentError(f"{what} is {leaf.dtype} {list(leaf.shape)}, not {given.dtype} {list(given.shape)}")
