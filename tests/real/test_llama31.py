"""A public Llama with every entry it has: each gives what a module written by hand gives for the same sequences, and leaves its caches.

Packed sequences and pages are held to sequences on their own: a batch of one for each, with a cache that nothing else is in.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import random_reference
import torch
import torch.nn.functional as F
from agreement import differences
from llama_module import Llama
from one_run import HERE, TARGETS, assert_clean
from running import program
from tiny import values

from linnet_core.cli.app import run as command

if TYPE_CHECKING:
    from torch import Tensor

PATH = str(HERE / "llama31")
SIZES = {"Vocab": 96, "H": 32, "Heads": 4, "KvHeads": 2, "Inner": 40, "Layers": 2, "Batch": 2, "MaxSeq": 16}
#: Three packed sequences: row, first position, number of tokens.
PACKED = ((1, 0, 4), (0, 0, 3))
#: Pages of four slots for two sequences of up to eight positions, out of order.
TABLE = ((2, 0), (1, 3))

Arrays = dict[str, np.ndarray]


def angles() -> tuple[Tensor, Tensor]:
    """Llama 3.1's: angles that turn less than once in 8192 positions are eight times as slow, those of one to four turns in between."""
    found = []
    for i in range(4):
        rate = 500000.0 ** (-i / 4)
        turns = 8192 * rate / (2 * math.pi)
        between = min(max((turns - 1) / 3, 0.0), 1.0)
        found.append(rate * between + rate / 8 * (1 - between))
    table = torch.arange(16)[:, None] * torch.tensor(found + found)
    return table.cos(), table.sin()


class Sequences:
    """The model by hand, with as many sequences and positions as wanted."""

    def __init__(self, weights: Arrays, batch: int = 2, places: int = 16) -> None:
        self.model = Llama(**(SIZES | {"Batch": batch, "MaxSeq": places})).load({k: torch.from_numpy(v.copy()) for k, v in weights.items()})
        self.model.cos, self.model.sin = angles()

    def filled(self, caches: Arrays) -> Sequences:
        for path, value in caches.items():
            self.model.get_buffer(path).copy_(torch.from_numpy(value))
        return self

    @property
    def caches(self) -> Arrays:
        return {path: value.numpy() for path, value in self.model.caches().items()}


def tokens(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 96, shape).astype(np.int32)


def i32(*found: int) -> np.ndarray:
    return np.array(found, np.int32)


def packed() -> Arrays:
    """The tokens of `PACKED` behind one another, with what says where each belongs."""
    parts = {"tokens": tokens(sum(count for *_, count in PACKED), seed=3)}
    parts["rows"] = np.concatenate([np.full(count, row, np.int32) for row, _, count in PACKED])
    parts["positions"] = np.concatenate([np.arange(at, at + count, dtype=np.int32) for _, at, count in PACKED])
    parts["segments"] = np.concatenate([np.full(count, 7 - number, np.int32) for number, (*_, count) in enumerate(PACKED)])
    parts["last"] = i32(6, 3)
    return parts


def pieces(found: Arrays) -> list[tuple[int, np.ndarray]]:
    """Row and tokens of each packed sequence."""
    starts = np.cumsum([0, *(count for *_, count in PACKED)])
    return [(row, found["tokens"][starts[n] : starts[n] + count]) for n, (row, _, count) in enumerate(PACKED)]


def own(one: Any, inputs: Arrays) -> tuple[list[np.ndarray], Arrays, Arrays, Arrays]:
    """Results and caches of the entry, and the weights and caches it was given."""
    weights, caches = values(one.parameters), values(one.states)
    results, after = one.run(inputs, weights, caches)
    return [np.asarray(result) for result in results], {path: np.asarray(value) for path, value in after.items()}, weights, caches


def ran(entry: str, target: str, inputs: Arrays, sizes: dict[str, int]) -> tuple[list[np.ndarray], Arrays, Arrays, Arrays]:
    return own(program(target, PATH, sizes, entry=entry, preset="tiny"), inputs)


def assert_same(given: np.ndarray, wanted: np.ndarray | Tensor) -> None:
    assert differences(given, np.asarray(wanted, given.dtype), 1e-5) is None


def assert_caches(given: Arrays, wanted: Arrays) -> None:
    for path, value in given.items():
        assert_same(value, wanted[path])


PLAIN: dict[str, tuple[Arrays, dict[str, int]]] = {
    "forward": ({"tokens": tokens(3, 5)}, {"B": 3, "S": 5}),
    "next_token": ({"tokens": tokens(3, 5)}, {"B": 3, "S": 5}),
    "decode": ({"token": tokens(2, 1), "pos": np.int32(6)}, {}),
    "prefill": ({"tokens": tokens(2, 5), "pos": np.int32(2)}, {"S": 5}),
    "decode_rows": ({"tokens": tokens(2, 1), "positions": i32(15, 3)}, {}),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("entry", list(PLAIN))
def test_whole_sequences_and_steps(entry: str, target: str) -> None:
    inputs, sizes = PLAIN[entry]
    (given,), after, weights, caches = ran(entry, target, {name: np.asarray(value) for name, value in inputs.items()}, sizes)
    by_hand = Sequences(weights).filled(caches)
    wanted = getattr(by_hand.model, entry)(*(torch.from_numpy(v) if isinstance(v, np.ndarray) else int(v) for v in inputs.values()))
    assert_same(given, wanted)
    assert_caches(after, by_hand.caches)


@pytest.mark.parametrize("target", TARGETS)
def test_new_sequences_go_into_slots(target: str) -> None:
    ids = tokens(1, 6, seed=2)
    (given,), after, weights, caches = ran("prefill_slots", target, {"tokens": ids, "slots": i32(1), "lengths": i32(4)}, {"M": 1, "S": 6})
    alone = Sequences(weights, 1)
    assert_same(given, alone.model.forward(torch.from_numpy(ids))[:, 3])
    alone.model.prefill(torch.from_numpy(ids), 0)
    for path, value in alone.caches.items():
        caches[path][1, :, :6] = value[0, :, :6]
    assert_caches(after, caches)


def after_packing(found: Arrays, weights: Arrays, caches: Arrays) -> tuple[Tensor, Arrays]:
    """The logits of each row's last packed token, in the order of rows, and the caches."""
    logits, caches = {}, {path: value.copy() for path, value in caches.items()}
    for row, ids in pieces(found):
        alone = Sequences(weights, 1)
        logits[row] = alone.model.prefill(torch.from_numpy(ids)[None], 0)
        for path, value in alone.caches.items():
            caches[path][row, :, : len(ids)] = value[0, :, : len(ids)]
    return torch.cat([logits[row] for row in sorted(logits)]), caches


@pytest.mark.parametrize("target", TARGETS)
def test_packed_sequences_are_those_on_their_own(target: str) -> None:
    found = packed()
    (given,), after, weights, caches = ran("prefill_packed", target, found, {"P": 7})
    wanted, filled = after_packing(found, weights, caches)
    assert_same(given, wanted)
    assert_caches(after, filled)


@pytest.mark.parametrize("target", TARGETS)
def test_packed_sequences_and_a_step_are_one_after_the_other(target: str) -> None:
    found = packed()
    step = {"step_tokens": tokens(2, 1, seed=5), "step_positions": i32(9, 4)}
    (given,), after, weights, caches = ran("step_packed", target, found | step, {"P": 7})
    wanted, filled = after_packing(found, weights, caches)
    by_hand = Sequences(weights).filled(filled)
    stepped = by_hand.model.decode_rows(*(torch.from_numpy(value) for value in step.values()))
    assert_same(given, torch.cat((wanted, stepped)))
    assert_caches(after, by_hand.caches)


@pytest.mark.parametrize("target", TARGETS)
def test_losses_of_packed_sequences(target: str) -> None:
    found = packed()
    known = {name: found[name] for name in ("tokens", "positions", "segments")}
    targets, counts = {"targets": tokens(7, seed=8).astype(np.int64)}, {"weights": np.linspace(0, 1, 7, dtype=np.float32)}
    (hidden,), _, weights, _ = ran("hidden_packed", target, known, {"P": 7})
    (log_probs,), *_ = ran("log_probs_packed", target, known | targets, {"P": 7})
    (loss,), *_ = ran("loss_packed", target, known | targets | counts, {"P": 7})
    model = Sequences(weights, 1).model
    with torch.no_grad():
        wanted = torch.cat([model.norm(model._hidden(torch.from_numpy(ids)[None], None))[0] for _, ids in pieces(found)])
        each = F.cross_entropy(model.lm_head(wanted), torch.from_numpy(targets["targets"]), reduction="none")
    assert_same(hidden, wanted)
    assert_same(log_probs, -each)
    assert_same(loss, (each * torch.from_numpy(counts["weights"])).sum())


def slots_of(row: int, count: int) -> list[int]:
    """The slots of the first positions of a sequence."""
    return [TABLE[row][place // 4] * 4 + place % 4 for place in range(count)]


def gathered(weights: Arrays, caches: Arrays) -> Sequences:
    """The sequences of `TABLE`, each with its pages behind one another."""
    by_row = {path: np.stack([value[0][:, slots_of(row, 8)] for row in range(2)]) for path, value in caches.items()}
    return Sequences(weights, 2, 8).filled(by_row)


def scattered(sequences: Sequences, caches: Arrays) -> Arrays:
    """The caches again."""
    found = {path: value.copy() for path, value in caches.items()}
    for path, value in sequences.caches.items():
        for row in range(2):
            found[path][0][:, slots_of(row, 8)] = value[row]
    return found


def paged() -> Arrays:
    """The tokens of `PACKED` with the slots of each in the pages of its row."""
    found = packed()
    del found["segments"]
    slots = [slots_of(row, 8)[place] for row, place in zip(found["rows"], found["positions"], strict=True)]
    return found | {"slots": np.array(slots, np.int32), "table": np.array(TABLE, np.int32)}


@pytest.mark.parametrize("target", TARGETS)
def test_pages_are_caches_of_one_sequence_each(target: str) -> None:
    inputs = {"tokens": tokens(2, 1, seed=4), "positions": i32(5, 2), "table": np.array(TABLE, np.int32)}
    (given,), after, weights, caches = ran("decode_paged", target, inputs, {"Rows": 2, "Pages": 2})
    by_hand = gathered(weights, caches)
    assert_same(given, by_hand.model.decode_rows(torch.from_numpy(inputs["tokens"]), torch.from_numpy(inputs["positions"])))
    assert_caches(after, scattered(by_hand, caches))


def after_paging(found: Arrays, weights: Arrays, caches: Arrays) -> tuple[Tensor, Sequences]:
    """The logits of each row's last packed token, and the sequences."""
    wanted, filled = after_packing(found, weights, gathered(weights, caches).caches)
    return wanted, Sequences(weights, 2, 8).filled(filled)


@pytest.mark.parametrize("target", TARGETS)
def test_packed_sequences_go_into_pages(target: str) -> None:
    found = paged()
    (given,), after, weights, caches = ran("prefill_paged", target, found, {"P": 7, "Rows": 2, "Pages": 2})
    wanted, by_hand = after_paging(found, weights, caches)
    assert_same(given, wanted)
    assert_caches(after, scattered(by_hand, caches))


@pytest.mark.parametrize("target", TARGETS)
def test_packed_sequences_and_a_step_in_pages(target: str) -> None:
    found, step = paged(), {"step_tokens": tokens(2, 1, seed=5), "step_positions": i32(6, 5)}
    (given,), after, weights, caches = ran("step_paged", target, found | step, {"P": 7, "Rows": 2, "Pages": 2})
    wanted, by_hand = after_paging(found, weights, caches)
    stepped = by_hand.model.decode_rows(*(torch.from_numpy(value) for value in step.values()))
    assert_same(given, torch.cat((wanted, stepped)))
    assert_caches(after, scattered(by_hand, caches))


@pytest.mark.parametrize("target", TARGETS)
def test_generation(target: str) -> None:
    start: Arrays = {"token": tokens(2, 1, seed=6), "pos": np.asarray(3, np.int32)}
    (greedy,), after, weights, caches = ran("generate", target, start, {"Steps": 5})
    by_hand = Sequences(weights).filled(caches)
    assert np.array_equal(greedy, by_hand.model.generate(torch.from_numpy(start["token"]), 3, 5).numpy())
    assert_caches(after, by_hand.caches)
    eos = int(greedy[0, 1])
    (until, count), *_ = ran("generate_until", target, start | {"eos": np.asarray(eos, np.int32)}, {"MaxNew": 7})
    wanted, steps = Sequences(weights).filled(caches).model.generate_until(torch.from_numpy(start["token"]), 3, eos, 7)
    assert np.array_equal(until, wanted.numpy())
    assert count == steps


@pytest.mark.parametrize("target", TARGETS)
def test_sampling_draws_with_a_key_a_step(target: str) -> None:
    inputs = {"token": tokens(2, 1, seed=6), "pos": np.asarray(3, np.int32)}
    drawn = {"key": np.array([5, 11], np.int64), "temperature": np.asarray(1.5, np.float32)}
    (given,), _, weights, caches = ran("sample", target, inputs | drawn, {"Steps": 4})
    model, token, found = Sequences(weights).filled(caches).model, torch.from_numpy(inputs["token"]), []
    for step, key in enumerate(random_reference.split(drawn["key"], 4)):
        found.append(random_reference.categorical(key, model.decode(token, 3 + step).double().numpy() / 1.5))
        token = torch.from_numpy(found[-1])[:, None]
    assert np.array_equal(given, np.stack(found, 1))


#: Every entry with the sizes its own generics take at the public model's.
ENTRIES: dict[str, dict[str, int]] = {
    "forward": {"B": 1, "S": 8},
    "next_token": {"B": 1, "S": 8},
    "decode": {},
    "prefill": {"S": 8},
    "decode_rows": {},
    "prefill_slots": {"M": 1, "S": 8},
    "prefill_packed": {"P": 16},
    "step_packed": {"P": 16},
    "loss_packed": {"P": 16},
    "log_probs_packed": {"P": 16},
    "hidden_packed": {"P": 16},
    "decode_paged": {"Rows": 4, "Pages": 3},
    "prefill_paged": {"P": 16, "Rows": 4, "Pages": 3},
    "step_paged": {"P": 16, "Rows": 4, "Pages": 3},
    "generate": {"Steps": 4},
    "sample": {"Steps": 2},
    "generate_until": {"MaxNew": 4},
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("entry", list(ENTRIES))
def test_every_entry_is_printed_at_its_real_size(entry: str, target: str) -> None:
    source = program(target, PATH, ENTRIES[entry], entry=entry, preset="8b").source
    compile(source, entry, "exec")


def test_the_package_is_clean_and_its_plan_reads_back() -> None:
    assert_clean(HERE / "llama31")


@pytest.mark.parametrize("entry", ["forward", "decode", "step_packed", "loss_packed", "step_paged"])
def test_entries_are_planned_and_exported_for_two_shards(entry: str) -> None:
    sizes = ENTRIES[entry] | {"Shards": 2, "Layers": 1, "Batch": 2}
    one = program("torch", PATH, sizes, entry=entry, preset="8b")
    assert {leaf.path: leaf.shape for leaf in one.parameters}["layers.0.attention.k_proj.weight"] == (512, 4096)
    assert {leaf.path: leaf.shape for leaf in one.parameters}["lm_head.weight"] == (64128, 4096)


def test_the_model_has_the_parameters_of_the_public_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["inspect", "--parameters", "--preset", "8b", PATH]) == 0
    assert "291 params: 8,030,261,248 elements" in capsys.readouterr().out
