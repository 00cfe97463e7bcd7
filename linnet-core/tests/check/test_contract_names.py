"""The contract's names (section 3, items 15 to 22).

In each table a program and, of everything wrong with it, the code and the words the primary span covers.  Ids say which sentence or
item of the language's definition a program is for.
"""

from __future__ import annotations

import pytest

PROGRAMS = [
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] pub fn m(x: Tensor[N; f32]) -> Tensor[N; f32] {
    return x * w } }
block P<N: Dim> { sub c: C<N> sub arr: [C<N>; 3] entry r(x: Tensor[N; f32]) -> Tensor[N; f32] {
    return helper(c.m(x) + c.s + arr[0].w) } fn helper(x: Tensor[N; f32]) -> Tensor[N; f32] { return later(x) } }
fn later<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x }
""",
        [],
        id="section11-15 bare members and methods, a child by its name",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { let y = z let z = x return y }",
        [("E1201", "z")],
        id="section11-16 a local only after its declaration",
    ),
    pytest.param(
        "fn f(o: f32?) -> f32 { let a = match o { some(b) => b none => 0.0 } return a + b }",
        [("E1201", "b")],
        id="section11-16 a name of an arm after the match",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { var y = x static for i in 0..3 { let q = x y = y * q + cast<f32>(i) } return y + q }",
        [("E1201", "q")],
        id="section11-16 a local of a loop after it",
    ),
    pytest.param(
        "fn f(x: f32) -> i64 { static for _i in 0..3 { let _q = x } return _i }",
        [("E1201", "_i")],
        id="section11-16 a loop variable after its loop",
    ),
    pytest.param(
        """\
use std.nn.softmax
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { return softmax.softmax(x) }
""",
        [],
        id="section11-17 a module by its last segment",
    ),
    pytest.param(
        """\
use std.nn.softmax::{softmax as soft}
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { return soft(x) }
""",
        [],
        id="section11-17 items in braces, renamed",
    ),
    pytest.param(
        """\
use std.nn.softmax::softmax
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { return softmax(x) }
""",
        [],
        id="section11-17 one item",
    ),
    pytest.param(
        """\
use std.nn.softmax::{sofmax}
fn f(x: f32) -> f32 { return x }
""",
        [("E1201", "sofmax")],
        id="section3 what stands after :: is an item",
    ),
    pytest.param(
        """\
use std.nn.softmax
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { return softmax.sofmax(x) }
""",
        [("E1201", "sofmax")],
        id="section3 an item a module does not have",
    ),
    pytest.param(
        """\
use std.nn.softmax
fn f(x: f32) -> f32 { return softmax }
fn g(x: f32) -> f32 { return softmax(x) }
""",
        [("E1208", "softmax"), ("E2106", "softmax")],
        id="section3 a module is no value and no function",
    ),
    pytest.param(
        """\
use crate.x
use foo.bar
fn f(x: f32) -> f32 { return x }
""",
        [("E1202", "crate.x"), ("E1202", "foo.bar")],
        id="section3 outside a package only std",
    ),
    pytest.param(
        """\
use std.nn.nothing
fn f(x: f32) -> f32 { return x }
""",
        [("E1202", "std.nn.nothing")],
        id="section3 a module that is missing",
    ),
    pytest.param(
        """\
fn f(x: f32) -> f32 { return x }
op f(x: i32) -> i32 { return x }
struct f { a: f32 }
""",
        [("E1204", "f"), ("E1204", "f")],
        id="section11-19 one namespace for items, whatever their signatures",
    ),
    pytest.param(
        """\
fn f<N: Dim, N: Dim>(x: f32, x: f32) -> f32 { return x }
struct S { a: f32 a: f32 }
enum E { A, A }
block B { param a: f32 param a: f32 }
""",
        [("E1205", "a"), ("E1205", "a"), ("E1205", "A"), ("E1205", "N"), ("E1205", "x")],
        id="section11-19 generics, parameters, fields, variants, members",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { return pad(x) }
fn g(x: Tensor[3; f32]) -> Tensor[3; f32] { return gather(x, 1) }
fn h(x: Tensor[3; f32]) -> Tensor[3; f32] { return scatter(x, 1) }
""",
        [("E2190", "pad(x)"), ("E2190", "gather(x, 1)"), ("E2190", "scatter(x, 1)")],
        id="section11-20 reserved prelude names are not called",
    ),
    pytest.param(
        """\
fn pad(x: f32) -> f32 { return x }
struct gather { a: f32 }
block scatter { param a: f32 }
""",
        [("E1207", "pad"), ("E1207", "gather"), ("E1207", "scatter")],
        id="section11-20 reserved prelude names are not declared",
    ),
    pytest.param(
        """\
struct S { a: f32 }
block C { param w: f32 }
pub block P { sub c: C pub entry r(x: f32) -> S { return S(a = x + c.w) } }
""",
        [],
        id="section11-21 a private struct in a public signature, a private block as a sub",
    ),
    pytest.param(
        """\
entry e(x: f32) -> f32 { return x }
fn f(x: f32) -> f32 { return e(x) }
block P { param w: f32 entry r(x: f32) -> f32 { return e(x) * w } }
""",
        [],
        id="section11-22 a module's entry is called like a function",
    ),
    pytest.param(
        """\
const f32 = 3
block B { param sqrt: f32 fn abs(x: f32) -> f32 { return x } }
fn f<Dim: Dim>(exp: f32) -> f32 { let log = 1.0 return 1.0 }
fn g(x: Tensor[3; f32]) -> f32 { let y[sin] = x[sin] return sum[cos] y[cos] }
""",
        [
            ("E1207", "f32"),
            ("E1207", "sqrt"),
            ("E1207", "abs"),
            ("E1207", "Dim"),
            ("E1207", "exp"),
            ("E1207", "log"),
            ("E1207", "sin"),
            ("E1207", "cos"),
        ],
        id="section11-78 items, methods, members, parameters, generics, locals, indices",
    ),
    pytest.param(
        """\
fn f(x: f32) -> f32 { static for exp in 0..3 { let log = 1.0 } return x }
op g(x: Tensor[3; f32]) -> Tensor[3; f32] { return x } grad(exp, dy) { return dy }
""",
        [("E1207", "exp"), ("E1207", "log"), ("E1207", "exp")],
        id="section11-78 loop variables, locals of loops, names of a grad clause",
    ),
    pytest.param(
        """\
struct S { exp: f32 min: f32 }
enum E { exp, min }
fn f(s: S, e: E) -> f32 { return match e { exp => s.exp min => s.min } }
""",
        [],
        id="section11-78 fields and variants may have such names",
    ),
    pytest.param(
        """\
fn relu<*S: Shape, T: Float>(x: Tensor[*S; T]) -> Tensor[*S; T] { return max(x, 0.0) }
fn f(x: f32) -> f32 { return relu(x) }
""",
        [],
        id="section11-78 a scalar matches a tensor whose pack is empty",
    ),
    pytest.param(
        """\
fn a(x: f32) -> f32 { return b(x) }
fn b(x: f32) -> f32 { return a(x) }
fn c(x: f32) -> f32 { return c(x) }
""",
        [("E2119", "a"), ("E2119", "c")],
        id="section6 functions do not recurse",
    ),
    pytest.param(
        "block B { param w: f32 fn a(x: f32) -> f32 { return b(x) * w } fn b(x: f32) -> f32 { return a(x) } }",
        [("E2119", "a")],
        id="section6 methods do not recurse",
    ),
]


@pytest.mark.parametrize(("program", "errors"), PROGRAMS)
def test_contract(check_text, program, errors):
    assert check_text(program).errors == errors


USED = [
    pytest.param("struct P { a: Tensor[2; f32] a: f32 } fn f(x: f32) -> f32 { let p = P(a = x) return p.a }", "E1205", id="a field"),
    pytest.param(
        "fn g(x: f32) -> f32 { return x } fn g() -> f32 { return 1.0 } fn f(x: f32) -> f32 { return g(x) + g() }", "E1204", id="a fn"
    ),
    pytest.param("type A = f32 struct A { x: f32 } fn f(x: A) -> f32 { return x.x + x }", "E1204", id="a type"),
    pytest.param("block B { param w: f32 param w: Tensor[2; f32] fn f() -> f32 { return w[0] + w } }", "E1205", id="a member"),
    pytest.param(
        "block B { param w: f32 fn w() -> f32 { return 1.0 } fn f() -> f32 { return w() + w } }", "E1205", id="a method and a member"
    ),
    pytest.param(
        "block C { fn m() -> f32 { return 1.0 } fn m(x: f32) -> f32 { return x } } block B { sub c: C fn f() -> f32 { return c.m(1) } }",
        "E1204",
        id="a method of a child",
    ),
    pytest.param("fn pad(x: f32) -> f32 { return x } fn f(x: f32) -> f32 { return pad(x) + pad(x) }", "E1207", id="a name of the prelude"),
    pytest.param(
        "fn exp(x: f32, y: f32) -> f32 { return x } fn f(x: f32) -> f32 { return exp(x, x) }", "E1207", id="one that means something"
    ),
]


@pytest.mark.parametrize(("program", "code"), USED)
def test_the_uses_of_a_name_that_was_refused_say_no_more(check_text, program, code):
    assert [found for found, _ in check_text(program).errors] == [code]
