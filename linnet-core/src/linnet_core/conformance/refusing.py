"""The command line in a process of its own in which some packages cannot be imported.

In: arguments, packages that are refused, heavy packages.  Out: what it printed, its status, and which of the heavy ones it imported.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_DRIVER = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refuse())
sys.argv = ["linnet", *{arguments!r}]
from linnet_core.cli.app import main
status = 0
try:
    status = main() or 0
except SystemExit as stop:
    status = stop.code or 0
print("HEAVY", *sorted(set({heavy!r}) & set(sys.modules)), file=sys.stderr)
sys.exit(status)
"""
#: What a command that prints source never imports, beside the target's own framework.
HEAVY = ("numpy", "jsonschema", "pydantic", "sympy")


class Ended(Struct, frozen=True):
    """A process that has ended; `heavy` are the heavy packages it imported."""

    status: int
    stdout: str
    stderr: str
    heavy: tuple[str, ...]


def linnet(folder: Path, *arguments: str, refused: Sequence[str] = (), heavy: Sequence[str] = HEAVY) -> Ended:
    """`linnet ARGUMENTS` in a folder."""
    code = _DRIVER.format(refused=tuple(refused), arguments=list(arguments), heavy=tuple(heavy))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False)
    *said, last = done.stderr.splitlines()
    return Ended(done.returncode, done.stdout, "\n".join(said), tuple(last.split()[1:]))
