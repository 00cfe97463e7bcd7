"""All passes together keep what an entry computes: entries at random against the definitions of their calls."""

from __future__ import annotations

import numpy as np
import pytest
from numpy_entries import Hand
from random_entries import CACHE, VALUE, computed, random_entry

from linnet_core.graph.calls import Input, State

BATCHES = 20
BATCH = 25


def entry(seed: int) -> tuple[Hand, dict[str, np.ndarray]]:
    """The calls of the entry of `seed`, and its leaves."""
    hand = Hand()
    numbers = np.random.Generator(np.random.PCG64(seed))
    shapes = {"a": CACHE, "b": CACHE, "value": VALUE, "scalar": (), "s0": CACHE, "s1": CACHE, "s2": CACHE}
    leaves = {name: numbers.integers(-4, 5, shape).astype(np.float32) for name, shape in shapes.items()}
    operands = tuple(
        hand(
            State(path=name, shape=shape, dtype="f32")
            if name.startswith("s") and name != "scalar"
            else Input(name=name, shape=shape, dtype="f32")
        )
        for name, shape in shapes.items()
    )
    hand.finish(*random_entry(hand, seed, operands))
    return hand, leaves


def loaded(source: str) -> dict[str, object]:
    module: dict[str, object] = {}
    exec(compile(source, "printed", "exec"), module)
    return module


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("batch", range(BATCHES))
def test_an_entry_at_random_computes_what_its_calls_say(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        hand, leaves = entry(seed)
        wanted = computed(hand.target.steps, leaves)
        module = loaded(hand.target.source())
        inputs = [read_only(leaves[name]) for name in ("a", "b", "value", "scalar")]
        given_states = {name: leaves[name].copy() for name in ("s0", "s1", "s2")}
        results = module["main"](*inputs, *given_states.values(), *module["constants"]())  # type: ignore[operator]  # the namespace of printed source holds any values
        for given, expected in zip(results, wanted, strict=True):
            assert np.array_equal(given, expected), f"seed {seed}"
        for name, state in given_states.items():
            assert name in module["IN_PLACE"] or np.array_equal(state, leaves[name]), f"seed {seed}: {name} is overwritten and not listed"
        assert set(module["IN_PLACE"]) <= set(module["NEXT_STATES"]), f"seed {seed}: a state that keeps its value is overwritten"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_the_caller_gets_shares_no_memory(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        hand, leaves = entry(seed)
        module = loaded(hand.target.source())
        inputs = [leaves[name] for name in ("a", "b", "value", "scalar")]
        states = {name: leaves[name].copy() for name in ("s0", "s1", "s2")}
        once = module["constants"]()  # type: ignore[operator]  # the namespace of printed source holds any values
        results = module["main"](*inputs, *states.values(), *once)  # type: ignore[operator]  # the namespace of printed source holds any values
        own: dict[int, str] = dict(enumerate(module["NEXT_STATES"], module["RESULTS"]))  # type: ignore[arg-type, call-overload]  # the namespace of printed source holds any values
        for i, result in enumerate(results):
            others = [*inputs, *once, *results[:i], *(state for name, state in states.items() if own.get(i) != name)]
            assert not any(np.shares_memory(result, other) for other in others), f"seed {seed}: result {i}"
            assert np.ndim(result) == 0 or result.flags.writeable, f"seed {seed}: result {i}"


def test_entries_at_random_are_of_every_kind() -> None:
    sources = [entry(seed)[0].target.source() for seed in range(60)]
    for word in ("in_place=True", "while True:", "for w", "if v", "np.where", ".copy()", "del "):
        assert any(word in source.partition("def main")[2] for source in sources), word
