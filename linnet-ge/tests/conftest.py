"""Puts this folder on the path (tests share `dumps`); the command line with this plugin, as if it were installed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the metadata of linnet-ge, for checkouts where it is only on the path."""
    folder = tmp_path_factory.mktemp("site")
    info = folder / "linnet_ge-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: linnet-ge\nVersion: 0.1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[linnet]\nge = linnet_ge.hooks\n", encoding="utf-8")
    return folder


@pytest.fixture
def linnet(installed: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run `linnet WORDS...` in a folder of its own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LINNET_", "COV")) and k not in ("FORCE_COLOR", "NO_COLOR", "COLUMNS")}
    path = [str(installed), *(place for place in sys.path if place)]
    environment = {**kept, "PYTHONPATH": os.pathsep.join(path)}

    def run(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "linnet_core", *words]
        return subprocess.run(command, input=stdin, capture_output=True, cwd=tmp_path, env=environment, check=False)

    return run
