"""Folders of files to load."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

MANIFEST = '[package]\nname = "{name}"\nversion = "0.1.0"\nlanguage = "0.1"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], Path]:
    """Writes files below an empty directory, which becomes the current one; `"a/linnet.toml": "NAME"` is a whole manifest of that name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LINNET_STD", raising=False)

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            plain = path.name == "linnet.toml" and text.isidentifier()
            path.write_bytes((MANIFEST.format(name=text) if plain else text).encode())
        return tmp_path

    return write
