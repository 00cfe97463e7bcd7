"""The functions printed source may need: each comes with all it needs itself, and nothing that is not used is printed."""

from __future__ import annotations

import pytest

from linnet_core.conformance.support import faults
from linnet_core.python_source.support import sources
from linnet_torch.support import FUNCTIONS

#: What a printed module imports: Triton where it launches kernels, `checkpoint` where something is computed again.
IMPORTED = frozenset(("torch", "triton", "tl", "checkpoint"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_comes_with_what_it_needs_and_says_what_it_does(name: str) -> None:
    assert faults(FUNCTIONS, name, IMPORTED) == []


def test_nothing_is_printed_that_is_not_used() -> None:
    assert sources(FUNCTIONS, set()) == []
    assert len(sources(FUNCTIONS, {"_div"})) == 1
