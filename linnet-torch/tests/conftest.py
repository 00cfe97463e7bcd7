"""Puts this folder on the path (tests share `hand_made`, `values` and `programs`) and gives the switch that rewrites golden files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` writes the files under `printed/` anew; look at their difference before committing it."""
    parser.addoption("--update", action="store_true", help="write golden files anew")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are written anew."""
    return bool(request.config.getoption("--update"))
