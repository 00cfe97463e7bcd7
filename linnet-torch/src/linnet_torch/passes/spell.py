"""The pass that turns library calls with parts worth sharing into this target's own calls.

In: steps with `native_call`s of attention and cache writes, and the scalars known.  Out: steps in which masks, positions and bounds are
values of their own, each made once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from linnet_core.graph.calls import Call, Elementwise, NativeCall, Operand, Transfer
from linnet_core.python_source.library_names import base_name
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.region_calls import Pullback
from linnet_core.python_source.steps import CLOSERS, OPENERS, Step
from linnet_torch.calls import Attend, CacheWrite, FromPool, PoolBias, PoolSlots, Positions, ScoreBias, TokenPositions

if TYPE_CHECKING:
    from linnet_core.python_source.fold import Scalar


class _Speller:
    """Rewrites step by step; values made on the way are shared in the scope they were made in."""

    def __init__(self, known: dict[str, Scalar], numerics: str) -> None:
        self._known = known
        self._fast = numerics == "fast"
        self._steps: list[Step] = []
        self._scopes: list[dict[Any, tuple[str, ...]]] = [{}]
        self._next = 0
        #: The slot the present step runs on.
        self._slot = 0
        #: Names of square causal masks, which a fused kernel takes as a flag.
        self._causal: set[str] = set()

    def spell(self, steps: list[Step]) -> list[Step]:
        for step in steps:
            kind = type(step.call)
            if kind in CLOSERS or kind is Pullback:
                self._scopes.pop()
            if kind in OPENERS or kind is Pullback:
                self._scopes.append({})
            self._slot = step.slot
            self._steps.append(self._rewritten(step))
        return self._steps

    def _rewritten(self, step: Step) -> Step:
        if isinstance(step.call, Transfer) and str(step.call.operand(0).value) in self._causal:
            self._causal.add(step.results[0])
        if not isinstance(step.call, NativeCall):
            return step
        call = self._written(step.call, step.results[0])
        return step if call is step.call else Step(call, step.results, step.slot)

    def _written(self, call: NativeCall, result: str) -> Call:
        """The call of this target that a library call is; itself where there is none."""
        base, words = base_name(call.implementation)
        match base:
            case "torch.tril":
                if call.shape[0] == call.shape[1]:
                    self._causal.add(result)
            case "torch.Tensor.index_copy":
                return self._span(call)
            case "torch.Tensor.index_put" if "tokens" in words:
                return self._tokens(call)
            case "torch.Tensor.index_put":
                return self._rows(call) if len(call.operands) == 3 else self._slots(call)
            case "torch.nn.functional.scaled_dot_product_attention":
                return self._attend(call)
            case "linnet.sink_attention":
                return self._sink(call)
            case "linnet.paged_attention":
                return self._paged(call)
            case "linnet.paged_prefill_attention":
                return self._paged_prefill(call)
        return call

    def _shared(self, call: Call) -> tuple[Operand, ...]:
        """The results of `call`, made now unless an equal one is in scope."""
        key = (self._slot, type(call), msgspec.structs.astuple(call))
        names = next((scope[key] for scope in reversed(self._scopes) if key in scope), None)
        if names is None:
            types = call.result_types()
            names = tuple(f"t{self._next + i}" for i in range(len(types)))
            self._next += len(types)
            self._scopes[-1][key] = names
            self._steps.append(Step(call, names, self._slot))
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

    def _tokens(self, call: NativeCall) -> CacheWrite:
        cache, value, rows, positions = (call.operand(i) for i in range(4))
        places = self._shared(TokenPositions(rows=cache.shape[0], size=cache.shape[2], operands=(rows, positions)))
        return CacheWrite(kind="tokens", operands=(cache, value, *places))

    def _attend(self, call: NativeCall) -> Attend:
        query, key, value, scale = (call.operand(i) for i in range(4))
        mask = call.operands[4] if len(call.operands) > 4 else None
        operands = (query, key, value)
        if mask is None:
            return self._attention("plain", operands, scale)
        if str(mask.value) in self._causal and query.shape[2] == key.shape[2]:
            return self._attention("causal", operands, scale)
        if query.shape[2] == 1:
            return self._attention("single", operands, scale, self._hidden(mask))
        rows = mask.shape if len(mask.shape) == 2 else (mask.shape[0], 1, *mask.shape[1:])
        (bias,) = self._shared(ScoreBias(shape=rows, dtype=self._score_dtype(query), operands=(mask,)))
        return self._attention("bias", operands, scale, bias)

    def _sink(self, call: NativeCall) -> Attend:
        query, key, value, sinks, scale, mask = (call.operand(i) for i in range(6))
        return self._attention("sink", (query, key, value), scale, sinks, self._hidden(mask))

    def _paged(self, call: NativeCall) -> Attend:
        """One query a row: what a row sees is copied out of the pool."""
        query, key, value, table, positions, scale = (call.operand(i) for i in range(6))
        size = call.generics["Size"]
        at, hidden = self._shared(PoolSlots(size=size, slots=key.shape[2], operands=(table, positions)))
        (keys,) = self._shared(FromPool(operands=(key, at)))
        (values,) = self._shared(FromPool(operands=(value, at)))
        return self._attention("single", (query, keys, values), scale, hidden)

    def _paged_prefill(self, call: NativeCall) -> Attend:
        """Many tokens: each over the whole pool, with a bias that hides what it does not see; nothing is copied."""
        query, key, value, table, rows, positions, scale = (call.operand(i) for i in range(7))
        pool = PoolBias(size=call.generics["Size"], slots=key.shape[2], dtype=self._score_dtype(query), operands=(table, rows, positions))
        return self._attention("bias", (query, key, value), scale, *self._shared(pool))

    def _attention(self, form: Any, operands: tuple[Operand, Operand, Operand], scale: Operand, *rest: Operand) -> Attend:
        """`scale` becomes a number where it is known."""
        query, key, _ = operands
        known = self._known.get(str(scale.value))
        number, scales = (float(known), ()) if known is not None else (None, (scale,))
        grouped = query.shape[1] != key.shape[1]
        return Attend(form=form, scale=number, grouped=grouped, wide=self._wide(query), operands=(*operands, *scales, *rest))

    def _wide(self, query: Operand) -> bool:
        """Whether scores are computed in f32 although the operands are short."""
        return query.dtype in SHORT_FLOATS and not (self._fast and query.dtype == "bf16")

    def _score_dtype(self, query: Operand) -> str:
        return "f32" if self._wide(query) else query.dtype

    def _hidden(self, mask: Operand) -> Operand:
        (hidden,) = self._shared(Elementwise(kind="not", shape=mask.shape, dtype="bool", operands=(mask,)))
        return hidden


def spell(steps: list[Step], known: dict[str, Scalar], numerics: str) -> list[Step]:
    """The steps with attention and cache writes in this target's own terms."""
    return _Speller(known, numerics).spell(steps)
