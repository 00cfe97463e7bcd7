"""Random programs come back from their plans, byte for byte, as lowered and after passes; and the source means what the program means.

`LINNET_FUZZ` and `LINNET_FUZZ_FROM` are those of `test_random_programs.py`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from agreement import differences
from random_programs import program
from test_random_programs import _TOLERANCE, SEEDS, _module, _request, _run, _target

from linnet_core.check.load_program import load_program
from linnet_core.graph.export import export
from linnet_core.ir.lowered import lowered
from linnet_core.linnet_source.live import without_dead_values
from linnet_core.linnet_source.modules import one_module_text
from linnet_core.linnet_source.package import package_files
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document
from linnet_core.syntax.format import format_text

if TYPE_CHECKING:
    from pathlib import Path

    from linnet_core.ir.module import Module


def _lowered_again(module: Module, folder: Path) -> Module:
    """The Core IR, without passes, of the package the plan of `module` makes."""
    read = read_plan(json.loads(json.dumps(plan_document(module, root="Main"))))
    files = package_files(without_dead_values(read))
    for path, text in files.texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    std = folder / "std"
    return lowered(load_program(str(folder / files.root), str(std) if std.is_dir() else None)[1], "exact", optimize=False)


@pytest.mark.parametrize("optimize", [pytest.param(False, id="as lowered"), pytest.param(True, id="after passes")])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_plan_is_the_same(seed: int, optimize: bool, tmp_path: Path) -> None:
    module = _module(program(seed), tmp_path, "exact", optimize=optimize)
    wanted = json.dumps(plan_document(without_dead_values(module), root="Main"))
    assert json.dumps(plan_document(_lowered_again(module, tmp_path / "made"), root="Main")) == wanted


@pytest.mark.parametrize("seed", SEEDS)
def test_the_values_are_the_same(seed: int, tmp_path: Path) -> None:
    given = program(seed)
    again = _lowered_again(_module(given, tmp_path, "exact", optimize=True), tmp_path / "made")
    target = _target("numpy", "exact")
    results, states = _run("numpy", export(again, _request(given, "exact"), target).graph, target.source(), given)
    pairs = [*zip(results, given.results, strict=True), *[(states[path], wanted) for path, wanted in given.next_states.items()]]
    for found, wanted in pairs:
        assert differences(np.asarray(found), wanted, _TOLERANCE.get(wanted.dtype.name, 0.0)) is None, given.text


@pytest.mark.parametrize("seed", SEEDS)
def test_one_module_checks(seed: int, tmp_path: Path) -> None:
    text = format_text(one_module_text(without_dead_values(_module(program(seed), tmp_path, "exact", optimize=True))))
    (tmp_path / "one.linnet").write_text(text, encoding="utf-8")
    load_program(str(tmp_path / "one.linnet"))
