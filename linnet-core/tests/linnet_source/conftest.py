"""What the tests of this room share: plans of programs written in the test, and the source of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if str(Path(__file__).parent) not in sys.path:
    sys.path.insert(0, str(Path(__file__).parent))

from emitting import emitted_again, read_back, text_of, without_dead

from linnet_core.check.load_program import load_program
from linnet_core.ir.lowered import lowered
from linnet_core.linnet_source.modules import one_module_text
from linnet_core.plan.write import plan_document
from linnet_core.syntax.format import format_text

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def planned(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """The plan of a module's text; `module test` is written before it.  Further modules of a package are given by name."""

    def run(text: str, *, optimize: bool = False, **modules: str) -> dict[str, Any]:
        folder = tmp_path / "given"
        (folder / "src").mkdir(parents=True, exist_ok=True)
        (folder / "linnet.toml").write_text('[package]\nname = "test"\nversion = "0.1.0"\nlanguage = "0.1"\n', encoding="utf-8")
        for name, other in modules.items():
            (folder / "src" / f"{name}.linnet").write_text(f"module test.{name}\n{other}", encoding="utf-8")
        (folder / "src" / "lib.linnet").write_text(f"module test\n{text}", encoding="utf-8")
        _, program = load_program(str(folder))
        return plan_document(lowered(program, "exact", optimize=optimize), functions=True)

    return run


@pytest.fixture
def source(planned: Callable[..., dict[str, Any]]) -> Callable[..., str]:
    """The source, as one module, that the plan of a module's text gives."""

    def run(text: str, **given: Any) -> str:
        return format_text(one_module_text(read_back(planned(text, **given))))

    return run


@pytest.fixture
def again(planned: Callable[..., dict[str, Any]], tmp_path: Path) -> Callable[..., None]:
    """Holds the plan of the source made of a plan to that plan."""

    def run(text: str, **given: Any) -> None:
        document = planned(text, **given)
        assert text_of(emitted_again(document, tmp_path / "made")) == text_of(without_dead(document))

    return run
