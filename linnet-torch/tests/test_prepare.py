"""`--prepare`: work on weights alone is done once, by `prepare`, and `main` answers what it answered before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from programs import printed

from linnet_core.cli.export import refuse_together
from linnet_core.conformance.programs.printed import Printed
from linnet_core.errors import UsageError
from linnet_core.graph.export import ExportRequest
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Mapping

LINEAR = "use std.nn.linear::{linear}\n\n"
QUANT = "use std.quant::{Int8Linear, Int4Linear, dequantize_int8}\n\n"

PAIR = LINEAR + (
    "pub block Root {\n    param a: Tensor[3, 4; f32]\n    param b: Tensor[5, 4; f32]\n"
    "    param c: Tensor[5; f32]\n    param d: Tensor[3; f32]\n"
    "    pub entry run(x: Tensor[2, 4; f32]) -> (Tensor[2, 3; f32], Tensor[2, 5; f32]) {\n"
    "        return (linear(x, a, %s), linear(x, b, %s))\n"
    "    }\n}\n"
)
INT8 = QUANT + (
    "pub block Root {\n    sub up: Int8Linear<4, 6, f32>\n"
    "    pub entry run(x: Tensor[2, 4; f32]) -> Tensor[2, 6; f32] {\n        return up.forward(x)\n    }\n}\n"
)
INT4 = INT8.replace("sub up: Int8", "sub up: Int4")
TWO = QUANT + (
    "pub block Root {\n    sub up: Int8Linear<4, 6, f32>\n    sub gate: Int8Linear<4, 6, f32>\n"
    "    pub entry run(x: Tensor[2, 4; f32]) -> Tensor[2, 6; f32] {\n        return up.forward(x) * gate.forward(x)\n    }\n}\n"
)
LOOP = (
    "pub block Root {\n    param w: Tensor[4; f32]\n    pub entry run(x: Tensor[4; f32], n: i32) -> Tensor[4; f32] {\n"
    "        var y = x\n        var i: i32 = 0\n"
    "        while i < n {\n            y = y * exp(w)\n            i = i + 1\n        }\n        return y\n    }\n}\n"
)
VIEWS = (
    "pub block Root {\n    param w: Tensor[4, 2; bf16]\n    pub entry run(x: Tensor[2, 4; f32]) -> Tensor[2, 4; f32] {\n"
    "        return x + cast<f32>(permute(w, [1, 0]))\n    }\n}\n"
)
VIEW_OF_WORK = VIEWS.replace("cast<f32>(permute(w, [1, 0]))", "permute(exp(cast<f32>(w)), [1, 0])")
MIXED = VIEWS.replace("x + cast<f32>(permute(w, [1, 0]))", "x + permute(exp(cast<f32>(w)), [1, 0]) + cast<f32>(reshape(w, [2, 4]))")
ANSWERED = (
    "pub block Root {\n    param w: Tensor[4; f32]\n    pub entry run(x: Tensor[4; f32]) -> (Tensor[4; f32], Tensor[4; f32]) {\n"
    "        return (exp(w), x)\n    }\n}\n"
)
TABLE = (
    "pub block Root {\n    param w: Tensor[4; f32]\n    pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {\n"
    "        let t = exp(cast<f32>(iota(4)))\n        return x * t + w * t\n    }\n}\n"
)

PAIRED = {"x": "f32 2 4", "a": "f32 3 4", "b": "f32 5 4", "c": "f32 5", "d": "f32 3"}
SCALED = {"x": "f32 2 4", "up.weight": "i8 6 4", "up.scale": "f32 6", "gate.weight": "i8 6 4", "gate.scale": "f32 6"}
VECTORS = {"x": "f32 4", "w": "f32 4", "n": "i32"}
MATRICES = {"x": "f32 2 4", "w": "bf16 4 2"}

#: A program, its leaves, how many values are prepared, which parameters `main` reads no more.
PROGRAMS = [
    pytest.param(PAIR % ("none", "none"), PAIRED, 1, ["a", "b"], id="sibling projections"),
    pytest.param(PAIR % ("some(d)", "some(c)"), PAIRED, 2, ["a", "b", "c", "d"], id="sibling projections with biases"),
    pytest.param(PAIR % ("none", "some(c)"), PAIRED, 0, [], id="siblings that are not alike"),
    pytest.param(INT8, SCALED, 1, ["up.weight", "up.scale"], id="int8"),
    pytest.param(INT4, {**SCALED, "up.weight": "i8 6 2"}, 1, ["up.weight", "up.scale"], id="int4"),
    pytest.param(TWO, SCALED, 1, ["up.weight", "up.scale", "gate.weight", "gate.scale"], id="int8 siblings"),
    pytest.param(LOOP, VECTORS, 1, ["w"], id="inside a loop"),
    pytest.param(VIEWS, MATRICES, 0, [], id="views and casts stay"),
    pytest.param(VIEW_OF_WORK, MATRICES, 1, ["w"], id="a view of work stays"),
    pytest.param(MIXED, MATRICES, 1, [], id="a parameter read on both sides"),
    pytest.param(ANSWERED, VECTORS, 1, ["w"], id="a result"),
    pytest.param(TABLE, VECTORS, 1, ["w"], id="a constant on both sides"),
]


def _arrays(program: Printed, leaves: Mapping[str, str]) -> dict[str, np.ndarray]:
    """Random arrays of the leaves; three turns of a loop."""
    numbers = np.random.Generator(np.random.PCG64(3))
    found: dict[str, np.ndarray] = {}
    for name in (*program.inputs, *program.parameters):
        dtype, *sizes = leaves[name].split()
        values = 4 * numbers.standard_normal(tuple(map(int, sizes))) if sizes else np.asarray(3)
        found[name] = values.astype(numpy_dtype(dtype))
    return found


def _executed(source: str) -> dict[str, Any]:
    module: dict[str, Any] = {}
    exec(compile(source, "printed", "exec"), module)
    return module


@pytest.mark.parametrize(("text", "leaves", "count", "dropped"), PROGRAMS)
@pytest.mark.parametrize("target", ["torch", "numpy"])
def test_work_on_weights_moves_and_nothing_changes(text: str, leaves: dict[str, str], count: int, dropped: list[str], target: str) -> None:
    plain, prepared = printed(text, target), printed(text, target, prepare=True)
    module = _executed(prepared.source)
    if target == "torch" or ("Linear" not in text and "linear" not in text):  # NumPy takes no library call that could be joined
        assert len(module["PREPARED"]) == count
        assert sorted(module["PREPARED_ONLY"]) == sorted(dropped)
    arrays = _arrays(plain, leaves)
    for before, after in zip(plain.run(arrays)[0], prepared.run(arrays)[0], strict=True):
        assert before.dtype == after.dtype
        np.testing.assert_allclose(np.asarray(after, np.float64), np.asarray(before, np.float64), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
def test_under_exact_nothing_is_joined(numerics: str) -> None:
    module = _executed(printed(PAIR % ("none", "none"), numerics=numerics, prepare=True).source)
    assert len(module["PREPARED"]) == (numerics != "exact")


def test_exact_bits_of_dequantized_weights() -> None:
    plain, prepared = printed(INT8, numerics="exact"), printed(INT8, numerics="exact", prepare=True)
    assert len(_executed(prepared.source)["PREPARED"]) == 1
    arrays = _arrays(plain, SCALED)
    assert np.array_equal(plain.run(arrays)[0][0], prepared.run(arrays)[0][0])


def test_a_key_says_what_is_computed_of_which_weights() -> None:
    def keys(text: str, **options: Any) -> list[str]:
        return _executed(printed(text, prepare=True, **options).source)["PREPARED"]

    other_names = INT8.replace("{\n        return up", "{\n        return x[:, 0:1] * up")
    assert keys(INT8) == keys(other_names)
    assert all(len(key) == 16 and int(key, 16) >= 0 for key in keys(INT8))
    assert keys(INT8) != keys(INT8.replace("up", "down"))
    assert keys(VIEW_OF_WORK) != keys(VIEW_OF_WORK.replace("exp", "log"))


def _head(shape: str, out: int, dtype: str = "f32") -> str:
    return LINEAR + (
        f"pub block Root {{\n    param w: Tensor[{out}, 512; {dtype}]\n    param c: Tensor[{out}; {dtype}]\n"
        f"    pub entry run(x: Tensor[{shape}, 512; {dtype}]) -> Tensor[{shape}, {out}; {dtype}] {{\n"
        "        return linear(x, w, some(c))\n    }\n}\n"
    )


@pytest.mark.parametrize(
    ("shape", "out", "dtype", "packed"),
    [
        pytest.param("8", 512, "f32", True, id="many rows"),
        pytest.param("4, 2", 512, "f32", True, id="rows on two axes"),
        pytest.param("7", 512, "f32", False, id="few rows"),
        pytest.param("0", 512, "f32", False, id="no row"),
        pytest.param("8", 511, "f32", False, id="a small matrix"),
        pytest.param("8", 512, "bf16", False, id="a short float"),
        pytest.param("8", 512, "f64", False, id="a wide float"),
    ],
)
def test_a_large_matrix_is_packed(shape: str, out: int, dtype: str, packed: bool) -> None:
    text = _head(shape, out, dtype)
    prepared = printed(text, prepare=True)
    assert _executed(prepared.source)["PREPARED_ONLY"] == (["w"] if packed else [])
    assert ("_packed_linear(" in prepared.source) == packed
    assert "_packed" not in printed(text, prepare=True, pack=False).source
    assert "_packed" not in printed(text, prepare=True, numerics="exact").source
    sizes = shape.replace(",", "")
    arrays = _arrays(prepared, {"x": f"{dtype} {sizes} 512", "w": f"{dtype} {out} 512", "c": f"{dtype} {out}"})
    (before,), (after,) = printed(text).run(arrays)[0], prepared.run(arrays)[0]
    np.testing.assert_allclose(np.asarray(after, np.float64), np.asarray(before, np.float64), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize(
    ("rows", "out", "dtype", "turned"),
    [(1, 1 << 13, "f32", True), (2, 1 << 13, "f32", False), (1, 64, "f32", False), (1, 1 << 13, "bf16", False)],
)
def test_a_large_matrix_of_one_row_is_turned(rows: int, out: int, dtype: str, turned: bool) -> None:
    text = _head(str(rows), out, dtype)
    prepared = printed(text, prepare=True)
    assert _executed(prepared.source)["PREPARED_ONLY"] == (["w"] if turned else [])
    assert (".t().contiguous()" in prepared.source) == turned
    arrays = _arrays(prepared, {"x": f"{dtype} {rows} 512", "w": f"{dtype} {out} 512", "c": f"{dtype} {out}"})
    (before,), (after,) = printed(text).run(arrays)[0], prepared.run(arrays)[0]
    np.testing.assert_allclose(np.asarray(after, np.float64), np.asarray(before, np.float64), rtol=1e-4, atol=1e-3)


def test_a_packed_weight_is_itself_where_it_cannot_be_packed() -> None:
    torch = pytest.importorskip("torch")
    module = _executed(printed(_head("8", 512), prepare=True).source)
    weight = torch.zeros((512, 512), device="meta")
    (kept,) = module["prepare"](weight, torch.device("meta"))
    assert kept.layout == torch.strided
    assert module["main"](torch.zeros((8, 512), device="meta"), None, torch.zeros(512, device="meta"), kept)[0].shape == (8, 512)


def test_the_device_is_that_of_an_argument_that_is_read() -> None:
    text = (
        "pub block Root {\n    param w: Tensor[4; f32]\n    state s: Tensor[4; f32]\n    pub entry run() -> Tensor[4; f32] {\n"
        "        s = s + exp(w)\n        return random(s, 3)\n    }\n}\n"
    )
    text = text.replace("random(s, 3)", "s")
    prepared = printed(text, prepare=True)
    arrays = {"w": np.zeros(4, np.float32), "s": np.ones(4, np.float32)}
    assert np.array_equal(prepared.run(arrays)[0][0], np.full(4, 2, np.float32))


@pytest.mark.parametrize(
    ("request_", "flag"),
    [
        pytest.param(ExportRequest(place={"a": 1}), "--place", id="place"),
        pytest.param(ExportRequest(offload=("a",)), "--offload", id="offload"),
        pytest.param(ExportRequest(fully_shard=("a",)), "--fully-shard", id="fully-shard"),
        pytest.param(ExportRequest(gradient=True), "--grad", id="grad"),
    ],
)
def test_prepared_weights_stand_on_one_device(request_: ExportRequest, flag: str) -> None:
    refuse_together(request_, {"prepare": False})
    with pytest.raises(UsageError, match=f"--prepare and {flag} exclude each other"):
        refuse_together(request_, {"prepare": True})
