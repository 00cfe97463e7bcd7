"""Every library call gives what its op's body gives: bit for bit where its row says exact, else within the policy's tolerance."""

from __future__ import annotations

import numpy as np
import pytest
from jax_ops import FLOATS, POLICIES, TOLERANCES, Op, rows
from jax_programs import printed
from made_by_hand import NUMPY_DTYPES, assert_agree

from linnet_core.conformance.compare import difference
from linnet_core.conformance.hand import Hand
from linnet_core.graph.calls import NativeCall, Operand
from linnet_core.ir.library_calls import LIBRARY_CALLS
from linnet_jax.emit import images, native, processes

LINEAR = "torch.nn.functional.linear"
OPS = [
    Op("matmul", "linalg::{matmul}", "matmul(a, b)", "Tensor[3, 5; T]", rows(a=(3, 4), b=(4, 5)), "torch.matmul"),
    Op(
        "batched matmul", "linalg::{batched_matmul}", "batched_matmul(a, b)", "Tensor[2, 2, 3, 5; T]",
        rows(a=(2, 2, 3, 4), b=(2, 2, 4, 5)), "torch.matmul",
    ),
    Op("linear", "nn.linear::{linear}", "linear(x, w)", "Tensor[2, 3, 5; T]", rows(x=(2, 3, 4), w=(5, 4)), LINEAR),
    Op("linear with a bias", "nn.linear::{linear}", "linear(x, w, some(b))", "Tensor[3, 5; T]", rows(x=(3, 4), w=(5, 4), b=(5,)), LINEAR),
    Op("linear of a vector", "nn.linear::{linear}", "linear(x, w)", "Tensor[5; T]", rows(x=(4,), w=(5, 4)), LINEAR),
    Op(
        "embedding", "nn.embedding::{embedding}", "embedding(ids, table)", "Tensor[2, 3, 4; T]",
        rows(ids=((2, 3), "i32"), table=(5, 4)), "torch.nn.functional.embedding", exact=True,
    ),
    Op("causal mask", "nn.attention::{causal_mask}", "causal_mask<3, 5>()", "Tensor[3, 5; bool]", {}, "torch.tril", exact=True),
    Op("softmax", "nn.softmax::{softmax}", "softmax(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.softmax"),
    Op("relu", "nn.activations::{relu}", "relu(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.relu"),
    Op("sigmoid", "nn.activations::{sigmoid}", "sigmoid(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.sigmoid"),
    Op("silu", "nn.activations::{silu}", "silu(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.nn.functional.silu"),
    Op("gelu", "nn.activations::{gelu}", "gelu(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.nn.functional.gelu(tanh)"),
    Op("gelu by erf", "nn.activations::{gelu_erf}", "gelu_erf(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.nn.functional.gelu"),
    Op("rms norm", "nn.norm::{rms_norm}", "rms_norm(x, w)", "Tensor[2, 3, 8; T]", rows(x=(2, 3, 8), w=(8,)), "torch.rms_norm"),
    Op("rms norm's epsilon", "nn.norm::{rms_norm}", "rms_norm(x, w, eps = 0.5)", "Tensor[8; T]", rows(x=(8,), w=(8,)), "torch.rms_norm"),
    Op(
        "layer norm", "nn.norm::{layer_norm}", "layer_norm(x, w)", "Tensor[2, 3, 8; T]",
        rows(x=(2, 3, 8), w=(8,)), "torch.nn.functional.layer_norm",
    ),
    Op(
        "layer norm with a bias", "nn.norm::{layer_norm}", "layer_norm(x, w, some(b), eps = 0.5)", "Tensor[3, 8; T]",
        rows(x=(3, 8), w=(8,), b=(8,)), "torch.nn.functional.layer_norm",
    ),
]  # fmt: skip
ROWS = [pytest.param(op, dtype, numerics, id=f"{op.id}-{dtype}-{numerics}") for op in OPS for dtype in FLOATS for numerics in POLICIES]


@pytest.mark.parametrize(("op", "dtype", "numerics"), ROWS)
def test_a_library_call_agrees_with_its_body(op: Op, dtype: str, numerics: str) -> None:
    library = printed(op.text(dtype), numerics=numerics)
    body = printed(op.text(dtype), numerics=numerics, library=False)
    assert body.taken == ()
    if numerics == "exact" and not op.exact:
        assert library.taken == ()
    else:
        assert [name.removesuffix(" (input dtype)") for name in library.taken] == [op.implementation]
    assert library.declined == ()
    for seed in range(3):
        arrays = op.arrays(dtype, seed)
        (given,), _ = library.run(arrays)
        (wanted,), _ = body.run(arrays)
        assert difference(given, wanted, None if op.exact or numerics == "exact" else TOLERANCES[dtype]) is None


SPECIAL = [
    pytest.param(op, value, id=f"{op.id}-{value}")
    for op in OPS
    if "activations" in op.use or "softmax" in op.use
    for value in (np.nan, np.inf, -np.inf, 0.0, 88.0, -104.0, 3e4)
]


@pytest.mark.parametrize(("op", "value"), SPECIAL)
def test_special_values_of_an_activation(op: Op, value: float) -> None:
    x = {"x": np.full((3, 7), value, np.float32)}
    x["x"][1] = np.linspace(-3, 3, 7)
    (given,), _ = printed(op.text("f32")).run(x)
    (wanted,), _ = printed(op.text("f32"), library=False).run(x)
    assert difference(given, wanted, 1e-5) is None


@pytest.mark.parametrize("dtype", ["i8", "i32", "i64", "u8", "u16", "u32", "u64"])
@pytest.mark.parametrize("op", OPS[:2], ids=lambda op: op.id)
def test_products_of_integers_wrap_as_in_the_body(op: Op, dtype: str) -> None:
    library = printed(op.text(dtype))
    assert library.taken == ("torch.matmul",)
    info = np.iinfo(NUMPY_DTYPES[dtype])
    generator = np.random.Generator(np.random.PCG64(3))
    arrays = {
        name: generator.integers(info.min, info.max, shape, dtype=NUMPY_DTYPES[dtype], endpoint=True)
        for name, (shape, _) in op.inputs.items()
    }
    (given,), _ = library.run(arrays)
    (wanted,), _ = printed(op.text(dtype), "numpy").run(arrays)
    assert difference(given, wanted) is None


@pytest.mark.parametrize("numerics", ["equivalent", "fast"])
@pytest.mark.parametrize("seed", range(5))
def test_bf16_rms_norm_rounds_before_the_weight_as_the_op_says(seed: int, numerics: str) -> None:
    op = Op("", "nn.norm::{rms_norm}", "rms_norm(x, w)", "Tensor[50, 64; T]", rows(x=(50, 64), w=(64,)), "torch.rms_norm")
    arrays = op.arrays("bf16", seed)
    (given,), _ = printed(op.text("bf16"), numerics=numerics).run(arrays)
    (wanted,), _ = printed(op.text("bf16"), "numpy").run(arrays)
    # one rounding before the weight and one after: all but a few elements whose mean square was added in another order are equal
    assert np.mean(given == wanted) > 0.998


@pytest.mark.parametrize("op", [op for op in OPS if "norm::" in op.use], ids=lambda op: op.id)
def test_squares_of_f16_do_not_overflow(op: Op) -> None:
    arrays = {name: np.full(shape, 300.0 if name == "x" else 1.0, np.float16) for name, (shape, _) in op.inputs.items()}
    (given,), _ = printed(op.text("f16")).run(arrays)
    (wanted,), _ = printed(op.text("f16"), "numpy").run(arrays)
    assert np.isfinite(given.astype(np.float32)).all()
    assert difference(given, wanted, 2e-2) is None


EMPTY = [
    pytest.param("linalg::{matmul}", "matmul(a, b)", "Tensor[2, 3; f32]", {"a": (2, 0), "b": (0, 3)}, id="matmul over nothing"),
    pytest.param("linalg::{matmul}", "matmul(a, b)", "Tensor[0, 3; f32]", {"a": (0, 2), "b": (2, 3)}, id="matmul of no row"),
    pytest.param(
        "linalg::{batched_matmul}", "batched_matmul(a, b)", "Tensor[0, 2, 3; f32]", {"a": (0, 2, 4), "b": (0, 4, 3)}, id="no matrix"
    ),
    pytest.param("nn.linear::{linear}", "linear(x, w, some(b))", "Tensor[2, 3; f32]", {"x": (2, 0), "w": (3, 0), "b": (3,)}, id="no input"),
    pytest.param("nn.linear::{linear}", "linear(x, w)", "Tensor[2, 0; f32]", {"x": (2, 3), "w": (0, 3)}, id="no output"),
    pytest.param("nn.linear::{linear}", "linear(x, w)", "Tensor[0, 4; f32]", {"x": (0, 3), "w": (4, 3)}, id="no row"),
    pytest.param("nn.softmax::{softmax}", "softmax(x)", "Tensor[2, 0; f32]", {"x": (2, 0)}, id="softmax of nothing"),
    pytest.param("nn.norm::{rms_norm}", "rms_norm(x, w)", "Tensor[0, 4; f32]", {"x": (0, 4), "w": (4,)}, id="rms norm of no row"),
    pytest.param("nn.norm::{rms_norm}", "rms_norm(x, w)", "Tensor[2, 0; f32]", {"x": (2, 0), "w": (0,)}, id="rms norm of nothing"),
    pytest.param("nn.norm::{layer_norm}", "layer_norm(x, w)", "Tensor[0, 4; f32]", {"x": (0, 4), "w": (4,)}, id="layer norm of no row"),
    pytest.param("nn.norm::{layer_norm}", "layer_norm(x, w)", "Tensor[2, 0; f32]", {"x": (2, 0), "w": (0,)}, id="layer norm of nothing"),
    pytest.param("nn.activations::{gelu}", "gelu(x)", "Tensor[0; f32]", {"x": (0,)}, id="gelu of nothing"),
    pytest.param(
        "nn.attention::{attention}", "attention(q, k, k, 0.5)", "Tensor[1, 2, 3, 0; f32]", {"q": (1, 2, 3, 0), "k": (1, 2, 4, 0)},
        id="attention of no width",
    ),
    pytest.param(
        "nn.attention::{attention}", "attention(q, k, k, 0.5)", "Tensor[1, 0, 3, 4; f32]", {"q": (1, 0, 3, 4), "k": (1, 0, 4, 4)},
        id="attention of no head",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("use", "call", "result", "shapes"), EMPTY)
def test_sizes_of_zero(use: str, call: str, result: str, shapes: dict[str, tuple[int, ...]]) -> None:
    op = Op("", use, call, result, rows(**shapes), "")
    arrays = op.arrays("f32")
    (given,), _ = printed(op.text("f32")).run(arrays)
    (wanted,), _ = printed(op.text("f32"), "numpy", library=False).run(arrays)
    assert difference(given, wanted, 1e-5) is None


def test_an_epsilon_known_at_run_time_only_is_taken() -> None:
    text = (
        "use std.nn.norm::{rms_norm}\n\npub entry run(x: Tensor[3, 8; f32], w: Tensor[8; f32], e: f32) -> Tensor[3, 8; f32] {\n"
        "    return rms_norm(x, w, eps = e)\n}\n"
    )
    one = printed(text)
    assert one.taken == ("torch.rms_norm",)
    arrays = {**OPS[0].arrays("f32"), "x": np.ones((3, 8), np.float32), "w": np.ones(8, np.float32), "e": np.asarray(3.0, np.float32)}
    (given,), _ = one.run(arrays)
    assert difference(given, np.full((3, 8), 0.5, np.float32), 1e-6) is None


def test_every_library_call_that_is_written_has_a_row_here() -> None:
    attention = {"torch.nn.functional.scaled_dot_product_attention"}
    caches = {"torch.Tensor.index_copy", "torch.Tensor.index_put"}
    rows = {native.base_name(op.implementation)[0] for op in OPS}
    # `test_positions_of_the_last_axis_are_taken` makes its call by hand; images and devices have files of their own
    assert set(native.written()) == rows | attention | caches | set(images.WRITERS) | set(processes.WRITERS) | {"torch.index_select"}


def test_positions_of_the_last_axis_are_taken() -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(NativeCall(implementation="torch.index_select", generics={}, shape=(3, 2), dtype="f32", operands=(x[0], x[1])))

    assert_agree(build, [np.arange(12, dtype=np.float32).reshape(3, 4), np.array([3, 1], np.int32)])


@pytest.mark.parametrize(
    "implementation",
    sorted({row.implementation for row in LIBRARY_CALLS if native.base_name(row.implementation)[0] not in native.written()}),
)
def test_other_library_calls_are_declined_with_a_reason(implementation: str) -> None:
    x = Operand("v0", (1, 2, 4, 4), "f32")
    call = NativeCall(implementation=implementation, generics={}, shape=(1, 2, 4, 4), dtype="f32", operands=(x, x, x))
    assert native.declines(call) == f"{implementation} is not written by this target"
