"""Numbers that wait for a dtype, in every place that gives them one: what is accepted and as what, what is refused and where.

An integer literal takes any numeric dtype, a float literal only a float one, neither becomes bool; a size, an untyped constant and
arithmetic on them behave like integer literals.  A typed scalar is never converted.
"""

from __future__ import annotations

import pytest

from linnet_core.ir.lower import lower

HEADER = """
const N = 4
const R = 0.25
const LIMIT: f32 = 0.5
const STEPS: i64 = 3
struct P { a: f32  n: u8 }
struct G<T: Float> { v: T }
enum E { A, B }
fn same<T: Numeric>(a: T, b: T) -> T { return a }
fn half(x: bf16, n: u8 = 3, o: f16? = none) -> bf16 { return x }
fn own<T: Float>(x: T = 0.5) -> T { return x }
fn all<*S: Shape, T: Float>(x: Tensor[*S; T], y: T = 1) -> Tensor[*S; T] { return x * y }
fn f<H: Dim, Q: Dim, K: Dim, T: Float, I: Integer, U: Numeric, D: DType>(
    x: Tensor[H; f32], h: Tensor[4; bf16], y: Tensor[4; u8], l: Tensor[4; i64], b: Tensor[4; bool], t: Tensor[H; T], i: i32,
    g: T, n: I, u: U, d: D, c: bool, s: f32, o: f32?, e: E
) where K < 32 {
"""

ACCEPTED = [
    # beside an operand
    pytest.param("x + 1", "Tensor[H; f32]", id="an integer beside a float tensor"),
    pytest.param("1.5 * h", "Tensor[4; bf16]", id="a float on the left"),
    pytest.param("y / 2", "Tensor[4; u8]", id="an integer beside u8"),
    pytest.param("l % 7", "Tensor[4; i64]", id="a remainder"),
    pytest.param("i - 1", "i32", id="beside a scalar"),
    pytest.param("g * 0.5 + 1", "T", id="both beside a float generic"),
    pytest.param("t * 2 - 0.5", "Tensor[H; T]", id="both beside a tensor of one"),
    pytest.param("n + 1", "I", id="an integer beside an integer generic"),
    pytest.param("u * 2", "U", id="an integer beside a numeric generic"),
    pytest.param("n & 0xff", "I", id="bits of an integer generic"),
    pytest.param("y ^ 255", "Tensor[4; u8]", id="bits of u8"),
    pytest.param("y == 255", "Tensor[4; bool]", id="compared with u8"),
    pytest.param("0 < i", "bool", id="compared on the left"),
    pytest.param("g >= 0.0", "bool", id="compared with a float generic"),
    pytest.param("x != -1e30", "Tensor[H; bool]", id="a minus belongs to its literal"),
    pytest.param("i + -128", "i32", id="a minus after an operator"),
    pytest.param("-2 * h", "Tensor[4; bf16]", id="a minus first"),
    pytest.param("x * (1 + 0.5)", "Tensor[H; f32]", id="arithmetic of literals"),
    pytest.param("x / (2 * H)", "Tensor[H; f32]", id="arithmetic with a size"),
    pytest.param("x * H", "Tensor[H; f32]", id="a size beside a float tensor"),
    pytest.param("H * x", "Tensor[H; f32]", id="a size on the left"),
    pytest.param("g * H", "T", id="a size beside a float generic"),
    pytest.param("y + N", "Tensor[4; u8]", id="an untyped constant"),
    pytest.param("h * R", "Tensor[4; bf16]", id="an untyped float constant"),
    pytest.param("i < H", "bool", id="an i32 compared with a size"),
    pytest.param("l < Q + K", "Tensor[4; bool]", id="i64 compared with arithmetic on sizes"),
    pytest.param("l + (K - Q)", "Tensor[4; i64]", id="a difference of sizes may be negative"),
    pytest.param("H == K", "bool", id="two sizes compared"),
    pytest.param("x * (if c { 1 } else { 0.5 })", "Tensor[H; f32]", id="picked at run time"),
    pytest.param("h * (match e { A => 1 B => 2 })", "Tensor[4; bf16]", id="picked by a match"),
    # functions of the prelude
    pytest.param("select(c, x, 0.0)", "Tensor[H; f32]", id="select beside a tensor"),
    pytest.param("select(b, 1, y)", "Tensor[4; u8]", id="select first"),
    pytest.param("select(c, i, K)", "i32", id="a bare size in select"),
    pytest.param("select(c, g, -1e30)", "T", id="a large negative in select of a generic"),
    pytest.param("select(b, 1, 0)", "Tensor[4; i64]", id="select of two literals"),
    pytest.param("h + select(b, 1, 2)", "Tensor[4; bf16]", id="select of literals beside a tensor"),
    pytest.param("select(b, 1, N) * y", "Tensor[4; u8]", id="select of literals before a tensor"),
    pytest.param("select(b, 1, 2) * y + select(b, 0, 1)", "Tensor[4; u8]", id="select of literals at both ends"),
    pytest.param("select(b, 0, 1) < y", "Tensor[4; bool]", id="select of literals compared"),
    pytest.param("select(b, select(b, 0, 1), y)", "Tensor[4; u8]", id="select of literals in select"),
    pytest.param("select(b, h, select(b, select(b, 0, 1), 0.5))", "Tensor[4; bf16]", id="selects of literals in one another"),
    pytest.param("max(select(b, 1, 2), y)", "Tensor[4; u8]", id="select of literals in max"),
    pytest.param("select(b, 1.0, 0)", "Tensor[4; f64]", id="select of a float and an integer"),
    pytest.param("max(x, 0)", "Tensor[H; f32]", id="max with an integer"),
    pytest.param("min(g, 6.0)", "T", id="min with a float"),
    pytest.param("max(y, N)", "Tensor[4; u8]", id="max with a constant"),
    pytest.param("min(i, H)", "i32", id="min with a size"),
    pytest.param("max(1, 2.5)", "f64", id="max of two literals"),
    pytest.param("abs(-3)", "i64", id="abs of a literal"),
    pytest.param("exp(1.0)", "f64", id="exp of a literal"),
    pytest.param("shl(1, y)", "Tensor[4; u8]", id="the value of a shift"),
    pytest.param("shr(l, 32 - K)", "Tensor[4; i64]", id="the amount of a shift"),
    pytest.param("shl(i, 3)", "i32", id="a literal amount"),
    pytest.param("fill([2], 1)", "Tensor[2; i64]", id="fill without a dtype"),
    pytest.param("fill<bf16>([2], 0.1)", "Tensor[2; bf16]", id="fill with a dtype"),
    pytest.param("fill<u8>([2], N)", "Tensor[2; u8]", id="fill with a constant"),
    pytest.param("fill<T>([H], -1e30)", "Tensor[H; T]", id="fill with a generic dtype"),
    pytest.param("fill<f32>([2], H)", "Tensor[2; f32]", id="fill with a size"),
    pytest.param("fill([2], s * 2)", "Tensor[2; f32]", id="fill with a typed scalar"),
    pytest.param("cast<f32>(H / 2)", "f32", id="cast of a size"),
    pytest.param("cast<i32>(K - Q)", "i32", id="cast of a difference"),
    pytest.param("cast<bf16>(0.1)", "bf16", id="cast of a literal"),
    pytest.param("cast<T>(LIMIT)", "T", id="cast of a typed constant"),
    pytest.param("cast<u8>(1.5)", "u8", id="cast of a fraction"),
    # arguments, fields, results
    pytest.param("half(1)", "bf16", id="an argument"),
    pytest.param("half(0.5, n = N)", "bf16", id="an argument by name"),
    pytest.param("half(1, o = some(2))", "bf16", id="inside some"),
    pytest.param("same(g, 1)", "T", id="a generic that another argument tells"),
    pytest.param("same(1, i)", "i32", id="a generic that a later argument tells"),
    pytest.param("same(H, i)", "i32", id="a size for a generic"),
    pytest.param("same(1, 2)", "i64", id="a generic that only literals tell"),
    pytest.param("same(1, 2.5)", "f64", id="a generic that an integer and a float tell"),
    pytest.param("same<f16>(1, 2.5)", "f16", id="a generic that is written"),
    pytest.param("own<f16>()", "f16", id="a default at the written dtype"),
    pytest.param("all(x)", "Tensor[H; f32]", id="a default beside a tensor"),
    pytest.param("all(h, 2)", "Tensor[4; bf16]", id="an integer beside a tensor"),
    pytest.param("all(1.5)", "f64", id="a literal for a pack without axes"),
    pytest.param("P(a = 1, n = 255)", "P", id="fields"),
    pytest.param("G(v = 1.5)", "G<f64>", id="a field of a generic"),
    pytest.param("G<bf16>(v = 1)", "G<bf16>", id="a field of a written generic"),
    # branches
    pytest.param("if c { s } else { 0 }", "f32", id="a literal beside a branch"),
    pytest.param("if c { 1 } else { i }", "i32", id="a literal before a branch"),
    pytest.param("if c { i } else { H }", "i32", id="a size beside a branch"),
    pytest.param("match o { some(v) => v none => 0 }", "f32", id="a literal in an arm"),
    pytest.param("if c { o } else { some(1) }", "f32?", id="in some"),
    # reductions and elements
    pytest.param("sum[j] x[j] * 2", "f32", id="in a reduction"),
    pytest.param("sum<f32>[j] x[j] * (1 / N)", "f32", id="a folded constant in a reduction"),
    pytest.param("max[j] select(x[j] > 0, x[j], -1e30)", "f32", id="in an element"),
    pytest.param("sum[j] iota(H)[j] + (K - Q)", "i64", id="a difference of sizes in an element"),
    pytest.param("all[j] y[j] < 128", "bool", id="compared in an element"),
    # without context
    pytest.param("3", "i64", id="an integer"),
    pytest.param("3.5", "f64", id="a float"),
    pytest.param("(1, 2.0)", "(i64, f64)", id="a tuple"),
    pytest.param("some(1)", "i64?", id="an optional"),
    pytest.param("-N * 2.0", "f64", id="a constant and a float"),
    # what looks like one and has a dtype
    pytest.param("s * LIMIT", "f32", id="a typed constant of the same dtype"),
    pytest.param("l * STEPS", "Tensor[4; i64]", id="a typed integer constant of the same dtype"),
]


@pytest.mark.parametrize(("value", "type"), ACCEPTED)
def test_accepted(check_text, value, type):
    checked = check_text(f"{HEADER} let v = {value}\n return }}")
    assert checked.type_of("v") == type


REFUSED = [
    # a value the dtype does not hold
    pytest.param("y + 256", "E2105", "256", id="above u8"),
    pytest.param("-1 * y", "E2105", "-1", id="below u8"),
    pytest.param("y == 300", "E2105", "300", id="above u8 in a comparison"),
    pytest.param("y + N * 100", "E2105", "N * 100", id="a folded constant above u8"),
    pytest.param("select(b, 300, y)", "E2105", "300", id="above u8 in select"),
    pytest.param("select(b, 300, 1) + y", "E2105", "300", id="above u8 in select beside it"),
    pytest.param("select(b, i, 1) + y", "E2103", "select(b, i, 1) + y", id="a select of i32 beside u8"),
    pytest.param("max(y, 256)", "E2105", "256", id="above u8 in max"),
    pytest.param("shl(256, y)", "E2105", "256", id="above u8 in a shift"),
    pytest.param("fill<i8>([2], 128)", "E2105", "128", id="above i8 in fill"),
    pytest.param("half(1, n = 256)", "E2105", "256", id="above u8 in an argument"),
    pytest.param("half(1e39)", "E2105", "1e39", id="above bf16 in an argument"),
    pytest.param("half(1, o = some(1e6))", "E2105", "1e6", id="above f16 inside some"),
    pytest.param("P(a = 1, n = -1)", "E2105", "-1", id="below u8 in a field"),
    pytest.param("if c { y[0] } else { 256 }", "E2105", "256", id="above u8 in a branch"),
    pytest.param("sum[j] y[j] * 256", "E2105", "256", id="above u8 in a reduction"),
    # a float where an integer is
    pytest.param("y * 0.5", "E2105", "0.5", id="a fraction beside u8"),
    pytest.param("i + 1.0", "E2105", "1.0", id="a whole float beside i32"),
    pytest.param("n * 1.5", "E2105", "1.5", id="a float beside an integer generic"),
    pytest.param("l * R", "E2105", "R", id="a float constant beside i64"),
    pytest.param("shr(i, 1.0)", "E2105", "1.0", id="a float as an amount"),
    pytest.param("select(c, i, 0.0)", "E2105", "0.0", id="a float in select of i32"),
    pytest.param("fill<i32>([2], 0.5)", "E2105", "0.5", id="a float in fill of i32"),
    pytest.param("u * 0.5", "E2105", "0.5", id="a float beside a numeric generic"),
    pytest.param("n & 1.0", "E2104", "n & 1.0", id="a float in bits"),
    # no number becomes bool, and no bool a number
    pytest.param("b & 1", "E2103", "b & 1", id="an integer beside a mask"),
    pytest.param("c == 1", "E2103", "c == 1", id="an integer compared with a bool"),
    pytest.param("d == 0", "E2103", "d == 0", id="an integer compared with any dtype"),
    pytest.param("c && 1", "E2116", "1", id="an integer in logic"),
    pytest.param("select(1, x, 0.0)", "E2114", "1", id="an integer as a condition"),
    pytest.param("select(c, b, 1)", "E2103", "select(c, b, 1)", id="an integer in select of bools"),
    pytest.param("fill<bool>([2], 1)", "E2101", "1", id="an integer in fill of bools"),
    pytest.param("x + true", "E2104", "x + true", id="a bool beside a number"),
    pytest.param("if c { true } else { 1 }", "E2115", "1", id="an integer beside a bool"),
    # what has a dtype keeps it
    pytest.param("h * LIMIT", "E2103", "h * LIMIT", id="a typed constant"),
    pytest.param("i + STEPS", "E2103", "i + STEPS", id="a typed integer constant"),
    pytest.param("h / s", "E2103", "h / s", id="a typed scalar"),
    pytest.param("select(c, g, s)", "E2103", "select(c, g, s)", id="a typed scalar in select"),
    pytest.param("max(h, LIMIT)", "E2103", "max(h, LIMIT)", id="a typed constant in max"),
    pytest.param("fill<bf16>([2], s)", "E2103", "s", id="a typed scalar in fill"),
    pytest.param("h * sqrt(2.0)", "E2103", "h * sqrt(2.0)", id="the result of a function, f64 without context"),
    pytest.param("same(g, s)", "E2101", "s", id="a typed scalar for a generic"),
    pytest.param("half(s)", "E2101", "s", id="a typed scalar in an argument"),
    # a number is no tensor, and no optional
    pytest.param("all(x, x)", "E2101", "x", id="a tensor for a scalar"),
    pytest.param("half(1, o = 2)", "E2101", "2", id="a bare number for an optional"),
    pytest.param("permute(1, [0])", "E2101", "1", id="a number as a tensor"),
    pytest.param("concat(x, 1, axis = 0)", "E2101", "1", id="a number as a part"),
    pytest.param("1[0]", "E2104", "1[0]", id="a number indexed"),
    pytest.param("if c { x } else { 0.0 }", "E2115", "0.0", id="a number beside a tensor"),
    # dtypes that nothing tells
    pytest.param("own()", "E2110", "own()", id="a default does not tell a generic"),
    pytest.param("own(2)", "E2112", "2", id="an integer alone is i64"),
    pytest.param("1 / 0", "E2205", "0", id="divided by 0"),
    pytest.param("H / Q", "E2205", "Q", id="a size divided by one that may be 0"),
    pytest.param("1.0 / 0", "E2105", "1.0 / 0", id="a float divided by 0"),
    pytest.param("N & 1.5", "E2104", "N & 1.5", id="bits of a float literal"),
]


@pytest.mark.parametrize(("value", "code", "words"), REFUSED)
def test_refused(check_text, value, code, words):
    assert check_text(f"{HEADER} let v = {value}\n return }}").errors == [(code, words)]


#: Statements with a place that gives a dtype, `$` standing for a number; the dtype that it becomes there.
PLACES = [
    pytest.param("let v: Tensor[4; u8] = select(b, 0, select(b, 1, $))", "u8", id="a select in a select"),
    pytest.param("let v: f16 = $", "f16", id="an annotated let"),
    pytest.param("var v: u8 = $", "u8", id="an annotated var"),
    pytest.param("var v = h[0] v = $", "bf16", id="an assignment"),
    pytest.param("let v: (f32, u8) = (1, $)", "u8", id="an element of a tuple"),
    pytest.param("let v: u8? = some($)", "u8", id="inside some"),
    pytest.param("let v: f16 = if c { $ } else { 1 }", "f16", id="a branch"),
    pytest.param("let v: f16 = match o { some(_) => $ none => 1 }", "f16", id="an arm"),
    pytest.param("let v: Tensor[3; u8] = fill([3], $)", "u8", id="fill of what is due"),
    pytest.param("let v: Tensor[3; u8] = for _i in 0..3 { yield $ }", "u8", id="a value that is yielded"),
    pytest.param("let v: u8 = max($, N)", "u8", id="max of two numbers"),
    pytest.param("let v: u8 = $ + N - 1", "u8", id="arithmetic on numbers"),
    pytest.param("let v: u8 = abs($)", "u8", id="abs"),
    pytest.param("let v: u8 = sum[j] select(b[j], $, 0)", "u8", id="a reduction of numbers"),
    pytest.param("let v = P(a = 1, n = $)", "u8", id="a field"),
    pytest.param("let v = half(1, n = $)", "u8", id="an argument"),
]


@pytest.mark.parametrize(("statement", "dtype"), PLACES)
def test_a_number_has_the_dtype_of_its_place(check_text, statement, dtype):
    fits, misfit = ("3", "3e5") if dtype in ("f16", "bf16") else ("3", "300")
    misfit = "3e39" if dtype == "bf16" else misfit
    assert check_text(f"{HEADER} {statement.replace('$', fits)}\n return }}").errors == []
    (error,) = check_text(f"{HEADER} {statement.replace('$', misfit)}\n return }}").errors
    assert error[0] == "E2105"


DECLARED = [
    pytest.param("const A: u8 = $", id="a typed constant"),
    pytest.param("fn g(x: u8 = $) -> u8 { return x }", id="a default"),
    pytest.param("fn g() -> u8 { return $ }", id="a result"),
    pytest.param("fn g() -> (u8, f32) { return ($, 1) }", id="an element of a result"),
    pytest.param("fn g() -> u8? { return some($) }", id="an optional result"),
    pytest.param("fn g<N: Dim>(x: Tensor[N; u8]) -> Tensor[N; u8] { return fill([N], $) }", id="a tensor that is returned"),
    pytest.param("op g(x: Tensor[2; f32], n: u8 = $) -> f32 { return x[0] }", id="a default of an op"),
    pytest.param("entry g(x: u8) -> u8 { return x * $ }", id="in an entry"),
    pytest.param("block B { state s: Tensor[2; u8] fn m() { s = fill([2], $) return } }", id="a state"),
    pytest.param("op g(x: Tensor[2; f32]) -> f32 { return x[0] } grad(_y, dy) { return fill([2], dy * $.0e37) }", id="in a grad clause"),
]


@pytest.mark.parametrize("declaration", DECLARED)
def test_a_number_has_the_dtype_that_is_declared(check_text, declaration):
    assert check_text("\n" + declaration.replace("$", "3")).errors == []
    (error,) = check_text("\n" + declaration.replace("$", "300")).errors
    assert error[0] == "E2105"


COMPILE_TIME = [
    pytest.param("let d = H / 2 let v: Tensor[H / 2; f32] = fill([d], 0.0)", [], id="a let of a size is one"),
    pytest.param("let d = N * 2 let v: Tensor[8; f32] = fill([d], 0.0)", [], id="a let of a constant is one"),
    pytest.param("let d = min(H, 3) let v = fill<f32>([d], 0.0)", [], id="a let of min of a size is one"),
    pytest.param("let d = 2 * (K - Q) + Q let v = s * d", [], id="a let of sizes is a number"),
    pytest.param("let d = 4 let v = fill<f32>([d], 0.0)", [("E2123", "d")], id="a let of a literal is i64"),
    pytest.param("let d = 4 let v = s * d", [("E2103", "s * d")], id="a let of a literal does not adapt"),
    pytest.param("let d: i64 = H let v = fill<f32>([d], 0.0)", [("E2123", "d")], id="an annotated let of a size is i64"),
    pytest.param("var d = H let v = fill<f32>([d], 0.0)", [("E2123", "d")], id="a var of a size is i64"),
    pytest.param("let d = 0.5 let v = h * d", [("E2103", "h * d")], id="a let of a float is f64"),
    pytest.param("static for k in 0..3 { let v = x * k }", [("E2103", "x * k")], id="the counter of a loop is i64"),
    pytest.param("static for k in 0..3 { let v = l + k }", [], id="the counter beside i64"),
    pytest.param("let v = x[N:2 * N]", [], id="bounds of a slice"),
    pytest.param("let v = y[N - 1]", [], id="an index"),
    pytest.param("let v = fill<f32>([STEPS], 0.0)", [("E2123", "STEPS")], id="a typed constant is no size"),
]


@pytest.mark.parametrize(("statement", "errors"), COMPILE_TIME)
def test_what_stays_a_compile_time_integer(check_text, statement, errors):
    assert check_text(f"{HEADER} {statement}\n return }}").errors == errors


#: Statements whose value has numbers without a dtype inside it and another form than its place, and the words that are blamed.
OF_ANOTHER_FORM = [
    pytest.param("let v: (f32, f32) = (s, s, 1)", "E2101", "(s, s, 1)", id="a tuple that is too long"),
    pytest.param("let v: (f32, f32, f32) = (s, 1)", "E2101", "(s, 1)", id="a tuple that is too short"),
    pytest.param("let v: (f32, (f32, f32)) = (s, (1, s, 2))", "E2101", "(1, s, 2)", id="a tuple inside one"),
    pytest.param("let v: f32 = (s, 1)", "E2101", "(s, 1)", id="a tuple for a scalar"),
    pytest.param("let v: Tensor[2; f32] = (1, 2)", "E2101", "(1, 2)", id="a tuple for a tensor"),
    pytest.param("let v: f32? = (s, 1)", "E2101", "(s, 1)", id="a tuple for an optional"),
    pytest.param("let v: f32 = some(1)", "E2101", "some(1)", id="an optional for a scalar"),
    pytest.param("let v: (f32, f32) = some((s, 1))", "E2101", "some((s, 1))", id="an optional for a tuple"),
    pytest.param("let v: f32? = some(some(1))", "E2101", "some(1)", id="an optional inside one"),
    pytest.param("let v: (f32, f32)? = some((1, 2, 3))", "E2101", "(1, 2, 3)", id="a tuple inside an optional"),
    pytest.param("let v: (f32, f32) = (s, s, 1e400)", "E2105", "1e400", id="a number that none holds"),
    pytest.param("var v = (s, s) v = (s, 1, s)", "E2109", "(s, 1, s)", id="an assignment"),
    pytest.param("let v = if c { (s, 1, s) } else { (s, 2) }", "E2115", "(s, 2)", id="branches"),
    pytest.param("let v = if c { some(1) } else { (1, s) }", "E2115", "(1, s)", id="branches of different kinds"),
]


@pytest.mark.parametrize(("statement", "code", "words"), OF_ANOTHER_FORM)
def test_numbers_do_not_hide_that_a_value_has_another_form(check_text, statement, code, words):
    assert check_text(f"{HEADER} {statement}\n return }}").errors == [(code, words)]


def test_numbers_do_not_hide_that_a_result_has_another_form(check_text):
    assert check_text("fn f(x: f32) -> (f32, f32) { return (x, x, 0.0) }").errors == [("E2101", "(x, x, 0.0)")]


#: Values with numbers that nothing gives a dtype, some of them of a `none`; the type of all.
OPTIONALS = [
    pytest.param("if c { some(1) } else { none }", "i64?", id="none beside a number"),
    pytest.param("if c { none } else { some(0.5) }", "f64?", id="none before a number"),
    pytest.param("if c { some((1, s)) } else { none }", "(i64, f32)?", id="none beside a tuple"),
    pytest.param("match o { some(_) => some(1) none => none }", "i64?", id="none in an arm"),
    pytest.param("(s, if c { some(1) } else { none })", "(f32, i64?)", id="none in a tuple"),
    pytest.param("match some(1) { some(v) => v none => 0 }", "i64", id="a number that gets a name"),
    pytest.param("match some((1, 0.5)) { some((_, v)) => v none => 0.0 }", "f64", id="a number in a tuple that gets a name"),
]


@pytest.mark.parametrize(("value", "type"), OPTIONALS)
def test_numbers_in_optionals_get_a_dtype_alone(check_text, value, type):
    checked = check_text(f"{HEADER} let v = {value}\n return }}")
    assert checked.errors == []
    assert checked.type_of("v") == type
    lower(checked.program)  # which verifies the types of all values


def test_none_takes_the_dtype_of_its_place_with_the_number_beside_it(check_text):
    checked = check_text(f"{HEADER} let v: f16? = if c {{ some(1) }} else {{ none }}\n return }}")
    assert checked.errors == []
    lower(checked.program)  # which verifies the types of all values
