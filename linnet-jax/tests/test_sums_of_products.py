"""Sums of products of several factors: no value that is traced is as large as the whole product."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from jax_programs import printed

N = 16
MATRIX, VECTOR = f"Tensor[{N}, {N}; f32]", f"Tensor[{N}; f32]"

FORMS = [
    pytest.param("a[i, k] * b[k, j] * c[k]", id="scaled"),
    pytest.param("a[i, k] * b[k, j] / c[k] * a[i, j]", id="four factors, divided"),
    pytest.param("if c[k] > 1.5 { a[i, k] * -b[k, j] } else { 0.0 }", id="masked"),
    pytest.param("if a[i, k] > 1.5 { a[i, k] * b[k, j] } else { 0.0 }", id="masked by rows"),
    pytest.param("a[r[i], k] * b[k, r[j]]", id="gathered"),
]


def _largest(jaxpr: Any) -> int:
    """The most elements of a value, inside calls too."""
    found = 0
    for equation in jaxpr.eqns:
        found = max([found, *(int(np.prod(out.aval.shape)) for out in equation.outvars)])
        for inner in _inner(equation.params):
            found = max(found, _largest(inner))
    return found


def _inner(parameters: dict[str, Any]) -> list[Any]:
    return [value.jaxpr for value in parameters.values() if hasattr(value, "jaxpr")]


@pytest.mark.parametrize("body", FORMS)
def test_jax_traces_no_product(body: str) -> None:
    text = f"pub entry run(a: {MATRIX}, b: {MATRIX}, c: {VECTOR}, r: Tensor[{N}; i32]) -> {MATRIX} {{\n"
    text += f"    let y[i, j] = sum[k] {body}\n    return y\n}}\n"
    program = printed(text)
    numbers = np.random.Generator(np.random.PCG64(2))
    arrays = {name: 1 + numbers.random((N, N), np.float32) for name in "ab"}
    arrays |= {"c": 1 + numbers.random(N, np.float32), "r": numbers.integers(0, N, N, np.int32)}
    module: dict[str, Any] = {}
    exec(compile(program.source, "printed", "exec"), module)
    traced = jax.make_jaxpr(module["main"])(*(arrays[name] for name in program.inputs), *module["constants"]())
    assert 0 < _largest(traced.jaxpr) <= 2 * N * N  # positions of a gather are pairs
    (given,), (wanted,) = program.run(arrays)[0], printed(text, "numpy", "exact").run(arrays)[0]
    np.testing.assert_allclose(given, wanted, rtol=2e-5)


def test_the_measure_sees_a_product() -> None:
    text = f"pub entry run(a: {MATRIX}, b: {MATRIX}, c: {VECTOR}) -> {MATRIX} {{\n"
    text += "    let y[i, j] = sum[k] a[i, k] * b[k, j] * c[k]\n    return y\n}\n"
    module: dict[str, Any] = {}
    exec(compile(printed(text, "jax", "exact").source, "printed", "exec"), module)
    given = (np.ones((N, N), np.float32), np.ones((N, N), np.float32), np.ones(N, np.float32))
    assert _largest(jax.make_jaxpr(module["main"])(*given, *module["constants"]()).jaxpr) == N**3
