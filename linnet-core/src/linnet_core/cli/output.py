"""Where a command's words go: documents and source to stdout or a file, diagnostics and complaints to stderr.

In: text or bytes.  Out: bytes written whole.  Documents and source are UTF-8 with LF line ends whatever the locale; files are
written under a temporary name and renamed; a reader that goes away ends the command silently with status 141.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from linnet_core.errors import DocumentError, InternalError, LinnetError, SourceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from linnet_core.text.diagnostic import Diagnostic

#: Exit status when the reader of a pipe went away: 128 + SIGPIPE.
PIPE_CLOSED = 141


class ClosedStdout(io.StringIO):
    """Stands for a stdout the command was started without: what is printed is dropped, a document for it is refused."""


def prepare_streams() -> None:
    """Characters a stream cannot carry are escaped instead of ending the command; a stream that is closed takes nothing."""
    if sys.stdout is None:
        sys.stdout = ClosedStdout()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def write(text: str | bytes, path: str | None = None) -> None:
    """Write a document or source to `path`, or to stdout."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
    if path is None:
        _to_stdout(data)
    else:
        replace_file(path, data)


def write_document(document: Any, schema: str, path: str | None = None, *, indent: bool = False, validate: bool = True) -> None:
    """Write a JSON document (values, or JSON as bytes), compact unless `indent`, ended by a line end.

    Unless `validate` is off it is held against the schema of that name first; what we made and does not follow it is an `InternalError`.
    """
    values = document
    if isinstance(document, bytes) and (validate or indent):
        from msgspec import json as fast_json

        values = fast_json.decode(document)
    if validate:
        _hold_to(schema, values)
    if isinstance(document, bytes) and not indent:
        write(document + b"\n", path)
        return

    import json

    separators = None if indent else (",", ":")
    write(json.dumps(values, ensure_ascii=False, indent=2 if indent else None, separators=separators, allow_nan=False) + "\n", path)


def _hold_to(schema: str, document: Any) -> None:
    from linnet_core.schema.validate import validate

    try:
        validate(document, schema)
    except DocumentError as error:
        raise InternalError(f"a document of ours does not follow {schema}: {error}") from error


def say(text: str) -> None:
    """A message for people on stderr.  It may hold words of files and arguments: whatever does not print is escaped."""
    from linnet_core.text.cells import show_inline

    _print("\n".join(map(show_inline, text.split("\n"))))


def _print(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        _reader_gone()


def show_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    """Diagnostics as text on stderr, in colour where a person reads."""
    if diagnostics:
        from linnet_core.text.show_text import show_text

        _print(show_text(diagnostics, colour=wants_colour(sys.stderr)).rstrip("\n"))


@contextmanager
def failures_as_json(wanted: bool) -> Iterator[None]:
    """Where `wanted`, diagnostics that end the command are its document on stdout, in place of whatever it would have printed."""
    try:
        yield
    except SourceError as error:
        if not wanted:
            raise
        from linnet_core.text.show_json import to_json

        write_document(to_json(error.diagnostics), "diagnostics-1")
        raise SystemExit(error.status) from None


def wants_colour(stream: Any) -> bool:
    """Whether to colour what goes to `stream`: NO_COLOR and FORCE_COLOR decide, else whether it is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def replace_file(path: str, data: bytes) -> None:
    """Write `data` under a temporary name beside `path` and rename it; nothing half-written stays behind.

    Raises `UsageError` when the place cannot be written.
    """
    import tempfile

    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        if os.path.isdir(target):
            raise UsageError(f"cannot write {path}: it is a directory")
        _write_special(path, data)
        return
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target) or ".", prefix=".linnet-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        if temporary is not None:
            os.unlink(temporary)


def _write_special(path: str, data: bytes) -> None:
    """A device or a pipe cannot be renamed over."""
    try:
        with open(path, "wb") as file:
            file.write(data)
    except BrokenPipeError:
        _reader_gone()
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None


def _mode(path: str) -> int:
    """The mode of the file that is replaced, or what a new file gets."""
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _to_stdout(data: bytes) -> None:
    if isinstance(sys.stdout, ClosedStdout):
        raise LinnetError("stdout is closed")
    buffer = getattr(sys.stdout, "buffer", None)
    try:
        if buffer is None:  # a stream that was replaced, in tests
            sys.stdout.write(data.decode("utf-8"))
        else:
            sys.stdout.flush()
            buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        _reader_gone()


def _reader_gone() -> NoReturn:
    """End silently."""
    abandon_streams()
    raise SystemExit(PIPE_CLOSED)


def abandon_streams() -> None:
    """Point stdout and stderr away, so that what is left in them is not complained about while the interpreter ends."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(devnull, stream.fileno())
        except (OSError, ValueError):
            continue
