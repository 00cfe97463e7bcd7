"""Random programs come out the same whether the bodies of alike blocks are evaluated once or each.

`LINNET_FUZZ=N` tries N times as many, from a fresh seed each time; a failure names its seed in its id.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from evaluating_each import fresh_target, twice
from random_programs import program as random_program
from running import source_file
from test_random_programs import SEEDS

from linnet_core.check.load_program import load_program
from linnet_core.graph.export import ExportRequest
from linnet_core.ir.lowered import lowered

if TYPE_CHECKING:
    from linnet_core.ir.library_calls import Numerics

_ENTRY = re.compile(r"    pub entry run\((?P<inputs>.*)\) -> (?P<result>.*) \{\n")


def _in_layers(text: str) -> str:
    """The program with its block as each of three layers, the second called twice."""
    generics = text.split("pub block Main<")[1].split(">")[0]
    found = _ENTRY.search(text)
    assert found is not None
    names = ", ".join(part.split(":")[0].strip() for part in re.split(r", (?=\w+: )", found["inputs"]))
    result = ", ".join([found["result"]] * 4)
    inner = text.replace("pub block Main<", "block Layer<").replace("    pub entry run(", "    pub fn run(")
    sizes = generics.replace(": Dim", "")
    calls = "".join(f"        let r{n} = layers[{at}].run({names})\n" for n, at in enumerate((0, 1, 2, 1)))
    return (
        f"{inner}\npub block Main<{generics}> {{\n    sub layers: [Layer<{sizes}>; 3]\n"
        f"    pub entry run({found['inputs']}) -> ({result}) {{\n{calls}        return (r0, r1, r2, r3)\n    }}\n}}\n"
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_documents_sources_and_decisions_are_those_of_evaluating_each(seed: int, monkeypatch: Any) -> None:
    given = random_program(seed)
    text = _in_layers(given.text)
    _, checked = load_program(source_file(text), None)
    ways: list[tuple[str, Numerics]] = [("numpy", "exact"), ("torch", "equivalent")]
    for target, numerics in ways:
        module = lowered(checked, numerics, optimize=numerics != "exact")
        request = ExportRequest(root="Main", entry="run", bindings=given.sizes, optionals=given.optionals, numerics=numerics)
        found = twice(monkeypatch, module, request, lambda t=target, n=numerics: fresh_target(t, n))
        assert found.succeeded, found.each
        assert found.once == found.each, text
        assert found.again >= 1
