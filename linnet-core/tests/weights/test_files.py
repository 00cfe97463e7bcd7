"""`.npy` and `.npz`: order in memory and byte order do not matter, bf16 comes back, bytes are the same each time, bad files are
one line.
"""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest

from linnet_core.errors import DocumentError, UsageError
from linnet_core.weights.arrays import Wanted
from linnet_core.weights.files import npz_bytes, read_npy, read_states

if TYPE_CHECKING:
    from pathlib import Path

BF16 = np.dtype(ml_dtypes.bfloat16)
GRID = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize(
    "array",
    [
        pytest.param(GRID, id="C order"),
        pytest.param(np.asfortranarray(GRID), id="F order"),
        pytest.param(np.arange(6, dtype=np.float32).reshape(3, 2).T.copy(order="F"), id="transposed"),
        pytest.param(GRID.astype(">f4"), id="big-endian"),
    ],
)
def test_values_do_not_depend_on_the_order_in_memory(array: np.ndarray, tmp_path: Path) -> None:
    path = str(tmp_path / "x.npy")
    np.save(path, array)
    found = read_npy(path, Wanted("x", (2, 3), "f32"))
    assert found.dtype == np.float32
    assert np.array_equal(found, array)


ARRAYS: dict[str, np.ndarray] = {
    "results.0": np.asfortranarray(GRID),
    "keys": np.array([[1.5, -2.0]], BF16),
    "flag": np.array(True),
    "layers.0.count": np.array(7, np.uint64),
    "none": np.zeros((0, 3), np.float16),
    "view": GRID[:, ::2],
}
DTYPES = {"results.0": "f32", "keys": "bf16", "flag": "bool", "layers.0.count": "u64", "none": "f16", "view": "f32"}


def test_an_archive_round_trips(tmp_path: Path) -> None:
    path = tmp_path / "out.npz"
    path.write_bytes(npz_bytes(ARRAYS))
    wanted = [Wanted(name, array.shape, DTYPES[name]) for name, array in ARRAYS.items()]
    for array, found in zip(ARRAYS.values(), read_states(str(path), wanted), strict=True):
        assert found.dtype == array.dtype
        assert np.array_equal(found.astype(np.float64), array.astype(np.float64))
        assert found.shape == array.shape


def test_the_same_arrays_give_the_same_bytes() -> None:
    copies = {name: array.copy(order="F") for name, array in ARRAYS.items()}
    assert npz_bytes(ARRAYS) == npz_bytes(copies)


def test_numpy_reads_what_is_written() -> None:
    with np.load(io.BytesIO(npz_bytes(ARRAYS))) as archive:
        assert archive.files == list(ARRAYS)
        assert np.array_equal(archive["results.0"], GRID)
        assert archive["keys"].dtype.itemsize == 2


def test_a_state_that_is_not_there_is_zeros_and_results_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    path.write_bytes(npz_bytes({"results.0": GRID, "keys": ARRAYS["keys"]}))
    keys, other = read_states(str(path), [Wanted("keys", (1, 2), "bf16"), Wanted("values", (2,), "bf16")])
    assert keys.tolist() == [[1.5, -2.0]]
    assert other.dtype == BF16
    assert other.tolist() == [0.0, 0.0]


def test_a_name_that_is_no_state_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    path.write_bytes(npz_bytes({"kyes": GRID}))
    with pytest.raises(DocumentError, match="`kyes` is no state this entry reads; there are: keys"):
        read_states(str(path), [Wanted("keys", (2, 3), "f32")])


def npy(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def damaged() -> bytes:
    data = bytearray(npz_bytes({"keys": GRID}))
    data[-len(data) // 2] ^= 0xFF
    at = data.index(GRID.tobytes())
    data[at] ^= 0xFF
    return bytes(data)


def archive_of(name: str, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"", "not a file of NumPy arrays", id="empty"),
        pytest.param(b"text", "not a file of NumPy arrays", id="text"),
        pytest.param(npy(GRID)[:-4], "not a file of NumPy arrays", id="truncated"),
        pytest.param(npy(GRID)[:30], "not a file of NumPy arrays", id="truncated header"),
        pytest.param(npy(np.array([{}], object), allow_pickle=True), "not a file of NumPy arrays", id="pickled objects"),
        pytest.param(npz_bytes({"x": GRID}), "an archive of arrays, not one array", id="an archive"),
        pytest.param(npy(GRID.astype(np.float64)), "f32[2, 3] is wanted for `x`, the file holds f64[2, 3]", id="another dtype"),
        pytest.param(npy(GRID[0]), "f32[2, 3] is wanted for `x`, the file holds f32[3]", id="another shape"),
        pytest.param(npy(GRID.astype(complex)), "the file holds complex128[2, 3]", id="complex"),
        pytest.param(npy(np.zeros((2, 3), [("a", "f4")])), "f32[2, 3] is wanted", id="records"),
    ],
)
def test_a_bad_array_is_one_line(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        read_npy(str(path), Wanted("x", (2, 3), "f32"))
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(npy(GRID), "not an .npz archive", id="one array"),
        pytest.param(npz_bytes({"keys": GRID})[:-20], "not a file of NumPy arrays", id="truncated"),
        pytest.param(damaged(), "", id="damaged"),
        pytest.param(archive_of("keys", b"text"), "`keys` is no array", id="a member that is no array"),
        pytest.param(archive_of("keys.npy", npy(GRID)[:-4]), "`keys` cannot be read", id="a member cut short"),
        pytest.param(npz_bytes({"keys": GRID[0]}), "f32[2, 3] is wanted for `keys`, the file holds f32[3]", id="another shape"),
    ],
)
def test_a_bad_archive_is_one_line(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    path.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        read_states(str(path), [Wanted("keys", (2, 3), "f32")])
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_folder_and_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.npy"):
        with pytest.raises(UsageError, match=r"a directory|No such file"):
            read_npy(str(path), Wanted("x", (2, 3), "f32"))
