"""Puts shared modules on the path: those of the standard library's tests (`running`, `agreement`), of weights (`tensor_files`), of
linnet-ge's (`ge_machine`), and what lies beside a test.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
OWN = [HERE, *(HERE / name for name in ("field", "fuzz", "examples", "real"))]
OTHERS = [ROOT / name for name in ("linnet-core/tests/std", "linnet-core/tests/weights", "linnet-ge/tests")]
for folder in (*OWN, *OTHERS):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
