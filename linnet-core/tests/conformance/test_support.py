"""What is wrong with a function that printed source brings along is found."""

from __future__ import annotations

import pytest

from linnet_core.conformance.support import faults

SAYS = '"""Says."""'


@pytest.mark.parametrize(
    ("text", "needs", "found"),
    [
        pytest.param(f"def f(x):\n    {SAYS}\n    return lib.sin(x)", (), [], id="nothing"),
        pytest.param(f"def f(x):\n    {SAYS}\n    return g(x)", ("g",), [], id="what it needs comes along"),
        pytest.param(f"def f(x):\n    {SAYS}\n    return g(x)", (), ["`g` is defined nowhere"], id="what it needs does not"),
        pytest.param(f"def f(x):\n    {SAYS}\n    return other.sin(x)", (), ["`other` is defined nowhere"], id="a module"),
        pytest.param("def f(x):\n    return x", (), ["`f` does not say what it does"], id="no docstring"),
        pytest.param("if lib:\n    def f(x):\n        return x", (), ["`f` does not say what it does"], id="none under a condition"),
        pytest.param("h = 1", (), ["`f` is not among its own sources"], id="another name"),
    ],
)
def test_faults(text: str, needs: tuple[str, ...], found: list[str]) -> None:
    table = {"f": (text, needs), "g": (f"def g(x):\n    {SAYS}\n    return x", ())}
    assert faults(table, "f", frozenset(("lib",))) == found
