"""Library calls the numpy target takes give the bits of the op's body, positions outside included; what it does not write it declines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy_entries import DTYPES, answer, array, assert_same
from running import program

from linnet_core.graph.calls import NativeCall, Operand
from linnet_core.ir.library_calls import LIBRARY_CALLS
from linnet_core.targets.numpy.target import NumpyTarget

if TYPE_CHECKING:
    from pathlib import Path

LOWEST, HIGHEST = -(2**31), 2**31 - 1
CACHE = "cache: Tensor[3, 2, 4, 2; T]"

#: Name, use, arguments, call, and the values of every integer argument: each run takes one.
WRITES = [
    pytest.param(
        "write_at", "value: Tensor[3, 2, 1, 2; T], at: i32", [{"at": p} for p in (0, 3, 4, -1, -4, LOWEST, HIGHEST)], id="write_at"
    ),
    pytest.param(
        "write_span",
        "value: Tensor[3, 2, 3, 2; T], at: i32",
        [{"at": p} for p in (0, 1, 2, 3, 4, -1, -3, LOWEST, HIGHEST)],
        id="write_span",
    ),
    pytest.param(
        "write_span",
        "value: Tensor[3, 2, 6, 2; T], at: i32",
        [{"at": p} for p in (-2, -1, 0, 1, 3, -6)],
        id="write_span longer than the cache",
    ),
    pytest.param(
        "write_rows",
        "value: Tensor[3, 2, 1, 2; T], at: Tensor[3; i32]",
        [{"at": p} for p in ([0, 3, 1], [-1, 4, 2], [LOWEST, HIGHEST, 0], [5, 5, 5])],
        id="write_rows",
    ),
    pytest.param(
        "write_slot",
        "value: Tensor[1, 2, 3, 2; T], slot: i32, at: i32",
        [{"slot": s, "at": p} for s in (0, 2, 3, -1) for p in (0, 2, -1, HIGHEST, LOWEST)],
        id="write_slot",
    ),
    pytest.param(
        "write_slots",
        "value: Tensor[2, 2, 3, 2; T], slots: Tensor[2; i32], at: i32",
        [{"slots": s, "at": p} for s in ([0, 2], [2, 1], [3, 0], [-1, 5], [1, 1]) for p in (0, 2, -2, 4, LOWEST)],
        id="write_slots",
    ),
]


def both(tmp_path: Path, text: str, runs: list[dict[str, Any]], **sizes: Any) -> None:
    """Run the library call and the body on each of `runs`; every bit must be the same."""
    path = tmp_path / "m.linnet"
    path.write_text(text, encoding="utf-8")
    library = program("numpy", str(path), entry="run", numerics="exact")
    body = program("numpy", str(path), entry="run", numerics="exact", no_library=True)
    taken = [node for node in _flat(library.graph) if isinstance(node.call, NativeCall)]
    assert taken
    assert not any(node.declined for node in taken)
    assert not any(isinstance(node.call, NativeCall) for node in _flat(body.graph))
    for run in runs:
        (given,), _ = library.run(run)
        (wanted,), _ = body.run(run)
        assert_same(given, wanted)


def _flat(graph: Any) -> list[Any]:
    from linnet_core.graph.nodes import flat_nodes

    return flat_nodes(graph.nodes)


@pytest.mark.parametrize("dtype", ["f32", "bf16", "f16"])
@pytest.mark.parametrize(("op", "arguments", "positions"), WRITES)
def test_cache_writes(op: str, arguments: str, positions: list[dict[str, Any]], dtype: str, tmp_path: Path) -> None:
    names = ", ".join(part.split(":")[0].strip() for part in arguments.replace("[", "(").split(", ") if ":" in part)
    signature = f"{CACHE}, {arguments}".replace("T]", f"{dtype}]")
    text = (
        f"module m\n\nuse std.nn.cache::{{{op}}}\n\n"
        f"pub entry run({signature}) -> Tensor[3, 2, 4, 2; {dtype}] {{ return {op}(cache, {names}) }}\n"
    )
    length = int(arguments.split("[")[1].split("]")[0].split(",")[2])
    rows = int(arguments.split("[")[1].split(",")[0])
    cache = array(np.arange(48).reshape(3, 2, 4, 2) - 20, dtype)
    value = array(-100 - np.arange(rows * 2 * length * 2).reshape(rows, 2, length, 2), dtype)
    both(tmp_path, text, [{"cache": cache, "value": value, **{k: np.asarray(v, np.int32) for k, v in at.items()}} for at in positions])


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_embedding(dtype: str, tmp_path: Path) -> None:
    text = (
        "module m\n\nuse std.nn.embedding::{embedding}\n\n"
        f"pub entry run(ids: Tensor[2, 3; i32], table: Tensor[5, 4; {dtype}]) -> Tensor[2, 3, 4; {dtype}] {{\n"
        "    return embedding(ids, table)\n}\n"
    )
    table = array(np.arange(20).reshape(5, 4), dtype)
    both(tmp_path, text, [{"ids": np.array([[0, 4, 2], [1, 1, 3]], np.int32), "table": table}])


@pytest.mark.parametrize(("queries", "keys"), [(3, 3), (2, 5), (4, 4), (1, 6), (5, 5)])
def test_causal_mask(queries: int, keys: int, tmp_path: Path) -> None:
    text = (
        "module m\n\nuse std.nn.attention::{causal_mask}\n\n"
        f"pub entry run() -> Tensor[{queries}, {keys}; bool] {{ return causal_mask<{queries}, {keys}>() }}\n"
    )
    both(tmp_path, text, [{}])
    (mask,), _ = program("numpy", str(tmp_path / "m.linnet"), entry="run").run({})
    for q, k in np.ndindex(queries, keys):
        assert mask[q, k] == (k <= q + keys - queries)


def library(name: str, shape: tuple[int, ...], dtype: str, **generics: int) -> Any:
    return lambda hand, *operands: hand(NativeCall(implementation=name, generics=generics, shape=shape, dtype=dtype, operands=operands))


@pytest.mark.parametrize("dtype", ["f32", "bf16", "f16"])
@pytest.mark.parametrize(("size", "stride", "pad"), [(2, 2, 0), (3, 2, 1), (3, 1, 0), (2, 1, 1), (2, 3, 2)])
def test_max_pool(size: int, stride: int, pad: int, dtype: str) -> None:
    x = array(np.random.Generator(np.random.PCG64(2)).standard_normal((2, 3, 7, 6)), dtype)
    x[0, 0, 3, 3] = np.nan
    height, width = ((extent + 2 * pad - size) // stride + 1 for extent in (7, 6))
    wanted = np.zeros((2, 3, height, width), DTYPES[dtype])
    for b, c, i, j in np.ndindex(wanted.shape):
        cells = [(i * stride + di - pad, j * stride + dj - pad) for di in range(size) for dj in range(size)]
        with np.errstate(all="ignore"):
            window = [x[b, c, p, q] if 0 <= p < 7 and 0 <= q < 6 else np.float32(-1e30).astype(DTYPES[dtype]) for p, q in cells]
        wanted[b, c, i, j] = np.array(window).astype(np.float32).max().astype(DTYPES[dtype])
    build = library("torch.nn.functional.max_pool2d", wanted.shape, dtype, K=size, Stride=stride, Pad=pad)
    assert_same(answer(build, x), wanted)


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_nearest_upsampling(scale: int) -> None:
    x = array(np.arange(24).reshape(1, 2, 3, 4), "f32")
    shape = (1, 2, 3 * scale, 4 * scale)
    result = answer(library("torch.nn.functional.interpolate(nearest)", shape, "f32"), x)
    for at in np.ndindex(shape):
        assert result[at] == x[at[0], at[1], at[2] // scale, at[3] // scale]


def test_tokens_outside_the_cache_are_dropped() -> None:
    cache, value = np.zeros((2, 1, 3, 1), np.float32), np.arange(1, 6, dtype=np.float32).reshape(1, 1, 5, 1)
    rows, positions = array([0, 1, 2, -1, 1], "i32"), array([2, 3, 0, 0, 1], "i32")
    result = answer(library("torch.Tensor.index_put(tokens)", (2, 1, 3, 1), "f32"), cache, value, rows, positions)
    assert result[:, 0, :, 0].tolist() == [[0, 0, 1], [0, 5, 0]]


@pytest.mark.parametrize("implementation", sorted({row.implementation for row in LIBRARY_CALLS if row.legality != "exact"}))
def test_what_may_round_differently_is_declined(implementation: str) -> None:
    x = Operand("x", (2, 2), "f32")
    call = NativeCall(implementation=implementation, generics={}, shape=(2, 2), dtype="f32", operands=(x, x))
    assert "computes the body" in str(NumpyTarget("fast").declines(call))


def test_a_pool_whose_window_is_not_known_is_declined() -> None:
    call = NativeCall(implementation="torch.nn.functional.max_pool2d", generics={"K": 2}, shape=(1, 1, 2, 2), dtype="f32")
    assert NumpyTarget("exact").declines(call) == "the window's size, stride and padding are not all known"
