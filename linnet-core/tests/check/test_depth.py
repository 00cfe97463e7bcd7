"""Long flat and deeply nested programs: checked, or refused with a diagnostic, never a crash."""

from __future__ import annotations

import pytest

FLAT = [
    pytest.param("pub fn f(x: f32) -> f32 {\nvar y = x\n" + "y = y + 1.0\n" * 8000 + "return y }", id="8000 statements"),
    pytest.param("pub fn f(x: f32) -> f32 { return x" + " + x" * 900 + " }", id="900 operators"),
    pytest.param("pub fn f(x: f32) -> f32 { return x * (1.0" + " + 0.5" * 900 + ") }", id="900 operators between literals"),
    pytest.param(
        "pub fn f<H: Dim>(x: f32) -> f32 { return x * (H" + " * 0.5" * 980 + ") }", id="980 operators on a dimension and literals"
    ),
    pytest.param(
        "pub fn f<H: Dim>(x: Tensor[H" + " + H" * 900 + "; f32]) -> Tensor[901 * H; f32] { return x }", id="900 terms in a dimension"
    ),
    pytest.param("pub fn f(x: f32) -> f32 { let _y = (" + "x, " * 5000 + ")\nreturn x }", id="a tuple of 5000"),
]


@pytest.mark.parametrize("text", FLAT)
def test_flat(check_text, text):
    checked = check_text(text)
    assert checked.program is not None, checked.found[:1]


NESTED = [
    pytest.param("pub fn f(x: f32) -> f32 { return " + "-(" * 90 + "x" + ")" * 90 + " }", id="negations"),
    pytest.param("pub fn f(x: f32) -> f32 { return " + "max(" * 90 + "x" + ", x)" * 90 + " }", id="prelude calls"),
    pytest.param(
        "fn g<T: Float>(x: T) -> T { return x }\npub fn f(x: f32) -> f32 { return " + "g(" * 90 + "x" + ")" * 90 + " }", id="calls"
    ),
    pytest.param("pub fn f(x: f32) -> f32 { return " + "if x > 0.0 { x } else { " * 90 + "x" + " }" * 90 + " }", id="ifs"),
    pytest.param(
        "pub fn f(x: f32) -> f32 { return x * (" + "if x > 0.0 { 1 } else { " * 90 + "2" + " }" * 90 + ") }", id="ifs of literals"
    ),
    pytest.param("pub fn f(o: f32?) -> f32 { return " + "match o { some(v) => v none => " * 90 + "0" + " }" * 90 + " }", id="matches"),
    pytest.param("pub fn f(x: f32) -> f32 { let _y = " + "(" * 90 + "x" + ",)" * 90 + "\nreturn x }", id="tuples"),
    pytest.param(
        "pub fn f(x: f32) -> f32 { var y = x " + "static for _i in 0..2 { " * 90 + "y = y + 1.0" + " }" * 90 + "\nreturn y }", id="loops"
    ),
]


@pytest.mark.parametrize("text", NESTED)
def test_nested(check_text, text):
    checked = check_text(text)
    assert checked.program is not None, checked.found[:1]


CHAINS = [
    pytest.param("x" + ".a" * 900, "E2107", id="fields"),
    pytest.param("x" + "[0]" * 900, "E2204", id="indices"),
    pytest.param("x" + ".a[0]" * 450, "E1104", id="fields and indices"),
    pytest.param("f" + "(x)" * 900, "E1104", id="calls of calls"),
    pytest.param("x" + ".a(x)" * 450, "E1104", id="method calls"),
]


@pytest.mark.parametrize(("chain", "code"), CHAINS)
def test_chains_that_mean_nothing(check_text, chain, code):
    checked = check_text(f"pub fn f(x: f32) -> f32 {{ return {chain} }}")
    assert [found.code for found in checked.found] == [code]


def test_tuples_that_double_are_refused_where_they_grow_too_large(check_text):
    doubling = "\n".join(f"let d{at + 1} = (d{at}, d{at})" for at in range(30))
    checked = check_text(f"pub fn f(x: f32) -> f32 {{ let d0 = (x, x)\n{doubling}\nreturn x }}")
    assert checked.errors == [("E6003", "(d10, d10)")]
