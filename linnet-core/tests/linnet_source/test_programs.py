"""The source made of a plan has that plan: every example, every module of the library, the programs of the language and of the tests.

Each is checked once, and its plan after passes is written only where passes did something.
"""

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
CASES = CHECKOUT / "linnet-core" / "tests" / "language_cases" / "valid"


def programs() -> Iterator[Any]:
    for path in sorted(STD.rglob("*.linnet")):
        yield pytest.param(path, id=f"std/{path.relative_to(STD)}")
    for path in sorted((CHECKOUT / "examples").iterdir()):
        if (path / "linnet.toml").exists():
            yield pytest.param(path, id=f"examples/{path.name}")
    for path in sorted(CASES.glob("*.linnet")):
        yield pytest.param(path, id=f"case/{path.name}")
    for path in (CASES / "package_modules", CASES / "package_dependency" / "app"):
        yield pytest.param(path, id=f"case/{path.relative_to(CASES)}")
    packages = sorted(path.parent for path in (CHECKOUT / "tests").rglob("linnet.toml"))
    for path in packages:
        yield pytest.param(path, id=f"tests/{path.relative_to(CHECKOUT / 'tests')}")
    for path in sorted((CHECKOUT / "tests").rglob("*.linnet")):
        if not any(path.is_relative_to(package) for package in packages):  # Its root reaches the other modules of a package.
            yield pytest.param(path, id=f"tests/{path.relative_to(CHECKOUT / 'tests')}")


@pytest.mark.parametrize("path", list(programs()))
def test_the_same_plan_again(path: Path, tmp_path: Path) -> None:
    _, program = load_program(str(path))
    as_lowered, after_passes = (plan_document(lowered(program, "exact", optimize=optimize), functions=True) for optimize in (False, True))
    assert text_of(emitted_again(as_lowered, tmp_path / "lowered")) == text_of(without_dead(as_lowered))
    if after_passes != as_lowered:
        assert text_of(emitted_again(after_passes, tmp_path / "passes")) == text_of(without_dead(after_passes))


def test_a_plan_with_a_root_keeps_its_manifest(tmp_path: Path) -> None:
    _, program = load_program(str(CHECKOUT / "examples" / "llama"))
    document = plan_document(lowered(program, "exact"))
    assert document["manifest"]
    assert text_of(emitted_again(document, tmp_path)) == text_of(document)
