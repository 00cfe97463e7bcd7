"""`let`, `var`, assignments, `return`, patterns."""

from __future__ import annotations

import pytest

from linnet_core.check.program import Assign, Evaluate, GetField, Let, Return, StateWrite

HEADER = """
fn pair(x: f32) -> (f32, (i32, bool)) { return (x, (1, true)) }
fn nothing(x: f32) { return }
block Child { state c: Tensor[4; f32] }
block B { param w: Tensor[4; f32]  buffer b: Tensor[4; f32]  state s: Tensor[4; f32]  sub child: Child
fn f<N: Dim>(x: Tensor[4; f32], n: Tensor[N; f32], k: f32, o: f32?) -> f32 {
"""

ACCEPTED = [
    pytest.param("let (a, (b, c)) = pair(k)", id="a nested tuple pattern"),
    pytest.param("let (a, _) = pair(k)", id="a part that is not bound"),
    pytest.param("let _ = pair(k)", id="a value that is not bound"),
    pytest.param("let _ = nothing(k)", id="a call without a result"),
    pytest.param("let (a, b) = (k, N)\nlet y = fill<f32>([b], a)", id="a dimension through a tuple pattern"),
    pytest.param("let (a, b): (f32, u8) = (1, 2)", id="a pattern with a type"),
    pytest.param("let a: f32? = none\nlet b: f32? = o", id="optionals with a type"),
    pytest.param("let k = k * 2\nlet k = k + 1", id="a later let hides an earlier one"),
    pytest.param("var a = 0\na = a + 1\na = N", id="a var keeps its type"),
    pytest.param("var a: f32 = 0\na = k\na = 3", id="a literal assigned"),
    pytest.param("s = s + x\ns = s * w", id="own state"),
    pytest.param("var a: f32? = none\na = some(k)\na = none", id="an optional var"),
    pytest.param("var a = (k, 1)\na = (2, 3)", id="a tuple var"),
]


@pytest.mark.parametrize("body", ACCEPTED)
def test_accepted(check_text, body):
    checked = check_text(f"{HEADER}{body}\nreturn k }} }}")
    assert checked.program is not None, checked.found


REFUSED = [
    pytest.param("let (a, b) = k", [("E2117", "(a, b)")], id="a tuple pattern for a scalar"),
    pytest.param("let (a, b, c) = pair(k)", [("E2117", "(a, b, c)")], id="too many parts"),
    pytest.param("let some(a) = o", [("E2117", "some(a)")], id="some in a let"),
    pytest.param("let none = o", [("E2117", "none")], id="none in a let"),
    pytest.param("let (a, a) = (k, k)", [("E1205", "a")], id="one name twice"),
    pytest.param("let exp = k", [("E1207", "exp")], id="a prelude name"),
    pytest.param("var max = k", [("E1207", "max")], id="a prelude name as a var"),
    pytest.param("let a: Tensor[4; f32] = n", [("E2202", "n")], id="a tensor of another extent"),
    pytest.param("let a: Tensor[4; bf16] = x", [("E2103", "x")], id="a tensor of another dtype"),
    pytest.param("let a: i32 = k", [("E2101", "k")], id="a scalar of another dtype"),
    pytest.param("let a: f32 = o", [("E2101", "o")], id="an optional for a value"),
    pytest.param("let a: (f32, f32) = (k, true)", [("E2101", "true")], id="one part of a tuple"),
    pytest.param("let a: Missing = k\nlet b: f32 = a", [("E1201", "Missing")], id="an unknown type silences its uses"),
    pytest.param("let a = missing\nlet b = a * x + a", [("E1201", "missing")], id="a failed value silences its uses"),
    pytest.param("let (a, b) = missing\nlet c = a * b", [("E1201", "missing")], id="also in a pattern"),
    pytest.param("let a = nothing(k)", [("E2101", "nothing(k)")], id="nothing bound to a name"),
    pytest.param("let a = child", [("E2101", "child")], id="a block bound to a name"),
    pytest.param("k = 1.0", [("E2108", "k")], id="a parameter assigned"),
    pytest.param("let a = 1\na = 2", [("E2108", "a")], id="a let assigned"),
    pytest.param("w = x", [("E2108", "w")], id="a param assigned"),
    pytest.param("b = x", [("E2108", "b")], id="a buffer assigned"),
    pytest.param("child = x", [("E2108", "child")], id="a child assigned"),
    pytest.param("c = x", [("E1201", "c")], id="a child's state is not in scope"),
    pytest.param("N = 4", [("E2108", "N")], id="a generic assigned"),
    pytest.param("f = x", [("E2108", "f")], id="a function assigned"),
    pytest.param("gone = x", [("E1201", "gone")], id="an unknown name assigned"),
    pytest.param("var a = 0\na = 1.5", [("E2109", "1.5")], id="a fraction for an integer var"),
    pytest.param("var a = x\na = n", [("E2109", "n")], id="a var of another extent"),
    pytest.param("var a = x\na = k", [("E2109", "k")], id="a scalar for a tensor var"),
    pytest.param("var a = true\na = 1", [("E2109", "1")], id="a number for a bool var"),
    pytest.param("s = n", [("E2109", "n")], id="state of another extent"),
    pytest.param("s = k", [("E2109", "k")], id="a scalar for a state"),
    pytest.param("var a = none", [("E2113", "none")], id="none without a type"),
    pytest.param("store(x[0], k)", [("E2127", "store(x[0], k)")], id="a store outside a kernel"),
    pytest.param("let y = for_each(x)", [("E1201", "for_each")], id="an unknown function"),
]


@pytest.mark.parametrize(("body", "errors"), REFUSED)
def test_refused(check_text, body, errors):
    assert check_text(f"{HEADER}{body}\nreturn k }} }}").errors == errors


RETURNS = [
    pytest.param("fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N + 1; f32] { return x }", [("E2202", "x")], id="another extent"),
    pytest.param("fn f(x: Tensor[4; f32]) -> Tensor[4; bf16] { return x }", [("E2103", "x")], id="another dtype"),
    pytest.param("fn f(x: Tensor[4; f32]) -> f32 { return x }", [("E2101", "x")], id="a tensor for a scalar"),
    pytest.param("fn f(x: f32) -> Tensor[4; f32] { return x }", [("E2101", "x")], id="a scalar for a tensor"),
    pytest.param("fn f() -> Tensor[4; f32] { return 1.0 }", [("E2101", "1.0")], id="a literal for a tensor"),
    pytest.param("fn f(x: f32) -> f64 { return x }", [("E2101", "x")], id="another scalar dtype"),
    pytest.param("fn f(x: f32) -> (f32, f32) { return x }", [("E2101", "x")], id="a scalar for a tuple"),
    pytest.param(
        "fn f(x: f32) -> (f32, Tensor[4; f32]) { return (x, fill([3], x)) }", [("E2202", "fill([3], x)")], id="one part of a tuple"
    ),
    pytest.param("fn f(x: f32) -> f32 { return }", [("E2101", "return")], id="nothing where a value is due"),
    pytest.param("fn f(x: f32) { return x }", [("E2101", "x")], id="a value where nothing is due"),
    pytest.param("fn f(x: f32) -> f32? { return x }", [("E2101", "x")], id="a bare value for an optional"),
    pytest.param("fn f(x: f32) -> u8 { return 256 }", [("E2105", "256")], id="a literal that does not fit"),
]


@pytest.mark.parametrize(("text", "errors"), RETURNS)
def test_returns(check_text, text, errors):
    assert check_text(text).errors == errors


def test_patterns_arrive_as_lets_of_their_parts(check_text):
    checked = check_text(f"{HEADER}let (a, (b, _)) = pair(k)\nreturn a }} }}")
    assert checked.program is not None, checked.found
    body = checked.program.functions["test::B.f"].body
    assert [type(s) for s in body] == [Let, Let, Let, Let, Return]
    assert [s.local.name for s in body[:4]] == ["", "a", "", "b"]
    assert [s.value.position for s in body[1:4] if isinstance(s.value, GetField)] == [0, 1, 0]


def test_a_tuple_taken_apart_at_once_makes_no_tuple(check_text):
    checked = check_text(f"{HEADER}let (a, b) = (x, k)\ns = a\nvar v = b\nv = 2\nlet _ = nothing(v)\nreturn v }} }}")
    assert checked.program is not None, checked.found
    body = checked.program.functions["test::B.f"].body
    assert [type(s) for s in body] == [Let, Let, StateWrite, Let, Assign, Evaluate, Return]


def test_a_wrong_shape_says_which_axis_and_which_where(check_text):
    found = check_text("fn f<A: Dim, B: Dim>(x: Tensor[4, A; f32]) -> Tensor[4, B; f32] { return x }").only
    assert found.code == "E2202"
    assert "axis 1 is A where B is due" in found.notes
    assert found.help is not None
    assert "where A == B" in found.help
