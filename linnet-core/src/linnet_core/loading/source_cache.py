"""Printed source kept on the disk, so that another process need not print it again.

In: a key that says everything the text depends on.  Out: the text, or a new one that is then kept.  What is read here is executed: a file
counts only where it and its folder belong to the user, no one else may write them, and its first line is the digest of the rest.  Anything
else is as if it were not there.  A file is written beside its place and moved there, so that no one ever reads half of one.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: The folder; an empty text switches the cache off.
VARIABLE = "LINNET_CACHE"
_HEAD = "# sha256 "


def cached_source(key: Iterable[str], make: Callable[[], str], packages: tuple[str, ...] = ()) -> tuple[str, str | None]:
    """The text of `key` and the file it is kept in (None where it cannot be kept); `make` prints it when it is not there.

    `packages` are the imported ones that print beside this one: where their code changes, nothing that was kept counts.
    """
    folder = cache_folder()
    if folder is None:
        return make(), None
    name = hashlib.sha256("\0".join([code_digest(packages), *key]).encode()).hexdigest()
    path = os.path.join(folder, f"{name}.py")
    text = _read(path)
    if text is not None:
        return text, path
    text = make()
    return text, path if _write(folder, path, text) else None


def cache_folder() -> str | None:
    """The folder for printed source, made when it is not there; None when it is switched off or not the user's alone."""
    given = os.environ.get(VARIABLE)
    if given == "":
        return None
    base = given or os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, *([] if given else ["linnet"]), "source")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return folder if _is_private(os.lstat(folder), stat.S_ISDIR) else None
    except OSError:
        return None


@cache
def code_digest(packages: tuple[str, ...]) -> str:
    """A digest of the program that prints: of the names, sizes and times of its files, those of the imported `packages` included."""
    found: list[str] = []
    places = [os.path.dirname(os.path.abspath(str(sys.modules[name].__file__))) for name in ("linnet_core", *packages)]
    for place in places:
        for folder, folders, files in os.walk(place):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".py", ".json")):
                    about = os.stat(os.path.join(folder, name))
                    found.append(f"{os.path.join(folder, name)} {about.st_size} {about.st_mtime_ns}")
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def _is_private(about: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether it is of that kind, the user's own, and no one else may write it."""
    owned = not hasattr(os, "getuid") or about.st_uid == os.getuid()
    return kind(about.st_mode) and owned and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _read(path: str) -> str | None:
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            if not _is_private(os.fstat(file.fileno()), stat.S_ISREG):
                return None
            head, _, text = file.read().decode("utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return text if head == _HEAD + hashlib.sha256(text.encode()).hexdigest() else None


def _write(folder: str, path: str, text: str) -> bool:
    """Keep `text`; False where the disk will not have it, which is no failure."""
    try:
        handle, beside = tempfile.mkstemp(dir=folder, suffix=".part")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(f"{_HEAD}{hashlib.sha256(text.encode()).hexdigest()}\n{text}".encode())
        os.replace(beside, path)
    except OSError:
        os.unlink(beside)
        return False
    return True
