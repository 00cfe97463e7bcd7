"""A row of `expected.py` on one target, on every policy.

In: a target's name and a row.  Out: nothing, or an assertion that fails.  Policies that print the same text are run once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from agreement import differences
from running import program

if TYPE_CHECKING:
    from expected import Row
    from running import Program

HERE = Path(__file__).parent


def assert_gives(target: str, row: Row) -> None:
    """The results and the states are those of the row."""
    sources: set[str] = set()
    for numerics in ("equivalent", "exact", "fast"):
        exported = program(target, str(HERE / row.file), row.bindings, entry=row.entry, root=row.root, numerics=numerics)
        if exported.source not in sources:
            sources.add(exported.source)
            _run(exported, row, numerics)


def _run(exported: Program, row: Row, numerics: str) -> None:
    results, states = exported.run(row.inputs, row.parameters, row.states)
    assert len(results) == len(row.results)
    for given, wanted in zip(results, row.results, strict=True):
        assert differences(np.asarray(given), wanted, row.tolerance) is None, numerics
    assert set(states) == set(row.next_states)
    for path, wanted in row.next_states.items():
        assert differences(np.asarray(states[path]), wanted, row.tolerance) is None, numerics
