"""Puts this folder on the path (tests share `programs`); whether golden files are written anew."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether `--update` was given."""
    return bool(request.config.getoption("--update"))
