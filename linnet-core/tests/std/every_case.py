"""All calls of the standard library that the tests make.

In: nothing.  Out: `CASES`, those of every table; `RUNS`, one for each of them and each of its dtypes, as pytest takes them.
"""

from __future__ import annotations

import cases
import image_cases
import paged_cases
import pytest

CASES = [*cases.CASES, *image_cases.CASES, *paged_cases.CASES]
RUNS = [pytest.param(case, dtype, id=f"{case.id}-{dtype}") for case in CASES for dtype in case.dtypes]
