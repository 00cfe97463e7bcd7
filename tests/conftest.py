"""Puts shared modules on the path: those of the standard library's tests (`running`, `agreement`) and of weights (`tensor_files`), and
what lies beside a test.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
CORE = HERE.parent / "linnet-core" / "tests"
for folder in (HERE, HERE / "field", HERE / "fuzz", HERE / "examples", HERE / "real", CORE / "std", CORE / "weights"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
