"""A target that is named as one that can, can; and every target of this project that can is named."""

from __future__ import annotations

import pytest

from linnet_core.graph.able import ABLE, or_another
from linnet_core.plugins.manager import find_target


@pytest.mark.parametrize("name", ["numpy", "torch", "jax"])
def test_the_targets_named_are_those_that_can(name: str) -> None:
    if name != "numpy":
        pytest.importorskip(f"linnet_{name}", reason=f"linnet-{name} is not installed here; the environments `{name}` and `all` have it")
    target = find_target(name)
    assert target is not None
    capabilities = target.make({"numerics": "exact"}).capabilities
    assert {ability: name in names for ability, names in ABLE.items()} == {each: getattr(capabilities, each) for each in ABLE}


def test_the_help_names_them() -> None:
    assert or_another("--remat", "supports_remat") == "leave out --remat, or use a target that can: jax, torch"
