"""Puts this folder and the one above on the path: the tests share `differentiating`, and `exporting` with their neighbours."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (str(HERE), str(HERE.parent)):
    if folder not in sys.path:
        sys.path.insert(0, folder)
