"""The contract's values and types (sections 4 and 7, items 23 to 30, 61, 62 and 77).

In each table a program and, of everything wrong with it, the code and the words the primary span covers.  Ids say which sentence or
item of the language's definition a program is for.
"""

from __future__ import annotations

import pytest

PROGRAMS = [
    pytest.param(
        """\
block B { param a: f32 }
fn f(x: B) -> f32 { return 1.0 }
""",
        [("E1208", "B")],
        id="section4 a block is not a value",
    ),
    pytest.param(
        "fn f(x: (f32?)?) -> f32 { return 1.0 }",
        [("E2101", "(f32?)?")],
        id="section4 an optional of an optional",
    ),
    pytest.param(
        """\
type V<N: Dim> = Tensor[N; f32]
fn f(x: V<3>) -> Tensor[3; f32] { return x }
""",
        [],
        id="section4 aliases are transparent",
    ),
    pytest.param(
        """\
type A = (A, f32)
struct S { a: S? }
block B { sub b: B? = none }
const X = Y
const Y = X
""",
        [("E2122", "A"), ("E2122", "X"), ("E2122", "S"), ("E2122", "B")],
        id="section4 a type that holds itself",
    ),
    pytest.param(
        """\
enum P { Mean }
fn f() -> P { return P.Max }
""",
        [("E2107", "Max")],
        id="section4 an enum is closed",
    ),
    pytest.param(
        """\
fn d<T: Float>(x: Tensor[2; T]) -> Tensor[2; T] { return x }
fn f<T: Numeric>(x: Tensor[2; T]) -> Tensor[2; T] { return d(x) }
fn g(x: Tensor[2; i32]) -> Tensor[2; i32] { return d(x) }
""",
        [("E2112", "x"), ("E2112", "x")],
        id="section4 classes of dtype generics",
    ),
    pytest.param(
        """\
struct S { a: f32 }
fn f(x: f32) -> f32 { return f32 }
fn g(x: g) -> f32 { return x }
fn h<N: Dim>(x: N) -> f32 { return 1.0 }
fn i(x: Tensor[3; S]) -> f32 { return 1.0 }
fn j(x: f32) -> f32 { return S }
""",
        [("E1208", "g"), ("E1208", "N"), ("E1208", "S"), ("E1208", "f32"), ("E1208", "S")],
        id="section4 names of the wrong kind",
    ),
    pytest.param(
        """\
fn f<T: Integer>(x: Tensor[3; T]) -> Tensor[3; T] { return x + 1 }
fn g<T: Float>(x: Tensor[3; T]) -> Tensor[3; T] { return max(x, 0.0) }
fn h() -> bf16 { return 0.1 }
""",
        [],
        id="section11-23 a literal adopts the dtype of its sibling",
    ),
    pytest.param(
        """\
fn f<T: Integer>(x: Tensor[3; T]) -> Tensor[3; T] { return x + 1.5 }
fn g(x: Tensor[3; bool]) -> Tensor[3; bool] { return x == 1 }
fn h() -> bool { return 1 }
""",
        [("E2105", "1.5"), ("E2103", "x == 1"), ("E2101", "1")],
        id="section11-23 a float literal only a float dtype, neither bool",
    ),
    pytest.param(
        """\
fn f(x: Tensor[2; u8]) -> Tensor[2; u8] { return x + 300 }
fn g(x: Tensor[2; f16]) -> Tensor[2; f16] { return x + 65520 }
fn h() -> f64 { return 1e999 }
""",
        [("E2105", "300"), ("E2105", "65520"), ("E2105", "1e999")],
        id="section11-24 out of range",
    ),
    pytest.param(
        """\
const Max = 7
fn f<H: Dim>(x: Tensor[H; f32], n: i64) -> Tensor[H; f32] { return select(n < Max, x * H, x) }
""",
        [],
        id="section11-25 a Dim and an untyped const behave like literals",
    ),
    pytest.param(
        "fn f(x: Tensor[4; f32]) -> Tensor[4; f32] { let n = 4 return reshape(x, [n]) }",
        [("E2123", "n")],
        id="section11-26 an unannotated let of a literal is i64",
    ),
    pytest.param(
        "fn f<H: Dim>(x: Tensor[H; f32]) -> Tensor[H / 2; f32] { let d = H / 2 return x[0:d] }",
        [],
        id="section11-26 an unannotated let of a dimension stays one",
    ),
    pytest.param(
        """\
const A: i64 = 4
const B: f32 = 0.5
fn f(x: Tensor[A; f32]) -> f32 { return 1.0 }
fn g(x: bf16) -> bf16 { return x + B }
""",
        [("E2123", "A"), ("E2103", "x + B")],
        id="section11-26 an annotated const is a scalar of its type",
    ),
    pytest.param(
        "fn f(x: Tensor[4; bf16], y: f32) -> Tensor[4; bf16] { return x / y }",
        [("E2103", "x / y")],
        id="section11-27 a typed scalar is never converted",
    ),
    pytest.param(
        "fn f(x: Tensor[4; bf16], y: bf16) -> Tensor[4; bf16] { return x / y }",
        [],
        id="section11-27 equal dtypes broadcast a scalar",
    ),
    pytest.param(
        "fn f() -> Tensor[4; f32] { return 1.0 }",
        [("E2101", "1.0")],
        id="section11-28 a literal is no tensor",
    ),
    pytest.param(
        """\
fn f(x: Tensor[4; f32]) -> Tensor[5; f32] { return x }
fn g(x: Tensor[4; f32]) -> Tensor[4; bf16] { return x }
fn h(x: f32) -> Tensor[4; f32] { return x }
fn i(x: Tensor[4; f32]) -> f32 { return x }
""",
        [("E2202", "x"), ("E2103", "x"), ("E2101", "x"), ("E2101", "x")],
        id="section11-28 another shape, another dtype, a scalar, a tensor",
    ),
    pytest.param(
        """\
fn f(x: f32) -> f32 { let y = none return x }
fn g(x: f32) -> f32 { return none }
""",
        [("E2113", "none"), ("E2113", "none")],
        id="section11-29 none needs a type",
    ),
    pytest.param(
        """\
fn o(x: f32? = none) -> f32 { return match x { some(v) => v none => 0.0 } }
fn f(x: f32, y: f32?) -> f32 { return o() + o(none) + o(some(x)) + o(y) }
""",
        [],
        id="section11-29 what an optional parameter takes",
    ),
    pytest.param(
        """\
fn o(x: f32? = none) -> f32 { return 1.0 }
fn f(x: f32) -> f32 { return o(x) }
""",
        [("E2101", "x")],
        id="section11-29 not a bare value",
    ),
    pytest.param(
        """\
const A = 5 & 3
const B = shl(1, 2)
fn f(x: Tensor[A + B; f32]) -> Tensor[5; f32] { return x }
fn g<H: Dim>(x: Tensor[H & 3; f32]) -> f32 { return 1.0 }
fn h<H: Dim>(x: Tensor[shl(H, 2); f32]) -> f32 { return 1.0 }
""",
        [("E2123", "H & 3"), ("E2123", "shl(H, 2)")],
        id="section11-30 bits fold only for constants",
    ),
    pytest.param(
        """\
struct M<N: Dim> { mean: Tensor[N; f32] scale: f32 }
fn f<N: Dim>(x: Tensor[N; f32]) -> M<N> { return M(scale = 1.0, mean = x) }
""",
        [],
        id="section11-61 every field once, by name, in any order",
    ),
    pytest.param(
        """\
struct M { a: f32 b: f32 }
fn f(x: f32) -> M { return M(a = x) }
fn g(x: f32) -> M { return M(a = x, b = x, c = x) }
fn h(x: f32) -> M { return M(x, x) }
fn i(x: f32) -> M { return M(a = x, b = x, a = x) }
""",
        [("E2102", "M(a = x)"), ("E2102", "c"), ("E2102", "x"), ("E2102", "a = x")],
        id="section11-61 missing, unknown, positional, twice",
    ),
    pytest.param(
        """\
struct M { a: f32 b: Tensor[3; f32] }
fn f(x: Tensor[3; f32]) -> M { return M(a = x, b = x) }
fn g(x: Tensor[4; f32]) -> M { return M(a = 1.0, b = x) }
""",
        [("E2101", "x"), ("E2101", "x")],
        id="section11-61 a field of another type or shape",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3; f32], y: Tensor[3; bf16]) -> Tensor[3; f32] { return x + y }
fn g(x: Tensor[3; f32], y: Tensor[3; bf16], c: bool) -> Tensor[3; f32] { return select(c, x, y) }
fn h(x: Tensor[3; f32], y: Tensor[3; bf16]) -> Tensor[6; f32] { return concat(x, y, axis = 0) }
fn i(x: f32, y: bf16) -> f32 { return max(x, y) }
fn j(x: i32, y: u8) -> i32 { return shl(x, y) }
""",
        [
            ("E2103", "x + y"),
            ("E2103", "select(c, x, y)"),
            ("E2103", "concat(x, y, axis = 0)"),
            ("E2103", "max(x, y)"),
            ("E2103", "shl(x, y)"),
        ],
        id="section11-77 two dtypes in one operation",
    ),
    pytest.param(
        """\
fn p(x: Tensor[3; f32]) -> f32 { return x[0] }
fn f(x: Tensor[4; f32]) -> f32 { return p(x) }
fn g(x: f32) -> f32 { return p(x) }
fn h(x: i32) -> f32 { let y: f32 = x return y }
fn i(x: f32) -> f32 { var y = 0 y = x return x }
""",
        [("E2202", "x"), ("E2101", "x"), ("E2101", "x"), ("E2109", "x")],
        id="section11-77 a value of another type where one is due",
    ),
    pytest.param(
        """\
enum P { A }
fn f(x: bool) -> bool { return -x }
fn g(x: Tensor[3; f32]) -> Tensor[3; f32] { return x & x }
fn h(p: P) -> bool { return p == p }
fn i(x: bool, y: bool) -> bool { return x < y }
""",
        [("E2104", "-x"), ("E2104", "x & x"), ("E2104", "p == p"), ("E2104", "x < y")],
        id="section11-77 an operator on a wrong kind",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3; i32]) -> Tensor[3; i32] { return exp(x) }
fn g(x: Tensor[3; bool]) -> Tensor[3; bool] { return cumsum(x, axis = 0) }
fn h(x: Tensor[3; bool]) -> bool { return sum[i] x[i] }
fn i(x: Tensor[3; f32]) -> bool { return any[i] x[i] }
""",
        [("E2112", "x"), ("E2112", "x"), ("E2112", "x[i]"), ("E2101", "x[i]")],
        id="section11-77 a dtype outside the class",
    ),
    pytest.param(
        "fn f(x: Tensor[3, 4; f32], y: Tensor[3, 5; f32]) -> Tensor[6, 4; f32] { return concat(x, y, axis = 0) }",
        [("E2202", "y")],
        id="section11-77 extents of concat",
    ),
    pytest.param(
        """\
fn f<A: Dim, B: Dim>(x: Tensor[3; f32], c: Tensor[2, 1; bool], u: Tensor[3; u8], v: bf16) -> f32 { let _a = cast<i32>(x)
    let _b = cast<f32>(c) let _c = exp(log(sqrt(rsqrt(sin(cos(tanh(x))))))) let _d = abs(u) let _e = shl(u, u) | shr(u, 1)
    let _f = select(c, x, 0.0) let _g = iota(4) + iota<i64>(4) let _h = fill([2, 2], v) let _i = fill<f32>([min(A, B)], 0.0)
    let _j = x % x return cumsum(x, axis = -1)[0] }
""",
        [],
        id="section7 the prelude",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { return cast(x) }
fn g(x: Tensor[3; f32]) -> Tensor[3; f32] { return exp(x, x) }
fn h(n: i64) -> Tensor[4; i64] { return iota(n) }
fn i(v: bf16) -> Tensor[2; f32] { return fill<f32>([2], v) }
fn j(x: Tensor[3; f32]) -> Tensor[3; f32] { return shl(x, 1) }
""",
        [("E2111", "cast"), ("E2102", "x"), ("E2123", "n"), ("E2103", "v"), ("E2112", "x")],
        id="section7 what the prelude refuses",
    ),
]


@pytest.mark.parametrize(("program", "errors"), PROGRAMS)
def test_contract(check_text, program, errors):
    assert check_text(program).errors == errors
