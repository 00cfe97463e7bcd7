"""Names and paths that are someone else's: nothing is shadowed, nothing ends a string, every entry runs."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from programs import printed

from linnet_core.conformance.hand import Hand, finished
from linnet_core.graph.calls import Elementwise, Finish, Input, Operand, Parameter, State
from linnet_torch import runner
from linnet_torch.target import TorchTarget

FOREIGN = """pub block Module<H: Dim> {
    param training: Tensor[H; f32]
    param forward: Tensor[H; f32]
    param state_dict: Tensor[H; f32]
    pub entry run(lambda: Tensor[H; f32], torch: Tensor[H; f32], np: Tensor[H; f32], v1: Tensor[H; f32], p0: Tensor[H; f32],
        in_v1: Tensor[H; f32], print: Tensor[H; f32], __import__: Tensor[H; f32], None: Tensor[H; f32]) -> Tensor[H; f32] {
        return training * lambda + forward * torch + state_dict * np + v1 + p0 + in_v1 + print + __import__ + None
    }
}
"""


@pytest.mark.parametrize("target", ["torch", "numpy"])
def test_names_of_the_host_language(target: str) -> None:
    one = printed(FOREIGN, target, bind={"H": 1})
    arrays = {name: np.ones(1, np.float32) for name in one.inputs}
    weights = {path: np.array([value], np.float32) for path, value in zip(one.parameters, (2, 3, 4), strict=True)}
    (given,), _ = one.run({**arrays, **weights})
    assert given.tolist() == [15.0]


HOSTILE = [
    pytest.param("a'b", id="a quote"),
    pytest.param('"""', id="three quotes"),
    pytest.param("x\ny = 1", id="a line end"),
    pytest.param("x\r\x0b\x0c\x1c\x85\u2028\u2029y", id="every line end"),
    pytest.param("\\", id="a backslash"),
    pytest.param("{x}", id="braces"),
    pytest.param("模型 é", id="other scripts"),
    pytest.param("\ud800", id="half a character"),
    pytest.param("# type: ignore", id="a comment"),
    pytest.param("", id="nothing"),
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_and_paths_stand_in_quotes(name: str) -> None:
    target = TorchTarget("equivalent")
    hand = Hand(target)
    x = hand(Input(name=name, shape=(2,), dtype="f32"))
    p = hand(Parameter(path=f"layers.0.{name}", shape=(2,), dtype="f32"))
    s = hand(State(path=f"cache.{name}", shape=(2,), dtype="f32"))
    total = hand(Elementwise(kind="add", shape=(2,), dtype="f32", operands=(x, p)))
    after = hand(Elementwise(kind="mul", shape=(2,), dtype="f32", operands=(total, s)))
    target.emit(Finish(module=name, block=name, entry=name, returns=1, states=(f"cache.{name}",), operands=(total, after)))
    source = target.source()
    assert source.isascii()
    found: dict[str, object] = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign):
            (assigned,) = statement.targets
            assert isinstance(assigned, ast.Name)
            found[assigned.id] = ast.literal_eval(statement.value)
    assert found["INPUTS"] == [name]
    assert found["PARAMETERS"] == [f"layers.0.{name}"]
    assert found["STATES"] == found["NEXT_STATES"] == [f"cache.{name}"]
    assert set(found) == {"INPUTS", "PARAMETERS", "STATES", "NEXT_STATES", "RESULTS", "CONSTANTS", "IN_PLACE"}
    two, three, four = (np.full(2, value, np.float32) for value in (2, 3, 4))
    results = runner.run(source, [two], [three], [four])
    assert [r.tolist() for r in results] == [[5, 5], [20, 20]]


def test_inputs_whose_names_become_equal_stay_apart() -> None:
    target = TorchTarget("equivalent")
    hand = Hand(target)
    inputs = [hand(Input(name=name, shape=(), dtype="f32")) for name in ("a b", "a-b", "a_b", "a_b_2")]
    total = inputs[0]
    for other in inputs[1:]:
        total = hand(Elementwise(kind="sub", shape=(), dtype="f32", operands=(total, other)))
    hand.finish(total)
    (given,) = runner.run(target.source(), [np.asarray(v, np.float32) for v in (100, 1, 20, 3)], [], [])
    assert given == 76.0


def test_the_text_does_not_depend_on_how_often_it_is_made() -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(Elementwise(kind="exp", shape=(2,), dtype="f32", operands=(x[0],)))

    arrays = [np.zeros(2, np.float32)]
    target = finished(TorchTarget("equivalent"), build, arrays)
    assert target.source() == target.source() == finished(TorchTarget("equivalent"), build, arrays).source()
