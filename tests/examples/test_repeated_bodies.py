"""The bodies of alike blocks are evaluated once, and nothing that comes of an export shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest
from evaluating_each import fresh_target, twice
from tiny import EXAMPLES

from linnet_core.check.load_program import load_program
from linnet_core.graph.export import ExportRequest
from linnet_core.ir.entries import declared_name, entries_by_block
from linnet_core.ir.lowered import lowered
from linnet_core.ir.roots import find_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.ir.module import Module

#: A target, the policy, and what else is asked for.
Way = tuple[str, Literal["equivalent", "fast"], dict[str, Any]]
#: How each entry is exported: with library calls; of some examples also by the bodies of ops, and with the way back.
FAST: Way = ("torch", "fast", {"optionals": True})
MORE: dict[str, Way] = {"llama": ("numpy", "equivalent", {}), "train": ("torch", "equivalent", {"gradient": True})}


def _requests(module: Module, preset: dict[str, Any], more: dict[str, Any]) -> Iterator[ExportRequest]:
    """One for each entry; sizes that the preset leaves open are 4."""
    for block, entries in entries_by_block(module).items():
        root = module.blocks[block].name if block else None
        for name in map(declared_name, entries.values()):
            generics = find_entry(module, root, name).generics
            sizes = {generic.name: "4" for generic in generics if generic.name not in preset}
            yield ExportRequest(root=root, entry=name, bindings=sizes, preset=preset, **more)


@pytest.mark.parametrize("example", sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))
def test_documents_sources_and_decisions_are_those_of_evaluating_each(example: str, monkeypatch: Any) -> None:
    package, program = load_program(str(EXAMPLES / example), None)
    assert package.manifest is not None
    preset = package.manifest.presets["tiny"]
    compared = again = 0
    ways = [FAST, MORE[example]] if example in MORE else [FAST]
    for target, numerics, more in ways:
        module = lowered(program, numerics, optimize=True)
        for request in _requests(module, preset, {"numerics": numerics, **more}):
            found = twice(monkeypatch, module, request, lambda t=target, n=numerics: fresh_target(t, n))
            assert found.once == found.each, (target, request)
            compared += found.succeeded
            again += found.again
    assert compared >= len(ways)
    assert again >= 1
