"""Two processes of a gloo group: the collectives of `std.nn.parallel` and fully sharded parameters, with their gradients.

The processes are started once for all cases.  What is due is computed here, in one process, by torch itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from programs import printed

from linnet_core.conformance.hand import Hand, finished
from linnet_core.conformance.programs.printed import fresh, module
from linnet_core.errors import SourceError
from linnet_core.graph.calls import GatherParts, NativeCall, Operand
from linnet_core.graph.export import ExportRequest, export
from linnet_core.plugins.manager import find_target
from linnet_core.weights.arrays import numpy_dtype
from linnet_torch import runner
from linnet_torch.target import TorchTarget

SPLIT = """
use std.nn.linear::{linear}
use std.nn.parallel::{all_gather, all_reduce, shared}

pub entry run(x: Tensor[3, 4; f32], w: Tensor[2, 4; f32], v: Tensor[3, 2; f32]) -> f32 {
    let columns = linear(shared(x), w)
    let joined = all_gather<3, 2, 2, f32>(columns)
    let rows = all_reduce(linear(columns, v))
    let first = sum<f32>[i, j] joined[i, j] * joined[i, j] * rows[i, 0]
    return first + (sum<f32>[i, j] rows[i, j] * rows[i, j])
}
"""
#: As a layer of a split model: columns, then rows; with a loop, where the way back exchanges in each turn, and a clause that exchanges.
REDUCED = """
use std.nn.linear::{linear}
use std.nn.parallel::{all_reduce, shared}

op doubled(x: Tensor[3, 4; f32]) -> Tensor[3, 4; f32] {
    return x * 2.0
} grad(y, dy) {
    return all_reduce(dy) * 2.0
}

pub entry run(x: Tensor[3, 4; f32], w: Tensor[2, 4; f32], v: Tensor[3, 2; f32]) -> f32 {
    var y = x
    for i in 0..2 {
        let columns = linear(shared(y), w)
        let rows = all_reduce(linear(columns, v))
        y = y * (sum<f32>[i, j] rows[i, j] * rows[i, j])
    }
    let columns = linear(doubled(y), w)
    let rows = all_reduce(linear(columns, v))
    return sum<f32>[i, j] rows[i, j] * rows[i, j]
}
"""
REDUCE = """
use std.nn.parallel::{all_reduce}
pub entry run(x: Tensor[3; T]) -> Tensor[3; T] { return all_reduce(x) }
"""
GATHER = """
use std.nn.parallel::{all_gather}
pub entry run(x: Tensor[2, 3; f32]) -> Tensor[2, 9; f32] { return all_gather<2, 3, 3, f32>(x) }
"""
SHARDED = """
use std.nn.linear::{linear}

block Layer {
    param w: Tensor[5, 4; f32]
    param b: Tensor[1; f32]
    param scale: f32
    pub fn forward(x: Tensor[3, 4; f32]) -> Tensor[3, 5; f32] {
        let y = linear(x, w)
        return y * y * scale + b[0]
    }
}
pub block Model {
    sub layer: Layer
    pub entry run(x: Tensor[3, 4; f32]) -> f32 {
        let y = layer.forward(x)
        return sum<f32>[i, j] y[i, j] * y[i, j]
    }
}
"""
RANDOM = np.random.Generator(np.random.PCG64(5))


def _random(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


X, W, V = _random(3, 4), _random(4, 4), _random(3, 4)  # columns of `v` belong to columns of the product
DATA, WEIGHT, BIAS, SCALE = _random(6, 4), _random(5, 4), _random(1), _random()
#: By name, one for each process.
INPUTS = {
    "x": (X, X),
    "w": (W[:2], W[2:]),
    "v": (V[:, :2], V[:, 2:]),
    "rows": (X[0, :3], X[1, :3]),
    "block": (X[:2, :3], X[1:, :3]),
    "data": (DATA[:3], DATA[3:]),
    "weight": (WEIGHT[:3], WEIGHT[3:]),
    "wrong": (W, W),
    "bias": (BIAS, BIAS[:0]),
    "scale": (SCALE, SCALE),
}


def sharded() -> str:
    target = TorchTarget("equivalent")
    export(module(f"module m\n\n{SHARDED}", "equivalent"), ExportRequest(entry="run", fully_shard=("layer",)), target)
    return target.source()


def gradient(text: str, entry: str = "run", target: str = "torch", *, library: bool = True) -> str:
    """The source of an entry with its gradient."""
    plugin = find_target(target)
    assert plugin is not None
    made = fresh(plugin, "equivalent")
    export(module(f"module m\n\n{text}", "equivalent"), ExportRequest(entry=entry, gradient=True, library=library), made)
    return made.source()


def case(source: str, *leaves: str, group: str = "all", kind: str = "tensor") -> dict[str, Any]:
    return {"source": source, "leaves": leaves, "group": group, "kind": kind}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What each process found."""
    folder = tmp_path_factory.mktemp("processes")
    cases = {
        "split": case(printed(SPLIT).source, "x", "w", "v"),
        "graph": case(gradient(REDUCED), "x", "w", "v", kind="answers"),
        "reduce": case(printed(REDUCE.replace("T]", "f32]")).source, "rows"),
        "alone": case(printed(REDUCE.replace("T]", "f32]")).source, "rows", group="own"),
        "shards": case(printed(GATHER).source, "block"),
        "sharded": case(sharded(), "data", "weight", "bias", "scale"),
        "misfit": case(sharded(), "data", "wrong", "bias", "scale"),
        "dtensor": case(sharded(), "data", "weight", "bias", "scale", kind="dtensor"),
    }
    (folder / "cases.json").write_text(json.dumps(cases))
    arrays: dict[str, Any] = {f"{name}.{rank}": array for name, both in INPUTS.items() for rank, array in enumerate(both)}
    np.savez(folder / "inputs.npz", **arrays)
    worker = Path(__file__).with_name("process_worker.py")
    started = [subprocess.Popen([sys.executable, str(worker), str(rank), str(folder)], stderr=subprocess.PIPE) for rank in range(2)]
    try:
        said = [process.communicate(timeout=180)[1].decode() for process in started]
    finally:
        for process in started:
            process.kill()
    assert [process.returncode for process in started] == [0, 0], said
    return [np.load(folder / f"results-{rank}.npz") for rank in range(2)]


def due(value: torch.Tensor, *leaves: torch.Tensor) -> tuple[np.ndarray, ...]:
    """A number and its gradients."""
    gradients = torch.autograd.grad(value, leaves, retain_graph=True)
    return (value.detach().numpy(), *[gradient.numpy() for gradient in gradients])


def close(got: np.ndarray, wanted: np.ndarray) -> None:
    assert got.shape == wanted.shape
    np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=2e-5)


def test_a_split_model_is_the_whole_one_and_so_are_its_gradients(ran: list[Any]) -> None:
    x, w, v = (torch.from_numpy(array).requires_grad_() for array in (X, W, V))
    columns = x @ w.T
    rows = columns @ v.T
    loss, of_x, of_w, of_v = due((columns**2 * rows[:, :1]).sum() + (rows**2).sum(), x, w, v)
    for rank, found in enumerate(ran):
        close(found["split.0"], loss)
        close(found["split.gradient.0"], of_x)
        close(found["split.gradient.1"], of_w[2 * rank : 2 * rank + 2])
        close(found["split.gradient.2"], of_v[:, 2 * rank : 2 * rank + 2])


def test_the_gradient_in_the_graph_exchanges_what_autodiff_of_the_source_would(ran: list[Any]) -> None:
    x, w, v = (torch.from_numpy(array).requires_grad_() for array in (X, W, V))
    y = x
    for _ in range(2):
        y = y * ((y @ w.T @ v.T) ** 2).sum()
    loss, of_x, of_w, of_v = due((((y * 2) @ w.T @ v.T) ** 2).sum(), x, w, v)
    for rank, found in enumerate(ran):
        close(found["graph.0"] / loss, np.ones((), np.float32))
        for at, whole in enumerate((of_x, of_w[2 * rank : 2 * rank + 2], of_v[:, 2 * rank : 2 * rank + 2]), 1):
            close(found[f"graph.{at}"] / np.abs(whole).max(), whole / np.abs(whole).max())


def test_the_gradient_of_joined_columns_is_refused_across_processes_and_that_of_the_body_without() -> None:
    with pytest.raises(SourceError, match="gradient: `all_gather` has no gradient across processes"):
        gradient(SPLIT)
    found = runner.run(gradient(SPLIT, library=False), [X, W[:2], V[:, :2]], (), ())
    again = find_target("numpy")
    assert again is not None
    assert again.run is not None
    for one, other in zip(found, again.run(gradient(SPLIT, target="numpy"), [X, W[:2], V[:, :2]], (), ()), strict=True):
        close(one, other)
    x, w, v = (torch.from_numpy(array).requires_grad_() for array in (X, W[:2].copy(), V[:, :2].copy()))
    columns = x @ w.T
    rows = columns @ v.T
    for got, wanted in zip(found, due((2 * columns**2 * rows[:, :1]).sum() + (rows**2).sum(), x, w, v), strict=True):
        close(got, wanted)


def test_a_sum_is_the_same_in_each_process_and_hands_its_gradient_on_as_it_is(ran: list[Any]) -> None:
    for found in ran:
        close(found["reduce.0"], X[0, :3] + X[1, :3])
        close(found["reduce.gradient.0"], np.ones(3, np.float32))


def test_a_process_alone_in_its_group_computes_the_body(ran: list[Any]) -> None:
    for rank, found in enumerate(ran):
        close(found["alone.0"], X[rank, :3])


def test_shards_that_are_not_as_many_as_the_processes_are_an_error(ran: list[Any]) -> None:
    assert [str(found["shards.error"]) for found in ran] == ["all_gather over 3 shards, and there are 2 processes"] * 2


@pytest.mark.parametrize("kind", ["sharded", "dtensor"])
def test_a_sharded_parameter_is_whole_in_the_block_and_gets_the_gradient_of_its_rows(ran: list[Any], kind: str) -> None:
    """Each process has data of its own; rows are dealt as torch.chunk deals them, 3 and 2 of 5, 1 and 0 of 1."""
    w, b, scale = (torch.from_numpy(np.array(array)).requires_grad_() for array in (WEIGHT, BIAS, SCALE))
    losses = [(((torch.from_numpy(DATA[3 * n : 3 * n + 3]) @ w.T) ** 2 * scale + b) ** 2).sum() for n in range(2)]
    _, of_w, of_b = due(losses[0] + losses[1], w, b)
    own = [due(loss, scale)[1] for loss in losses]
    for rank, found in enumerate(ran):
        close(found[f"{kind}.0"], losses[rank].detach().numpy())
        close(found[f"{kind}.gradient.1"], (of_w[:3], of_w[3:])[rank])
        close(found[f"{kind}.gradient.2"], (of_b, of_b[:0])[rank])
        close(found[f"{kind}.gradient.3"], own[rank])


def test_rows_that_are_not_those_of_the_process_are_an_error(ran: list[Any]) -> None:
    said = [str(found["misfit.error"]) for found in ran]
    assert said == [f"process {rank} of 2 holds {rows} rows of a parameter of 5, not 4" for rank, rows in enumerate((3, 2))]


# ------------------------------------------------------------------------------------------------------------ one process


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
def test_without_a_group_the_ops_compute_their_bodies(numerics: str) -> None:
    calls = printed(SPLIT, numerics=numerics)
    assert [name for name in calls.taken if name.startswith("torch.distributed")] == [
        "torch.distributed.shared",
        "torch.distributed.all_gather",
        "torch.distributed.all_reduce",
    ]
    arrays = {"x": X, "w": W[:2], "v": V[:, :2]}
    (got,), _ = calls.run(arrays)
    (body,), _ = printed(SPLIT, numerics=numerics, library=False).run(arrays)
    close(got, body)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
def test_what_one_process_sums_is_bit_for_bit_what_it_gave(dtype: str) -> None:
    x = (X[0, :3] * 3).astype(numpy_dtype(dtype))
    (got,), _ = printed(REDUCE.replace("T]", f"{dtype}]"), numerics="exact").run({"x": x})
    assert got.tobytes() == x.tobytes()
    assert not np.shares_memory(got, x)


def test_a_sharded_module_takes_whole_parameters_where_there_is_no_group() -> None:
    (got,) = runner.run(sharded(), [DATA[:3]], [WEIGHT, BIAS, SCALE], ())
    y = (DATA[:3] @ WEIGHT.T) ** 2 * SCALE + BIAS
    close(got, np.asarray((y * y).sum(), np.float32))


# ------------------------------------------------------------------------------------------------------------------ passes


def _reduced(hand: Hand, x: Operand) -> Operand:
    return hand(NativeCall(implementation="torch.distributed.all_reduce", generics={}, shape=x.shape, dtype="f32", operands=(x,)))


def _main(build: Any) -> str:
    target = TorchTarget("equivalent")
    finished(target, build, [X])
    source = target.source()
    return source[source.index("def constants(") :]


def test_equal_exchanges_are_made_as_often_as_they_are_called() -> None:
    text = _main(lambda hand, x: (_reduced(hand, x[0]), _reduced(hand, x[0])))
    assert text.count("_all_reduce(in_x0)") == 2


def test_an_exchange_whose_result_nobody_reads_is_made_all_the_same() -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        _reduced(hand, x[0])
        return x[0]

    assert "_all_reduce(in_x0)" in _main(build)


def test_an_exchange_of_constants_is_made_in_each_call() -> None:
    text = _main(lambda hand, x: (_reduced(hand, hand.constant(2.0, "f32")), x[0]))
    assert "_all_reduce(" in text[text.index("def main(") :]


def test_a_parameter_that_is_gathered_twice_is_gathered_twice() -> None:
    text = _main(lambda hand, x: (hand(GatherParts(operands=(x[0],))), hand(GatherParts(operands=(x[0],)))))
    assert text.count("_whole(in_x0, 3)") == 2
