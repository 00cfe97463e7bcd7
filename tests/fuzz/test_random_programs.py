"""Random well-typed programs give on every target what a naive reading of the rules gives, and their documents say the same.

`LINNET_FUZZ=N` tries N times as many, from a fresh seed each time; a failure names its seed in its id, and `LINNET_FUZZ_FROM=SEED`
starts there.
"""

from __future__ import annotations

import json
import os
import random
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from agreement import differences
from random_programs import Program, program

from linnet_core.check.load_program import load_program
from linnet_core.graph.calls import Finish, Input, Parameter, State
from linnet_core.graph.decode import decode
from linnet_core.graph.encode import encode
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.nodes import flat_nodes
from linnet_core.graph.replay import replay
from linnet_core.ir.lowered import lowered
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document
from linnet_core.plugins.manager import find_target
from linnet_core.schema.validate import validate

if TYPE_CHECKING:
    from pathlib import Path

    from linnet_core.graph.nodes import Graph
    from linnet_core.graph.target import Target
    from linnet_core.ir.module import Module

_MORE = int(os.environ.get("LINNET_FUZZ", "0"))
_FIRST = int(os.environ.get("LINNET_FUZZ_FROM", random.SystemRandom().randrange(10**6, 10**9) if _MORE else 0))
SEEDS = range(_FIRST, _FIRST + 12 * max(_MORE, 1))

#: How far results may be from the rules, relative to the largest of them.
_TOLERANCE = {"float64": 1e-9, "float32": 1e-5, "float16": 2e-2, "bfloat16": 2e-2}
_NO_JAX = "jax is not installed here; the environment `all` has it"
_RUNS = [
    pytest.param("numpy", "exact", True, True, id="numpy exact"),
    pytest.param("numpy", "equivalent", False, True, id="numpy as lowered"),
    pytest.param("numpy", "equivalent", True, False, id="numpy without the library"),
    pytest.param("torch", "exact", True, True, id="torch exact"),
    pytest.param("torch", "equivalent", True, True, id="torch equivalent"),
    pytest.param("torch", "fast", True, True, id="torch fast"),
    *(
        pytest.param("jax", numerics, True, True, id=f"jax {numerics}", marks=pytest.mark.skipif(find_spec("jax") is None, reason=_NO_JAX))
        for numerics in ("exact", "equivalent", "fast")
    ),
]


def _target(name: str, numerics: str) -> Target:
    plugin = find_target(name)
    assert plugin is not None
    return plugin.make({"numerics": numerics, **{option.name: option.default for option in plugin.options}})


def _module(random_program: Program, folder: Path, numerics: Any, optimize: bool) -> Module:
    path = folder / "random.linnet"
    path.write_text(random_program.text, encoding="utf-8")
    return lowered(load_program(str(path), None)[1], numerics, optimize=optimize)


def _request(random_program: Program, numerics: Any, library: bool = True) -> ExportRequest:
    bindings = {name: str(size) for name, size in random_program.sizes.items()}
    return ExportRequest(
        root="Main", entry="run", bindings=bindings, optionals=random_program.optionals, numerics=numerics, library=library
    )


def _run(name: str, graph: Graph, source: str, given: Program) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
    calls = [node.call for node in flat_nodes(graph.nodes)]
    plugin = find_target(name)
    assert plugin is not None
    assert plugin.run is not None
    values = plugin.run(
        source,
        [given.inputs[call.name].copy() for call in calls if isinstance(call, Input)],
        [given.params[call.path].copy() for call in calls if isinstance(call, Parameter)],
        [given.states[call.path].copy() for call in calls if isinstance(call, State)],
    )
    finish = next(call for call in calls if isinstance(call, Finish))
    written = dict(zip(finish.states, values[finish.returns :], strict=True))
    return list(values[: finish.returns]), {**given.states, **written}


@pytest.mark.parametrize(("name", "numerics", "optimize", "library"), _RUNS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_values_are_those_of_the_rules(
    seed: int, name: str, numerics: str, optimize: bool, library: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given = program(seed)
    target = _target(name, numerics)
    graph = export(_module(given, tmp_path, numerics, optimize), _request(given, numerics, library), target).graph
    results, states = _run(name, graph, target.source(), given)
    pairs = [*zip(results, given.results, strict=True), *[(states[path], wanted) for path, wanted in given.next_states.items()]]
    for found, wanted in pairs:
        assert differences(np.asarray(found), wanted, _TOLERANCE.get(wanted.dtype.name, 0.0)) is None, given.text
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["numpy", "torch"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_documents_say_the_same(seed: int, name: str, tmp_path: Path) -> None:
    given = program(seed)
    module = _module(given, tmp_path, "equivalent", optimize=True)
    plan = json.dumps(plan_document(module, root="Main"))
    again = read_plan(json.loads(plan))
    assert json.dumps(plan_document(again, root="Main")) == plan
    first, second, third = _target(name, "equivalent"), _target(name, "equivalent"), _target(name, "equivalent")
    document = encode(export(module, _request(given, "equivalent"), first).graph)
    validate(json.loads(document), "graph-1")
    replay(decode(document), second)
    assert second.source() == first.source()
    assert encode(export(again, _request(given, "equivalent"), third).graph) == document
