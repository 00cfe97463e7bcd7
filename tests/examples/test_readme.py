"""Every command of the examples' READMEs runs from the root of the checkout, in silence on stderr."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest
from tiny import EXAMPLES

PACKAGES = sorted(path.parent.name for path in EXAMPLES.glob("*/linnet.toml"))
COMMANDS = [
    line
    for name in PACKAGES
    for line in (EXAMPLES / name / "README.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("linnet ")
]


@pytest.mark.parametrize("name", PACKAGES)
def test_there_are_commands(name: str) -> None:
    own = [line for line in COMMANDS if line.endswith(f"examples/{name}")]
    assert [line.split()[1] for line in own][:: len(own) - 1] == ["check", "run"]


@pytest.mark.parametrize("line", COMMANDS)
def test_the_command_runs(line: str) -> None:
    command = [sys.executable, "-m", "linnet_core", *shlex.split(line)[1:]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=EXAMPLES.parent)
    assert (done.returncode, done.stderr) == (0, "")
