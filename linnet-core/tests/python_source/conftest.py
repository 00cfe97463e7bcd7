"""Puts this folder and that of the numpy target on the path: the tests share `step_entries` and `numpy_entries`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "targets"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
