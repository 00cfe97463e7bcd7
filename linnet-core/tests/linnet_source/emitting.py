"""From a plan to source and back to a plan.

In: a plan document.  Out: the module read from its text, and the plan of the package its source makes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from linnet_core.check.load_program import load_program
from linnet_core.ir.lowered import lowered
from linnet_core.linnet_source.live import without_dead_values
from linnet_core.linnet_source.package import package_files
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document
from linnet_core.syntax.format import format_text

if TYPE_CHECKING:
    from pathlib import Path

    from linnet_core.ir.module import Module


def text_of(document: dict[str, Any]) -> str:
    """The document as `linnet plan` prints it."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def read_back(document: dict[str, Any]) -> Module:
    """The module of a document that went through its text, without dead values."""
    return without_dead_values(read_plan(json.loads(text_of(document))))


def without_dead(document: dict[str, Any]) -> dict[str, Any]:
    """The document without dead values; the same bytes where it has none."""
    return plan_document(read_back(document), **_how(document))


def emitted_again(document: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The plan, without passes, of the package a plan makes in `folder`; its files are in the one style."""
    files = package_files(read_back(document))
    for path, text in files.texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        assert not path.endswith(".linnet") or format_text(text) == text
    std = folder / "std"
    _, program = load_program(str(folder / files.root), str(std) if std.is_dir() else None)
    return plan_document(lowered(program, "exact", optimize=False), **_how(document))


def _how(document: dict[str, Any]) -> dict[str, Any]:
    if document["root"] is None:
        return {"functions": True}
    return {"root": document["root"]["name"]}
