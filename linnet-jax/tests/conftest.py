"""Puts this folder on the path (tests share `jax_programs`); whether golden files are written anew.

Where jax is not installed, what only prints is tested all the same.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether `--update` was given."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(autouse=True)
def _without_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that runs what was printed is skipped at that point where there is no jax to run it."""
    if find_spec("jax") is None:

        def absent(*_: Any) -> Any:
            pytest.skip("jax is not installed here; the environment of linnet-jax has it")

        monkeypatch.setattr("linnet_jax.runner.run", absent)
