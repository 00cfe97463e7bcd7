"""An op's `grad` clause is what the framework uses for it, in `main` as printed for torch and jax, wherever the op stands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differentiated import Entry, entry, slopes
from running import source_file

TARGETS = ["torch", "jax"]
#: Gradients that are wrong on purpose (twice and five times the slope), so that a body's own gradient is told from them.
OPS = """
op twice<*S: Shape, T: Float>(x: Tensor[*S; T], n: i64, keep: Tensor[*S; bool]) -> Tensor[*S; T] {
    return select(keep, exp(x) * cast<T>(n), x)
} grad(y, dy) { return dy * y * 2.0 }
op nested<*S: Shape, T: Float>(x: Tensor[*S; T], w: Tensor[*S; T], keep: Tensor[*S; bool]) -> Tensor[*S; T] {
    return twice(x, 3, keep) * w
} grad(y, dy) { return (twice(dy, 1, keep), dy * w * 5.0) }
"""
IN_BRANCH = "if s > 0.0 { twice(x, 3, keep) } else { x * 4.0 }"


def program(body: str) -> str:
    return source_file(
        f"module m\n{OPS}\npub entry run(x: Tensor[3; f64], w: Tensor[3; f64], keep: Tensor[3; bool], s: f64) -> f64 {{\n{body}\n}}\n"
    )


X, W, KEEP = np.array([0.3, -0.4, 1.2]), np.array([2.0, 0.5, -1.0]), np.array([True, False, True])


def by_x(s: float = 1.0) -> Any:
    return np.where(KEEP, np.exp(X) * 3, X) * 2.0


CASES = [
    pytest.param("let v = twice(x, 3, keep)\nreturn sum[i] v[i] * w[i]", 1.0, by_x() * W, id="alone"),
    pytest.param("let v = twice(x, 3, keep) + twice(x, 3, keep)\nreturn sum[i] v[i] * w[i]", 1.0, 2 * by_x() * W, id="twice the same"),
    pytest.param(f"let v = {IN_BRANCH}\nreturn sum[i] v[i] * w[i]", 1.0, by_x() * W, id="in the arm taken"),
    pytest.param(f"let v = {IN_BRANCH}\nreturn sum[i] v[i] * w[i]", -1.0, 4 * W, id="in the arm not taken"),
    pytest.param(
        "var v = x\nfor i in 0..2 { v = twice(v, 1, keep) }\nreturn sum[i] v[i]",
        1.0,
        np.where(KEEP, 4 * np.exp(np.exp(X)) * np.exp(X), 4 * X * X),
        id="in a loop",
    ),
    pytest.param("let v = nested(x, w, keep)\nreturn sum[i] v[i]", 1.0, np.where(KEEP, np.exp(1.0), 1.0), id="one inside another"),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("body", "s", "wanted"), CASES)
def test_the_gradient_is_that_of_the_clause(body: str, s: float, wanted: np.ndarray, target: str) -> None:
    one = entry(target, program(body))
    arrays = [X, W, KEEP, np.asarray(s)]
    loss, gradients = one.gradients(arrays)
    assert np.allclose(gradients[0], wanted, rtol=1e-12)
    assert gradients[2] is None
    assert np.array_equal(loss, one.value(arrays)), "asking for a gradient changes no value"


@pytest.mark.parametrize("target", TARGETS)
def test_the_document_shows_the_backward_part(target: str) -> None:
    one = entry(target, program("let v = twice(x, 3, keep)\nreturn sum[i] v[i]"))
    (end,) = [node for node in flat(one) if node.call.op == "end_custom_gradient"]
    (region,) = end.regions
    assert (region.role, len(region.arguments), [result is None for result in region.results]) == ("pullback", 5, [False, True, True])


def flat(one: Entry) -> list[Any]:
    from linnet_core.graph.nodes import flat_nodes

    return flat_nodes(one.graph.nodes)


@pytest.mark.parametrize("target", TARGETS)
def test_an_op_called_often_is_one_function(target: str) -> None:
    one = entry(target, program("let v = twice(twice(x, 3, keep), 3, keep)\nlet u = twice(v, 3, keep)\nreturn sum[i] u[i]"))
    assert one.source.count("def _gradient0(") == 1
    assert "_gradient1" not in one.source


PLAIN = {
    "loop": "var v = x\nfor i in 0..3 { v = sin(v) * w }\nreturn sum[i] v[i]",
    "scan": "var v = x\nlet rows = for i in 0..3 { v = v * w + 0.5 yield v }\nreturn sum[i, j] rows[i, j] * rows[i, j]",
    "branch": "let v = if s > 0.5 { exp(x) * s } else { sqrt(x + 1.0) }\nreturn sum[i] v[i] * w[i]",
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("body", [pytest.param(text, id=name) for name, text in PLAIN.items()])
def test_loops_and_branches_have_the_slopes_of_their_values(body: str, target: str) -> None:
    one = entry(target, program(body))
    arrays = [X, W, KEEP, np.asarray(0.8)]
    _, gradients = one.gradients(arrays)
    for at in (0, 1):
        assert np.allclose(gradients[at], slopes(one, arrays, at), rtol=1e-6, atol=1e-8)


def test_on_jax_an_arm_that_is_not_taken_adds_nothing_though_it_has_no_slope() -> None:
    one = entry("jax", program("let v = if s > 0.5 { exp(x) } else { sqrt(x) }\nreturn sum[i] v[i] * w[i]"))
    _, gradients = one.gradients([X, W, KEEP, np.asarray(0.8)])
    assert np.allclose(gradients[0], np.exp(X) * W)
