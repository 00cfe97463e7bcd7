"""Library calls the numpy target takes give the bits of the op's body, positions outside included; what it does not write it declines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy_entries import array, assert_same
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


GENERATOR = np.random.Generator(np.random.PCG64(2))


@pytest.mark.parametrize("dtype", ["f32", "f64", "bf16", "f16"])
@pytest.mark.parametrize(
    ("size", "stride", "pad"),
    [(2, 2, 0), (3, 2, 1), (3, 1, 0), (2, 1, 1), (2, 3, 2), (1, 1, 0), (1, 1, 2), (5, 2, 3), (9, 3, 1), (7, 1, 0)],
)
def test_max_pool(size: int, stride: int, pad: int, dtype: str, tmp_path: Path) -> None:
    height, width = ((extent + 2 * pad - size) // stride + 1 for extent in (7, 8))
    text = (
        "module m\n\nuse std.nn.pool::{max_pool2d}\n\n"
        f"pub entry run(x: Tensor[2, 3, 7, 8; {dtype}]) -> Tensor[2, 3, {height}, {width}; {dtype}] {{\n"
        f"    return max_pool2d<2, 3, 7, 8, {size}, {stride}, {pad}, {dtype}>(x)\n}}\n"
    )
    x = GENERATOR.standard_normal((2, 3, 7, 8)).astype(np.float32)
    special = x.copy()
    special[0, 0, 3, 3], special[0, 1], special[1, 0, :, :4] = np.nan, -np.inf, np.inf
    special[1, 1, 0, 0] = -3e38 if dtype != "f16" else -6e4
    both(tmp_path, text, [{"x": array(x, dtype)}, {"x": array(special, dtype)}])


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("shape", [(1, 2, 3, 4), (2, 1, 1, 1), (1, 1, 0, 2), (0, 1, 2, 2)])
@pytest.mark.parametrize("scale", [1, 2, 3])
def test_nearest_upsampling(scale: int, shape: tuple[int, ...], dtype: str, tmp_path: Path) -> None:
    sizes = ", ".join(map(str, shape))
    result = ", ".join(map(str, (*shape[:2], shape[2] * scale, shape[3] * scale)))
    text = (
        "module m\n\nuse std.nn.resize::{upsample_nearest2d}\n\n"
        f"pub entry run(x: Tensor[{sizes}; {dtype}]) -> Tensor[{result}; {dtype}] {{\n"
        f"    return upsample_nearest2d<{sizes}, {scale}, {dtype}>(x)\n}}\n"
    )
    both(tmp_path, text, [{"x": array(GENERATOR.standard_normal(shape), dtype)}])


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_positions_of_the_last_axis(dtype: str, tmp_path: Path) -> None:
    text = (
        "module m\n\nuse std.quant::{take_inputs}\n\n"
        f"pub entry run(x: Tensor[2, 3, 4; {dtype}], order: Tensor[4; i32]) -> Tensor[2, 3, 4; {dtype}] {{\n"
        "    return take_inputs(x, order)\n}\n"
    )
    x = array(GENERATOR.standard_normal((2, 3, 4)), dtype)
    both(tmp_path, text, [{"x": x, "order": np.array(order, np.int32)} for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 2, 2, 0])])


@pytest.mark.parametrize("dtype", ["f32", "bf16", "f16"])
def test_tokens(dtype: str, tmp_path: Path) -> None:
    text = (
        "module m\n\nuse std.nn.cache::{write_tokens}\n\n"
        f"pub entry run(cache: Tensor[3, 2, 4, 2; {dtype}], value: Tensor[1, 2, 5, 2; {dtype}], rows: Tensor[5; i32], at: Tensor[5; i32])"
        f" -> Tensor[3, 2, 4, 2; {dtype}] {{\n    return write_tokens(cache, value, rows, at)\n}}\n"
    )
    cache, value = array(np.arange(48).reshape(3, 2, 4, 2) - 20, dtype), array(-100 - np.arange(20).reshape(1, 2, 5, 2), dtype)
    pairs = [
        ([0, 0, 1, 2, 2], [0, 3, 2, 1, 0]),
        ([0, 1, 2, -1, 3], [2, 3, 4, 0, 0]),
        ([0, 0, 0, 0, 0], [4, 0, -4, -1, 8]),
        ([3, -3, 6, 0, 0], [0, 0, 0, 0, 1]),
        ([LOWEST, HIGHEST, 0, 1, 2], [0, 0, LOWEST, HIGHEST, 3]),
        # the same place twice: the later token
        ([1, 1, 1, 0, 0], [2, 2, 3, 0, 0]),
    ]
    both(
        tmp_path,
        text,
        [{"cache": cache, "value": value, "rows": np.array(rows, np.int32), "at": np.array(at, np.int32)} for rows, at in pairs],
    )


@pytest.mark.parametrize("implementation", sorted({row.implementation for row in LIBRARY_CALLS if row.legality != "exact"}))
def test_what_may_round_differently_is_declined(implementation: str) -> None:
    x = Operand("x", (2, 2), "f32")
    call = NativeCall(implementation=implementation, generics={}, shape=(2, 2), dtype="f32", operands=(x, x))
    assert "computes the body" in str(NumpyTarget("fast").declines(call))


def test_a_pool_whose_window_is_not_known_is_declined() -> None:
    call = NativeCall(implementation="torch.nn.functional.max_pool2d", generics={"K": 2}, shape=(1, 1, 2, 2), dtype="f32")
    assert NumpyTarget("exact").declines(call) == "the window's size, stride and padding are not all known"
