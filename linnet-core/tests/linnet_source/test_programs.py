"""The source made of a plan has that plan: every example, every module of the library, the programs of the language and of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from emitting import emitted_again, text_of, without_dead

import linnet_core
from linnet_core.check.load_program import load_program
from linnet_core.ir.lowered import lowered
from linnet_core.plan.write import plan_document

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
    for path in sorted((CHECKOUT / "tests").rglob("*.linnet")):
        yield pytest.param(path, id=f"tests/{path.relative_to(CHECKOUT / 'tests')}")


@pytest.mark.parametrize("optimize", [pytest.param(False, id="as lowered"), pytest.param(True, id="after passes")])
@pytest.mark.parametrize("path", list(programs()))
def test_the_same_plan_again(path: Path, optimize: bool, tmp_path: Path) -> None:
    _, program = load_program(str(path))
    document = plan_document(lowered(program, "exact", optimize=optimize), functions=True)
    assert text_of(emitted_again(document, tmp_path)) == text_of(without_dead(document))


def test_a_plan_with_a_root_keeps_its_manifest(tmp_path: Path) -> None:
    _, program = load_program(str(CHECKOUT / "examples" / "llama"))
    document = plan_document(lowered(program, "exact"))
    assert document["manifest"]
    assert text_of(emitted_again(document, tmp_path)) == text_of(document)
