"""Random well-typed programs, cut at random places into ranges that run in order, give what they give whole, bit for bit.

`LINNET_FUZZ=N` tries N times as many, from a fresh seed each time; a failure names its seed in its id.
"""

from __future__ import annotations

from typing import Any

import pytest
from agreement import differences
from random_programs import program as random_program
from running import program, source_file
from slicing import Document, printed, random_cuts, run_in_order
from test_random_programs import SEEDS

RUNS = [
    pytest.param(target, numerics, id=f"{target} {numerics}")
    for target, numerics in (("numpy", "equivalent"), ("torch", "exact"), ("torch", "fast"))
]


@pytest.mark.parametrize(("target", "numerics"), RUNS)
@pytest.mark.parametrize("seed", SEEDS)
def test_ranges_in_order_give_the_whole(seed: int, target: str, numerics: Any) -> None:
    given = random_program(seed)
    optionals = "present" if given.optionals else "absent"
    one = program(target, source_file(given.text), given.sizes, root="Main", entry="run", numerics=numerics, optionals=optionals)
    document = Document(one.graph)
    arrays = (given.inputs, given.params, given.states)
    everything = document.request([])
    wanted = run_in_order(one, everything, printed(one, everything, numerics), *arrays)
    for number in range(3):
        cuts = random_cuts(document, f"{seed} {number}")
        request = document.request(cuts)
        results, states = run_in_order(one, request, printed(one, request, numerics), *arrays)
        assert list(map(differences, results, wanted[0])) == [None] * len(wanted[0]), f"cut at {cuts}:\n{given.text}"
        assert states.keys() == wanted[1].keys()
        assert [differences(states[path], wanted[1][path]) for path in states] == [None] * len(states), f"cut at {cuts}:\n{given.text}"
