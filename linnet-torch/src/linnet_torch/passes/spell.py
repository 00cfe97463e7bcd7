"""The pass that turns library calls with parts worth sharing into this target's own calls.

In: steps with `native_call`s of attention and cache writes, and the scalars known.  Out: steps in which masks, positions and bounds are
values of their own, each made once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from linnet_core.graph.calls import Call, Elementwise, NativeCall, Operand
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.steps import CLOSERS, LOOPS, OPENERS, Step
from linnet_torch.calls import Attend, CacheWrite, Positions, ScoreBias
from linnet_torch.emit.native import base_name

if TYPE_CHECKING:
    from linnet_core.python_source.fold import Scalar

_CLOSES_LOOP = frozenset(closer for opener, closer in OPENERS.items() if opener in LOOPS)


class _Speller:
    """Rewrites step by step; values made on the way are shared in the scope they were made in."""

    def __init__(self, known: dict[str, Scalar], numerics: str) -> None:
        self._known = known
        self._fast = numerics == "fast"
        self._steps: list[Step] = []
        self._scopes: list[dict[Any, tuple[str, ...]]] = [{}]
        self._next = 0
        #: Names of square causal masks, which a fused kernel takes as a flag.
        self._causal: set[str] = set()

    def spell(self, steps: list[Step]) -> list[Step]:
        for step in steps:
            kind = type(step.call)
            if kind in LOOPS:
                self._scopes.append({})
            elif kind in CLOSERS and kind in _CLOSES_LOOP:
                self._scopes.pop()
            self._steps.append(self._rewritten(step))
        return self._steps

    def _rewritten(self, step: Step) -> Step:
        if not isinstance(step.call, NativeCall):
            return step
        call = step.call
        base, _ = base_name(call.implementation)
        match base:
            case "torch.tril":
                if call.shape[0] == call.shape[1]:
                    self._causal.add(step.results[0])
                return step
            case "torch.Tensor.index_copy":
                return Step(self._span(call), step.results)
            case "torch.Tensor.index_put":
                return Step(self._rows(call) if len(call.operands) == 3 else self._slots(call), step.results)
            case "torch.nn.functional.scaled_dot_product_attention":
                return Step(self._attend(call), step.results)
        return step

    def _shared(self, call: Call) -> tuple[Operand, ...]:
        """The results of `call`, made now unless an equal one is in scope."""
        key = (type(call), msgspec.structs.astuple(call))
        names = next((scope[key] for scope in reversed(self._scopes) if key in scope), None)
        if names is None:
            types = call.result_types()
            names = tuple(f"t{self._next + i}" for i in range(len(types)))
            self._next += len(types)
            self._scopes[-1][key] = names
            self._steps.append(Step(call, names))
        return tuple(Operand(name, type.shape, type.dtype) for name, type in zip(names, call.result_types(), strict=True))

    def _span(self, call: NativeCall) -> CacheWrite:
        cache, value, at = call.operand(0), call.operand(1), call.operand(2)
        positions = self._shared(Positions(count=value.shape[2], size=cache.shape[2], operands=(at,)))
        return CacheWrite(kind="span", operands=(cache, value, *positions))

    def _rows(self, call: NativeCall) -> CacheWrite:
        cache, value, at = call.operand(0), call.operand(1), call.operand(2)
        positions = self._shared(Positions(count=0, size=cache.shape[2], operands=(at,)))
        return CacheWrite(kind="rows", operands=(cache, value, *positions))

    def _slots(self, call: NativeCall) -> CacheWrite:
        cache, value, slots, at = (call.operand(i) for i in range(4))
        positions = self._shared(Positions(count=value.shape[2], size=cache.shape[2], operands=(at,)))
        rows = self._shared(Positions(count=1 if slots.shape == () else 0, size=cache.shape[0], operands=(slots,)))
        return CacheWrite(kind="slots", operands=(cache, value, *positions, *rows))

    def _attend(self, call: NativeCall) -> Attend:
        query, key, value, scale = (call.operand(i) for i in range(4))
        mask = call.operands[4] if len(call.operands) > 4 else None
        known = self._known.get(str(scale.value))
        grouped = query.shape[1] != key.shape[1]
        wide = query.dtype in SHORT_FLOATS and not (self._fast and query.dtype == "bf16")
        operands: tuple[Operand, ...] = (query, key, value) if known is not None else (query, key, value, scale)
        number = None if known is None else float(known)
        if mask is None:
            return Attend(form="plain", scale=number, grouped=grouped, wide=wide, operands=operands)
        if str(mask.value) in self._causal and query.shape[2] == key.shape[2]:
            return Attend(form="causal", scale=number, grouped=grouped, wide=wide, operands=operands)
        if query.shape[2] == 1:
            (hidden,) = self._shared(Elementwise(kind="not", shape=mask.shape, dtype="bool", operands=(mask,)))
            return Attend(form="single", scale=number, grouped=grouped, wide=wide, operands=(*operands, hidden))
        rows = mask.shape if len(mask.shape) == 2 else (mask.shape[0], 1, *mask.shape[1:])
        (bias,) = self._shared(ScoreBias(shape=rows, dtype="f32" if wide else query.dtype, operands=(mask,)))
        return Attend(form="bias", scale=number, grouped=grouped, wide=wide, operands=(*operands, bias))


def spell(steps: list[Step], known: dict[str, Scalar], numerics: str) -> list[Step]:
    """The steps with attention and cache writes in this target's own terms."""
    return _Speller(known, numerics).spell(steps)
