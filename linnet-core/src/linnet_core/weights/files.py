"""Arrays from `.npy` and `.npz` files, and results written as `.npz`.

In: paths and what is wanted.  Out: arrays of exactly the wanted type, whatever their order in memory.  Nothing in a file is ever
executed.  bf16 is stored as NumPy stores a dtype it does not know: two bytes without a type, read back as bf16 where bf16 is
wanted.
"""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from linnet_core.errors import DocumentError, UsageError
from linnet_core.weights.arrays import Wanted, describe, dtype_name, numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np


def read_npy(path: str, wanted: Wanted) -> np.ndarray[Any, Any]:
    """One array; `DocumentError` when the file cannot be read or holds another type."""
    with _loaded(path) as array:
        if hasattr(array, "files"):
            raise DocumentError(f"{path}: an archive of arrays, not one array")
        return fitting(array, wanted, path)


def read_states(path: str, wanted: Sequence[Wanted]) -> list[np.ndarray[Any, Any]]:
    """The states of an archive by path; those it does not hold are zeros, as before the first call.

    `DocumentError` for an array that is neither one of `wanted` nor a result (`-o` writes those beside the states).
    """
    import numpy as np

    with _loaded(path) as archive:
        if not hasattr(archive, "files"):
            raise DocumentError(f"{path}: not an .npz archive")
        held = set(archive.files)
        unknown = sorted(name for name in held - {state.name for state in wanted} if not name.startswith("results."))
        if unknown:
            known = f"there are: {', '.join(state.name for state in wanted)}" if wanted else "it reads none"
            raise DocumentError(f"{path}: `{unknown[0]}` is no state this entry reads; {known}")
        return [
            fitting(_member(archive, state.name, path), state, path)
            if state.name in held
            else np.zeros(state.shape, numpy_dtype(state.dtype))
            for state in wanted
        ]


def npz_bytes(arrays: Mapping[str, np.ndarray[Any, Any]]) -> bytes:
    """An archive of `arrays`, each in C order; the same arrays give the same bytes."""
    import zipfile

    import numpy as np

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array).reshape(array.shape), allow_pickle=False)
            # a fixed date: the archive is a function of its arrays
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), member.getvalue())
    return buffer.getvalue()


def fitting(array: np.ndarray[Any, Any], wanted: Wanted, path: str) -> np.ndarray[Any, Any]:
    """`array`, which must have the wanted shape and dtype."""
    dtype = numpy_dtype(wanted.dtype)
    if wanted.dtype == "bf16" and array.dtype.kind == "V" and array.dtype.itemsize == 2:
        array = array.view(dtype)
    if not array.dtype.isnative and array.dtype.newbyteorder("=") == dtype:
        array = array.astype(dtype)
    if array.shape != wanted.shape or array.dtype != dtype:
        found = describe(array.shape, dtype_name(array.dtype))
        raise DocumentError(f"{path}: {describe(wanted.shape, wanted.dtype)} is wanted for `{wanted.name}`, the file holds {found}")
    return array


def _member(archive: Any, name: str, path: str) -> Any:
    import zipfile
    import zlib

    try:
        found = archive[name]
    # RuntimeError and its NotImplementedError: an encrypted member, a method of compression that is not there
    except (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise DocumentError(f"{path}: `{name}` cannot be read: {_one_line(error)}") from None
    if not hasattr(found, "dtype"):
        raise DocumentError(f"{path}: `{name}` is no array")
    return found


@contextmanager
def _loaded(path: str) -> Iterator[Any]:
    """What the file holds, an array or an archive, while it is open."""
    import zipfile

    import numpy as np

    if os.path.isdir(path):
        raise UsageError(f"{path}: a directory, not a file of arrays")
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed below, whatever NumPy makes of it
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    with file:
        try:
            found = np.load(file, allow_pickle=False)
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise DocumentError(f"{path}: not a file of NumPy arrays ({_one_line(error)})") from None
        yield found


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
