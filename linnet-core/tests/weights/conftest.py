"""Puts this folder on the path: its tests share `tensor_files`.  And a folder for what may not be read."""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)
#: A user with no rights of its own, as most systems number it.
NOBODY = 65534


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of a user whom permissions hold: the superuser, whom they do not, is someone else for the time of a test."""
    user = os.geteuid()
    with tempfile.TemporaryDirectory() as folder:
        if user == 0:
            os.chown(folder, NOBODY, -1)
            os.seteuid(NOBODY)
        try:
            yield Path(folder)
        finally:
            os.seteuid(user)
            os.chmod(folder, 0o700)
