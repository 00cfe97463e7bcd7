"""Arrays from `.npy` and `.npz` files, and results written as `.npz`.

In: paths and what is wanted.  Out: arrays of exactly the wanted type, whatever their order in memory.  Nothing in a file is ever
executed, and no more of it is read than what is wanted.  bf16 is stored as NumPy stores a dtype it does not know: two bytes without
a type, read back as bf16 where bf16 is wanted.
"""

from __future__ import annotations

import io
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from linnet_core.errors import DocumentError
from linnet_core.text.cells import show_inline
from linnet_core.text.near import did_you_mean
from linnet_core.weights.arrays import Wanted
from linnet_core.weights.npy import MAGIC, read_array
from linnet_core.weights.opening import open_regular

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO

    import numpy as np

#: How an archive begins: with its first member, or with its end when there is none.
_ARCHIVE = (b"PK\x03\x04", b"PK\x05\x06")
_SUFFIX = ".npy"


def read_npy(path: str, wanted: Wanted) -> np.ndarray[Any, Any]:
    """One array; `DocumentError` when the file cannot be read or holds another type."""
    with open_regular(path, "a file of arrays") as file, _blaming(path):
        start = file.read(len(MAGIC))
        if start.startswith(_ARCHIVE):
            raise DocumentError("an archive of arrays, not one array")
        file.seek(0)
        return read_array(file, wanted)


def read_states(path: str, known: Sequence[Wanted]) -> dict[str, np.ndarray[Any, Any]]:
    """The states an archive holds, by path, in the order of `known`.

    `DocumentError` for an array that is neither a state of the model (`known` has them all) nor a result (`-o` writes those beside the
    states).
    """
    with open_regular(path, "a file of arrays") as file, _blaming(path):
        start = file.read(len(MAGIC))
        if start == MAGIC:
            raise DocumentError("one array, not an .npz archive")
        if not start.startswith(_ARCHIVE):
            raise DocumentError("not a file of NumPy arrays")
        archive = _opened(file)
        held = {member.filename.removesuffix(_SUFFIX): member for member in archive.infolist()}
        _check_names(held, known)
        return {state.name: _member(archive, held[state.name], state) for state in known if state.name in held}


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
            archive.writestr(zipfile.ZipInfo(f"{name}{_SUFFIX}", (1980, 1, 1, 0, 0, 0)), member.getvalue())
    return buffer.getvalue()


def _opened(file: BinaryIO) -> zipfile.ZipFile:
    """The archive, which needs no closing: the file is the caller's."""
    import zipfile

    with _blaming("not a file of NumPy arrays"):
        return zipfile.ZipFile(file)


def _check_names(held: Mapping[str, Any], known: Sequence[Wanted]) -> None:
    unknown = sorted(name for name in held.keys() - {state.name for state in known} if not name.startswith("results."))
    if unknown:
        near = did_you_mean(unknown[0], [state.name for state in known])
        raise DocumentError(f"`{show_inline(unknown[0])}` is no state of the model{f'; {near}' if near else ''}")


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, wanted: Wanted) -> np.ndarray[Any, Any]:
    """One array of an archive."""
    import zipfile

    with _blaming(f"`{wanted.name}` cannot be read"):
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise DocumentError("it is compressed in a way NumPy does not write")
        with archive.open(member) as file:
            return read_array(file, wanted)


@contextmanager
def _blaming(subject: str) -> Iterator[None]:
    """Whatever is found wrong is a `DocumentError` of one line that begins with `subject`."""
    import struct
    import zipfile
    import zlib

    try:
        yield
    except DocumentError as error:
        raise DocumentError(f"{subject}: {error}") from None
    # RuntimeError and its NotImplementedError: an encrypted member, a version of the format that is not there
    except (OSError, ValueError, EOFError, RuntimeError, struct.error, zipfile.BadZipFile, zlib.error) as error:
        raise DocumentError(f"{subject}: {' '.join(str(error).split())}") from None
