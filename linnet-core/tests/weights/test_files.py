"""`.npy` and `.npz`: order in memory and byte order do not matter, bf16 comes back, bytes are the same each time, bad files are
one line.
"""

from __future__ import annotations

import io
import os
import tracemalloc
import zipfile
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest

from linnet_core.errors import DocumentError, RuntimeFailure, UsageError
from linnet_core.weights.arrays import Wanted, check_possible
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
    for array, found in zip(ARRAYS.values(), read_states(str(path), wanted).values(), strict=True):
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


def test_only_what_is_held_is_given_and_results_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    path.write_bytes(npz_bytes({"results.0": GRID, "keys": ARRAYS["keys"]}))
    held = read_states(str(path), [Wanted("values", (2,), "bf16"), Wanted("keys", (1, 2), "bf16")])
    assert list(held) == ["keys"]
    assert held["keys"].dtype == BF16
    assert held["keys"].tolist() == [[1.5, -2.0]]


def test_a_name_that_is_no_state_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    path.write_bytes(npz_bytes({"kyes": GRID}))
    with pytest.raises(DocumentError, match="`kyes` is no state of the model; did you mean `keys`"):
        read_states(str(path), [Wanted("keys", (2, 3), "f32")])


def npy(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


PLAIN = "{'descr': '<f4', 'fortran_order': False, 'shape': "


def headed(header: str, data: bytes = b"") -> bytes:
    """A file with a header of our own."""
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x02\x00" + len(text).to_bytes(4, "little") + text + data


def damaged() -> bytes:
    data = bytearray(npz_bytes({"keys": GRID}))
    data[-len(data) // 2] ^= 0xFF
    at = data.index(GRID.tobytes())
    data[at] ^= 0xFF
    return bytes(data)


def archive_of(name: str, data: bytes, compression: int = zipfile.ZIP_STORED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"", "not a file of NumPy arrays", id="empty"),
        pytest.param(b"text", "not a file of NumPy arrays", id="text"),
        pytest.param(npy(GRID)[:-4], "cut short: 24 bytes of elements are due, 20 are there", id="truncated"),
        pytest.param(npy(GRID)[:30], "not a file of NumPy arrays", id="truncated header"),
        pytest.param(npy(np.array([{}], object), allow_pickle=True), "the file holds records or objects", id="pickled objects"),
        pytest.param(npz_bytes({"x": GRID}), "an archive of arrays, not one array", id="an archive"),
        pytest.param(npy(GRID.astype(np.float64)), "f32[2, 3] is wanted for `x`, the file holds f64[2, 3]", id="another dtype"),
        pytest.param(npy(GRID[0]), "f32[2, 3] is wanted for `x`, the file holds f32[3]", id="another shape"),
        pytest.param(npy(GRID.astype(complex)), "the file holds complex128[2, 3]", id="complex"),
        pytest.param(npy(np.zeros((2, 3), [("a", "f4")])), "f32[2, 3] is wanted for `x`, the file holds records or objects", id="records"),
        pytest.param(headed(PLAIN + "(4611686018427387904,)}"), "the file holds f32[46", id="a claim"),
        pytest.param(headed(PLAIN + "(99999999999999999999,)}"), "malformed", id="a size beyond i64"),
        pytest.param(headed(PLAIN + "(True, 2)}"), "malformed", id="a bool as a size"),
        pytest.param(headed(PLAIN + "(-1,)}"), "malformed", id="a negative size"),
        pytest.param(headed("{'descr': '<f4', 'fortran_order': 1, 'shape': (2, 3)}"), "malformed", id="an order that is no bool"),
        pytest.param(headed("{'descr': '<f9', 'fortran_order': False, 'shape': (2, 3)}"), "no such dtype", id="no dtype"),
        pytest.param(headed("{'descr': '<f4,<f4', 'fortran_order': False, 'shape': (2, 3)}"), "records or objects", id="a list of dtypes"),
        pytest.param(headed("{'descr': '|V0', 'fortran_order': False, 'shape': (2, 3)}"), "the file holds void", id="elements of no bytes"),
        pytest.param(headed("{[]: 1}"), "malformed", id="a key that is a list"),
        pytest.param(headed("((("), "malformed", id="unclosed parentheses"),
        pytest.param(headed("'''"), "malformed", id="an unclosed string"),
        pytest.param(headed("(" * 5000), "malformed", id="a deep header"),
        pytest.param(headed("-" * 9000 + "1"), "malformed", id="a long chain"),
        pytest.param(headed("9" * 5000), "malformed", id="more digits than Python reads"),
        pytest.param(headed("__import__('os').abort()"), "malformed", id="code"),
        pytest.param(headed("{} " + " " * 20_000), "too long", id="a long header"),
        pytest.param(b"\x93NUMPY\x09\x00", "version 9.0", id="an unknown version"),
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
        pytest.param(npy(GRID), "one array, not an .npz archive", id="one array"),
        pytest.param(b"text", "not a file of NumPy arrays", id="text"),
        pytest.param(archive_of("a\x1b[31m\n.npy", npy(GRID)), r"`a\x1b[31m\n` is no state", id="a name with control characters"),
        pytest.param(archive_of("keys.npy", headed("{[]: 1}")), "`keys` cannot be read: not a file of NumPy arrays", id="a bad header"),
        pytest.param(archive_of("keys.npy", npy(GRID), zipfile.ZIP_BZIP2), "in a way NumPy does not write", id="another compression"),
        pytest.param(npz_bytes({"keys": GRID})[:-20], "not a file of NumPy arrays", id="truncated"),
        pytest.param(damaged(), "", id="damaged"),
        pytest.param(archive_of("keys", b"text"), "`keys` cannot be read: not a file of NumPy arrays", id="a member that is no array"),
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


@pytest.mark.parametrize(
    "read", [pytest.param(read_npy, id="array"), pytest.param(lambda path, w: read_states(path, [w])[w.name], id="archive")]
)
def test_a_pipe_is_not_waited_for(read: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    os.mkfifo(path)
    with pytest.raises(UsageError, match="a pipe or a device, not a file of arrays"):
        read(str(path), Wanted("x", (2, 3), "f32"))


def test_of_a_member_of_another_size_only_the_header_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    size = 1 << 26
    header = headed(f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({size // 4},)}}")
    path.write_bytes(archive_of("keys.npy", header + bytes(size), zipfile.ZIP_DEFLATED))
    tracemalloc.start()
    with pytest.raises(DocumentError, match=r"the file holds f32\[16777216\]"):
        read_states(str(path), [Wanted("keys", (2, 3), "f32")])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < size // 16


def test_an_array_of_python_2_and_a_compressed_one(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(headed("{'descr': '>f4', 'fortran_order': True, 'shape': (2L, 3L), }", GRID.T.astype(">f4").tobytes()))
    assert np.array_equal(read_npy(str(path), Wanted("x", (2, 3), "f32")), GRID)
    path.write_bytes(archive_of("x.npy", npy(GRID), zipfile.ZIP_DEFLATED))
    (found,) = read_states(str(path), [Wanted("x", (2, 3), "f32")]).values()
    assert np.array_equal(found, GRID)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        pytest.param((2**62,), r"`x` \(f32\[4611686018427387904\]\) is larger than an array can be", id="many elements"),
        pytest.param((2**31, 0, 2**31), "is larger than an array can be", id="no elements of many"),
        pytest.param((1,) * 65, "`x` has 65 axes; an array has 64 at most", id="many axes"),
    ],
)
def test_what_no_array_can_be_is_said_before_one_is_made(shape: tuple[int, ...], message: str) -> None:
    check_possible([Wanted("w", (2, 0, 3), "f64")])
    with pytest.raises(RuntimeFailure, match=message):
        check_possible([Wanted("w", (2, 0, 3), "f64"), Wanted("x", shape, "f32")])
