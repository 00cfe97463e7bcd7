"""std.quant on both targets: every byte of every format bit for bit, and the layers with their weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import quant_reference as decode
import torch
from agreement import differences
from running import program

FILE = str(Path(__file__).parent / "quantized.linnet")
TARGETS = [pytest.param(target, id=target) for target in ("numpy", "torch")]
NUMERICS = [pytest.param(numerics, id=numerics) for numerics in ("exact", "equivalent", "fast")]
DTYPES: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
TOLERANCES = {"f16": 2e-2, "bf16": 2e-2, "f32": 1e-5, "f64": 1e-5}
BYTES = np.arange(256).astype(np.uint8)
FP8_NAN = (0x7F, 0xFF)


def run(target: str, entry: str, bindings: dict[str, Any], **inputs: np.ndarray) -> np.ndarray:
    (result,), _ = program(target, FILE, bindings, entry=entry).run(inputs)
    return np.asarray(result)


# ------------------------------------------------------------------------------------------------------------------------- bytes


@pytest.mark.parametrize("target", TARGETS)
def test_fp8_bytes_are_those_of_torch_and_ml_dtypes_but_for_nan(target: str) -> None:
    found = run(target, "fp8", {"N": 256}, bytes=BYTES)
    for theirs in (
        torch.from_numpy(BYTES.copy()).view(torch.float8_e4m3fn).float().numpy(),
        BYTES.view(ml_dtypes.float8_e4m3fn).astype("f4"),
    ):
        assert np.flatnonzero(np.isnan(theirs)).tolist() == list(FP8_NAN)
        numbers = np.delete(np.arange(256), FP8_NAN)
        assert found[numbers].tobytes() == theirs[numbers].tobytes()
    assert found[list(FP8_NAN)].tolist() == [480.0, -480.0]
    assert found.tolist() == decode.fp8(BYTES).tolist()


#: The ends of the exponent, what lies beside the bounds of 62, and 1.
SCALES = np.array([0, 1, 64, 65, 66, 126, 127, 128, 188, 189, 190, 254, 255], np.uint8)


def _mxfp4_inputs() -> tuple[np.ndarray, np.ndarray]:
    """All 256 bytes under each scale, as 16 groups a row."""
    blocks = np.tile(BYTES.reshape(1, 1, 16, 16), (1, len(SCALES), 1, 1))
    return blocks, np.tile(SCALES[None, :, None], (1, 1, 16))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_mxfp4_bytes_are_products_in_the_dtype_of_the_result(target: str, dtype: str) -> None:
    blocks, scales = _mxfp4_inputs()
    found = run(target, "mxfp4", {"N": len(SCALES), "G": 16, "T": dtype}, blocks=blocks, scales=scales)
    values = np.array([[decode.e2m1(half) for half in decode.halves(byte)] for byte in BYTES]).reshape(1, 1, 16, 32)
    factors = np.array([decode.e8m0(scale) for scale in SCALES]).reshape(1, -1, 1, 1)
    with np.errstate(all="ignore"):
        wanted = values.astype(DTYPES[dtype]) * factors.astype(DTYPES[dtype])
    assert differences(found, wanted.reshape(found.shape)) is None


@pytest.mark.parametrize("target", TARGETS)
def test_mxfp4_values_are_those_of_ml_dtypes(target: str) -> None:
    found = run(
        target, "mxfp4", {"N": 1, "G": 16, "T": "f32"}, blocks=BYTES.reshape(1, 1, 16, 16), scales=np.full((1, 1, 16), 127, np.uint8)
    )
    halves = np.stack([BYTES & 15, BYTES >> 4], axis=-1).reshape(-1)
    assert found.reshape(-1).tobytes() == halves.view(ml_dtypes.float4_e2m1fn).astype(np.float32).tobytes()


@pytest.mark.parametrize("target", TARGETS)
def test_a_shift_by_a_wrapped_exponent_harms_nothing_where_it_is_not_selected(target: str, capfd: pytest.CaptureFixture[str]) -> None:
    found = run(target, "wrapped", {"N": 16}, halves=BYTES[:16])
    assert differences(found, np.array([decode.e2m1(half) for half in range(16)], np.float32)) is None
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("target", TARGETS)
def test_the_lower_half_of_a_byte_comes_first_and_has_its_sign(target: str) -> None:
    found = run(target, "int4", {}, packed=np.array([[-97, -128]], np.int8))
    assert differences(found, np.array([[-1, -7, 0, -8]], np.int8)) is None


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_zero_above_a_number_does_not_wrap(target: str, dtype: str) -> None:
    scale = np.array([[0.5]], DTYPES[dtype])
    found = run(target, "groups", {"T": dtype}, packed=np.array([[[0xF2]]], np.uint8), scale=scale, zero=np.array([[8]], np.uint8))
    assert differences(found, np.array([[-3.0, 3.5]], DTYPES[dtype])) is None


# ------------------------------------------------------------------------------------------------------------------------ layers


def _generator() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(11))


def _int8() -> tuple[dict[str, np.ndarray], np.ndarray]:
    q, scale = _generator().integers(-128, 128, (5, 6)).astype(np.int8), np.linspace(0.01, 0.05, 5).astype(np.float32)
    return {"weight": q, "scale": scale}, decode.int8(q, scale.astype(np.float64))


def _int4() -> tuple[dict[str, np.ndarray], np.ndarray]:
    packed, scale = _generator().integers(-128, 128, (5, 3)).astype(np.int8), np.linspace(0.1, 0.5, 5).astype(np.float32)
    return {"weight": packed, "scale": scale}, decode.int4(packed, scale.astype(np.float64))


def _groups(dtype: str) -> tuple[dict[str, np.ndarray], np.ndarray]:
    packed, zero = (_generator().integers(0, high, shape).astype(np.uint8) for high, shape in ((256, (5, 3, 2)), (16, (5, 3))))
    scale = _generator().standard_normal((5, 3)).astype(DTYPES[dtype])
    return {"weight": packed, "scale": scale, "zero": zero}, decode.int4_groups(packed, scale.astype(np.float64), zero)


def _fp8(dtype: str) -> tuple[dict[str, np.ndarray], np.ndarray]:
    q = _generator().integers(0, 72, (5, 6)).astype(np.uint8) + np.uint8(128) * _generator().integers(0, 2, (5, 6)).astype(np.uint8)
    scale = _generator().standard_normal((5, 1)).astype(DTYPES[dtype])
    return {"weight": q, "scale": scale}, decode.fp8(q) * scale.astype(np.float64)


@pytest.mark.parametrize("optionals", ["absent", "present"])
@pytest.mark.parametrize("numerics", NUMERICS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layer", ["Int8", "Int4", "Int4Group", "Fp8"])
@pytest.mark.parametrize("target", TARGETS)
def test_a_layer_is_linear_of_its_weights(target: str, layer: str, dtype: str, numerics: Any, optionals: str) -> None:
    entry, (stored, weight) = {
        "Int8": ("run8", _int8()),
        "Int4": ("run4", _int4()),
        "Int4Group": ("run_groups", _groups(dtype)),
        "Fp8": ("run_fp8", _fp8(dtype)),
    }[layer]
    x = _generator().standard_normal((3, weight.shape[1])).astype(DTYPES[dtype])
    taken, bias = np.arange(weight.shape[1]), np.zeros(5, DTYPES[dtype])
    if optionals == "present":
        bias = np.arange(5).astype(DTYPES[dtype])
        stored["bias"] = bias
        if layer == "Int4Group":
            taken = np.roll(taken, 5)
            stored["order"] = taken.astype(np.int32)
    one = program(target, FILE, {"B": 3, "T": dtype}, entry=entry, root=layer, numerics=numerics, optionals=optionals)
    (found,), _ = one.run({"x": x}, {f"layer.{name}": array for name, array in stored.items()})
    wanted = x.astype(np.float64)[:, taken] @ weight.T + bias.astype(np.float64)
    found = np.asarray(found)
    assert found.dtype == DTYPES[dtype]
    assert differences(found.astype(np.float64), wanted, TOLERANCES[dtype]) is None
