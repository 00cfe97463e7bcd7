"""Warnings: what is declared and never used.

In: a program without errors, with the uses that were marked while it was checked.  Out: W1001 (imports), W1002 (locals),
W1003 (block members), for modules of the package given only.  Names that start with `_` are exempt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.check.context import LocalUse
    from linnet_core.check.environment import BlockInfo, Checker, ModuleInfo


def lint(module: ModuleInfo, blocks: Iterable[BlockInfo], locals: Iterable[LocalUse], checker: Checker) -> None:
    """Report what one module never uses."""
    report = checker.diagnostics.report
    for name, imported in module.imports.items():
        if not imported.used and not name.startswith("_"):
            report(
                "W1001",
                f"`{name}` is imported and never used",
                imported.span,
                help="remove it, and the whole `use` if it names nothing else",
            )
    for use in locals:
        if use.lint and not use.used:
            name = use.local.name
            report("W1002", f"`{name}` is never used", use.span, help=f"use it, take it out, or name it `_{name}` if that is meant")
    for block in blocks:
        for member in block.members.values():
            if member.name not in block.used_members and not member.name.startswith("_"):
                message = f"{member.kind} `{member.name}` of block `{block.syntax.name.text}` is never used"
                report("W1003", message, member.span, help=f"remove it, or name it `_{member.name}` if that is meant")
