"""Loops: `static for`, `while`, `for`, and `for` as a value."""

from __future__ import annotations

import pytest

from linnet_core.check.program import For, Let, Scan, StaticForArray, StaticForRange, While
from linnet_core.check.show_types import show

HEADER = """
block Child { param w: f32  pub fn go(x: f32) -> f32 { return x * w } }
block B { sub kids: [Child; 3]  sub nested: [[Child; 2]; 3]  sub maybe: Child? = none  state s: Tensor[4; f32]
fn f<N: Dim, M: Dim>(x: Tensor[N; f32], k: f32, i: i64, o: f32?) -> f32 {
"""

ACCEPTED = [
    pytest.param("var y = k\nstatic for kid in kids { y = kid.go(y) }", [Let, StaticForArray], id="over an array of blocks"),
    pytest.param(
        "var y = k\nstatic for row in nested { static for kid in row { y = kid.go(y) } }", [Let, StaticForArray], id="over a nested array"
    ),
    pytest.param("var y = k\nstatic for kid in nested[1] { y = kid.go(y) }", [Let, StaticForArray], id="over one row of it"),
    pytest.param("var y = 0\nstatic for j in 0..N { y = y + j }", [Let, StaticForRange], id="over a range"),
    pytest.param("var y = 0\nstatic for j in N..M { y = y + j }", [Let, StaticForRange], id="a static range needs no proof"),
    pytest.param("static for _ in 0..3 { s = s * 2 }", [StaticForRange], id="without a name"),
    pytest.param("var n = 0\nwhile n < N && k > 0 { n = n + 1 }", [Let, While], id="while"),
    pytest.param("var y = k\nfor j in 0..N { y = y + x[j] }", [Let, For], id="a counted loop"),
    pytest.param("var y = k\nfor j in N..N + M { y = y + cast<f32>(j) }", [Let, For], id="a symbolic start"),
    pytest.param("let ys = for j in 0..N { yield x[j] }", [Let], id="a scan of scalars"),
]


@pytest.mark.parametrize(("body", "statements"), ACCEPTED)
def test_accepted(check_text, body, statements):
    checked = check_text(f"{HEADER}{body}\nreturn k }} }}")
    assert checked.program is not None, checked.found
    assert [type(s) for s in checked.program.functions["test::B.f"].body[:-1]] == statements


REFUSED = [
    pytest.param("static for j in x { }", [("E2121", "x")], id="static for over a tensor"),
    pytest.param("static for j in N { }", [("E2121", "N")], id="static for over a dimension"),
    pytest.param("static for kid in maybe { }", [("E2121", "maybe")], id="static for over an optional"),
    pytest.param("static for j in 0..i { }", [("E2121", "i")], id="a run-time bound"),
    pytest.param("static for j in 0..1.5 { }", [("E2121", "1.5")], id="a float bound"),
    pytest.param("static for (a, b) in kids { }", [("E2117", "(a, b)")], id="a tuple pattern"),
    pytest.param("static for some(a) in kids { }", [("E2117", "some(a)")], id="some as a pattern"),
    pytest.param("static for j in 0..3 { let y = kids[j].go(k) }", [("E2123", "j")], id="a loop variable is no compile-time integer"),
    pytest.param("static for exp in 0..3 { }", [("E1207", "exp")], id="a prelude name"),
    pytest.param("while x > 0.0 { }", [("E2114", "x > 0.0")], id="a mask as a condition"),
    pytest.param("while 1 { }", [("E2114", "1")], id="a number as a condition"),
    pytest.param("for j in 0..i { }", [("E2123", "i")], id="a run-time bound of a for"),
    pytest.param("for j in N..M { }", [("E2208", "M")], id="a for that may run backward"),
    pytest.param("for j in 0..3 { yield k }", [("E2124", "yield k")], id="a yield in a statement"),
    pytest.param("yield k", [("E2124", "yield k")], id="a yield outside a loop"),
    pytest.param("let y = for j in 0..3 { let z = k }", [("E2124", "for j in 0..3")], id="a value without a yield"),
    pytest.param("let y = for j in 0..3 { yield k\nyield k }", [("E2124", "yield k")], id="two yields"),
    pytest.param("let y = for j in 0..3 { yield k\nlet z = k }", [("E2124", "yield k")], id="a yield that is not last"),
    pytest.param("let y = (for j in 0..3 { yield k }, 1)", [("E2124", "for j in 0..3 { yield k }")], id="a for inside an expression"),
    pytest.param("let y = for j in 0..3 { yield o }", [("E2101", "o")], id="an optional yielded"),
    pytest.param("let y = for j in 0..3 { yield (k, (k, k)) }", [("E2101", "(k, (k, k))")], id="a nested tuple yielded"),
    pytest.param("let y = j\nfor j in 0..3 { }", [("E1201", "j")], id="a loop variable before its loop"),
    pytest.param("for j in 0..3 { let z = k }\nlet y = z", [("E1201", "z")], id="a local of the body after the loop"),
]


@pytest.mark.parametrize(("body", "errors"), REFUSED)
def test_refused(check_text, body, errors):
    assert check_text(f"{HEADER}{body}\nreturn k }} }}").errors == errors


SCANS = [
    pytest.param("for j in 0..N { yield k }", "Tensor[N; f32]", id="scalars"),
    pytest.param("for j in N..N + 3 { yield x }", "Tensor[3, N; f32]", id="tensors"),
    pytest.param("for j in 0..3 { yield (j, x) }", "(Tensor[3; i64], Tensor[3, N; f32])", id="tuples"),
    pytest.param("for j in 0..3 { yield 1.5 }", "Tensor[3; f64]", id="literals"),
    pytest.param("for a in 0..M { let row = for b in 0..N { yield a * 10 + b }\nyield row }", "Tensor[M, N; i64]", id="scans"),
    pytest.param("for a in 0..M { yield for b in 0..N { yield b } }", None, id="a scan yielded at once"),
]


@pytest.mark.parametrize(("scan", "type"), SCANS)
def test_scan(check_text, scan, type):
    checked = check_text(f"{HEADER}let ys = {scan}\nreturn k }} }}")
    if type is None:
        assert [code for code, _ in checked.errors] == ["E2124"]
        return
    assert checked.program is not None, checked.found
    statement = checked.program.functions["test::B.f"].body[0]
    assert isinstance(statement, Let)
    assert isinstance(statement.value, Scan)
    assert show(statement.value.type) == type


def test_yielded_literals_take_the_declared_dtype(check_text):
    text = (
        "fn f() -> Tensor[3; bf16] { let a: Tensor[3; u8] = for i in 0..3 { yield 1 }\n"
        "var b = a\nb = for i in 0..3 { yield 2 }\nreturn for i in 0..3 { yield 0.5 } }"
    )
    checked = check_text(text)
    assert checked.program is not None, checked.found


def test_a_backward_loop_says_what_would_settle_it(check_text):
    found = check_text("fn f<A: Dim, B: Dim>() { for _i in A..B { }\nreturn }").only
    assert found.code == "E2208"
    assert found.help is not None
    assert "where" in found.help
