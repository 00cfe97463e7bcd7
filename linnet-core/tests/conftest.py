"""What all tests of linnet-core share: the command line as a subprocess, and distributions made up for one test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


class Commands:
    """Runs `linnet` in a process of its own; `extra` folders come first on its path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.extra: list[str] = []

    def __call__(self, *arguments: str, env: dict[str, str] | None = None, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
        done = self.raw(*arguments, env=env, stdin=stdin)
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    def raw(self, *arguments: str, env: dict[str, str] | None = None, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "linnet_core", *arguments],
            capture_output=True,
            input=stdin,
            cwd=self.folder,
            env=self.environment(env),
            check=False,
        )

    def python(self, code: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=self.folder, env=self.environment(env), check=False
        )

    def environment(self, env: dict[str, str] | None) -> dict[str, str]:
        kept = {
            k: v for k, v in os.environ.items() if not k.startswith("LINNET_") and k not in ("FORCE_COLOR", "NO_COLOR", "GITHUB_ACTIONS")
        }
        path = os.pathsep.join([*self.extra, *([os.environ["PYTHONPATH"]] if "PYTHONPATH" in os.environ else [])])
        return {**kept, "PYTHONPATH": path, **(env or {})}


@pytest.fixture
def linnet(tmp_path: Path) -> Commands:
    """The command line, run in an empty folder."""
    return Commands(tmp_path)


@pytest.fixture
def distribution(tmp_path: Path, linnet: Commands):
    """Makes a distribution with one entry point of the group `linnet` that the command line will see."""

    def make(name: str, entry_points: str, modules: dict[str, str] | None = None, metadata: str | None = None) -> Path:
        folder = tmp_path / "site" / name
        info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(metadata if metadata is not None else f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[linnet]\n{entry_points}\n")
        for module, text in (modules or {}).items():
            (folder / f"{module}.py").write_text(text)
        linnet.extra.append(str(folder))
        return folder

    return make
