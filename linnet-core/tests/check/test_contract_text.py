"""The contract's text: lexing and parsing (sections 1 and 2, items 1 to 14).

In each table a program and, of everything wrong with it, the code and the words the primary span covers.  Ids say which sentence or
item of the language's definition a program is for.
"""

from __future__ import annotations

import pytest

PROGRAMS = [
    pytest.param(
        """\
/* a /* b " */ c */ // "x
/// doc
/** d */ fn f(x: f32) -> f32 { return x }
""",
        [],
        id="section1 comments nest and quotes inside mean nothing",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return x } /* a /* b */",
        [("E1002", "/*")],
        id="section1 an unclosed comment",
    ),
    pytest.param(
        "fn f(x: f32, X: f32) -> f32 { return x + X }",
        [],
        id="section1 an identifier is case-sensitive",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return x @ x }",
        [("E1001", "@")],
        id="section1 a character that cannot appear",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return é }",
        [("E1001", "é")],
        id="section1 a character beyond ascii",
    ),
    pytest.param(
        "fn let(x: f32) -> f32 { return x }",
        [("E1101", "let")],
        id="section1 a keyword where a name is due",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return self.x }",
        [("E1103", "self")],
        id="section1 self is refused",
    ),
    pytest.param(
        """\
use super.a
fn f(x: f32) -> f32 { return x }
""",
        [("E1103", "super")],
        id="section1 super is refused once",
    ),
    pytest.param(
        "extern fn f(x: f32) -> f32 { return x }",
        [("E1103", "extern")],
        id="section1 extern is refused",
    ),
    pytest.param(
        """\
const A = 0
const B = 1_000
const C = 0xff
const D = 0b1010
const E = 1.5
const F = 1e-5
const G = 3.141_592
const H = true
const I = "a\\n\\t\\\\\\"\\u{1F600}"
""",
        [],
        id="section1 literals",
    ),
    pytest.param(
        """\
const A = 007
const B = 1_
const C = 1__0
const D = 0x_1
const E = 1.5_
const F = 1.
const G = .5
""",
        [("E1005", "007"), ("E1005", "1_"), ("E1005", "1__0"), ("E1005", "0x_1"), ("E1005", "1.5_"), ("E1005", "1."), ("E1005", ".5")],
        id="section1 malformed numbers",
    ),
    pytest.param(
        """\
const A = 9223372036854775807
const B = -9223372036854775808
const C = 9223372036854775808
""",
        [("E1005", "9223372036854775808")],
        id="section1 the largest literal, and one more under a minus",
    ),
    pytest.param(
        "fn f() -> Tensor[1; i8] { return fill<i8>([1], -128) }",
        [],
        id="section1 a minus belongs to its literal",
    ),
    pytest.param(
        "fn f() -> Tensor[1; u8] { return fill<u8>([1], -1) }",
        [("E2105", "-1")],
        id="section1 minus one fits no u8",
    ),
    pytest.param(
        """\
const A = "\\q"
const B = "open
const C = "\\u{110000}"
""",
        [("E1003", "\\q"), ("E1003", '"open'), ("E1003", "\\u{110000}")],
        id="section1 malformed strings",
    ),
    pytest.param(
        """\
const A: f32 = "s"
fn f(x: f32) -> f32 { let y = "s" return x }
""",
        [("E2101", '"s"'), ("E2101", '"s"')],
        id="section1 a string is only the value of an unannotated const",
    ),
    pytest.param(
        """\
fn f(x: f32) -> { return x }
fn g(x f32) -> f32 { return x }
struct { a: f32 }
const A 3
fn h(x: f32) -> f32 { let = 3
 let y 4
 return x }
""",
        [("E1101", "{"), ("E1101", "f32"), ("E1101", "{"), ("E1101", "3"), ("E1101", "="), ("E1101", "4")],
        id="section2 every error of a file",
    ),
    pytest.param(
        "fn f(x: Tensor[; f32]) -> f32 { return x }",
        [("E1103", ";")],
        id="section2 a rank of zero is the scalar",
    ),
    pytest.param(
        """\
fn f(x: f32) -> f32 { return - - x }
fn g(c: bool) -> bool { return !!c }
fn h(x: f32) -> f32 { return x - -(-x) }
""",
        [("E1101", "-"), ("E1101", "!")],
        id="section2 one unary operator",
    ),
    pytest.param(
        "fn f<N: Dim,>(x: Tensor[N; f32],) -> (Tensor[N; f32], f32,) where N > 0, { return (x, 1.0,) }",
        [],
        id="section2 trailing commas",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { f(x) return x }",
        [("E1101", "(")],
        id="section2 a call alone is no statement",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { let y = x; return y }",
        [("E1101", ";")],
        id="section11-2 no semicolons",
    ),
    pytest.param(
        "fn f(o: f32?) -> f32 { return match o { some(v) => v (a, b) => 1.0 none => 0.0 } }",
        [("E1101", "=>")],
        id="section11-3 an arm may not begin with a parenthesis",
    ),
    pytest.param(
        "fn f(o: (f32, f32)?) -> f32 { let (c, d) = (1.0, 2.0) return match o { some((a, b)) => a + b none => cast<f32>(c + d) } }",
        [],
        id="section11-3 a tuple pattern inside some and in let",
    ),
    pytest.param(
        "fn f(a: i32, b: i32, c: i32, d: i32) -> bool { return a < b && c > (d) }",
        [],
        id="section11-4 two comparisons",
    ),
    pytest.param(
        """\
fn id<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x }
fn f(x: Tensor[8; f32]) -> Tensor[8; f32] { return id<8> (x) }
""",
        [("E1208", "id")],
        id="section11-4 white space before the parenthesis compares",
    ),
    pytest.param(
        """\
fn id<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x }
fn f<H: Dim, K: Dim>(x: Tensor[8 * H / K; f32]) -> Tensor[8 * H / K; f32] where K > 0 { return id<8 * H / K>(x) }
""",
        [],
        id="section11-5 an additive expression as an argument",
    ),
    pytest.param(
        "fn f(x: Tensor[3; f32], y: f32) -> bool { let sum = sum[i] x[i] return sum < max(y, 1.0) }",
        [],
        id="section11-6 sum names a reduction only before a bracket",
    ),
    pytest.param(
        "fn f(x: Tensor[3; f32]) -> f32 { let sum = x return sum[0] }",
        [("E1101", "0")],
        id="section11-6 a value so named cannot be indexed",
    ),
    pytest.param(
        """\
fn grad(x: f32) -> f32 { return x }
fn f(grid: f32, warps: f32, stages: f32, atomic_add: f32, random: f32) -> f32 { let store = warps + stages + grid
    return store + random + grad(atomic_add) }
""",
        [],
        id="section11-7 words that are keywords in one place",
    ),
    pytest.param(
        """\
fn f(yield: f32) -> f32 { return 1.0 }
fn g(kernel: f32) -> f32 { return 1.0 }
""",
        [("E1101", "yield"), ("E1101", "kernel")],
        id="section11-8 yield and kernel are keywords",
    ),
    pytest.param(
        "fn f(mut: f32) -> f32 { return mut }",
        [("E1004", "mut")],
        id="section11-9 a reserved word as a name, once",
    ),
    pytest.param(
        """\
fn exp(x: f32) -> f32 { return x }
fn f<max: Dim>(cast: f32) -> f32 { let gather = 1.0 return 1.0 }
""",
        [("E1207", "exp"), ("E1207", "max"), ("E1207", "cast"), ("E1207", "gather")],
        id="section11-9 prelude names",
    ),
    pytest.param(
        "fn f(x: i32) -> bool { return x & 1 == 1 }",
        [],
        id="section11-10 and binds tighter than equality",
    ),
    pytest.param(
        "fn f(a: Tensor[2; i32], b: Tensor[2; i32], c: Tensor[2; i32]) -> Tensor[2; bool] { return a == b & b < c }",
        [("E2103", "a == b & b < c")],
        id="section11-10 comparisons bind tighter than equality",
    ),
    pytest.param(
        "fn f(a: Tensor[2; i32], b: Tensor[2; i32], c: Tensor[2; i32]) -> Tensor[2; bool] { return (a == b) & (b < c) }",
        [],
        id="section11-10 with parentheses",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3; f32]) -> bool { return all[i] x[i] > 0.0 }
fn g(v: Tensor[3; f32]) -> f32 { return prod[j] 1.0 - v[j] }
fn h(x: Tensor[3; f32], n: f32) -> f32 { return -(sum[b] x[b]) / n }
""",
        [],
        id="section11-11 a reduction takes everything to its right",
    ),
    pytest.param(
        """\
fn f(x: Tensor[8; f32]) -> Tensor[4; f32] { return x[::2] + x[0::2] + x[0:8:2] }
fn g(x: f32) -> f32 { var y = x static for _i in 2..4 { y = y + x } return y }
""",
        [],
        id="section11-12 slices and ranges",
    ),
    pytest.param(
        """\
fn h(x: Tensor[3; i64]) -> Tensor[3; i64] { return x }
fn f() -> Tensor[3; i64] { return (for i in 0..3 { yield i }) }
fn g() -> Tensor[3; i64] { return h(for i in 0..3 { yield i }) }
""",
        [("E2124", "for i in 0..3 { yield i }"), ("E2124", "for i in 0..3 { yield i }")],
        id="section11-13 a for inside an expression",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { yield x return x }",
        [("E2124", "yield x")],
        id="section11-13 a yield in any block parses",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return x } grad(y, dy) { return dy }",
        [("E2125", "grad(y, dy) { return dy }")],
        id="section11-13 grad after a fn parses",
    ),
    pytest.param(
        "op f(x: Tensor[3; f32]) -> Tensor[3; f32] where 3 > 2 kernel k { return x }",
        [("E1101", "kernel")],
        id="section11-14 an op's header in order",
    ),
]


@pytest.mark.parametrize(("program", "errors"), PROGRAMS)
def test_contract(check_text, program, errors):
    assert check_text(program).errors == errors
