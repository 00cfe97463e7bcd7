"""Puts this folder on the path: the tests share `listing_target`, `interpreter`, `exporting` and `node_samples`."""

import sys
from pathlib import Path

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)
