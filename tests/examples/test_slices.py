"""Every entry of the examples, cut at random places into two to five ranges that run in order, gives what it gives whole, bit for bit.

On jax that holds operation by operation; compiled, both are as near to each other as the targets are.
"""

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


@pytest.mark.parametrize(("package", "entry", "inputs"), CASES)
def test_ranges_on_jax_give_the_whole(package: str, entry: str, inputs: dict[str, np.ndarray]) -> None:
    pytest.importorskip("jax", reason="jax is not installed here; the environments `jax` and `all` have it")
    one = program("jax", str(EXAMPLES / package), preset="tiny", **named(entry))
    arrays = (inputs_of(one, inputs), values(one.parameters), values(one.states))
    document = Document(one.graph)
    whole, request = document.request([]), document.request(random_cuts(document, f"{package} {entry} jax"))
    for jit, tolerance in ((False, 0.0), (True, 1e-5)):
        wanted = run_in_order(one, whole, printed(one, whole), *arrays, jit=jit)
        results, states = run_in_order(one, request, printed(one, request), *arrays, jit=jit)
        assert states.keys() == wanted[1].keys()
        for found, right in [*zip(results, wanted[0], strict=True), *((states[path], wanted[1][path]) for path in states)]:
            assert differences(found, right, tolerance) is None
