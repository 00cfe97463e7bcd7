"""Puts this folder and that of the standard library's tests on the path: the tests share `numpy_entries`, and `running` and
`agreement` with those.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "std"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
