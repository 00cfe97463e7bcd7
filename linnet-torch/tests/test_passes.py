"""Passes over steps: what changes nothing goes, constants are computed once, dead values are released, equal values shared.

The kit (`test_conformance.py`) holds the values of whole programs, loops among them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hand_made import on_torch
from programs import printed

from linnet_core.conformance.compare import difference
from linnet_core.conformance.hand import Hand, finished
from linnet_core.conformance.programs import control
from linnet_core.graph.calls import Broadcast, Call, Concat, Elementwise, Gather, Operand, Reduce, Reshape, Slice, Transpose
from linnet_torch.target import TorchTarget

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def _main(build: Any, arrays: list[np.ndarray]) -> str:
    source = finished(TorchTarget("equivalent"), build, arrays).source()
    return source[source.index("def main(") :]


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(Slice(starts=(0, 0), limits=(2, 3), strides=(1, 1), shape=(2, 3)), id="slice"),
        pytest.param(Reshape(shape=(2, 3)), id="reshape"),
        pytest.param(Transpose(shape=(2, 3), permutation=(0, 1)), id="transpose"),
        pytest.param(Broadcast(shape=(2, 3), dims=(0, 1)), id="broadcast"),
        pytest.param(Concat(axis=1), id="concat"),
        pytest.param(Reduce(kind="sum", dims=(), shape=(2, 3)), id="reduce"),
    ],
)
def test_what_changes_nothing_is_not_written(call: Call) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        fields = {name: getattr(call, name) for name in call.__struct_fields__ if name != "operands"}
        same = hand(type(call)(**fields, operands=(x[0],)))
        return hand(Elementwise(kind="neg", shape=(2, 3), dtype="f32", operands=(same,)))

    lines = _main(build, [X]).splitlines()
    assert len(lines) == 3, lines
    assert "-in_x0" in lines[1]
    assert difference(on_torch(build, [X])[0], -X) is None


def test_an_identity_of_a_result_is_answered_as_a_value_of_its_own() -> None:
    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        return hand(Reshape(shape=(2, 3), operands=(x[0],))), x[0]

    first, second = on_torch(build, [X])
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(first, X)


def test_positions_of_rows_are_read_without_the_axis_they_come_with() -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        columns = hand(Reshape(shape=(2, 1), operands=(x[1],)))
        return hand(Gather(shape=(2, 3), operands=(x[0], columns)))

    arrays = [X, np.array([1, 0])]
    assert "in_x0[in_x1]" in _main(build, arrays)
    assert difference(on_torch(build, arrays)[0], X[[1, 0]]) is None


def test_values_are_released_after_their_last_use() -> None:
    one = printed("pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {\n    return exp(sin(cos(x)))\n}\n")
    assert one.main.count("; del ") == 2


def test_equal_expressions_are_written_once() -> None:
    one = printed("pub entry run(x: Tensor[3; f32]) -> Tensor[3; f32] {\n    return exp(x) * exp(x) + exp(x)\n}\n")
    assert one.main.count("torch.exp") == 1


def test_what_depends_on_constants_alone_is_computed_once_and_what_is_not_read_never() -> None:
    text = "pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {\n    let y = exp(x)\n    return x + exp(cast<f32>(iota(4)))\n}\n"
    one = printed(text)
    assert "torch.exp" not in one.main
    assert one.source.count("torch.exp") == 1
    (given,), _ = one.run({"x": np.zeros(4, np.float32)})
    assert difference(given, np.exp(np.arange(4, dtype=np.float32)), 1e-6) is None


def test_what_does_not_change_in_a_loop_is_computed_before_it() -> None:
    text = next(case.text for case in control.cases() if case.name == "what a loop computes alike in every turn")
    assert "arange" not in printed(text).main
