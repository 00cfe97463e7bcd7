"""64 bits: switched on where an entry needs them, for one call, and nowhere else; an i64 that fits 32 bits is held in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from jax_programs import printed

from linnet_core.conformance.compare import difference

if TYPE_CHECKING:
    from collections.abc import Iterator

SWITCH = "@jax.enable_x64(True)"
NOTE = "# Arguments or results have 64 bits"


@pytest.fixture
def jax() -> Iterator[Any]:
    """JAX, whose own defaults must be what they were when the test has ended."""
    found = pytest.importorskip("jax", reason="jax is not installed here; the environment of linnet-jax has it")
    assert found.numpy.arange(3).dtype == np.int32
    yield found
    assert found.numpy.arange(3).dtype == np.int32
    assert found.numpy.zeros(1, found.numpy.float32).dtype == np.float32


def _loaded(source: str) -> dict[str, Any]:
    module: dict[str, Any] = {}
    exec(source, module)
    return module


NARROW = [
    pytest.param("Tensor[3; f32]", "x: Tensor[3; f32]", "x + cast<f32>(iota(3))", id="an iota"),
    pytest.param("Tensor[3; f32]", "x: Tensor[3; f32]", "cast<f32>(iota(3) * 700000000)", id="a product that just fits"),
    pytest.param("Tensor[2; f32]", "x: Tensor[9; f32], at: Tensor[2; i32]", "take(x, cast<i64>(at))", id="positions given in 32 bits"),
    pytest.param("Tensor[3; f32]", "x: Tensor[9; f32]", "take(x, iota(3) * 2 + 1)", id="arithmetic on positions"),
    pytest.param("Tensor[3; f32]", "x: Tensor[9; f32]", "take(x, (iota(3) - 5) % 3 + 2)", id="a remainder"),
    pytest.param("Tensor[3; f32]", "x: Tensor[9; f32], c: bool", "take(x, if c { iota(3) } else { iota(3) + 6 })", id="a choice"),
]
WIDE = [
    pytest.param("Tensor[3; f32]", "x: Tensor[3; f32]", "cast<f32>(iota(3) * 1100000000)", id="a product that does not fit"),
    pytest.param("Tensor[2; f32]", "at: Tensor[2; i32]", "cast<f32>(cast<i64>(at) + 1)", id="one more than 32 bits may hold"),
    pytest.param("Tensor[2; f32]", "at: Tensor[2; u32]", "cast<f32>(cast<i64>(at))", id="from u32"),
    pytest.param("Tensor[2; f32]", "x: Tensor[2; f32]", "cast<f32>(cast<i64>(x))", id="from a float"),
    pytest.param("Tensor[2; f32]", "x: Tensor[2; f32]", "cast<f32>(cast<f64>(x) * 0.1)", id="f64"),
    pytest.param("Tensor[3; f32]", "x: Tensor[3; f32]", "cast<f32>(cumsum(iota(3), axis = 0))", id="a running sum"),
]
TAKE = "fn take<N: Dim, M: Dim>(x: Tensor[N; f32], at: Tensor[M; i64]) -> Tensor[M; f32] {\n    let y[m] = x[at[m]]\n    return y\n}\n\n"


def _program(result: str, parameters: str, value: str) -> str:
    return f"{TAKE}pub entry run({parameters}) -> {result} {{\n    return {value}\n}}\n"


def _arrays(parameters: str) -> dict[str, np.ndarray]:
    found = {"x": np.arange(9, dtype=np.float32), "c": np.asarray(False)}
    kind = np.uint32 if "u32" in parameters else np.int32
    arrays = {**found, "at": np.array([7, 2**32 - 1 if kind is np.uint32 else 1 if "x:" in parameters else 2**31 - 1], kind)}
    if "x: Tensor[9" not in parameters:
        arrays["x"] = arrays["x"][: 3 if "x: Tensor[3" in parameters else 2] + np.float32(0.25)
    return arrays


@pytest.mark.parametrize(("result", "parameters", "value"), NARROW)
def test_what_fits_32_bits_is_held_in_them(result: str, parameters: str, value: str, jax: Any) -> None:
    text = _program(result, parameters, value)
    one = printed(text)
    assert SWITCH not in one.source
    assert "BITS" not in one.source
    assert "int64" not in one.source
    arrays = _arrays(parameters)
    (given,), _ = one.run(arrays)
    (wanted,), _ = printed(text, "numpy").run(arrays)
    assert difference(given, wanted) is None


@pytest.mark.parametrize(("result", "parameters", "value"), WIDE)
def test_what_may_not_fit_has_64_bits(result: str, parameters: str, value: str, jax: Any) -> None:
    text = _program(result, parameters, value)
    one = printed(text)
    assert one.source.count(SWITCH) == 2
    assert one.source.count("\nBITS = 64\n") == 1
    assert NOTE not in one.source
    assert "# Values have 64 bits" in one.source
    arrays = _arrays(parameters)
    (given,), _ = one.run(arrays)
    (wanted,), _ = printed(text, "numpy").run(arrays)
    assert difference(given, wanted, 1e-6) is None


def test_arguments_and_results_of_64_bits(jax: Any) -> None:
    one = printed("pub entry run(x: Tensor[1; i64]) -> Tensor[1; i64] {\n    return x + 4294967296\n}\n")
    assert NOTE in one.source
    (given,), _ = one.run({"x": np.array([1])})
    assert difference(given, np.array([4294967297])) is None


def test_constants_of_64_bits(jax: Any) -> None:
    one = printed("pub entry run() -> Tensor[3; i64] {\n    return iota(3) * 3000000000\n}\n")
    (given,), _ = one.run({})
    assert difference(given, np.array([0, 3000000000, 6000000000])) is None


INSIDE = """pub entry run(x: Tensor[3; f32]) -> f32 {
    let y = cast<f64>(x) * cast<f64>(iota(3) * 3000000000)
    return cast<f32>(sum[n] y[n] * y[n])
}
"""


def test_wide_values_under_a_callers_own_transformations(jax: Any) -> None:
    module = _loaded(printed(INSIDE).source)
    main, constants = module["main"], module["constants"]()
    x = np.array([1, 2, 3], np.float32)
    factors = np.arange(3) * 3e9
    wanted = float(np.sum((x * factors) ** 2))
    slope = 2 * x * factors**2
    first = lambda x: main(x, *constants)[0]  # noqa: E731  # what a caller writes
    np.testing.assert_allclose(jax.jit(first)(x), wanted, rtol=1e-6)
    np.testing.assert_allclose(jax.vmap(first)(np.stack([x, x])), [wanted, wanted], rtol=1e-6)
    with jax.enable_x64(True):
        for transformed in (jax.grad(first), jax.jit(jax.grad(first)), jax.grad(jax.jit(first))):
            np.testing.assert_allclose(transformed(x), slope, rtol=1e-6)


def test_narrow_values_where_the_caller_has_switched_64_bits_on(jax: Any) -> None:
    text = (
        "pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {\n    var y = x\n    for i in 0..4 {\n"
        "        let k = cast<f32>(i * 2 + 1)\n        y = y * k\n    }\n    return y\n}\n"
    )
    one = printed(text)
    assert SWITCH not in one.source
    module = _loaded(one.source)
    with jax.enable_x64(True):
        (given,) = jax.jit(module["main"])(np.ones(4, np.float32), *module["constants"]())
    assert (given.dtype, given.tolist()) == (np.float32, [105.0] * 4)


def test_importing_and_running_moves_no_switch(jax: Any) -> None:
    before = jax.config.jax_enable_x64
    one = printed(INSIDE)
    one.run({"x": np.ones(3, np.float32)})
    assert jax.config.jax_enable_x64 is before is False
