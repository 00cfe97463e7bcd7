"""Ranges of the steps of an entry with its gradient: cut anywhere, the two parts one after the other give what the whole gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from agreement import assert_all
from running import program, source_file

from linnet_core.graph.calls import Finish, Parameter
from linnet_core.graph.slice_request import Slice
from linnet_core.graph.slices import sources
from linnet_core.graph.step_numbers import LEAVES, Steps, reads
from linnet_core.targets.numpy.target import NumpyTarget

if TYPE_CHECKING:
    from running import Program

TEXT = """module gradients
pub op gain(x: Tensor[3; f64], w: Tensor[3; f64]) -> Tensor[3; f64] { return x * w } grad(y, dy) { return (dy * 3.0 + y, dy * x * x) }
block Model {
    param w: Tensor[3; f64]
    param table: Tensor[4, 3; f64]
    state mean: Tensor[3; f64]
    pub entry loss(x: Tensor[3; f64], at: i64) -> f64 {
        let read[j] = table[at, j] * x[j]
        mean = (mean + gain(read, w)) * 0.5
        var z = mean
        for i in 0..3 { z = tanh(z * w) + table[i] }
        return sum[j] z[j] * w[j]
    }
}
"""
GIVEN = {
    "x": np.array([0.3, -1.2, 2.1]),
    "at": np.array(1),
    "w": np.array([1.1, 0.7, -0.6]),
    "table": np.arange(12.0).reshape(4, 3) * 0.1,
    "mean": np.array([0.2, 0.1, -0.4]),
}


def whole() -> Program:
    return program("numpy", source_file(TEXT), gradient=True)


def cut(steps: Steps, at: int) -> tuple[Slice, Slice]:
    """The steps before and from `at` on; between them goes what the second reads of the first."""
    finish = steps.finish
    results = [int(operand.value) for operand in finish.operands if operand is not None]
    behind = [id for node in steps.nodes[at:] if not isinstance(node.call, Finish) for id in reads(node)] + results
    inputs = {node.results[0] for node in steps.nodes if isinstance(node.call, LEAVES) and not isinstance(node.call, Parameter)}
    handed = [id for id in dict.fromkeys(behind) if steps.maker[id] < at and id not in steps.constant and id not in steps.in_loop]
    handed = [id for id in handed if not isinstance(steps.nodes[steps.maker[id]].call, LEAVES)]
    entry = [id for id in sorted(inputs) if steps.nodes[steps.maker[id]].call.op == "input"]
    written = steps.states["mean"]
    first = {"mean": written.held_at(at)} if written.written is not None and written.written < at else {}
    second = {"mean": written.after} if not first else {}
    return (
        Slice("first", 0, at, tuple(entry), tuple(handed), tuple(first.items())),  # type: ignore[arg-type]  # a written state has an id
        Slice("second", at, len(steps.nodes), (*entry, *handed), tuple(results[: finish.returns]), tuple(second.items())),  # type: ignore[arg-type]
    )


def ran(source: str, values: list[Any]) -> list[np.ndarray]:
    made: dict[str, Any] = {}
    exec(compile(source, "<slice>", "exec"), made)
    leaves = [GIVEN[path] for path in (*made["PARAMETERS"], *made["STATES"])]
    return list(made["main"](*values, *leaves, *made["constants"]()))


def boundaries() -> list[int]:
    steps = Steps(whole().graph)
    return [at for at in range(1, len(steps.nodes)) if steps.around(at) is None]


@pytest.mark.parametrize("at", boundaries())
def test_two_parts_give_what_the_whole_gives(at: int) -> None:
    (loss, *gradients), states = whole().run({k: GIVEN[k] for k in ("x", "at")}, GIVEN, {"mean": GIVEN["mean"].copy()})
    graph = whole().graph
    first, second = cut(Steps(graph), at)
    printed = sources(graph, [first, second], lambda: NumpyTarget("equivalent"))
    entry = [GIVEN["x"], GIVEN["at"]]
    handed = ran(printed[0], entry)
    found = ran(printed[1], [*entry, *handed[: len(first.outputs)]])
    assert_all(found[: len(gradients) + 1], [loss, *gradients])
    assert_all([*handed[len(first.outputs) :], *found[len(gradients) + 1 :]], list(states.values()))
