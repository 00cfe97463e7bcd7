"""`tiny.ENTRIES`, which the tests of values, slices and targets run, holds every entry of every example but one."""

from __future__ import annotations

import pytest
from tiny import ENTRIES, EXAMPLES, named

from linnet_core.check.load_program import load_program
from linnet_core.ir.entries import declared_name, entries_by_block
from linnet_core.ir.lowered import lowered

#: What is not among them, and why.
ELSEWHERE = {("unet", "Model", "forward"): "no size makes it small: test_wide_unet.py runs and cuts it, with 0.64 billion numbers"}


@pytest.mark.parametrize("example", sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))
def test_every_entry_is_run(example: str) -> None:
    module = lowered(load_program(str(EXAMPLES / example), None)[1], "exact", optimize=True)
    roots = {block: module.blocks[block].name for block in entries_by_block(module) if block}
    declared = {
        (roots.get(block, ""), declared_name(entry)) for block, found in entries_by_block(module).items() for entry in found.values()
    }
    asked = [named(entry) for package, entry, _ in ENTRIES if package == example]
    (first, *others) = roots.values()
    assert not others or all("root" in names for names in asked)
    run = {(names.get("root", first), names["entry"]) for names in asked}
    assert declared == run | {(root, entry) for package, root, entry in ELSEWHERE if package == example}
