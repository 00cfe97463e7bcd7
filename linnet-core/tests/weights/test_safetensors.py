"""safetensors files: every dtype, odd shapes, and one line about everything that is none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import save_file
from tensor_files import NAMES, file_bytes, tensors

from linnet_core.errors import DocumentError, UsageError
from linnet_core.weights.arrays import Wanted
from linnet_core.weights.checkpoint import open_checkpoint
from linnet_core.weights.random import random_array
from linnet_core.weights.safetensors import open_tensors

if TYPE_CHECKING:
    from pathlib import Path

DTYPES = {name: ml_dtypes.bfloat16 if name == "bfloat16" else np.dtype(name) for name in NAMES}


@pytest.mark.parametrize("name", DTYPES)
def test_every_dtype_and_shape(name: str, tmp_path: Path) -> None:
    dtype = np.dtype(DTYPES[name])
    arrays = {
        "cube": (np.arange(24) % 5).astype(dtype).reshape(2, 3, 4),
        "one": np.array(1).astype(dtype),
        "empty": np.zeros((0, 4), dtype),
        "last": np.array([1, 0, 1]).astype(dtype),
    }
    path = tmp_path / "w.safetensors"
    path.write_bytes(tensors(arrays))
    file = open_tensors(str(path))
    for key, array in arrays.items():
        found = file.array(key)
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        assert found.tobytes() == array.tobytes()
        assert found.flags.aligned


def test_a_file_of_the_format_s_own_writer(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    save_file({"b": x, "a": x[0].copy()}, str(path), {"format": "pt"})
    file = open_tensors(str(path))
    assert sorted(file.entries) == ["a", "b"]
    assert np.array_equal(file.array("b"), x)


@pytest.mark.parametrize("stored", ["F8_E4M3", "F8_E5M2", "F8_E8M0"])
def test_fp8_is_read_as_bytes(stored: str, tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(tensors({"w": np.array([1, 255], np.uint8)}, dtypes={"w": stored}))
    file = open_tensors(str(path))
    assert file.entries["w"].dtype == "u8"
    assert file.array("w").tolist() == [1, 255]


def entry(dtype: Any = "F32", shape: Any = (1,), offsets: Any = (0, 4)) -> dict[str, Any]:
    return {"w": {"dtype": dtype, "shape": shape, "data_offsets": offsets}}


BAD = [
    pytest.param(b"", "not a safetensors file, or cut short (0 bytes)", id="empty"),
    pytest.param(b"1234567", "not a safetensors file, or cut short (7 bytes)", id="seven bytes"),
    pytest.param(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "pointer of git-lfs", id="git-lfs pointer"),
    pytest.param(file_bytes(entry(), b"1234")[:-1], "cut short", id="truncated data"),
    pytest.param(file_bytes(entry(), b"1234")[:20], "cut short", id="truncated header"),
    pytest.param(file_bytes(entry(), b"1234" + b"8 bytes!"), "8 bytes too long", id="trailing bytes"),
    pytest.param(b"\xff" * 64, "not a safetensors file", id="a length beyond the file"),
    pytest.param(file_bytes(b"{nonsense"), "no JSON", id="no JSON"),
    pytest.param(file_bytes(b"\xff\xfe{}"), "no JSON", id="not UTF-8"),
    pytest.param(file_bytes(b"[" * 20000), "no JSON", id="deep JSON"),
    pytest.param(file_bytes([1]), "no object", id="no object"),
    pytest.param(file_bytes({"w": 3}), "`w` is malformed", id="an entry that is no object"),
    pytest.param(file_bytes({"w": {"dtype": "F32"}}), "`w` is malformed", id="fields missing"),
    pytest.param(file_bytes(entry(shape=[-1])), "`w` is malformed", id="negative size"),
    pytest.param(file_bytes(entry(shape=[1.0])), "`w` is malformed", id="size with a point"),
    pytest.param(file_bytes(entry(shape=[True])), "`w` is malformed", id="size that is a bool"),
    pytest.param(file_bytes(entry(shape="1")), "`w` is malformed", id="shape that is text"),
    pytest.param(file_bytes(entry(offsets=[0])), "`w` is malformed", id="one offset"),
    pytest.param(file_bytes(entry(dtype=["F32"])), "`w` is malformed", id="dtype that is a list"),
    pytest.param(file_bytes(entry(dtype="F4"), b"1234"), "`w` has the dtype F4, which is not known here", id="unknown dtype"),
    pytest.param(file_bytes(entry(shape=[2]), b"1234"), "`w` has 4 bytes, its shape [2] in F32 needs 8", id="too few bytes"),
    pytest.param(file_bytes(entry(offsets=[4, 0]), b"1234"), "`w` has -4 bytes", id="offsets the other way round"),
    pytest.param(file_bytes(entry(offsets=[4, 8]), b"12345678"), "does not follow", id="a gap"),
    pytest.param(file_bytes({**entry(), "x": entry()["w"]}, b"1234"), "does not follow", id="an overlap"),
    pytest.param(file_bytes(entry(shape=[2**61], offsets=[0, 2**63]), b"1234"), "cut short", id="a size beyond the file"),
    pytest.param(file_bytes(entry(shape=[2**64])), "`w` is malformed", id="a size beyond u64"),
    pytest.param(file_bytes(entry(shape=[2**63] * 2000)), "`w` is malformed", id="more axes than an array has"),
    pytest.param(file_bytes(entry(shape=[2**63] * 60), b"1234"), "`w` has 4 bytes", id="a product of many digits"),
    pytest.param(file_bytes(entry(dtype="\x1b[31m"), b"1234"), r"the dtype \x1b[31m", id="a dtype with control characters"),
    pytest.param(file_bytes({"a\nb\x1b": 3}), r"`a\nb\x1b` is malformed", id="a name with control characters"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_what_is_no_safetensors_file_is_said_in_one_line(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        open_tensors(str(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_and_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a directory, not a \.safetensors file"):
        open_tensors(str(tmp_path))
    with pytest.raises(UsageError, match="No such file"):
        open_tensors(str(tmp_path / "none"))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    os.mkfifo(path)
    with pytest.raises(UsageError, match=r"a pipe or a device, not a \.safetensors file"):
        open_tensors(str(path))


@pytest.mark.parametrize("place", ["w.safetensors", "."], ids=["file", "folder"])
def test_what_may_not_be_read_is_said_in_one_line(place: str, unprivileged: Path) -> None:
    (unprivileged / "w.safetensors").write_bytes(tensors({}))
    (unprivileged / place).chmod(0)
    with pytest.raises(UsageError, match="Permission denied") as caught:
        open_checkpoint(str(unprivileged / place))
    assert str(caught.value).startswith(f"{unprivileged / place}: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_changes_while_it_is_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(tensors({"a": np.zeros(2, np.float32), "b": np.zeros(2, np.float32)}))
    file = open_tensors(str(path))
    before = file.array("a")
    other = tmp_path / "other"
    other.write_bytes(tensors({"b": np.ones(2, np.float32), "a": np.ones(2, np.float32)}))
    other.replace(path)
    assert before.tolist() == [0, 0]
    with pytest.raises(DocumentError, match=r"w\.safetensors: the file was changed while it was read$"):
        file.array("b")


@pytest.mark.parametrize("dtype", ["bool", "i8", "u64", "f16", "bf16", "f32", "f64"])
def test_random_weights_depend_on_seed_and_name_alone(dtype: str) -> None:
    wanted = [Wanted("a", (40, 50), dtype), Wanted("b", (40, 50), dtype)]
    a, b = [random_array(0, each) for each in wanted]
    again, other = random_array(0, wanted[0]), random_array(1, wanted[0])
    assert a.tobytes() == again.tobytes()
    assert a.tobytes() not in (b.tobytes(), other.tobytes())
    if dtype in ("bool", "i8", "u64"):
        assert set(np.unique(a).tolist()) == {0, 1}
    else:
        assert abs(float(a.astype(np.float64).std()) - 0.02) < 0.001


def test_random_weights_are_pcg64_of_the_name_s_digest() -> None:
    import hashlib

    words = np.frombuffer(hashlib.sha256(b"layer.w").digest(), "<u4").tolist()
    wanted = 0.02 * np.random.Generator(np.random.PCG64([7, *words])).standard_normal((2, 2))
    found = random_array(7, Wanted("layer.w", (2, 2), "f32"))
    assert np.array_equal(found, wanted.astype(np.float32))
    assert np.array_equal(random_array(7, Wanted("layer.w", (2, 2), "f32"), buffer=True), np.abs(wanted).astype(np.float32))
