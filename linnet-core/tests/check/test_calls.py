"""Calls: callees, arguments, defaults, methods, obligations."""

from __future__ import annotations

import pytest

from linnet_core.check.program import Call, Literal, LocalRef, MakeNone, MemberRef, Return, SelfRef
from linnet_core.check.show_types import show, show_args

FUNCTIONS = """
struct Pair { left: f32  right: f32 }
const K = 4
fn two(a: f32, b: f32 = 0.5) -> f32 { return a + b }
fn maybe(x: f32, o: f32? = none, p: f32?) -> f32 { return x }
fn rows<*S: Shape, C: Dim>(x: Tensor[*S, 2, C; f32]) -> Tensor[*S, C; f32] { return x[..., 0, :] }
fn square<N: Dim, T: Float>(x: Tensor[N, N; T], k: T) -> Tensor[N; T] { return x[0] * k }
fn even<N: Dim>(x: Tensor[N; f32]) -> Tensor[N / 2; f32] where N % 2 == 0 { return x[0::2] }
fn less<N: Dim>(x: Tensor[N; f32]) -> Tensor[N - 3; f32] where N > 0 { return x[3:N] }
fn nothing(x: f32) { return }
block Child<N: Dim> { param w: Tensor[N; f32]  fn own(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * w } }
"""
HEADER = "fn run<A: Dim, B: Dim>(x: f32, v: Tensor[A; f32], m: Tensor[A, B; f32], h: Tensor[4; bf16], o: f32?, i: i32)"

REFUSED = [
    pytest.param("two()", [("E2102", "two()")], id="an argument missing"),
    pytest.param("two(x, x, x)", [("E2102", "x")], id="too many"),
    pytest.param("two(x, c = x)", [("E2102", "c")], id="an unknown parameter"),
    pytest.param("two(x, a = x)", [("E2102", "a = x")], id="given twice"),
    pytest.param("two(a = x, x)", [("E2102", "x")], id="positional after named"),
    pytest.param("two(i)", [("E2101", "i")], id="a scalar of another dtype"),
    pytest.param("two(v)", [("E2101", "v")], id="a tensor for a scalar"),
    pytest.param("even(x)", [("E2101", "x")], id="a scalar for a tensor"),
    pytest.param("rows(v)", [("E2202", "v")], id="too few axes"),
    pytest.param("rows(m)", [("E2202", "m")], id="an axis of another extent"),
    pytest.param("square(m, x)", [("E2202", "m")], id="one generic, two extents"),
    pytest.param("square(h, 1.0)", [("E2202", "h")], id="another rank"),
    pytest.param("even(h)", [("E2103", "h")], id="a tensor of another dtype"),
    pytest.param("maybe(x, p = x)", [("E2101", "x")], id="a bare value for an optional parameter"),
    pytest.param("two(o)", [("E2101", "o")], id="an optional for a bare parameter"),
    pytest.param("two(1.0, none)", [("E2113", "none")], id="none for a bare parameter"),
    pytest.param("even(v)", [("E2206", "even(v)")], id="a where that is not proved"),
    pytest.param("less(fill<f32>([2], 1.0))", [("E2208", "less(fill<f32>([2], 1.0))")], id="a result of negative extent"),
    pytest.param("even<A, B>(v)", [("E2111", "B")], id="too many generic arguments"),
    pytest.param("even<f32>(v)", [("E2123", "f32")], id="a dtype for a dimension"),
    pytest.param("K(x)", [("E2106", "K")], id="a constant"),
    pytest.param("x(x)", [("E2106", "x")], id="a local"),
    pytest.param("m[0](x)", [("E2106", "m[0]")], id="an indexed tensor"),
    pytest.param("Child(x)", [("E2106", "Child")], id="a block"),
    pytest.param("missing(x, y)", [("E1201", "missing"), ("E1201", "y")], id="an unknown function, and what its arguments say"),
    pytest.param("missing(none)", [("E1201", "missing")], id="none for an unknown function"),
    pytest.param("two(y, z)", [("E1201", "y"), ("E1201", "z")], id="two unknown arguments"),
    pytest.param("x.go()", [("E2107", "go")], id="a method of a scalar"),
    pytest.param("two(nothing(x))", [("E2101", "nothing(x)")], id="a call without a result as an argument"),
    pytest.param("pad(x)", [("E2190", "pad(x)")], id="a reserved name"),
]


@pytest.mark.parametrize(("call", "errors"), REFUSED)
def test_refused(check_text, call, errors):
    assert check_text(f"{FUNCTIONS}{HEADER} {{ let _ = {call}\n return }}").errors == errors


def returned(checked, function):
    """What `function` returns."""
    assert checked.program is not None, checked.found
    last = checked.program.functions[function].body[-1]
    assert isinstance(last, Return)
    return last.value


def test_arguments_stand_in_parameter_order_with_defaults(check_text):
    call = returned(check_text(FUNCTIONS + "fn run(x: f32, y: f32) -> f32 { return maybe(p = some(y), x = x) }"), "test::run")
    assert isinstance(call, Call)
    assert (call.callee, call.receiver, call.generics) == ("test::maybe", None, ())
    assert isinstance(call.args[0], LocalRef)
    assert isinstance(call.args[1], MakeNone)
    assert show(call.args[2].type) == "f32?"


def test_a_default_speaks_the_callers_generics(check_text):
    text = (
        "fn scale<N: Dim, T: Float>(x: Tensor[N; T], k: T = 2, o: Tensor[N; T]? = none, n: T = N) -> Tensor[N; T] { return x * k * n }\n"
        "fn run<M: Dim>(x: Tensor[M + 1; bf16]) -> Tensor[M + 1; bf16] { return scale(x) }"
    )
    call = returned(check_text(text), "test::run")
    assert isinstance(call, Call)
    assert show_args(call.generics) == "<M + 1, bf16>"
    assert [show(arg.type) for arg in call.args] == ["Tensor[M + 1; bf16]", "bf16", "Tensor[M + 1; bf16]?", "bf16"]
    assert isinstance(call.args[1], Literal)
    assert str(getattr(call.args[3], "dim", None)) == "M + 1"


def test_a_unit_function_is_called_for_its_effect(check_text):
    checked = check_text(FUNCTIONS + "fn run(x: f32) { let _ = nothing(x)\n return }")
    assert checked.program is not None, checked.found


METHODS = """
block Child<N: Dim> {
    param w: Tensor[N; f32]
    pub fn go<*S: Shape>(x: Tensor[*S, N; f32]) -> Tensor[*S, N; f32] { return x * w }
}
pub block Parent<H: Dim> {
    sub one: Child<2 * H>
    sub many: [Child<H>; 3]
    sub maybe: Child<H>? = none
    fn helper(x: Tensor[H; f32]) -> Tensor[H; f32] { return many[0].go(x) }
"""


def test_methods_of_children_and_siblings(check_text):
    text = METHODS + (
        "pub entry run<B: Dim>(x: Tensor[B, 2 * H; f32], v: Tensor[H; f32]) -> Tensor[B, 2 * H; f32] {\n"
        "let a = helper(v) let b = many[1].go(a) let c = match maybe { some(m) => m.go(b) none => b }\n"
        "return one.go(x) * c[0] } }"
    )
    checked = check_text(text)
    assert checked.program is not None, checked.found
    body = checked.program.functions["test::Parent.run"].body
    calls = [s.value for s in body[:2]]
    assert [call.callee for call in calls] == ["test::Parent.helper", "test::Child.go"]
    assert isinstance(calls[0].receiver, SelfRef)
    assert show(calls[1].receiver.type) == "Child<H>"
    product = returned(checked, "test::Parent.run")
    one = product.left
    assert isinstance(one.receiver, MemberRef)
    assert (show(one.type), show_args(one.generics)) == ("Tensor[B, 2 * H; f32]", "<[B]>")
    assert set(one.substitution.packs) == {g.id for g in checked.program.functions["test::Child.go"].generics}


BAD_METHODS = [
    pytest.param("one.come(v)", [("E2107", "come")], id="an unknown method"),
    pytest.param("one.w(v)", [("E2106", "one.w")], id="a member called"),
    pytest.param("one(v)", [("E2106", "one")], id="a child called"),
    pytest.param("maybe.go(v)", [("E2107", "go")], id="a method of an optional child"),
    pytest.param("many.go(v)", [("E2107", "go")], id="a method of an array"),
    pytest.param("one.go(v)", [("E2202", "v")], id="an extent of the child's own"),
    pytest.param("Child.go(v)", [("E1208", "Child")], id="a method of a block's name"),
]


@pytest.mark.parametrize(("call", "errors"), BAD_METHODS)
def test_bad_methods(check_text, call, errors):
    assert check_text(METHODS + f"pub fn run(v: Tensor[H; f32]) {{ let _ = {call}\n return }} }}").errors == errors


def test_a_private_method_of_another_module(check_package):
    checked = check_package(
        {
            "lib.linnet": "module demo\nuse crate.a::{A}\npub block B { sub a: A\npub fn f() -> f32 { return a.open() + a.shut() } }",
            "a.linnet": "module demo.a\npub block A { param w: f32\npub fn open() -> f32 { return w }\nfn shut() -> f32 { return w } }",
        }
    )
    assert checked.errors == [("E1203", "shut")]


def test_an_unproved_where_says_what_is_known(check_text):
    text = FUNCTIONS + "pub fn run<A: Dim>(v: Tensor[A; f32]) -> Tensor[A / 2; f32] where A > 1 { return even(v) }"
    found = check_text(text).only
    assert found.code == "E2206"
    assert "A % 2 == 0" in found.message
    assert "known: A > 1" in found.notes
    assert found.help is not None
    assert "where A % 2 == 0" in found.help


def test_module_entries_are_called_like_functions(check_text):
    text = "entry twice(x: f32) -> f32 { return x * 2 }\nblock B { entry run(x: f32) -> f32 { return twice(x) } }"
    assert check_text(text).program is not None


def test_a_broken_signature_is_reported_once(check_text):
    broken = "fn g<N: Dim>(x: Tensor[Missing; f32], y: Tensor[N; f32]) -> f32 { return 1.0 }\n"
    text = broken + "pub fn f(x: Tensor[4; f32]) -> f32 { return g(x, x) }"
    assert check_text(text).errors == [("E1201", "Missing")]
