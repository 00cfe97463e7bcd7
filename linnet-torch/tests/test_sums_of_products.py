"""Sums of products of several factors, scaled, masked or divided: no value is as large as the whole product, and the sums are right.

The sizes are such that every operand and result has N * N elements at most and the product N * N * N.
"""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
import torch
from programs import printed
from torch.utils._python_dispatch import TorchDispatchMode

from linnet_core.conformance.programs.printed import Printed

N = 32

#: Parameters beside a[i, k] and b[k, j], and the body of the sum over k.
FORMS = [
    pytest.param("c: K", "a[i, k] * b[k, j] * c[k]", id="scaled along the sum"),
    pytest.param("c: K", "c[i] * a[i, k] * b[k, j]", id="scaled by what is free of the sum"),
    pytest.param("c: KK", "a[i, k] * b[k, j] * c[i, j]", id="three factors"),
    pytest.param("c: K, d: KK", "a[i, k] * b[k, j] * c[k] * d[i, j]", id="four factors"),
    pytest.param("", "0.5 * a[i, k] * b[k, j]", id="a number"),
    pytest.param("", "a[i, k] * b[k, j] * b[k, j]", id="a factor twice"),
    pytest.param("c: K", "a[i, k] * (b[k, j] + c[k])", id="a factor that is a sum"),
    pytest.param("", "-(a[i, k] * b[k, j])", id="negated"),
    pytest.param("c: K", "a[i, k] * b[k, j] / c[j]", id="a divisor that is free"),
    pytest.param("c: K", "a[i, k] * b[k, j] / c[k]", id="a divisor along the sum"),
    pytest.param("c: K", "a[i, k] / c[k] * -b[k, j]", id="a factor divided"),
    pytest.param("m: K", "if m[k] > 1.5 { a[i, k] * b[k, j] } else { 0.0 }", id="masked along the sum"),
    pytest.param("m: KK", "if m[i, k] > 1.5 { a[i, k] * b[k, j] } else { 0.0 }", id="masked by rows"),
    pytest.param("m: KK", "select(m[i, k] > 1.5, a[i, k] * b[k, j], 0.0)", id="masked by select"),
    pytest.param("m: KK", "if m[k, j] > 1.5 { -(a[i, k] * b[k, j]) / m[k, i] } else { 0.0 }", id="masked, negated, divided"),
    pytest.param("m: KK", "(if m[i, k] > 1.5 { a[i, k] } else { 0.0 }) * b[k, j]", id="a masked factor"),
    pytest.param("m: KK", "a[i, k] * b[k, j] * cast<f32>(m[i, k] > 1.5)", id="a mask cast"),
    pytest.param("c: KK", "a[i, k] * cast<f32>(cast<f64>(b[k, j])) * c[i, k]", id="a cast factor"),
    pytest.param("c: K", "cast<f32>(cast<f64>(a[i, k]) * cast<f64>(b[k, j]))", id="a product cast to less"),
    pytest.param("c: K", "-cast<f32>(cast<f64>(a[i, k] * b[k, j]) / 3.0)", id="a quotient cast"),
    pytest.param("m: KK", "if m[k, j] > 1.5 { a[i, k] } else { 0.0 }", id="one factor that lacks an axis of the mask"),
    pytest.param("m: KK", "if m[k, j] > 1.5 { 0.0 } else { a[i, k] }", id="one factor, zero first"),
    pytest.param("m: KK", "if m[k, j] > 1.5 { a[i, k] / b[k, i] } else { 0.0 }", id="one factor and a divisor"),
    pytest.param("m: KK", "if m[i, j] > 1.5 { -a[i, k] } else { 0.0 }", id="one factor, masked outside the sum"),
    pytest.param("m: KK", "if m[i, j] > 1.5 { a[i, k] * b[k, j] } else { 0.0 }", id="masked outside the sum"),
    pytest.param("m: KK, d: KK", "if m[k, j] > 1.5 { a[i, k] * d[i, k] } else { 0.0 }", id="two factors that lack an axis of the mask"),
    pytest.param("m: KK", "if m[i, k] > 1.5 { 0.0 } else { a[i, k] * b[k, j] }", id="masked, zero first"),
    pytest.param("m: KK", "select(m[i, j] > 1.5, 0.0, a[i, k] * b[k, j])", id="masked by select, zero first"),
    pytest.param(
        "m: KK", "if m[i, k] > 1.5 { cast<f32>(cast<f64>(a[i, k]) * cast<f64>(b[k, j])) } else { 0.0 }", id="a masked product that is cast"
    ),
    pytest.param("r: R", "a[r[i], k] * b[k, j]", id="rows gathered"),
    pytest.param("r: R", "a[i, r[k]] * b[k, j]", id="columns gathered"),
]


SHAPES = {"KK": (N, N), "K": (N,), "R": (N,)}


def _kinds(parameters: str) -> dict[str, str]:
    """Each argument by the word for its type."""
    others = dict(part.split(": ") for part in parameters.split(", ") if part)
    return {"a": "KK", "b": "KK", **others}


def _program(parameters: str, body: str, numerics: str, target: str) -> Printed:
    given = ", ".join(
        f"{name}: Tensor[{', '.join(map(str, SHAPES[kind]))}; {'i32' if kind == 'R' else 'f32'}]"
        for name, kind in _kinds(parameters).items()
    )
    text = f"pub entry run({given}) -> Tensor[{N}, {N}; f32] {{\n    let y[i, j] = sum[k] {body}\n    return y\n}}\n"
    return printed(text, target, numerics)


def _arrays(parameters: str) -> dict[str, np.ndarray]:
    """Random numbers from 1 to 2, so that a sum keeps its digits; positions for `R`."""
    numbers = np.random.Generator(np.random.PCG64(2))
    return {
        name: numbers.integers(0, N, (N,), np.int32) if kind == "R" else 1 + numbers.random(SHAPES[kind], dtype=np.float32)
        for name, kind in _kinds(parameters).items()
    }


class _Largest(TorchDispatchMode):
    """The most elements of a tensor that an operation of torch gives."""

    def __init__(self) -> None:
        super().__init__()
        self.elements = 0

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = function(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(tensor, torch.Tensor):
                self.elements = max(self.elements, tensor.untyped_storage().nbytes() // tensor.element_size())
        return result


def _is_right(program: Printed, parameters: str, body: str) -> None:
    arrays = _arrays(parameters)
    (given,) = program.run(arrays)[0]
    (wanted,) = _program(parameters, body, "exact", "numpy").run(arrays)[0]
    np.testing.assert_allclose(given, wanted, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize(("parameters", "body"), FORMS)
def test_numpy_holds_no_product(parameters: str, body: str) -> None:
    program = _program(parameters, body, "equivalent", "numpy")
    _is_right(program, parameters, body)
    module: dict[str, Any] = {}
    exec(compile(program.source, "printed", "exec"), module)
    arguments = [_arrays(parameters)[name] for name in program.inputs]
    constants = module["constants"]()
    tracemalloc.start()
    module["main"](*arguments, *constants)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < N * N * N, "bytes; the whole product has four times as many"


@pytest.mark.parametrize("numerics", ["equivalent", "fast"])
@pytest.mark.parametrize(("parameters", "body"), FORMS)
def test_torch_makes_no_product(parameters: str, body: str, numerics: str) -> None:
    program = _program(parameters, body, numerics, "torch")
    with _Largest() as largest:
        _is_right(program, parameters, body)
    assert 0 < largest.elements <= 2 * N * N  # positions of a gather are pairs


def test_the_measure_sees_a_product() -> None:
    program = _program("c: K", "a[i, k] * b[k, j] * c[k]", "exact", "torch")
    with _Largest() as largest:
        program.run(_arrays("c: K"))
    assert largest.elements == N * N * N


def test_what_is_masked_in_every_factor_is_not_seen() -> None:
    body = "if m[k] > 1.5 { a[i, k] * b[k, j] } else { 0.0 }"
    arrays = _arrays("m: K")
    hidden = arrays["m"] <= 1.5
    arrays["a"][:, hidden] = np.inf
    arrays["b"][hidden] = np.nan
    (given,) = _program("m: K", body, "equivalent", "torch").run(arrays)[0]
    (wanted,) = _program("m: K", body, "exact", "numpy").run(arrays)[0]
    assert np.isfinite(wanted).all()
    np.testing.assert_allclose(given, wanted, rtol=2e-5)


@pytest.mark.parametrize("body", ["if m[i, j] > 1.5 { a[i, k] * b[k, j] } else { 0.0 }", "if m[i, j] > 1.5 { 0.0 } else { a[i, k] }"])
def test_what_is_masked_outside_the_sum_is_not_seen(body: str) -> None:
    arrays = _arrays("m: KK")
    arrays["a"][3] = np.inf
    arrays["m"][3] = 2.0 if body.endswith("{ a[i, k] }") else 1.0
    (given,) = _program("m: KK", body, "equivalent", "torch").run(arrays)[0]
    (wanted,) = _program("m: KK", body, "exact", "numpy").run(arrays)[0]
    assert np.isfinite(wanted).all()
    np.testing.assert_allclose(given, wanted, rtol=2e-5)


@pytest.mark.parametrize("condition", ["m[k, j] > 1.5", "true"])
@pytest.mark.parametrize(
    ("short", "result"), [("f16", "f32"), ("bf16", "f32"), ("f64", "f16"), ("f16", "bf16"), ("i8", "f32"), ("i32", "i8")]
)
def test_a_product_is_cast_as_written_within_its_digits(short: str, result: str, condition: str) -> None:
    """Integers wrap before they are cast; of floats a product that is rounded or overflows is the one thing that may differ."""
    zero = "0" if result == "i8" else "0.0"
    body = f"if {condition} {{ cast<{result}>(cast<{short}>(10.0 * a[i, k]) * cast<{short}>(10.0 * b[k, j])) }} else {{ {zero} }}"
    given = ", ".join(f"{name}: Tensor[{N}, {N}; f32]" for name in "abm")
    text = f"pub entry run({given}) -> Tensor[{N}, {N}; {result}] {{\n    let y[i, j] = sum<{result}>[k] {body}\n    return y\n}}\n"
    arrays = _arrays("m: KK")
    for target in ("numpy", "torch"):
        (found,), (wanted,) = (printed(text, target, numerics).run(arrays)[0] for numerics in ("equivalent", "exact"))
        assert found.dtype == wanted.dtype
        tolerance = 0 if short.startswith("i") and result.startswith("i") else 0.02
        np.testing.assert_allclose(np.asarray(found, np.float64), np.asarray(wanted, np.float64), rtol=tolerance)


@pytest.mark.parametrize(("condition", "factor"), [("N > 4", 1.0), ("N < 4", 0.0)])
def test_a_condition_known_at_export_chooses(condition: str, factor: float) -> None:
    shape = f"Tensor[{N}, {N}; f32]"
    body = f"sum[k] if {condition.replace('N', str(N))} {{ a[i, k] * b[k, j] }} else {{ 0.0 }}"
    text = f"pub entry run(a: {shape}, b: {shape}) -> {shape} {{\n    let y[i, j] = {body}\n    return y\n}}\n"
    arrays = _arrays("")
    (given,) = printed(text, "numpy").run(arrays)[0]
    np.testing.assert_allclose(given, factor * (arrays["a"] @ arrays["b"]), rtol=2e-5)
