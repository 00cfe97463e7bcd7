"""The contract's blocks, ops and kernels (section 6, items 56 to 68).

In each table a program and, of everything wrong with it, the code and the words the primary span covers.  Ids say which sentence or
item of the language's definition a program is for.
"""

from __future__ import annotations

import pytest

PROGRAMS = [
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x
    return s * w } }
fn f(x: f32) -> f32 { var y = x y = y + 1.0 return y }
""",
        [],
        id="section11-56 var locals and own state",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x
    return s * w } }
block P<N: Dim> { param w: Tensor[N; f32] buffer b: Tensor[N; f32] sub c: C<N>
    fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { w = x b = x c = x x = x return c.s } }
fn g(x: f32) -> f32 { let y = x y = 2.0 return y }
""",
        [("E2108", "w"), ("E2108", "b"), ("E2108", "c"), ("E2108", "x"), ("E2108", "y")],
        id="section11-56 nothing else",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x
    return s * w } }
block P<N: Dim> { sub c: C<N> fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { c.s = x return x } }
""",
        [("E1101", ".")],
        id="section11-56 no assignment to a path",
    ),
    pytest.param(
        """\
block P<N: Dim> { state t: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { t = cast<bf16>(x) t = x[0] t = 1.0
    return t } }
""",
        [("E2109", "cast<bf16>(x)"), ("E2109", "x[0]"), ("E2109", "1.0")],
        id="section11-55 state keeps its type",
    ),
    pytest.param(
        "block P<N: Dim> { state a: Tensor[N; f32]? state b: f32 state c: (f32, f32) }",
        [("E4101", "Tensor[N; f32]?"), ("E4101", "f32"), ("E4101", "(f32, f32)")],
        id="section11-57 state is a tensor",
    ),
    pytest.param(
        "block P<N: Dim> { state a: Tensor[N; f32] = 1.0 }",
        [("E1101", "=")],
        id="section11-57 no initial value",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x
    return s * w } }
block P<N: Dim> { sub a: C<N> = none sub b: C<N>? = none }
""",
        [("E4101", "C<N>")],
        id="section11-58 none on a sub needs an optional",
    ),
    pytest.param(
        "block P<N: Dim> { param a: Tensor[N; f32] = 1.0 param b: Tensor[N; f32]? = some(1.0) param c: Tensor[N; f32]? = none }",
        [("E4102", "1.0"), ("E4102", "some(1.0)")],
        id="section11-58 only none on a param",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x
    return s * w } }
block P<N: Dim> { param a: (f32, f32) buffer b: Tensor[N; f32]? sub c: Tensor[N; f32] sub d: [C<N>; 3]? = none
    param e: C<N> }
""",
        [("E4101", "(f32, f32)"), ("E4101", "Tensor[N; f32]?"), ("E4101", "Tensor[N; f32]"), ("E4101", "[C<N>; 3]?"), ("E4101", "C<N>")],
        id="section6 members of types they cannot have",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x
    return s * w } }
block P<N: Dim> { sub c: C<N>? = none fn f(x: Tensor[N; f32]) -> Tensor[N; f32] {
    return match c { some(p) => p.f(x) none => x } } }
""",
        [],
        id="section11-59 an optional sub is taken apart",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x
    return s * w } }
block P<N: Dim> { sub c: C<N>? = none fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { let y = c return c.f(x) } }
""",
        [("E2101", "c"), ("E2107", "f")],
        id="section11-59 and is no other value",
    ),
    pytest.param(
        """\
block L<A: Dim, B: Dim, T: Float = bf16> { param w: Tensor[B, A; T] pub fn f(x: Tensor[A; T]) -> Tensor[A; T] { return x } }
block P<H: Dim> { sub l: L<H, H> fn f(x: Tensor[H; bf16]) -> Tensor[H; bf16] { return l.f(x) }
    fn g(x: Tensor[H; f32]) -> Tensor[H; f32] { return l.f(x) } }
""",
        [("E2103", "x")],
        id="section11-60 a default of a generic",
    ),
    pytest.param(
        "struct S<T: Float = i32> { a: T }",
        [("E2112", "i32")],
        id="section11-60 a default satisfies its own bound",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x
    return s * w } }
block P<N: Dim, L: Dim> { sub xs: [C<N>; L] fn f(x: Tensor[N; f32], i: i64) -> Tensor[N; f32] { let _a = xs[i].f(x)
    let _b = xs[L].f(x) return xs[0].f(xs[L - 1].f(x)) } }
""",
        [("E2123", "i"), ("E2209", "L")],
        id="section6 positions in an array of blocks",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x
    return s * w } }
block P<N: Dim> { sub c: C<N> sub xs: [C<N>; 3] fn f(x: Tensor[N; f32]) -> Tensor[N; f32] { let _a = c.g(x) let _b = c.v
    let _c = xs.f(x) return x } }
""",
        [("E2107", "g"), ("E2107", "v"), ("E2107", "f")],
        id="section6 methods and members there are not",
    ),
    pytest.param(
        """\
op a<N: Dim>(x: Tensor[N; f32], k: f32) -> Tensor[N; f32] { return x * k } grad(_y, dy) { return dy * k }
op b(x: Tensor[3; f32], z: Tensor[3; f32]) -> Tensor[3; f32] { return x * z } grad(_y, dy) { return (dy * z, dy * x) }
op c<T: Numeric>(x: Tensor[3; T], i: Tensor[3; i32], z: Tensor[3; f32]) -> Tensor[3; f32] { return z } grad(_y, dy) {
    return dy }
""",
        [],
        id="section11-63 a gradient each",
    ),
    pytest.param(
        "op f(x: Tensor[3; f32], z: Tensor[3; f32]) -> Tensor[3; f32] { return x * z } grad(y, dy) { return dy }",
        [("E2101", "dy")],
        id="section11-63 a mismatch",
    ),
    pytest.param(
        """\
fn a(x: f32) -> f32 { return x } grad(y, dy) { return dy }
op b(x: Tensor[3; i32]) -> Tensor[3; i32] { return x } grad(y, dy) { return dy }
op c(x: Tensor[3; f32]?) -> Tensor[3; f32] { return fill<f32>([3], 0.0) } grad(y, dy) { return dy }
op d(x: f32) -> f32 { return x } grad(y, dy) { return dy }
""",
        [
            ("E2125", "grad(y, dy) { return dy }"),
            ("E2125", "Tensor[3; i32]"),
            ("E2125", "Tensor[3; f32]?"),
            ("E2125", "grad(y, dy) { return dy }"),
        ],
        id="section11-64 what has no grad",
    ),
    pytest.param(
        """\
kernel k<N: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid(N) where N > 3 { store(y[0], load(x[0], true, 0.0)) }
op o<N: Dim>(x: Tensor[N; bf16]) -> Tensor[N; f32] kernel k<N> { return cast<f32>(x) }
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { return k(x) }
""",
        [("E2126", "kernel k<N>"), ("E2126", "k(x)")],
        id="section11-65 kernel and op agree",
    ),
    pytest.param(
        """\
kernel a<N: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid(N) warps(3) { store(y[0], 1.0) }
kernel b<N: Dim>(x: Tensor[N; f32], n: i64) -> y: Tensor[N; f32] grid(n) { store(y[0], 1.0) }
""",
        [("E2127", "warps(3)"), ("E2123", "n")],
        id="section11-67 hints and grids",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3; f32]) -> f32 { store(x[0], 1.0) return 1.0 }
fn g() -> i32 { return program_id(0) }
""",
        [("E2127", "store(x[0], 1.0)"), ("E2127", "program_id(0)")],
        id="section11-68 store outside a kernel",
    ),
    pytest.param(
        "block B { kernel k(x: Tensor[3; f32]) -> y: Tensor[3; f32] grid(1) { store(y[0], 1.0) } }",
        [("E2127", "k")],
        id="section6 a kernel in a block",
    ),
    pytest.param(
        """\
fn f(x: f32, k: f32 = 2.0) -> f32 { return x * k }
fn g(x: f32) -> f32 { return f(x) + f(x, 1.0) + f(k = 1.0, x = x) }
fn h(x: f32) -> f32 { return f() + f(x, x, x) + f(x, j = x) + f(x, x = x) + f(k = x, x) }
""",
        [("E2102", "f()"), ("E2102", "x"), ("E2102", "j"), ("E2102", "x = x"), ("E2102", "x")],
        id="section6 positional then keyword arguments",
    ),
]


@pytest.mark.parametrize(("program", "errors"), PROGRAMS)
def test_contract(check_text, program, errors):
    assert check_text(program).errors == errors
