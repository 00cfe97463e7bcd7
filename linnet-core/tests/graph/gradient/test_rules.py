"""Every kind of call that has a gradient, against central differences in f64; ties, kinks and zeros, where there is none, by value."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from differentiating import central, differences, gradients, unlike
from exporting import exported, nodes

from linnet_core.graph.calls import Call, Elementwise, Finish, Input, Operand, Reduce, ScatterAdd
from linnet_core.graph.calls.elementwise import BINARY_KINDS, UNARY_KINDS
from linnet_core.graph.gradient.wrapper import Gradient
from linnet_core.graph.target import Declined
from linnet_core.targets.numpy.runner import run
from linnet_core.targets.numpy.target import NumpyTarget

X = np.array([[0.3, -1.2, 2.1], [1.7, 0.45, -0.8]])
Y = np.array([[1.1, 0.7, -0.6], [-2.3, 1.9, 0.35]])
ROW = np.array([0.9, -0.4, 1.6])


def of_two(expression: str) -> str:
    """The sum of an expression in `x` and `y`, weighted so that no two elements have one gradient."""
    return (
        "pub entry run(x: Tensor[2, 3; f64], y: Tensor[2, 3; f64]) -> f64 {\n"
        f"    let z = {expression}\n"
        "    let w = reshape(cast<f64>(iota(6)), [2, 3]) + 1.5\n"
        "    return sum[i, j] z[i, j] * w[i, j]\n}"
    )


ELEMENTWISE = {
    "neg": "-x",
    "exp": "exp(x)",
    "log": "log(abs(x))",
    "sqrt": "sqrt(abs(x))",
    "rsqrt": "rsqrt(abs(x))",
    "sin": "sin(x)",
    "cos": "cos(x)",
    "tanh": "tanh(x)",
    "abs": "abs(x)",
    "add": "x + y",
    "sub": "y - x",
    "mul": "x * y",
    "div": "x / y",
    "rem": "x % y",
    "min": "min(x, y)",
    "max": "max(x, y)",
}


@pytest.mark.parametrize("kind", ELEMENTWISE)
def test_elementwise_kinds_have_the_slope_of_their_function(kind: str) -> None:
    text = of_two(ELEMENTWISE[kind])
    recorded = nodes(exported(text, NumpyTarget("equivalent")), "elementwise")
    assert kind in [node.call.kind for node in recorded if isinstance(node.call, Elementwise)]
    assert differences(text, {"x": X, "y": Y}) == []


def test_every_elementwise_kind_of_floats_stands_in_the_table() -> None:
    logic = {"not", "and", "or", "bitand", "bitor", "bitxor", "shl", "shr"}
    assert set(ELEMENTWISE) == {*UNARY_KINDS, *BINARY_KINDS} - logic


PROGRAMS = [
    pytest.param(of_two("select(x < y, x * x, y * x)"), id="select"),
    pytest.param(of_two("reshape(reshape(x, [6]), [2, 3]) * y"), id="reshape"),
    pytest.param(of_two("permute(reshape(permute(x, [1, 0]) * reshape(y, [3, 2]), [3, 2]), [1, 0])"), id="transpose"),
    pytest.param(of_two("permute(reshape(x, [1, 3, 2]), [2, 0, 1])[:, 0, :] * y"), id="a turn of three axes"),
    pytest.param(of_two("x * y[0] + broadcast_to(y[1, 2], [2, 3])"), id="rows and scalars spread"),
    pytest.param(of_two("x[:, 1:2] * y + x[0:1, :]"), id="axes of one spread"),
    pytest.param(of_two("concat(x[:, 2:3], y, x[:, 0:1], axis = 1)[:, 1:4]"), id="concat and slices"),
    pytest.param(of_two("concat(x[1:2, :] * y[0:1, :], x[0:1], axis = 0)"), id="slices of the first axis"),
    pytest.param(of_two("concat(x[:, 0::2], x[:, 1:2], axis = 1) * y"), id="a slice with a step"),
    pytest.param(of_two("cumsum(x, 1) * cumsum(y, 0)"), id="cumsum"),
    pytest.param(of_two("x * (sum[i, j] x[i, j] * y[i, j])"), id="a contraction to a scalar"),
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs_have_the_slope_of_their_loss(text: str) -> None:
    assert differences(text, {"x": X, "y": Y}) == []


INDEXED = [
    pytest.param("let z[i, j] = x[j, i] * y[i]", "3, 2", id="a transposed read"),
    pytest.param("let square = w[1:4, :]\n    let z[i, j] = square[i, j] * square[i, i]", "3, 3", id="a diagonal"),
    pytest.param("let z[i, j] = sum[k] x[i, k] * w[j, k]", "2, 4", id="a matrix product"),
    pytest.param("let z[i, j] = sum[k] x[i, k] * w[j, k] * y[k]", "2, 4", id="a product of three"),
    pytest.param("let z[i, j] = x[i, j] * y[j]", "2, 3", id="an outer product"),
    pytest.param("let z[i, j] = sum[k] exp(x[i, k] * w[j, k])", "2, 4", id="a sum that is no contraction"),
    pytest.param("let z[i, j] = (prod[k] x[i, k] + w[j, k]) + (max[k] x[i, k] * w[j, k])", "2, 4", id="prod and max"),
    pytest.param("let z[i, j] = min[k] x[i, k] - w[j, k]", "2, 4", id="min"),
    pytest.param("let z[i, j] = x[at[i, j], j] * x[at[i, j], 0]", "2, 3", id="positions known at run time"),
    pytest.param("let z[i, j] = w[at[i, 0] + at[i, j], j]", "2, 3", id="rows read twice"),
    pytest.param("let z[i, j] = if x[i, j] < 0.5 { x[i, j] * y[j] } else { y[j] * y[j] }", "2, 3", id="if per element"),
]


@pytest.mark.parametrize(("statement", "shape"), INDEXED)
def test_index_notation_has_the_slope_of_its_sums(statement: str, shape: str) -> None:
    size = shape.replace(", ", " * ")
    text = (
        "pub entry run(x: Tensor[2, 3; f64], y: Tensor[3; f64], w: Tensor[4, 3; f64], at: Tensor[2, 3; i64]) -> f64 {\n"
        f"    {statement}\n"
        f"    let by = reshape(cast<f64>(iota({size})), [{shape}]) + 0.5\n"
        f"    let both: Tensor[{shape}; f64] = z * by\n"
        "    return sum[i, j] both[i, j]\n}"
    )
    w = np.arange(12.0).reshape(4, 3) * 0.37 - 1.9
    at = np.array([[0, 1, 1], [1, 0, 1]])
    assert differences(text, {"x": X, "y": ROW, "w": w, "at": at}) == []


def test_a_conversion_between_floats_converts_the_gradient() -> None:
    found = gradients(of_two("cast<f64>(cast<f32>(x)) * y"), {"x": X, "y": Y})
    assert np.array_equal(found["x"], (Y * (np.arange(6.0).reshape(2, 3) + 1.5)).astype(np.float32).astype(np.float64))


def test_what_no_gradient_flows_through_gives_zeros() -> None:
    text = of_two("cast<f64>(cast<i64>(x)) + select(y < x, fill([2, 3], 1.0), fill([2, 3], 2.0))")
    found = gradients(text, {"x": X, "y": Y})
    assert all(np.array_equal(gradient, np.zeros((2, 3))) for gradient in found.values())


def one(expression: str, size: int = 3) -> str:
    """An entry of one vector."""
    return f"pub entry run(x: Tensor[{size}; f64], y: Tensor[{size}; f64]) -> f64 {{ return {expression} }}"


EDGES = [
    pytest.param(one("sum[i] max(x[i], y[i])"), [1, 2, 3], [1, 2, 5], {"x": [0.5, 0.5, 0], "y": [0.5, 0.5, 1]}, id="equals share a max"),
    pytest.param(one("sum[i] min(x[i], y[i])"), [1, 2, 3], [1, 2, 5], {"x": [0.5, 0.5, 1], "y": [0.5, 0.5, 0]}, id="equals share a min"),
    pytest.param(one("max[i] x[i]"), [4, 1, 4], [0, 0, 0], {"x": [0.5, 0, 0.5], "y": [0, 0, 0]}, id="equals share the largest"),
    pytest.param(one("min[i] x[i]"), [1, 1, 1], [0, 0, 0], {"x": [1 / 3] * 3, "y": [0, 0, 0]}, id="equals share the smallest"),
    pytest.param(one("sum[i] abs(x[i]) * y[i]"), [0, -2, 3], [7, 7, 7], {"x": [0, -7, 7], "y": [0, 2, 3]}, id="abs is flat at 0"),
    pytest.param(one("prod[i] x[i]"), [2, 0, 5], [0, 0, 0], {"x": [0, 10, 0], "y": [0, 0, 0]}, id="a product with one zero"),
    pytest.param(one("prod[i] x[i]"), [0, 0, 5], [0, 0, 0], {"x": [0, 0, 0], "y": [0, 0, 0]}, id="a product with two zeros"),
    pytest.param(one("prod[i] x[i]"), [2, 3, 5], [0, 0, 0], {"x": [15, 10, 6], "y": [0, 0, 0]}, id="a product without zeros"),
    pytest.param(
        one("sum[i] if x[i] > 0.0 { sqrt(x[i]) } else { y[i] }"),
        [0, 0, 4],
        [1, 1, 1],
        {"x": [0, 0, 0.25], "y": [1, 1, 0]},
        id="a root not taken",
    ),
    pytest.param(
        one("sum[i] if x[i] > 0.0 { log(x[i]) + rsqrt(x[i]) + y[i] / x[i] } else { x[i] }"),
        [0, -1, 4],
        [1, 1, 2],
        {"x": [1, 1, 0.25 - 1 / 16 - 2 / 16], "y": [0, 0, 0.25]},
        id="poles not taken",
    ),
    pytest.param(
        one("sum[i] y[i] * (if x[i] > 30.0 { x[i] } else { log(1.0 + exp(x[i])) })"),
        [0, 1000, 40],
        [1, 1, 2],
        {"x": [0.5, 1, 2], "y": [np.log(2), 1000, 40]},
        id="an overflow not taken",
    ),
]


@pytest.mark.parametrize(("text", "x", "y", "wanted"), EDGES)
def test_at_ties_kinks_and_zeros_the_gradient_is_said(text: str, x: list[float], y: list[float], wanted: dict[str, list[float]]) -> None:
    found = gradients(text, {"x": np.array(x, float), "y": np.array(y, float)})
    for name, values in wanted.items():
        assert np.allclose(found[name], values, rtol=1e-15, atol=0), name


def test_a_small_term_behind_large_ones_keeps_its_digits_in_a_running_sum() -> None:
    text = one("sum[i] (cumsum(x, 0))[i] * y[i]")
    found = gradients(text, {"x": np.ones(3), "y": np.array([1e20, 1.0, 3.0])})
    assert found["x"].tolist() == [1e20, 4.0, 3.0]


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
def test_a_gradient_has_the_dtype_of_its_value(dtype: str) -> None:
    text = "pub entry run<T: Float>(x: Tensor[4; T], y: Tensor[4; T]) -> T { return sum[i] exp(x[i]) * max(x[i], y[i]) }"
    recording = exported(text, NumpyTarget("equivalent"), bind={"T": dtype}, gradient=True)
    finish = nodes(recording, "finish")[0].call
    assert [operand.dtype for operand in finish.operands if operand is not None] == [dtype] * 3


def test_many_equals_share_in_short_floats_too() -> None:
    text = "pub entry run(x: Tensor[3000; bf16]) -> bf16 { return max[i] x[i] }"
    from ml_dtypes import bfloat16

    x = np.ones(3000, bfloat16)
    program = gradients(text, {"x": x})
    assert set(program["x"].tolist()) == {float(bfloat16(1 / 3000))}


def test_what_is_added_at_positions_has_the_gradient_of_its_position() -> None:
    """No source says `scatter_add`, so its calls are made here: positions 2, 0, 2 of four, weighted by 1, 10, 100, 1000."""
    target = NumpyTarget("equivalent")
    around = Gradient(target, of_inputs=True, buffers=set())

    def one(call: Call) -> Operand:
        names = around.emit(call)
        assert not isinstance(names, Declined)
        return Operand(names[0], *msgspec.structs.astuple(call.result_types()[0]))

    values = one(Input(name="x", shape=(3,), dtype="f64"))
    at = one(Input(name="at", shape=(3, 1), dtype="i64"))
    weights = one(Input(name="w", shape=(4,), dtype="f64"))
    added = one(ScatterAdd(shape=(4,), dtype="f64", operands=(at, values)))
    product = one(Elementwise(kind="mul", shape=(4,), dtype="f64", operands=(added, weights)))
    loss = one(Reduce(kind="sum", dims=(0,), shape=(), operands=(product,)))
    around.emit(Finish(module="m", block="", entry="run", returns=1, states=(), operands=(loss,)))
    given = [np.array([3.0, 5.0, 7.0]), np.array([[2], [0], [2]]), np.array([1.0, 10.0, 100.0, 1000.0])]
    total, of_values, of_weights = run(around.source(), given, [], ())
    assert (float(total), of_values.tolist(), of_weights.tolist()) == (1005.0, [100.0, 1.0, 100.0], [5.0, 0.0, 10.0, 0.0])


class TestTheComparison:
    """The kit itself says what differs."""

    def test_a_wrong_element_is_told(self) -> None:
        assert unlike(np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-6]), 1e-8) is not None
        assert unlike(np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-10]), 1e-8) is None

    def test_another_type_and_a_nan_are_told(self) -> None:
        assert unlike(np.zeros(2, np.float32), np.zeros(2), 1e-8) is not None
        assert unlike(np.zeros(2), np.zeros((2, 1)), 1e-8) is not None
        assert unlike(np.array([np.nan]), np.zeros(1), 1e-8) is not None

    def test_a_central_difference_is_a_slope(self) -> None:
        found = central(lambda given: float(given["x"][0] ** 2 * 3 + given["x"][1]), {"x": np.array([2.0, 5.0])}, "x")
        assert np.allclose(found, [12.0, 1.0], atol=1e-8)

    def test_a_clause_that_lies_is_a_difference(self) -> None:
        text = (
            "pub op twice(x: Tensor[3; f64]) -> Tensor[3; f64] { return x * 2.0 } grad(y, dy) { return dy * 3.0 }\n"
            "pub entry run(x: Tensor[3; f64]) -> f64 { let y = twice(x) return sum[i] y[i] }"
        )
        (problem,) = differences(text, {"x": np.ones(3)})
        assert problem.startswith("x: ")
