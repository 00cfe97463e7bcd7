"""The valid programs of the language cases go the whole way: plans read back, documents validate, every target gives the same.

The formatter keeps the tree of each, and leaves those with syntax errors alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from agreement import differences
from running import program

from linnet_core.check.load_program import load_program
from linnet_core.errors import SourceError
from linnet_core.graph.encode import encode
from linnet_core.ir.lowered import lowered
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document
from linnet_core.schema.validate import validate
from linnet_core.syntax.format import format_text
from linnet_core.syntax.format.same import same_comments, same_tree
from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import Source
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import Input, Parameter, State

CASES = Path(__file__).parents[2] / "linnet-core" / "tests" / "language_cases"
MANIFEST = json.loads((CASES / "manifest.json").read_text(encoding="utf-8"))["cases"]
VALID = [pytest.param(case, id=case["file"]) for case in MANIFEST if case["file"].startswith("valid/")]
FILES = [pytest.param(path, id=path.relative_to(CASES).as_posix()) for path in sorted(CASES.rglob("*.linnet"))]
#: How far two targets may be apart, relative to the largest result.
TOLERANCE = {2: 1e-2, 4: 1e-5, 8: 1e-12}


def _entries(path: Path) -> list[tuple[str | None, str]]:
    """Root block (None for the module) and name of every entry of the program's own module: of its blocks where they have any."""
    _, checked = load_program(str(path))
    found = [function for function in checked.root.functions if function.kind == "entry"]
    of_blocks: list[tuple[str | None, str]] = [
        (each.block.rpartition("::")[2], each.name.rpartition(".")[2]) for each in found if each.block is not None
    ]
    return of_blocks or [(None, each.name.rpartition("::")[2]) for each in found]


def _values(leaves: Sequence[Input | Parameter | State], seed: int) -> list[np.ndarray]:
    """Numbers at random for each leaf; integers are 0, 1 or 2, so that they index what the programs have."""
    random = np.random.default_rng(seed)
    made = []
    for leaf in leaves:
        dtype = numpy_dtype(leaf.dtype)
        drawn = random.integers(0, 3, leaf.shape) if dtype.kind in "biu" else random.normal(size=leaf.shape)
        made.append(np.asarray(drawn).astype(dtype))
    return made


def _run(target: str, path: Path, bind: dict[str, int], root: str | None, entry: str, numerics: Any, optionals: str) -> list[np.ndarray]:
    """The results, and the states after them."""
    exported = program(target, str(path), bind, entry=entry, root=root, numerics=numerics, optionals=optionals)
    document = encode(exported.graph)
    validate(json.loads(document), "graph-1")
    results, states = exported.run(
        dict(zip([leaf.name for leaf in exported.inputs], _values(exported.inputs, 1), strict=True)),
        dict(zip([leaf.path for leaf in exported.parameters], _values(exported.parameters, 2), strict=True)),
        dict(zip([leaf.path for leaf in exported.states], _values(exported.states, 3), strict=True)),
    )
    return [np.asarray(value) for value in (*results, *(states[path] for path in sorted(states)))]


@pytest.mark.parametrize("case", VALID)
def test_the_plan_reads_back(case: dict[str, Any]) -> None:
    _, checked = load_program(str(CASES / case["file"]))
    for optimize in (False, True):
        text = json.dumps(plan_document(lowered(checked, "equivalent", optimize=optimize), functions=True))
        validate(json.loads(text), "plan-1")
        assert json.dumps(plan_document(read_plan(json.loads(text)), functions=True)) == text


@pytest.mark.parametrize(
    ("numerics", "optionals"), [pytest.param("exact", "absent", id="exact"), pytest.param("equivalent", "present", id="all")]
)
@pytest.mark.parametrize("case", VALID)
def test_every_target_gives_the_same(case: dict[str, Any], numerics: str, optionals: str) -> None:
    path = CASES / case["file"]
    for root, entry in _entries(path):
        run = [_run(target, path, case["bind"], root, entry, numerics, optionals) for target in ("numpy", "torch")]
        for given, wanted in zip(*run, strict=True):
            tolerance = TOLERANCE[wanted.dtype.itemsize] if wanted.dtype.kind not in "biu" else 0.0
            assert differences(given, wanted, tolerance) is None


@pytest.mark.parametrize("path", FILES)
def test_the_formatter_keeps_the_tree(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    diagnostics = Diagnostics()
    before = parse(Source(str(path), text), diagnostics)
    if diagnostics.found:
        with pytest.raises(SourceError):
            format_text(text)
        return
    once = format_text(text)
    after = parse(Source(str(path), once), diagnostics)
    assert format_text(once) == once
    assert same_tree(before, after)
    assert same_comments(before.comments, after.comments)
