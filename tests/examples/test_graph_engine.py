"""Every entry of the examples as the Graph Engine's operations: written and read back, and computed to what the NumPy target gives."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import ge_machine
import numpy as np
import pytest
from running import program
from tiny import ENTRIES, EXAMPLES, inputs_of, named, values

from linnet_core.check.load_program import load_program
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.nodes import Graph
from linnet_core.ir.lowered import lowered
from linnet_core.ir.module import Module
from linnet_core.modules.presets import preset
from linnet_ge.from_graph.build import dump_of
from linnet_ge.from_graph.target import GraphEngineTarget
from linnet_ge.readable.dump_text import dump_text
from linnet_ge.readable.scan import scan
from linnet_ge.readable.view import view


@lru_cache(maxsize=2)
def _module(package: str) -> tuple[Module, dict[str, Any]]:
    loaded, checked = load_program(str(EXAMPLES / package), None)
    return lowered(checked, "equivalent"), preset(loaded, "tiny")


def _request(entry: str, sizes: dict[str, Any]) -> ExportRequest:
    words = named(entry)
    return ExportRequest(preset=sizes, root=words.get("root"), entry=words["entry"])


def _graph(package: str, entry: str) -> Graph:
    module, sizes = _module(package)
    return export(module, _request(entry, sizes), GraphEngineTarget()).graph


@pytest.mark.parametrize("functions", [False, True], ids=["flat", "functions"])
@pytest.mark.parametrize(("package", "entry", "given"), [pytest.param(*one, id=f"{one[0]}-{one[1]}") for one in ENTRIES])
def test_the_operations_compute_the_entry(package: str, entry: str, given: dict[str, np.ndarray], functions: bool) -> None:
    one = program("numpy", str(EXAMPLES / package), preset="tiny", **named(entry))
    inputs, parameters, states = inputs_of(one, given), values(one.parameters), values(one.states)
    results, written = one.run(inputs, parameters, states)
    dump = dump_of(_graph(package, entry), functions=functions)
    text = dump_text(dump)
    read = scan(text, "-")
    assert not read.problems
    assert dump_text(view(read)) == text
    leaves = [
        *(inputs[leaf.name] for leaf in one.inputs),
        *(parameters[leaf.path] for leaf in one.parameters),
        *(states[leaf.path] for leaf in one.states),
    ]
    for got, wanted in zip(ge_machine.results(dump, leaves), [*results, *written.values()], strict=True):
        size = float(np.max(np.abs(wanted.astype(np.float64)), initial=0.0))
        np.testing.assert_allclose(got.astype(np.float64), wanted.astype(np.float64), rtol=1e-5, atol=1e-5 * size)
