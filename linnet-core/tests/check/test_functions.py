"""Functions: returns, recursion, defaults, `grad` clauses, warnings."""

from __future__ import annotations

import pytest

from linnet_core.check.program import Literal

REFUSED = [
    pytest.param("\nfn f(x: f32) -> f32 {\n}", [("E2120", 2)], id="no return"),
    pytest.param("\nfn f(x: f32) -> f32 {\n let _y = x\n}", [("E2120", 2)], id="no final return"),
    pytest.param("\nfn f(x: f32) -> f32 {\n return x\n return x\n}", [("E2120", 3)], id="an early return"),
    pytest.param(
        "\nfn f(x: f32) -> f32 {\n static for i in 0..3 {\n return x }\n return x\n}", [("E2120", 4)], id="a return in static for"
    ),
    pytest.param("\nfn f(x: f32) -> f32 {\n while x > 0.0 {\n return x }\n}", [("E2120", 4)], id="only a return in a loop"),
    pytest.param("\nfn f(x: f32) -> f32 {\n return f(x) }", [("E2119", 3)], id="direct recursion"),
    pytest.param(
        "\nfn f(x: f32) -> f32 { return g(x) }\nfn g(x: f32) -> f32 {\n return 1.0 + f(x) }", [("E2119", 4)], id="recursion through another"
    ),
    pytest.param("\nblock B {\n fn f(x: f32) -> f32 { return f(x) } }", [("E2119", 3)], id="a method that calls itself"),
    pytest.param("\nfn f(x: f32) -> f32 { return x } grad(y, dy) { return dy }", [("E2125", 2)], id="grad on a fn"),
    pytest.param(
        "\nop f(x: Tensor[4; i32]) -> f32 { return 1.0 } grad(y, dy) { return dy }", [("E2125", 2)], id="nothing to differentiate"
    ),
    pytest.param(
        "\nop f(x: Tensor[4; f32]?) -> f32 { return 1.0 } grad(y, dy) { return dy }", [("E2125", 2)], id="grad with an optional parameter"
    ),
    pytest.param(
        "\nop f(x: Tensor[4; f32]) -> Tensor[4; f32] { return x }\ngrad(y, dy) {\n return (dy, dy) }",
        [("E2101", 4)],
        id="too many gradients",
    ),
    pytest.param("\nop f(x: Tensor[4; f32]) -> Tensor[4; f32] { return x }\ngrad(y, dy) { }", [("E2120", 3)], id="grad without a return"),
    pytest.param("\nfn f(x: f32 = true) -> f32 { return x }", [("E2101", 2)], id="a default of another type"),
    pytest.param("\nfn f(x: f32, y: f32 = x) -> f32 { return x + y }", [("E1201", 2)], id="a default that names a parameter"),
    pytest.param(
        "\nfn g<N: Dim>(x: Tensor[N; f32]) -> f32 where N > 2 { return x[0] }\nfn f(x: Tensor[2; f32]) -> f32 {\n return g(x) }",
        [("E2206", 4)],
        id="a where that is false at a call",
    ),
]


@pytest.mark.parametrize(("text", "expected"), REFUSED)
def test_refused(check_text, text, expected):
    assert check_text(text).places == expected


def test_recursion_is_shown_at_the_callees_name(check_text):
    found = check_text(
        "block A { sub b: B fn f(x: f32) -> f32 { return f(x * 2.0) + b.g(x) } } block B { fn g(x: f32) -> f32 { return x } }"
    ).only
    assert found.span is not None
    assert (found.code, found.span.text, found.message) == ("E2119", "f", "`A.f` calls itself")


def test_recursion_names_the_functions_on_the_way(check_text):
    found = check_text("fn f(x: f32) -> f32 { return g(x) } fn g(x: f32) -> f32 { return h(x) } fn h(x: f32) -> f32 { return f(x) }").only
    assert found.message == "`f` calls itself through `g`, `h`"


def test_defaults_are_typed_over_the_functions_own_generics(check_text):
    program = check_text("fn f<T: Float>(x: T, k: T = 2, eps: f32 = 1e-5) -> T { return x * k * cast<T>(eps) }").program
    assert program is not None
    x, k, eps = program.functions["test::f"].params
    assert x.default is None
    assert isinstance(k.default, Literal)
    assert k.default.type == k.type
    assert isinstance(eps.default, Literal)
    assert eps.default.text == "1e-5"


def test_a_method_comes_after_its_block_and_knows_it(check_text):
    program = check_text("fn a() -> f32 { return 1.0 } block B { fn m() -> f32 { return a() } } fn c() -> f32 { return 1.0 }").program
    assert program is not None
    assert [(function.name, function.block) for function in program.root.functions] == [
        ("test::a", None),
        ("test::B.m", "test::B"),
        ("test::c", None),
    ]


def test_the_grad_clause_of_an_op_is_checked_with_result_and_gradient_in_scope(check_text):
    text = "op f<T: Float>(x: Tensor[4; T], n: Tensor[4; i32], w: Tensor[4; T], s: T) -> Tensor[4; T] { return x * w * s }"
    program = check_text(text + " grad(y, dy) { return (dy * w * s + y * 0.0, dy * x * s) }").program
    assert program is not None
    grad = program.functions["test::f"].grad
    assert grad is not None
    assert (grad.result.name, grad.gradient.name, len(grad.body)) == ("y", "dy", 1)


WARNED = [
    pytest.param("\nuse std.nn.linear::{Linear,\n linear}\nfn f(x: f32) -> f32 { return x }", [("W1001", 2), ("W1001", 3)], id="imports"),
    pytest.param("\nuse std.nn.linear\nfn f(x: f32) -> f32 { return x }", [("W1001", 2)], id="a module"),
    pytest.param("\nfn f(x: f32) -> f32 {\n let y = x\n return x }", [("W1002", 3)], id="a let"),
    pytest.param("\nfn f(x: f32) -> f32 {\n var y = x\n y = x\n return x }", [("W1002", 3)], id="a var that is only assigned"),
    pytest.param("\nfn f(x: f32) -> f32 {\n let _y = x\n let _ = x\n return x }", [], id="names with an underscore"),
    pytest.param("\nfn f(x: f32, unused: f32) -> f32 { return x }", [], id="a parameter is never unused"),
    pytest.param("\nblock B {\n param w: f32\n param _v: f32\n sub c: C }\nblock C { }", [("W1003", 3), ("W1003", 5)], id="members"),
    pytest.param("\nfn f(x: f32) -> f32 {\n static for i in 0..3 { }\n return x }", [("W1002", 3)], id="a loop variable"),
    pytest.param("\nfn f(x: f32?) -> f32 {\n return match x {\n some(v) => 1.0\n none => 2.0 } }", [("W1002", 4)], id="a pattern"),
]


@pytest.mark.parametrize(("text", "expected"), WARNED)
def test_warned(check_text, text, expected):
    checked = check_text(text)
    assert checked.program is not None
    assert sorted(checked.places) == expected


def test_a_program_with_errors_has_no_warnings(check_text):
    assert check_text("use std.nn.linear::{linear} fn f(x: f32) -> f32 { let y = x return z }").places == [("E1201", 1)]


def test_modules_of_std_are_not_linted(check_package):
    files = {"lib.linnet": "module demo use std.nn.mlp::{SwiGlu} block M { sub _m: SwiGlu<4, 8> }"}
    assert check_package(files).places == []
