"""Operators: the operands they take, the types they give, and how shapes broadcast."""

from __future__ import annotations

import pytest

PARAMS = """pub fn f<*S: Shape, B: Dim, H: Dim, K: Dim, T: Float, N: Numeric, D: DType, I: Integer>(
    x: Tensor[B, H; f32], row: Tensor[H; f32], one: Tensor[1; f32], s: f32, half: bf16, pack: Tensor[*S, H; T], t: T,
    n: Tensor[H; N], d: Tensor[H; D], i: Tensor[H; I], u: Tensor[H; u8], m: Tensor[H; bool], c: bool, o: f32?, k: Tensor[K; f32],
) """

TYPES = [
    pytest.param("x + row", "Tensor[B, H; f32]", id="a row against rows"),
    pytest.param("row * x", "Tensor[B, H; f32]", id="the lower rank first"),
    pytest.param("x / s", "Tensor[B, H; f32]", id="a scalar"),
    pytest.param("s % 2.0", "f32", id="two scalars"),
    pytest.param("x - one", "Tensor[B, H; f32]", id="an axis of length 1"),
    pytest.param("pack * t", "Tensor[*S, H; T]", id="a scalar against a pack"),
    pytest.param("pack + pack", "Tensor[*S, H; T]", id="the same pack"),
    pytest.param("x < row", "Tensor[B, H; bool]", id="a comparison of tensors"),
    pytest.param("s >= 0.0", "bool", id="a comparison of scalars"),
    pytest.param("n + 1", "Tensor[H; N]", id="a numeric generic"),
    pytest.param("d == d", "Tensor[H; bool]", id="equality of any dtype"),
    pytest.param("m != true", "Tensor[H; bool]", id="equality of bools"),
    pytest.param("i & 1", "Tensor[H; I]", id="bits of an integer generic"),
    pytest.param("m ^ true | c", "Tensor[H; bool]", id="logic on masks"),
    pytest.param("-u", "Tensor[H; u8]", id="negation wraps"),
    pytest.param("+x", "Tensor[B, H; f32]", id="unary plus"),
    pytest.param("!c || c && true", "bool", id="scalar logic"),
    pytest.param("u & 1 == 1", "Tensor[H; bool]", id="bits bind tighter than comparison"),
    pytest.param("5 ^ 2", "i64", id="bits of literals"),
]


@pytest.mark.parametrize(("expression", "type"), TYPES)
def test_type(check_text, expression, type):
    assert check_text(f"{PARAMS}{{ let r = {expression}\n return }}").type_of("r") == type


REFUSED = [
    pytest.param("x + half", [("E2103", "x + half")], id="two float dtypes"),
    pytest.param("x * u", [("E2103", "x * u")], id="a float and an integer"),
    pytest.param("pack + row", [("E2103", "pack + row")], id="a generic and a dtype"),
    pytest.param("x + k", [("E2207", "x + k")], id="extents not proved equal"),
    pytest.param("row + k + x", [("E2207", "row + k")], id="one error for a chain"),
    pytest.param("pack * fill<T>([B, H], 1.0)", [("E2207", "pack * fill<T>([B, H], 1.0)")], id="a pack against an axis"),
    pytest.param("m + m", [("E2104", "m + m")], id="bools do not add"),
    pytest.param("m * row", [("E2104", "m * row")], id="a mask is no factor"),
    pytest.param("d + d", [("E2104", "d + d")], id="any dtype may be bool"),
    pytest.param("m < m", [("E2104", "m < m")], id="bools have no order"),
    pytest.param("x & 1", [("E2104", "x & 1")], id="floats have no bits"),
    pytest.param("n | n", [("E2104", "n | n")], id="a numeric generic may be a float"),
    pytest.param("1.5 & 2", [("E2104", "1.5 & 2")], id="nor do float literals"),
    pytest.param("o + 1.0", [("E2104", "o + 1.0")], id="an optional"),
    pytest.param("(x, x) == (x, x)", [("E2104", "(x, x) == (x, x)")], id="tuples"),
    pytest.param("-m", [("E2104", "-m")], id="a negated mask"),
    pytest.param("-o", [("E2104", "-o")], id="a negated optional"),
    pytest.param("!m", [("E2116", "m")], id="`!` of a mask"),
    pytest.param("c && m", [("E2116", "m")], id="`&&` with a mask"),
    pytest.param("1 || s", [("E2116", "1")], id="`||` of numbers"),
    pytest.param("(missing + x) * u + half", [("E1201", "missing")], id="a failed operand silences the rest"),
]


@pytest.mark.parametrize(("expression", "errors"), REFUSED)
def test_refused(check_text, expression, errors):
    assert check_text(f"{PARAMS}{{ let r = {expression}\n return }}").errors == errors


def test_a_fact_settles_a_broadcast(check_text):
    checked = check_text("pub fn f<H: Dim, K: Dim>(x: Tensor[H; f32], y: Tensor[K; f32]) -> Tensor[K; f32] where H == K { return x + y }")
    assert checked.program is not None, checked.found


def test_a_broadcast_says_which_where_would_settle_it(check_text):
    found = check_text("pub fn f<H: Dim, K: Dim>(x: Tensor[H; f32], y: Tensor[K; f32]) -> Tensor[H; f32] { return x + y }").only
    assert found.code == "E2207"
    assert [(label.span.text, label.text) for label in found.related] == [("x", "[H]"), ("y", "[K]")]
    assert found.help is not None
    assert "where H == K" in found.help


def test_two_dtypes_are_named_under_their_operands(check_text):
    found = check_text("pub fn f(x: Tensor[4; bf16], y: f32) -> Tensor[4; bf16] { return x / y }").only
    assert (found.code, found.span.text) == ("E2103", "x / y")
    assert [(label.span.text, label.text) for label in found.related] == [("x", "bf16"), ("y", "f32")]
