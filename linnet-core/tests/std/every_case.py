"""All calls of the standard library that the tests make.

In: nothing.  Out: `CASES`, those of every table; `RUNS`, one for each of them and each of its dtypes, as pytest takes them.
"""

from __future__ import annotations

import cases
import expert_cases
import image_cases
import loss_cases
import paged_cases
import pytest
import quant_cases
import random_cases

CASES = [case for table in (cases, image_cases, paged_cases, loss_cases, expert_cases, quant_cases, random_cases) for case in table.CASES]
RUNS = [pytest.param(case, dtype, id=f"{case.id}-{dtype}") for case in CASES for dtype in case.dtypes]
