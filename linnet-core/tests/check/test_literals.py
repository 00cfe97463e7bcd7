"""Literals and compile-time integers: the dtype their place gives them, and values that do not fit."""

from __future__ import annotations

import pytest

from linnet_core.check.program import Binary, Const, DimValue, Let, Literal
from linnet_core.check.show_types import show


def values(checked):
    """The value of each `let` of the only function, by name."""
    assert checked.program is not None, checked.found
    return {s.local.name: s.value for s in checked.program.root.functions[-1].body if isinstance(s, Let)}


TYPES = [
    pytest.param("let n = 3", "i64", id="an integer without context"),
    pytest.param("let n = 3.0", "f64", id="a float without context"),
    pytest.param("let n = 2 + 3 * 4", "i64", id="arithmetic of literals"),
    pytest.param("let n = 2 * 0.5", "f64", id="an integer literal beside a float one"),
    pytest.param("let n = 1.0 / H", "f64", id="a float and a dimension"),
    pytest.param("let n: i8 = -128", "i8", id="the lowest i8"),
    pytest.param("let n: u64 = 9223372036854775807", "u64", id="a large u64"),
    pytest.param("let n: f16 = 65519", "f16", id="rounds to the largest f16"),
    pytest.param("let n: bf16 = 0.1", "bf16", id="rounding is no misfit"),
    pytest.param("let n: f32 = H", "f32", id="a dimension as a float"),
    pytest.param("let n = x * H", "Tensor[H; f32]", id="a dimension beside a float tensor"),
    pytest.param("let n = x + K * 2 - 1", "Tensor[H; f32]", id="an untyped constant beside a float tensor"),
    pytest.param("let n = x * R", "Tensor[H; f32]", id="an untyped float constant"),
    pytest.param("let n = g * 3", "T", id="an integer beside a dtype generic"),
    pytest.param("let n = x * (if c { 1 } else { 0.5 })", "Tensor[H; f32]", id="literals picked at run time"),
    pytest.param("let n = x * (H * 0.5)", "Tensor[H; f32]", id="a float expression of a dimension"),
    pytest.param("let n = if c { 1 } else { 2 }", "i64", id="integers picked at run time without context"),
    pytest.param("let n = some(1.5)", "f64?", id="an optional literal"),
    pytest.param("let n: f32? = some(1.5)", "f32?", id="an optional literal with a type"),
    pytest.param("let n = (1, 2.0)", "(i64, f64)", id="a tuple of literals"),
    pytest.param("let n: (u8, f32) = (1, 2)", "(u8, f32)", id="a tuple of literals with a type"),
    pytest.param("let n = H > 2", "bool", id="dimensions compare"),
    pytest.param("let n = y == 255", "Tensor[4; bool]", id="a literal takes the dtype it is compared with"),
    pytest.param("let n = -H * 2.0", "f64", id="a negated dimension"),
    pytest.param("let n = y & 0xf0", "Tensor[4; u8]", id="bits"),
    pytest.param("var n = H", "i64", id="a var of a dimension is a run-time integer"),
]
HEADER = "const K = 4 const R = 0.25\nfn f<H: Dim, T: Float>(x: Tensor[H; f32], y: Tensor[4; u8], g: T, c: bool) {\n"


@pytest.mark.parametrize(("statement", "type"), TYPES)
def test_type(check_text, statement, type):
    checked = check_text(f"{HEADER}{statement}\nreturn }}")
    assert checked.type_of("n") == type


REFUSED = [
    pytest.param("let n: i8 = 128", [("E2105", "128")], id="above i8"),
    pytest.param("let n: i8 = -129", [("E2105", "-129")], id="below i8"),
    pytest.param("let n: u8 = -1", [("E2105", "-1")], id="a negative u8"),
    pytest.param("let n: u8 = 100 + 200", [("E2105", "100 + 200")], id="a folded value above u8"),
    pytest.param("let n: f16 = 65520", [("E2105", "65520")], id="rounds to infinity in f16"),
    pytest.param("let n: f32 = 3.5e38", [("E2105", "3.5e38")], id="above f32"),
    pytest.param("let n: bf16 = 3.4e38", [("E2105", "3.4e38")], id="above bf16"),
    pytest.param("let n = 1e400", [("E2105", "1e400")], id="above f64"),
    pytest.param("let n = 1.0 / 0.0", [("E2105", "1.0 / 0.0")], id="a folded infinity"),
    pytest.param("let n: i32 = 1.5", [("E2105", "1.5")], id="a fraction where an integer is due"),
    pytest.param("let n: i32 = 2.0", [("E2105", "2.0")], id="a float literal never becomes an integer"),
    pytest.param("let n = y + 256", [("E2105", "256")], id="beside a u8 tensor"),
    pytest.param("let n = y * 1.5", [("E2105", "1.5")], id="a float beside a u8 tensor"),
    pytest.param("let n: bool = 1", [("E2101", "1")], id="an integer never becomes bool"),
    pytest.param("let n = (y > 1) & 1", [("E2103", "(y > 1) & 1")], id="an integer beside a bool tensor"),
    pytest.param("let n: i8 = K * 32", [("E2105", "K * 32")], id="an untyped constant that does not fit"),
    pytest.param("let n: u8 = if c { 1 } else { 300 }", [("E2105", "300")], id="in one branch"),
    pytest.param('let n = "text"', [("E2101", '"text"')], id="a string"),
    pytest.param("let n = none", [("E2113", "none")], id="none without a type"),
    pytest.param("let n = [1, 2]", [("E2101", "[1, 2]")], id="a list"),
    pytest.param("let n: Tensor[4; f32] = 1.0", [("E2101", "1.0")], id="a literal is no tensor"),
    pytest.param("let n: f32? = 1.0", [("E2101", "1.0")], id="a bare value where an optional is due"),
    pytest.param("let n = H / Z", [("E2205", "Z")], id="a dimension divided by one that may be 0"),
    pytest.param("let n = x * (K % (H - H))", [("E2205", "H - H")], id="a dimension divided by 0"),
]


@pytest.mark.parametrize(("statement", "errors"), REFUSED)
def test_refused(check_text, statement, errors):
    checked = check_text(f"const K = 4\nfn f<H: Dim, Z: Dim>(x: Tensor[H; f32], y: Tensor[4; u8], c: bool) {{\n{statement}\nreturn }}")
    assert checked.errors == errors


def test_a_folded_float_keeps_its_text(check_text):
    value = values(check_text("fn f() { let a: bf16 = 0.1 let b: f32 = 1.0 / 8.0 let c: f32 = 3 return }"))
    assert [(v.value, v.text) for v in value.values()] == [(0.1, "0.1"), (0.125, "0.125"), (3.0, "3")]
    assert all(isinstance(v, Literal) for v in value.values())


def test_compile_time_division_floors(check_text):
    value = values(
        check_text("const Q = (0 - 7) / 2 const P = (0 - 7) % 2\nfn f() { let a: i64 = Q let b: i32 = P let c: i32 = (0 - 8) / 3 return }")
    )
    assert [v.value for v in value.values()] == [-4, 1, -3]


def test_dimensions_become_scalars_of_their_place(check_text):
    value = values(check_text("fn f<H: Dim>(x: Tensor[H; f32]) { let a: i32 = H + 1 let b = x * H return }"))
    assert isinstance(value["a"], DimValue)
    assert (str(value["a"].dim), show(value["a"].type)) == ("H + 1", "i32")
    assert isinstance(value["b"], Binary)
    assert isinstance(value["b"].right, DimValue)
    assert show(value["b"].right.type) == "f32"


def test_an_unannotated_let_of_a_dimension_stays_one(check_text):
    checked = check_text(
        "fn f<H: Dim>(x: Tensor[2 * H; f32]) -> Tensor[H; f32] { let d = 2 * H - H let (e, _g) = (d, 1) return x[0:e] + x[d:2 * d] }"
    )
    assert checked.program is not None, checked.found


def test_an_unannotated_let_of_a_literal_is_no_dimension(check_text):
    checked = check_text("fn f() -> Tensor[4; f32] { let d = 4 return fill<f32>([d], 1.0) }")
    assert [code for code, _ in checked.errors] == ["E2123"]


def test_a_typed_constant_is_not_converted(check_text):
    checked = check_text("const E: f32 = 0.5\nfn f(x: Tensor[4; bf16]) -> Tensor[4; bf16] { return x * E }")
    assert checked.errors == [("E2103", "x * E")]


def test_an_untyped_float_constant_is_contextual(check_text):
    checked = check_text("const E = 0.5\nfn f(x: Tensor[4; bf16]) -> Tensor[4; bf16] { return x * E }")
    assert checked.program is not None
    constant = checked.program.root.constants[0]
    assert isinstance(constant, Const)
    assert (constant.contextual, show(constant.type)) == (True, "f64")


def test_an_unproved_divisor_is_reported_once_in_a_function(check_text):
    checked = check_text(
        "fn f<H: Dim, N: Dim>(x: Tensor[H / N; f32]) -> Tensor[H / N; f32] { let d = H / N let _e = H % N return x * d }\n"
        "fn g<H: Dim, N: Dim>(x: f32) -> f32 { return x * (H / N) }"
    )
    assert checked.places == [("E2205", 1), ("E2205", 2)]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param("some(some(2.0))", "`f64??`", id="in optionals"),
        pytest.param("(1, 2.0)", "`(i64, f64)`", id="in a tuple"),
        pytest.param("(N, true)", "`(i64, bool)`", id="a size in a tuple"),
    ],
)
def test_a_number_inside_a_type_is_shown_as_its_dtype(check_text, value, shown):
    found = check_text(f"fn g(o: f32?) -> i32 {{ return 1 }}\nfn f<N: Dim>(x: Tensor[N; f32]) -> i32 {{ return g({value}) }}").only
    assert found.message == f"argument `o` is {shown}, and `f32?` is due"
