"""Names and paths that are someone else's: nothing is shadowed, nothing ends a string, every entry runs."""

from __future__ import annotations

import ast

import numpy as np
from jax_programs import PLUGIN, printed

from linnet_core.conformance import naming
from linnet_core.conformance.naming import HOSTILE


def test_names_of_the_host_language() -> None:
    one = printed(naming.FOREIGN, bind={"H": 1})
    arrays = {name: np.ones(1, np.float32) for name in one.inputs}
    weights = {path: np.array([value], np.float32) for path, value in zip(one.parameters, (2, 3, 4), strict=True)}
    (given,), _ = one.run({**arrays, **weights})
    assert given.tolist() == [15.0]


def test_names_and_paths_stand_in_quotes() -> None:
    source = naming.source(PLUGIN)
    assert source.isascii()
    assert source == naming.source(PLUGIN)
    found = {
        target.id: ast.literal_eval(statement.value)
        for statement in ast.parse(source).body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    assert set(found) == {"INPUTS", "PARAMETERS", "STATES", "NEXT_STATES", "RESULTS", "CONSTANTS", "IN_PLACE"}
    assert found["INPUTS"] == list(HOSTILE)
    assert found["PARAMETERS"] == [f"p.{name}" for name in HOSTILE]
    assert found["STATES"] == found["NEXT_STATES"] == [f"s.{name}" for name in HOSTILE]
    assert naming.differing(PLUGIN, source) is None
