"""Twice the program costs about twice the work: calls of functions are counted, nothing is timed.

Quadratic work in the interpreter's own loops (a scan of a list) is not counted; `benchmarks/check.py` times it.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.check.check import check
from linnet_core.ir.lowered import lowered
from linnet_core.modules.load import load
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable

_SPEC = importlib.util.spec_from_file_location("programs", Path(__file__).parents[1] / "benchmarks" / "programs.py")
assert _SPEC is not None
assert _SPEC.loader is not None
programs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(programs)

SIZE = 60
#: A linear phase makes at most twice the calls; a little more where a sort or a set of rounds has a part in it.
MOST = 2.15


def _calls(work: Callable[[], Any]) -> tuple[Any, int]:
    """The result of some work, and how many Python functions were called for it."""
    count = 0

    def seen(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(seen)
    try:
        result = work()
    finally:
        sys.setprofile(None)
    return result, count


def _work(text: str, folder: Path) -> dict[str, int]:
    """How many calls each phase makes for a program."""
    path = folder / "grown.linnet"
    path.write_text(text, encoding="utf-8")
    diagnostics = Diagnostics()
    counts: dict[str, int] = {}
    package, counts["read"] = _calls(lambda: load(str(path), diagnostics=diagnostics))
    program, counts["check"] = _calls(lambda: check(package, diagnostics))
    assert program is not None, diagnostics.found[:1]
    module, counts["lower"] = _calls(lambda: lowered(program, "exact"))
    document, counts["plan"] = _calls(lambda: plan_document(module, functions=not module.blocks))
    _, counts["read plan"] = _calls(lambda: read_plan(json.loads(json.dumps(document))))
    return counts


@pytest.mark.parametrize("kind", programs.SHAPES)
def test_twice_the_program_is_twice_the_work(kind: str, tmp_path: Path) -> None:
    make = programs.SHAPES[kind]
    _work(make(SIZE // 4), tmp_path)  # what only the first program pays
    once, twice = _work(make(SIZE), tmp_path), _work(make(2 * SIZE), tmp_path)
    grown = {phase: (once[phase], twice[phase]) for phase in once if twice[phase] > MOST * once[phase]}
    assert not grown, f"calls for {SIZE} and {2 * SIZE} of {kind}"


def test_counting_sees_quadratic_work() -> None:
    def pairs(n: int) -> int:
        return sum((lambda: 1)() for _ in range(n) for _ in range(n))

    (_, once), (_, twice) = _calls(lambda: pairs(SIZE)), _calls(lambda: pairs(2 * SIZE))
    assert twice > 3.5 * once
