"""What a call's generics stand for: packs, bare and composite dims, dtypes, defaults, explicit arguments."""

from __future__ import annotations

import pytest

from linnet_core.check.program import Call, Let
from linnet_core.check.show_types import show, show_args

CALLERS = "\npub fn run<*P: Shape, A: Dim, B: Dim, C: Dim, D: Dim, U: Float>"

ACCEPTED = [
    pytest.param(
        "fn f<*S: Shape, N: Dim>(x: Tensor[*S, N; f32])", "(x: Tensor[A, B, C; f32])", "f(x)", "<[A, B], C>", id="a pack before an axis"
    ),
    pytest.param("fn f<*S: Shape, N: Dim>(x: Tensor[*S, N; f32])", "(x: Tensor[C; f32])", "f(x)", "<[], C>", id="an empty pack"),
    pytest.param(
        "fn f<*S: Shape, N: Dim, M: Dim>(x: Tensor[N, *S, M; f32])",
        "(x: Tensor[A, *P, B, C; f32])",
        "f(x)",
        "<[*P, B], A, C>",
        id="a pack in the middle",
    ),
    pytest.param("fn f<*S: Shape, T: Float>(x: Tensor[*S; T])", "(x: U)", "f(x)", "<[], U>", id="a scalar for a pack"),
    pytest.param("fn f<*S: Shape, T: Float>(x: Tensor[*S; T])", "()", "f(1.5)", "<[], f64>", id="a literal for a pack"),
    pytest.param("fn f<T: Numeric>(x: T)", "()", "f(A)", "<i64>", id="a dimension for a scalar"),
    pytest.param("fn f<T: Float = bf16>(x: T)", "()", "f(1.5)", "<bf16>", id="a default before a literal's own dtype"),
    pytest.param("fn f<N: Dim, T: Float>(x: Tensor[N; T], k: T)", "(x: Tensor[A; f16])", "f(x, 2)", "<A, f16>", id="a literal follows"),
    pytest.param("fn f<N: Dim>(x: Tensor[2 * N; f32])", "(x: Tensor[4 * A; f32])", "f(x)", "<2 * A>", id="a multiple"),
    pytest.param("fn f<N: Dim>(x: Tensor[N + 1; f32])", "(x: Tensor[A + B + 1; f32])", "f(x)", "<A + B>", id="a sum"),
    pytest.param(
        "fn f<N: Dim, M: Dim>(x: Tensor[N * M; f32], w: Tensor[M; f32])",
        "(x: Tensor[A * 8; f32], w: Tensor[8; f32])",
        "f(x, w)",
        "<A, 8>",
        id="a product with a factor known from elsewhere",
    ),
    pytest.param(
        "fn f<N: Dim, G: Dim>(x: Tensor[G * (2 * N); f32], w: Tensor[G, N; f32])",
        "(x: Tensor[2 * A * B; f32], w: Tensor[A, B; f32])",
        "f(x, w)",
        "<B, A>",
        id="bare axes of a later argument first",
    ),
    pytest.param("fn f<N: Dim, T: Float>(x: Tensor[N; T]?)", "(x: Tensor[A; U]?)", "f(x)", "<A, U>", id="through an optional"),
    pytest.param(
        "fn f<N: Dim, M: Dim>(x: (Tensor[N; f32], Tensor[M; f32]))",
        "(x: Tensor[A; f32], y: Tensor[B; f32])",
        "f((x, y))",
        "<A, B>",
        id="through a tuple",
    ),
    pytest.param(
        "struct Row<N: Dim> { v: Tensor[N; f32] }\nfn f<N: Dim>(x: Row<N>)", "(x: Row<A + 1>)", "f(x)", "<A + 1>", id="through a struct"
    ),
    pytest.param(
        "fn f<N: Dim, M: Dim>(x: Tensor[M; f32])",
        "(x: Tensor[A; f32])",
        "f<8 * D>(x)",
        "<8 * D, A>",
        id="the first written, the rest inferred",
    ),
    pytest.param(
        "fn f<*S: Shape, N: Dim>(x: Tensor[*S; f32])", "(x: Tensor[A, B; f32])", "f<[A, B], C>(x)", "<[A, B], C>", id="a shape written"
    ),
    pytest.param("fn f<N: Dim, M: Dim = N + 1, T: Float = f32>()", "()", "f<A>()", "<A, A + 1, f32>", id="defaults of those before"),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32]?, w: Tensor[N; f32])", "(w: Tensor[A; f32])", "f(none, w)", "<A>", id="none tells nothing"
    ),
    pytest.param(
        "fn f<N: Dim, T: Float>(x: Tensor[N; T], o: T?)",
        "(x: Tensor[A; f16])",
        "f(x, some(1.5))",
        "<A, f16>",
        id="a literal in an optional",
    ),
    pytest.param("fn f<N: Dim>(x: Tensor[N, N; f32])", "(x: Tensor[A, A + B - B; f32])", "f(x)", "<A>", id="one generic on two equal axes"),
]


@pytest.mark.parametrize(("function", "params", "call", "generics"), ACCEPTED)
def test_inferred(check_text, function, params, call, generics):
    checked = check_text(f"{function} -> bool {{ return true }}{CALLERS}{params} {{ let r = {call}\n return }}")
    assert checked.program is not None, checked.found
    statement = checked.program.functions["test::run"].body[0]
    assert isinstance(statement, Let)
    assert isinstance(statement.value, Call)
    assert show_args(statement.value.generics) == generics


REFUSED = [
    pytest.param("fn f<N: Dim>()", "()", "f()", [("E2110", "f()")], id="a generic in no parameter"),
    pytest.param("fn f<T: Float>(x: T?)", "()", "f(none)", [("E2110", "f(none)")], id="none alone tells nothing"),
    pytest.param(
        "fn f<N: Dim, M: Dim>(x: Tensor[N * M; f32])", "(x: Tensor[A; f32])", "f(x)", [("E2110", "f(x)")], id="two in one product"
    ),
    pytest.param("fn f<N: Dim>(x: Tensor[2 * N; f32])", "(x: Tensor[A; f32])", "f(x)", [("E2110", "f(x)")], id="a half not proved whole"),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N + 1; f32])", "(x: Tensor[A; f32])", "f(x)", [("E2110", "f(x)")], id="a size that may be negative"
    ),
    pytest.param(
        "fn f<*S: Shape, *R: Shape>(x: Tensor[*S, *R; f32])",
        "(x: Tensor[A, B; f32])",
        "f(x)",
        [("E2110", "f(x)")],
        id="two packs in one shape",
    ),
    pytest.param("fn f<T: Float>(x: T)", "(i: i32)", "f(i)", [("E2112", "i")], id="an integer for a float generic"),
    pytest.param("fn f<T: Float>(x: T)", "()", "f(1)", [("E2112", "1")], id="an integer literal for a float generic"),
    pytest.param("fn f<T: Float>(x: T) ", "()", "f<i32>(1)", [("E2112", "i32")], id="an integer dtype written"),
    pytest.param(
        "fn f<N: Dim, T: Float>(x: Tensor[N; T], y: Tensor[N; T])",
        "(x: Tensor[A; f32], y: Tensor[A; bf16])",
        "f(x, y)",
        [("E2103", "y")],
        id="one dtype generic, two dtypes",
    ),
    pytest.param(
        "fn f<N: Dim, T: Float>(x: Tensor[N; T], y: T)",
        "(x: Tensor[A; f32], y: f64)",
        "f(x, y)",
        [("E2101", "y")],
        id="a scalar of another dtype",
    ),
    pytest.param("fn f<N: Dim>(x: Tensor[N, N; f32])", "(x: Tensor[A, B; f32])", "f(x)", [("E2202", "x")], id="one generic on two axes"),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32])", "(x: Tensor[*P; f32])", "f(x)", [("E2202", "x")], id="a pack where one axis is counted"
    ),
]


@pytest.mark.parametrize(("function", "params", "call", "errors"), REFUSED)
def test_refused(check_text, function, params, call, errors):
    assert check_text(f"{function} -> bool {{ return true }}{CALLERS}{params} {{ let r = {call}\n return }}").errors == errors


def test_a_clash_names_both_sides(check_text):
    text = (
        "fn same<*S: Shape>(x: Tensor[*S; f32], y: Tensor[*S; f32]) -> Tensor[*S; f32] { return x + y }\n"
        "pub fn f(x: Tensor[3, 4; f32], y: Tensor[5; f32]) -> Tensor[3, 4; f32] { return same(x, y) }"
    )
    found = check_text(text).only
    assert (found.code, found.span.text) == ("E2202", "y")
    assert "`S` is both [3, 4], from `x`, and [5], from `y`" in found.notes


def test_a_missing_generic_is_spelled_in_the_help(check_text):
    found = check_text(
        "fn band<S: Dim>() -> Tensor[S; f32] { return fill<f32>([S], 0.0) }\npub fn f() -> Tensor[4; f32] { return band() }"
    ).only
    assert (found.code, found.help) == ("E2110", "write it: `band<S>(...)`")


def test_a_composite_axis_is_proved_after_the_bare_ones(check_text):
    text = (
        "fn join<N: Dim, D: Dim>(x: Tensor[N, D; f32], y: Tensor[N * D; f32]) -> Tensor[N * D; f32] { return y }\n"
        "pub fn f<H: Dim, N: Dim>(x: Tensor[N, H / N; f32], y: Tensor[H; f32]) -> Tensor[H; f32]\n"
        "where N > 0, H % N == 0 { return join(x, y) }"
    )
    assert check_text(text).program is not None


def test_results_are_in_the_callers_terms(check_text):
    text = (
        "fn f<*S: Shape, N: Dim, T: Float>(x: Tensor[*S, N; T]) -> (Tensor[*S; T], Tensor[2 * N; T]?) { return (x[..., 0], none) }\n"
        "pub fn run<A: Dim>(x: Tensor[A + 1; bf16]) { let r = f(x)\n return }"
    )
    checked = check_text(text)
    assert checked.type_of("r") == "(bf16, Tensor[2 * A + 2; bf16]?)"
    assert show(checked.program.functions["test::f"].result) == "(Tensor[*S; T], Tensor[2 * N; T]?)"
