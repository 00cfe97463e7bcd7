"""Attention with sinks and over pages of a pool, and writes of tokens: what the bodies give, made once for all layers, in place."""

from __future__ import annotations

import numpy as np
import pytest
from programs import printed

from linnet_core.conformance.compare import difference
from linnet_core.conformance.programs.case import FLOATS, TOLERANCES
from linnet_core.graph.calls import NativeCall, Operand
from linnet_core.weights.arrays import numpy_dtype
from linnet_torch.emit import native

GENERATOR = np.random.Generator(np.random.PCG64(4))


def floats(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    return GENERATOR.standard_normal(shape).astype(numpy_dtype(dtype))


SINK = """use std.nn.attention::{sink_attention}

pub entry run(
    q: Tensor[2, 6, Q, 4; T], k: Tensor[2, 2, 5, 4; T], v: Tensor[2, 2, 5, 4; T], s: Tensor[6; T], scale: f32, m: Tensor[2, Q, 5; bool],
) -> Tensor[2, 6, Q, 4; T] {
    return sink_attention(q, k, v, s, SCALE, m)
}
"""
PAGED = """use std.nn.attention::{paged_attention}

pub entry run(
    q: Tensor[3, 4, 1, 4; T], k: Tensor[1, 2, 13, 4; T], v: Tensor[1, 2, 13, 4; T], table: Tensor[3, 2; i32], at: Tensor[3; i32],
    scale: f32,
) -> Tensor[3, 4, 1, 4; T] {
    return paged_attention<3, 4, 2, 13, 2, 3, 4, T>(q, k, v, table, at, SCALE)
}
"""
PREFILL = """use std.nn.attention::{paged_prefill_attention}

pub entry run(
    q: Tensor[1, 4, 5, 4; T], k: Tensor[1, 2, 13, 4; T], v: Tensor[1, 2, 13, 4; T], table: Tensor[3, 2; i32], rows: Tensor[5; i32],
    at: Tensor[5; i32], scale: f32,
) -> Tensor[1, 4, 5, 4; T] {
    return paged_prefill_attention<5, 4, 2, 13, 3, 2, 3, 4, T>(q, k, v, table, rows, at, SCALE)
}
"""


def with_dtype(text: str, dtype: str, scale: str = "0.5", queries: int = 2) -> str:
    return text.replace("; T]", f"; {dtype}]").replace(", T>", f", {dtype}>").replace("SCALE", scale).replace("Q,", f"{queries},")


def both(text: str, arrays: dict[str, np.ndarray], implementation: str, dtype: str) -> None:
    """The library call of `fast` beside the NumPy target's body."""
    library = printed(text, numerics="fast")
    assert library.taken[:1] == (implementation,)
    assert library.declined == ()
    (given,), _ = library.run(arrays)
    (wanted,), _ = printed(text, "numpy", library=False).run(arrays)
    assert difference(given, wanted, TOLERANCES[dtype]) is None


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("scale", ["0.5", "scale"])
@pytest.mark.parametrize("queries", [1, 3])
def test_attention_with_sinks(queries: int, scale: str, dtype: str) -> None:
    mask = GENERATOR.random((2, queries, 5)) < 0.6
    mask[0, 0] = False
    arrays = {
        "q": floats((2, 6, queries, 4), dtype),
        "k": floats((2, 2, 5, 4), dtype),
        "v": floats((2, 2, 5, 4), dtype),
        "s": np.array([-2, 0, 1, 30, -1e4, 3]).astype(numpy_dtype(dtype)),
        "scale": np.float32(0.5),
        "m": mask,
    }
    both(with_dtype(SINK, dtype, scale, queries), arrays, "linnet.sink_attention", dtype)


TABLES = [
    pytest.param([[0, 1], [2, 3], [1, 0]], [5, 2, 3], id="page edges"),
    pytest.param([[3, -1], [0, 99], [2, 1]], [2, 0, 4], id="pages that are not used"),
    pytest.param([[0, 1], [1, 2], [2, 3]], [-1, 0, 9], id="nothing seen, and more than there is"),
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("scale", ["0.5", "scale"])
@pytest.mark.parametrize(("table", "at"), TABLES)
def test_paged_attention(table: list[list[int]], at: list[int], scale: str, dtype: str) -> None:
    arrays = {
        "q": floats((3, 4, 1, 4), dtype),
        "k": floats((1, 2, 13, 4), dtype),
        "v": floats((1, 2, 13, 4), dtype),
        "table": np.array(table, np.int32),
        "at": np.array(at, np.int32),
        "scale": np.float32(0.5),
    }
    both(with_dtype(PAGED, dtype, scale), arrays, "linnet.paged_attention", dtype)


TOKENS = [
    pytest.param([[0, 1], [2, 3], [1, 0]], [0, 0, 1, 1, 2], [0, 1, 0, 5, 3], id="page edges"),
    pytest.param([[3, -1], [0, 99], [2, 1]], [1, 0, 2, 2, 0], [2, 0, 4, 5, 2], id="pages that are not used"),
    pytest.param([[0, 1], [1, 2], [2, 3]], [0, 1, 2, 0, 0], [-1, 0, 9, 2, 5], id="nothing seen, and more than there is"),
    pytest.param([[2, 0], [2, 1], [2, 2]], [0, 1, 1, 0, 2], [4, 2, 3, 0, 2], id="a page of two rows"),
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("scale", ["0.5", "scale"])
@pytest.mark.parametrize(("table", "rows", "at"), TOKENS)
def test_paged_prefill_attention(table: list[list[int]], rows: list[int], at: list[int], scale: str, dtype: str) -> None:
    arrays = {
        "q": floats((1, 4, 5, 4), dtype),
        "k": floats((1, 2, 13, 4), dtype),
        "v": floats((1, 2, 13, 4), dtype),
        "table": np.array(table, np.int32),
        "rows": np.array(rows, np.int32),
        "at": np.array(at, np.int32),
        "scale": np.float32(0.5),
    }
    both(with_dtype(PREFILL, dtype, scale), arrays, "linnet.paged_prefill_attention", dtype)


@pytest.mark.parametrize("numerics", ["exact", "equivalent"])
@pytest.mark.parametrize("text", [pytest.param(SINK, id="sink"), pytest.param(PAGED, id="paged"), pytest.param(PREFILL, id="prefill")])
def test_only_fast_takes_them(text: str, numerics: str) -> None:
    assert not any(name.startswith("linnet.") for name in printed(with_dtype(text, "f32"), numerics=numerics).taken)


@pytest.mark.parametrize(
    ("key", "table", "generics", "reason"),
    [
        pytest.param((1, 2, 0, 4), (3, 2), {"Size": 3}, "no position to attend to", id="an empty pool"),
        pytest.param((1, 2, 13, 4), (3, 0), {"Size": 3}, "no page to attend to", id="no page"),
        pytest.param((1, 2, 13, 4), (3, 2), {}, "the size of a page is not known", id="no size"),
        pytest.param((1, 3, 13, 4), (3, 2), {"Size": 3}, "do not share 3 key heads evenly", id="heads"),
    ],
)
def test_pages_that_are_declined(key: tuple[int, ...], table: tuple[int, ...], generics: dict[str, int], reason: str) -> None:
    shapes = [(3, 4, 1, 4), key, key, table, (3,), ()]
    operands = tuple(Operand(f"v{i}", s, "i32" if i in (3, 4) else "f32") for i, s in enumerate(shapes))
    call = NativeCall(implementation="linnet.paged_attention", generics=generics, shape=(3, 4, 1, 4), dtype="f32", operands=operands)
    assert reason in str(native.declines(call, {}))


LAYERS = """use std.nn.attention::{paged_attention, paged_prefill_attention}
use std.nn.cache::{write_tokens, page_slots}

pub block Layer {
    state keys: Tensor[1, 2, 12, 4; f32]

    pub fn step(
        x: Tensor[2, 2, 1, 4; f32], prompt: Tensor[1, 2, 3, 4; f32], table: Tensor[2, 2; i32], at: Tensor[2; i32],
        rows: Tensor[3; i32], places: Tensor[3; i32],
    ) -> (Tensor[2, 2, 1, 4; f32], Tensor[1, 2, 3, 4; f32]) {
        let slots = page_slots<2, 2, 3>(table, at)
        keys = write_tokens(keys, permute(x, [2, 1, 0, 3]), fill<i32>([2], 0), slots)
        let y = paged_attention<2, 2, 2, 12, 2, 3, 4, f32>(x, keys, keys, table, at, 0.5)
        return (y, paged_prefill_attention<3, 2, 2, 12, 2, 2, 3, 4, f32>(prompt, keys, keys, table, rows, places, 0.5))
    }
}

pub block Model {
    sub layers: [Layer; 3]

    pub entry run(
        x: Tensor[2, 2, 1, 4; f32], prompt: Tensor[1, 2, 3, 4; f32], table: Tensor[2, 2; i32], at: Tensor[2; i32],
        rows: Tensor[3; i32], places: Tensor[3; i32],
    ) -> (Tensor[2, 2, 1, 4; f32], Tensor[1, 2, 3, 4; f32]) {
        var y = x
        var z = prompt
        static for layer in layers {
            let (a, b) = layer.step(y, z, table, at, rows, places)
            y = a
            z = b
        }
        return (y, z)
    }
}
"""


def test_what_layers_share_is_made_once_and_caches_are_written_in_place() -> None:
    library = printed(LAYERS, numerics="fast")
    for made in ("_tokens(", "_pool_slots(", "_pool_bias("):
        assert library.main.count(f"= {made}") == 1
    assert library.source.count("in_place=True") == 1  # in the one function of the layers
    assert library.main.count("= block_") == 3
    arrays = {
        "x": floats((2, 2, 1, 4), "f32"),
        "prompt": floats((1, 2, 3, 4), "f32"),
        "table": np.array([[1, 3], [0, 2]], np.int32),
        "at": np.array([4, 2], np.int32),
        "rows": np.array([0, 1, 0], np.int32),
        "places": np.array([0, 2, 4], np.int32),
        **{f"layers.{i}.keys": floats((1, 2, 12, 4), "f32") for i in range(3)},
    }
    results, states = library.run(arrays)
    wanted, wanted_states = printed(LAYERS, "numpy", library=False).run(arrays)
    for given, right in (*zip(results, wanted, strict=True), *((states[path], wanted_states[path]) for path in states)):
        assert difference(given, right, 1e-5) is None


PAIRS = [
    pytest.param([0, 0, 1, 2, 2], [0, 3, 2, 1, 0], id="inside"),
    pytest.param([0, 1, 2, -1, 3], [2, 3, 4, 0, 0], id="some outside"),
    pytest.param([0, 0, 0, 0, 0], [4, 0, -4, -1, 8], id="outside where one is written"),
    pytest.param([3, -3, 6, 0, 0], [0, 0, 0, 4, -1], id="all outside"),
    pytest.param([-(2**31), 2**31 - 1, 0, 1, 2], [0, 0, -(2**31), 2**31 - 1, 3], id="far outside"),
]
WRITE = """use std.nn.cache::{write_tokens}

pub entry run(
    cache: Tensor[3, 2, 4, 2; T], value: Tensor[1, 2, 5, 2; T], rows: Tensor[5; i32], at: Tensor[5; i32],
) -> Tensor[3, 2, 4, 2; T] {
    return write_tokens(cache, value, rows, at)
}
"""


@pytest.mark.parametrize("numerics", ["exact", "fast"])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("rows", "at"), PAIRS)
def test_a_write_of_tokens_gives_the_bits_of_its_body(rows: list[int], at: list[int], dtype: str, numerics: str) -> None:
    text = with_dtype(WRITE, dtype)
    library = printed(text, numerics=numerics)
    assert library.taken == ("torch.Tensor.index_put(tokens)",)
    arrays = {
        "cache": floats((3, 2, 4, 2), dtype),
        "value": floats((1, 2, 5, 2), dtype),
        "rows": np.array(rows, np.int32),
        "at": np.array(at, np.int32),
    }
    before = arrays["cache"].copy()
    (given,), _ = library.run(arrays)
    (wanted,), _ = printed(text, numerics=numerics, library=False).run(arrays)
    assert difference(given, wanted) is None
    assert np.array_equal(arrays["cache"], before)


@pytest.mark.parametrize("implementation", ["torch.Tensor.index_put", "torch.Tensor.index_put(tokens)", "torch.Tensor.index_copy"])
@pytest.mark.parametrize("cache", [(0, 2, 4, 2), (2, 2, 0, 2)])
def test_a_cache_of_no_position_is_declined(implementation: str, cache: tuple[int, ...]) -> None:
    operands = (Operand("c", cache, "f32"), Operand("v", (1, 2, 1, 2), "f32"), Operand("r", (1,), "i32"), Operand("p", (1,), "i32"))
    call = NativeCall(implementation=implementation, generics={}, shape=cache, dtype="f32", operands=operands)
    assert native.declines(call, {}) == "there is no position to write"
