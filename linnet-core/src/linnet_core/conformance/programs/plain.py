"""Products, norms, activations, embeddings: the library calls that take one line.

In: nothing.  Out: their cases, with special values, sizes of zero and integers that wrap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linnet_core.conformance.programs.case import ProgramCase
from linnet_core.conformance.programs.op import Op, rows
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINEAR, _LAYER_NORM = "torch.nn.functional.linear", "torch.nn.functional.layer_norm"
_EMBEDDING, _GELU = "torch.nn.functional.embedding", "torch.nn.functional.gelu"
PRODUCTS = (
    Op("matmul", "linalg", "matmul(a, b)", "Tensor[3, 5; T]", rows(a=(3, 4), b=(4, 5)), "torch.matmul"),
    Op("batched matmul", "linalg", "batched_matmul(a, b)", "Tensor[2, 2, 3, 5; T]", rows(a=(2, 2, 3, 4), b=(2, 2, 4, 5)), "torch.matmul"),
)
NORMS = (
    Op("rms norm", "nn.norm", "rms_norm(x, w)", "Tensor[2, 3, 8; T]", rows(x=(2, 3, 8), w=(8,)), "torch.rms_norm"),
    Op("rms norm's epsilon", "nn.norm", "rms_norm(x, w, eps = 0.5)", "Tensor[8; T]", rows(x=(8,), w=(8,)), "torch.rms_norm"),
    Op("layer norm", "nn.norm", "layer_norm(x, w)", "Tensor[2, 3, 8; T]", rows(x=(2, 3, 8), w=(8,)), _LAYER_NORM),
    Op(
        "layer norm with a bias", "nn.norm", "layer_norm(x, w, some(b), eps = 0.5)", "Tensor[3, 8; T]",
        rows(x=(3, 8), w=(8,), b=(8,)), _LAYER_NORM,
    ),
)  # fmt: skip
ACTIVATIONS = (
    Op("softmax", "nn.softmax", "softmax(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.softmax"),
    Op("relu", "nn.activations", "relu(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.relu"),
    Op("sigmoid", "nn.activations", "sigmoid(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.sigmoid"),
    Op("silu", "nn.activations", "silu(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), "torch.nn.functional.silu"),
    Op("gelu", "nn.activations", "gelu(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), _GELU),
    Op("gelu by erf", "nn.activations", "gelu_erf(x)", "Tensor[3, 7; T]", rows(x=(3, 7)), _GELU),
)
OPS = (
    *PRODUCTS,
    Op("linear", "nn.linear", "linear(x, w)", "Tensor[2, 3, 5; T]", rows(x=(2, 3, 4), w=(5, 4)), _LINEAR),
    Op("linear with a bias", "nn.linear", "linear(x, w, some(b))", "Tensor[3, 5; T]", rows(x=(3, 4), w=(5, 4), b=(5,)), _LINEAR),
    Op("linear of a vector", "nn.linear", "linear(x, w)", "Tensor[5; T]", rows(x=(4,), w=(5, 4)), _LINEAR),
    Op(
        "embedding", "nn.embedding", "embedding(ids, table)", "Tensor[2, 3, 4; T]",
        rows(ids=((2, 3), "i32"), table=(5, 4)), _EMBEDDING, exact=True,
    ),
    Op(
        "positions of the last axis", "quant", "take_inputs(x, at)", "Tensor[3, 5; T]",
        rows(x=(3, 5), at=((5,), "i32")), "torch.index_select", exact=True,
    ),
    Op("causal mask", "nn.attention", "causal_mask<3, 5>()", "Tensor[3, 5; bool]", {}, "torch.tril", exact=True),
    *ACTIVATIONS,
    *NORMS,
)  # fmt: skip

#: Calls of tensors without elements, which a library may refuse or answer otherwise.
EMPTY = (
    Op("matmul over nothing", "linalg", "matmul(a, b)", "Tensor[2, 3; T]", rows(a=(2, 0), b=(0, 3))),
    Op("matmul of no row", "linalg", "matmul(a, b)", "Tensor[0, 3; T]", rows(a=(0, 2), b=(2, 3))),
    Op("no matrix", "linalg", "batched_matmul(a, b)", "Tensor[0, 2, 3; T]", rows(a=(0, 2, 4), b=(0, 4, 3))),
    Op("linear of no input", "nn.linear", "linear(x, w, some(b))", "Tensor[2, 3; T]", rows(x=(2, 0), w=(3, 0), b=(3,))),
    Op("linear of no output", "nn.linear", "linear(x, w)", "Tensor[2, 0; T]", rows(x=(2, 3), w=(0, 3))),
    Op("linear of no row", "nn.linear", "linear(x, w)", "Tensor[0, 4; T]", rows(x=(0, 3), w=(4, 3))),
    Op("softmax of nothing", "nn.softmax", "softmax(x)", "Tensor[2, 0; T]", rows(x=(2, 0))),
    Op("rms norm of no row", "nn.norm", "rms_norm(x, w)", "Tensor[0, 4; T]", rows(x=(0, 4), w=(4,))),
    Op("rms norm of nothing", "nn.norm", "rms_norm(x, w)", "Tensor[2, 0; T]", rows(x=(2, 0), w=(0,))),
    Op("layer norm of no row", "nn.norm", "layer_norm(x, w)", "Tensor[0, 4; T]", rows(x=(0, 4), w=(4,))),
    Op("layer norm of nothing", "nn.norm", "layer_norm(x, w)", "Tensor[2, 0; T]", rows(x=(2, 0), w=(0,))),
    Op("gelu of nothing", "nn.activations", "gelu(x)", "Tensor[0; T]", rows(x=(0,))),
    Op("attention of no width", "nn.attention", "attention(q, k, k, 0.5)", "Tensor[1, 2, 3, 0; T]", rows(q=(1, 2, 3, 0), k=(1, 2, 4, 0))),
    Op("attention of no head", "nn.attention", "attention(q, k, k, 0.5)", "Tensor[1, 0, 3, 4; T]", rows(q=(1, 0, 3, 4), k=(1, 0, 4, 4))),
)
#: Values that an approximation of an activation may get wrong.
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, 88.0, -104.0, 3e4)


def cases() -> Iterator[ProgramCase]:
    """All of them."""
    for op in OPS:
        yield from op.cases()
    for op in EMPTY:
        yield ProgramCase(name=op.name, text=op.text("f32"), arrays=(op.arrays("f32"),), tolerance=1e-5)
    for op in ACTIVATIONS:
        for value in SPECIAL:
            yield ProgramCase(name=f"{op.name} of {value}", text=op.text("f32"), arrays=({"x": _among(value)},), tolerance=1e-5)
    for op in PRODUCTS:
        for dtype in ("i8", "i32", "i64", "u8", "u16", "u32", "u64"):
            yield ProgramCase(name=f"{op.name} of {dtype} wraps", text=op.text(dtype), arrays=(_wrapping(op, dtype),))
    for op in NORMS:
        large = {name: np.full(shape, 300.0 if name == "x" else 1.0, np.float16) for name, (shape, _) in op.inputs.items()}
        yield ProgramCase(name=f"{op.name}: squares beyond f16", text=op.text("f16"), arrays=(large,), tolerance=2e-2)
    yield from _rounding_once()
    yield epsilon_of_run_time()


def _among(value: float) -> np.ndarray:
    x = np.full((3, 7), value, np.float32)
    x[1] = np.linspace(-3, 3, 7)
    return x


def _wrapping(op: Op, dtype: str) -> dict[str, np.ndarray]:
    info = np.iinfo(numpy_dtype(dtype))
    generator = np.random.Generator(np.random.PCG64(3))
    return {
        name: generator.integers(info.min, info.max, shape, dtype=numpy_dtype(dtype), endpoint=True)
        for name, (shape, _) in op.inputs.items()
    }


def _rounding_once() -> Iterator[ProgramCase]:
    """One rounding before the weight and one after: all but a few elements whose mean square was added in another order are equal."""
    op = Op("", "nn.norm", "rms_norm(x, w)", "Tensor[50, 64; T]", rows(x=(50, 64), w=(64,)))
    arrays = tuple([op.arrays("bf16", seed) for seed in range(5)])
    for policy in ("equivalent", "fast"):
        name = f"rms norm rounds before the weight, {policy}"
        yield ProgramCase(name=name, text=op.text("bf16"), arrays=arrays, policy=policy, tolerance=2e-2, equal=0.998)


def epsilon_of_run_time() -> ProgramCase:
    """A norm whose epsilon is an input."""
    op = Op("", "nn.norm", "rms_norm(x, w, eps = e)", "Tensor[3, 8; T]", rows(x=(3, 8), w=(8,), e=((), "f32")))
    arrays = {**op.arrays("f32"), "e": np.asarray(3.0, np.float32)}
    return ProgramCase(name="rms norm, an epsilon of run time", text=op.text("f32"), arrays=(arrays,), tolerance=1e-5)
