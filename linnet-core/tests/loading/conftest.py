"""Puts the writer of tensor files of the `weights` tests in reach."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "weights"))
