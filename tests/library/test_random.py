"""std.random on both targets: bit for bit what JAX and the authors of Threefry give, and numbers of the right distributions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import random_reference as reference
from jax_values import VALUES
from running import program

FILE = str(Path(__file__).parent / "random.linnet")
TARGETS = [pytest.param(target, id=target) for target in ("numpy", "torch")]
KEYS = [pytest.param(key, id=f"key {key[0]} {key[1]}") for key in VALUES]
DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


def run(target: str, entry: str, key: Any, bindings: dict[str, Any] | None = None, **inputs: np.ndarray) -> np.ndarray:
    (result,), _ = program(target, FILE, bindings or {}, entry=entry).run({"key": np.array(key, np.int64), **inputs})
    return np.asarray(result)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("key", KEYS)
def test_words_and_keys_are_those_jax_gave(target: str, key: tuple[int, int]) -> None:
    wanted = VALUES[key]
    assert run(target, "words", key, {"N": 5}).tolist() == wanted.bits
    assert run(target, "keys", key, {"N": 3}).tolist() == wanted.split
    for data, words in wanted.fold_in.items():
        assert run(target, "folded", key, data=np.asarray(data, np.int32)).tolist() == words
    assert [float(x).hex() for x in run(target, "numbers", key, {"N": 5, "T": "f32"})] == wanted.uniform


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", range(4))
def test_words_and_keys_are_those_of_jax(target: str, seed: int) -> None:
    jax = pytest.importorskip("jax", reason="JAX is compared with where it is installed; stored values of it are compared with everywhere")
    key = np.random.Generator(np.random.PCG64(seed)).integers(0, 2**32, 2)
    theirs = jax.random.wrap_key_data(key.astype(np.uint32))
    sizes = {"N": 33 + seed}
    with jax.threefry_partitionable(True):
        assert run(target, "words", key, sizes).tolist() == jax.random.bits(theirs, (33 + seed,)).tolist()
        assert run(target, "keys", key, sizes).tolist() == jax.random.key_data(jax.random.split(theirs, 33 + seed)).tolist()
        mine = run(target, "folded", key, data=np.asarray(-seed, np.int32))
        assert mine.tolist() == jax.random.key_data(jax.random.fold_in(theirs, np.uint32(2**32 - seed if seed else 0))).tolist()
        uniform = np.asarray(jax.random.uniform(theirs, (33 + seed,), np.float32))
    assert run(target, "numbers", key, {**sizes, "T": "f32"}).tobytes() == uniform.tobytes()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("key", "counter", "wanted"),
    [
        pytest.param((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE), id="zeros"),
        pytest.param((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7), id="ones"),
        pytest.param((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0), id="digits of pi"),
    ],
)
def test_threefry_gives_the_words_its_authors_publish(
    target: str, key: tuple[int, int], counter: tuple[int, int], wanted: tuple[int, int]
) -> None:
    assert tuple(run(target, "encrypted", key, {"N": 1}, counter=np.array([counter], np.int64))[0]) == wanted
    assert tuple(reference.threefry2x32(key, counter)) == wanted


@pytest.mark.parametrize("target", TARGETS)
def test_a_key_of_a_number_is_that_key_of_a_split(target: str) -> None:
    assert run(target, "keys", (0, 7), {"N": 4})[2].tolist() == [966301609, 1948237315]
    assert run(target, "folded", (0, 7), data=np.asarray(2, np.int32)).tolist() == [966301609, 1948237315]
    assert run(target, "folded", (0, 7), data=np.asarray(-1, np.int32)).tolist() == [3658129989, 1719350670]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_uniform_numbers_are_the_words_rounded_once(target: str, dtype: str) -> None:
    found = run(target, "numbers", (3, 4), {"N": 4096, "T": dtype})
    wanted = reference.uniform((3, 4), 4096)
    assert wanted.max() < 1.0
    assert found.tobytes() == wanted.astype(np.float32).astype(DTYPES[dtype]).tobytes()


@pytest.mark.parametrize("target", TARGETS)
def test_normal_numbers_have_the_moments_of_the_distribution(target: str) -> None:
    count = 65536
    x = run(target, "normals", (3, 4), {"N": count, "T": "f32"}).astype(np.float64)
    for power, mean, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs(np.mean(x**power) - mean) < 4 * np.sqrt(variance / count)


@pytest.mark.parametrize("target", TARGETS)
def test_positions_are_drawn_as_often_as_their_probabilities_say(target: str) -> None:
    count, wanted = 16384, np.array([0.1, 0.2, 0.0, 0.7])
    with np.errstate(divide="ignore"):
        logits = np.tile(np.log(wanted), (count, 1)).astype(np.float32)
    found = run(target, "drawn", (3, 4), {"B": count, "V": 4, "T": "f32"}, logits=logits)
    shares = np.bincount(found, minlength=4) / count
    assert (abs(shares - wanted) <= 4 * np.sqrt(wanted * (1 - wanted) / count)).all()


@pytest.mark.parametrize("target", TARGETS)
def test_each_step_of_a_loop_draws_with_its_own_key(target: str) -> None:
    logits = np.random.Generator(np.random.PCG64(5)).standard_normal((3, 6))
    found = run(target, "sampled", (1, 2), {"B": 3, "V": 6, "Steps": 5}, logits=logits.astype(np.float32))
    wanted = [reference.categorical(key, logits) for key in reference.split((1, 2), 5)]
    assert found.tolist() == np.array(wanted).tolist()
    assert len({tuple(row) for row in found.tolist()}) > 1
