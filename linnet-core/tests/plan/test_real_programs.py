"""The plan of every module of the standard library, of the examples, and of the language's correct programs where they are at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

import linnet_core
from linnet_core.check.check import check
from linnet_core.ir.library_calls import select_library_calls
from linnet_core.ir.lower import lower
from linnet_core.ir.passes import optimize
from linnet_core.ir.verify_states import touched_states
from linnet_core.modules.load import load
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).parents[3]
STD = Path(next(iter(linnet_core.__path__))) / "std"
CASES = CHECKOUT.parent / "shared" / "cases" / "language" / "valid"


def programs() -> Iterator[Any]:
    for path in sorted(STD.rglob("*.linnet")):
        yield pytest.param(path, id=f"std/{path.relative_to(STD)}")
    for path in sorted((CHECKOUT / "examples").iterdir()):
        if (path / "linnet.toml").exists():
            yield pytest.param(path, id=f"examples/{path.name}")
    for path in sorted(CASES.iterdir()) if CASES.exists() else ():
        yield pytest.param(path, id=f"case/{path.name}")


@pytest.mark.parametrize("path", list(programs()))
def test_the_plan_is_valid_and_reads_back(path: Path) -> None:
    diagnostics = Diagnostics()
    package = load(str(path), diagnostics=diagnostics)
    assert package is not None
    program = check(package, diagnostics)
    assert program is not None, [(d.code, d.message) for d in diagnostics.found]
    schema = jsonschema_rs.validator_for(json.loads((CHECKOUT / "schemas" / "plan-1.schema.json").read_text(encoding="utf-8")))
    lowered = lower(program)
    for function in lowered.functions.values():
        assert sorted(touched_states(lowered, function)) == list(function.states), function.name
    for module in (lowered, select_library_calls(optimize(lowered), "fast")):
        document = plan_document(module, functions=True)
        assert schema.is_valid(document)
        text = json.dumps(document)
        assert json.dumps(plan_document(read_plan(json.loads(text)), functions=True)) == text
