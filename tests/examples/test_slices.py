"""Every entry of the examples, cut at random places into two to five ranges that run in order, gives what it gives whole, bit for bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from agreement import differences
from running import program
from slicing import Document, printed, random_cuts, run_in_order
from tiny import ENTRIES, EXAMPLES, inputs_of, named, values

if TYPE_CHECKING:
    import numpy as np

CASES = [pytest.param(package, entry, inputs, id=f"{package}-{entry}") for package, entry, inputs in ENTRIES]


RUNS = [
    pytest.param(target, numerics, id=f"{target} {numerics}")
    for target, numerics in (("numpy", "equivalent"), ("torch", "exact"), ("torch", "equivalent"))
]


@pytest.mark.parametrize(("target", "numerics"), RUNS)
@pytest.mark.parametrize(("package", "entry", "inputs"), CASES)
def test_ranges_in_order_give_the_whole(package: str, entry: str, inputs: dict[str, np.ndarray], target: str, numerics: Any) -> None:
    one = program(target, str(EXAMPLES / package), preset="tiny", numerics=numerics, **named(entry))
    given = inputs_of(one, inputs)
    parameters, states = values(one.parameters), values(one.states)
    wanted, wanted_states = one.run(given, parameters, states)
    document = Document(one.graph)
    request = document.request(random_cuts(document, f"{package} {entry} {target} {numerics}"))
    results, next_states = run_in_order(one, request, printed(one, request, numerics), given, parameters, states)
    for found, right in zip(results, wanted, strict=True):
        assert differences(found, right) is None
    assert set(next_states) == set(wanted_states)
    for path, right in wanted_states.items():
        assert differences(next_states[path], right) is None, path
