"""Counted loops and scans: what they carry, what they read from outside, what they stack, one inside another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differentiating import differences, gradients
from exporting import calls, exported
from listing_target import Listing

from linnet_core.errors import SourceError
from linnet_core.targets.numpy.target import NumpyTarget

X = np.array([0.3, -0.7, 1.1])
W = np.array([[0.5, -0.2, 0.1], [0.3, 0.8, -0.6], [-0.4, 0.2, 0.7]])


def of_loop(body: str) -> str:
    """An entry of a vector and a matrix that ends with a vector `z`."""
    return (
        "pub entry run(x: Tensor[3; f64], w: Tensor[3, 3; f64]) -> f64 {\n"
        f"    {body}\n"
        "    return sum[i] z[i] * (cast<f64>(iota(3)[i]) + 1.0)\n}"
    )


LOOPS = [
    pytest.param("var z = x for i in 0..4 { let p[a] = sum[b] w[a, b] * z[b] z = tanh(p) }", id="a recurrence"),
    pytest.param("var z = x for i in 0..4 { z = z + w[1] }", id="a linear one, which keeps nothing"),
    pytest.param("var z = x for i in 0..4 { z = z * cast<f64>(i) + z * w[i / 2] }", id="the index as a number and a position"),
    pytest.param("var z = x for i in 2..5 { z = z * cast<f64>(i) * w[i - 2] }", id="a range that starts later"),
    pytest.param("var z = x var n = 1 for i in 0..4 { z = z * cast<f64>(n) n = n * 2 }", id="an integer carried"),
    pytest.param("var z = x var y = x * 2.0 for i in 0..3 { let next = y * z z = y + w[i] y = next }", id="two values that change places"),
    pytest.param("var z = x for i in 0..3 { z = w[0] * x }", id="a value overwritten in each turn"),
    pytest.param("var z = x for i in 0..0 { z = z * w[0] }", id="no turns"),
    pytest.param("var z = x * 2.0 var y = x for i in 0..3 { y = y * y }", id="a loop the loss does not read"),
    pytest.param("var y = x let ys = for i in 0..3 { y = sin(y) * w[i] yield y } let z[a] = sum[t] ys[t, a] * w[a, t]", id="a scan"),
    pytest.param("let ys = for i in 0..3 { yield w[i] * x[i] } let z[a] = sum[t] ys[t, a] * ys[a, t]", id="a scan that carries nothing"),
    pytest.param(
        "let (ys, ns) = for i in 1..4 { yield (exp(w[i - 1]), x[i - 1] * x[0]) } let z[a] = sum[t] ys[t, a] * ns[t]", id="two stacks"
    ),
    pytest.param("var z = x for i in 0..2 { for j in 0..3 { z = sin(z) + w[j] * cast<f64>(i + 1) } z = z * z }", id="a loop in a loop"),
    pytest.param(
        "var z = x for i in 0..2 { let ys = for j in 0..3 { yield tanh(z * w[j]) } let s[a] = sum[t] ys[t, a] * w[t, a] z = s + z }",
        id="a scan in a loop",
    ),
    pytest.param("var z = x for i in 0..2 { for j in 0..2 { for k in 0..2 { z = cos(z) * w[i + k] } } }", id="three loops"),
    pytest.param("var z = x for i in 0..3 { z = if z[0] > 0.0 { z * w[0] } else { sin(z) } }", id="if in a loop"),
    pytest.param(
        "var z = x for i in 0..3 { var n = 0 while n < 2 { n = n + 1 } z = z * cast<f64>(n) * z }", id="a while of integers inside"
    ),
]


@pytest.mark.parametrize("body", LOOPS)
def test_loops_have_the_slope_of_their_loss(body: str) -> None:
    assert differences(of_loop(body), {"x": X, "w": W}) == []


def test_only_what_the_way_back_reads_is_kept_of_each_iteration() -> None:
    def carried(body: str) -> list[int]:
        recording = exported(of_loop(body), NumpyTarget("equivalent"), gradient=True)
        return [len(call.operands) for call in calls(recording, "begin_counted")]

    assert carried("var z = x for i in 0..4 { z = z + w[1] }") == [1, 2]
    assert carried("var z = x for i in 0..4 { z = z * w[1] }") == [2, 2]
    # a scan carries its stack, of which nothing is kept: a stack of stacks would grow with the square of the turns; back go x and rows of w
    assert carried("let ys = for i in 0..3 { yield w[i] * x } let z = ys[1]") == [1, 2]


def test_a_gradient_clause_inside_a_loop_is_used() -> None:
    op = "pub op odd(x: Tensor[3; f64], w: Tensor[3; f64]) -> Tensor[3; f64] { return x * w } grad(y, dy) { return (dy * y, dy + x) }\n"
    body = "var z = x for i in 0..2 { z = odd(z, w[i]) }"
    found = gradients(op + of_loop(body), {"x": X, "w": W})
    dy = np.array([1.0, 2.0, 3.0])
    first = X * W[0]
    second = first * W[1]
    d_first = dy * second
    assert np.allclose(found["w"], [d_first + X, dy + first, np.zeros(3)], rtol=1e-14)
    assert np.allclose(found["x"], d_first * first, rtol=1e-14)


ROWS = [
    pytest.param(frozenset(("update_row", "scatter_add", "contract")), id="rows"),
    pytest.param(frozenset(("scatter_add",)), id="rows by selects, products by sums"),
]


@pytest.mark.parametrize("takes", ROWS)
def test_a_target_that_replaces_no_rows_gets_selects(takes: frozenset[str]) -> None:
    from interpreter import compute

    body = "var z = x for i in 0..3 { let p[a] = sum[b] w[a, b] * z[b] z = p * z }"
    recording = exported(of_loop(body), Listing(takes=takes, supports_counted=True), gradient=True)
    wanted = gradients(of_loop(body), {"x": X, "w": W})
    _, dx, dw = compute(recording.graph, x=X, w=W)
    assert np.allclose(dx, wanted["x"], rtol=1e-12)
    assert np.allclose(dw, wanted["w"], rtol=1e-12)


BOTH = {"supports_while": True, "supports_counted": True}
WHILES = [
    pytest.param("var z = x while z[0] < 9.0 { z = z * 2.0 + 1.0 }", BOTH, "`for`", id="while"),
    pytest.param(
        "var z = x for i in 0..3 { z = z * 2.0 }", {"supports_while": True}, "static for", id="for of a target without counted loops"
    ),
    pytest.param(
        "var z = x for i in 0..3 { var n = 0 while n < 2 { z = z * 2.0 n = n + 1 } }",
        BOTH,
        "`for`",
        id="while in for",
    ),
]


@pytest.mark.parametrize(("body", "capabilities", "help"), WHILES)
def test_a_loop_of_unknown_length_has_no_gradient(body: str, capabilities: dict[str, Any], help: str) -> None:
    with pytest.raises(SourceError) as caught:
        exported(of_loop(body), Listing(**capabilities), gradient=True)
    (problem,) = caught.value.diagnostics
    assert problem.message.startswith("gradient: a `while` has no gradient")
    assert problem.span is not None
    loop = "for" if "while" not in body else "while"
    assert problem.span.source.text[problem.span.start :].startswith(loop)
    assert help in (problem.help or "")


def test_a_while_before_which_nothing_is_wanted_runs() -> None:
    body = "var n = 0 while n < 5 { n = n + 2 } let z = x * cast<f64>(n)"
    assert differences(of_loop(body), {"x": X, "w": W}) == []
