"""The contract's control flow (section 9, items 48 to 55).

In each table a program and, of everything wrong with it, the code and the words the primary span covers.  Ids say which sentence or
item of the language's definition a program is for.
"""

from __future__ import annotations

import pytest

PROGRAMS = [
    pytest.param(
        """\
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { return if x > 0.0 { x } else { x } }
fn g(x: f32) -> f32 { var y = x while y { y = y - 1.0 } return y }
fn h(x: f32) -> f32 { return select(x, x, x) }
""",
        [("E2114", "x > 0.0"), ("E2114", "y"), ("E2114", "x")],
        id="section11-48 conditions",
    ),
    pytest.param(
        """\
fn f(x: f32, c: bool) -> bool { return x && c }
fn g(x: Tensor[3; bool]) -> bool { return !x }
""",
        [("E2116", "x"), ("E2116", "x")],
        id="section11-48 operands of and, or, not",
    ),
    pytest.param(
        """\
enum P { Mean, Max, None }
const M = P.Mean
fn f(p: P, x: f32) -> f32 { return match p { Mean => x Max => 1.0 None => 2.0 } }
fn g(p: P, x: f32) -> f32 { return match p { Mean => x _ => 1.0 } }
""",
        [],
        id="section11-49 bare variants, all of them",
    ),
    pytest.param(
        """\
enum P { Mean, Max, None }
const M = P.Mean
fn f(p: P, x: f32) -> f32 { return match p { Mean => x Max => 1.0 } }
fn g(x: f32) -> f32 { return match M { Mean => x } }
fn h(o: f32?) -> f32 { return match o { some(v) => v } }
""",
        [("E2118", "match p { Mean => x Max => 1.0 }"), ("E2118", "match M { Mean => x }"), ("E2118", "match o { some(v) => v }")],
        id="section11-49 a missing variant, also of a constant",
    ),
    pytest.param(
        """\
enum P { Mean, Max, None }
const M = P.Mean
fn f(x: f32, i: i32) -> f32 { return match M { Mean => x Max => i None => 1.0 } }
""",
        [("E2115", "i")],
        id="section11-49 every arm is checked",
    ),
    pytest.param(
        """\
enum P { Mean, Max, None }
const M = P.Mean
fn f(p: P) -> f32 { return match p { Meen => 1.0 _ => 2.0 } }
fn g(p: P) -> f32 { return match p { Mean => 1.0 Max => 2.0 none => 3.0 } }
fn h(o: f32?) -> f32 { return match o { Mean => 1.0 none => 1.0 } }
fn i(p: P, x: f32) -> f32 { return match p { _ => 1.0 Mean => x } }
""",
        [("E2117", "Meen"), ("E2117", "none"), ("E2117", "Mean"), ("E2117", "Mean")],
        id="section11-49 what cannot match",
    ),
    pytest.param(
        """\
fn f(x: f32) -> f32 { let some(y) = some(x) return x }
fn g(x: f32) -> f32 { let none = x return x }
""",
        [("E2117", "some(y)"), ("E2117", "none")],
        id="section11-49 some and none outside a match",
    ),
    pytest.param(
        """\
enum P { Mean, Max, None }
const M = P.Mean
fn f(p: P) -> f32 { return match p { P.Mean => 1.0 _ => 2.0 } }
""",
        [("E1101", ".")],
        id="section11-49 a variant with its enum before it",
    ),
    pytest.param(
        "fn f(x: f32, y: i32, c: bool) -> f32 { return if c { x } else { y } }",
        [("E2115", "y")],
        id="section7 both branches of one type",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] fn go(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * w } }
block B<N: Dim, L: Dim> { sub xs: [C<N>; L] fn f(x: Tensor[N; f32], n: i64) -> Tensor[N; f32] { var y = x static
    for c in xs { y = c.go(y) } static for i in 0..L { y = y + cast<f32>(i + n) } return y } }
""",
        [],
        id="section11-50 static for over blocks and ranges",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] fn go(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * w } }
block B<N: Dim, L: Dim> { sub xs: [C<N>; L] fn f(x: Tensor[N; f32], n: i64) -> Tensor[N; f32] { var y = x static
    for i in 0..L { y = xs[i].go(y) } static for j in 0..3 { y = y + fill<f32>([j], 1.0)[0] } return y } }
""",
        [("E2123", "i"), ("E2123", "j")],
        id="section11-50 the variable is a run-time value",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] fn go(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * w } }
block B<N: Dim, L: Dim> { sub xs: [C<N>; L] fn f(x: Tensor[N; f32], n: i64) -> Tensor[N; f32] { var y = x static
    for _i in 0..n { y = x } static for _j in x { y = x } return y } }
""",
        [("E2121", "n"), ("E2121", "x")],
        id="section11-50 a run-time bound, a tensor",
    ),
    pytest.param(
        """\
block C<N: Dim> { param w: Tensor[N; f32] fn go(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * w } }
block B<N: Dim, L: Dim> { sub xs: [C<N>; L] fn f(x: Tensor[N; f32], n: i64) -> Tensor[N; f32] { var y = x
    for i in 0..L { y = y + cast<f32>(i) } for _j in 0..n { y = x } for _k in 3..L { y = x } static for _m in 3..L { y = x }
    return y } }
""",
        [("E2123", "n"), ("E2208", "L")],
        id="section11-51 a for runs forward, of known length",
    ),
    pytest.param(
        """\
fn f(x: f32) -> f32 { let y = for i in 0..3 { let z = i } return x }
fn g(x: f32) -> f32 { let y = for i in 0..3 { yield i let z = i } return x }
""",
        [("E2124", "for i in 0..3"), ("E2124", "yield i")],
        id="section11-52 a scan ends with yield",
    ),
    pytest.param(
        """\
fn f(x: f32) -> f32 { for i in 0..3 { yield i } return x }
fn g(x: f32) -> f32 { while x > 0.0 { yield x } return x }
""",
        [("E2124", "yield i"), ("E2124", "yield x")],
        id="section11-52 a statement has none",
    ),
    pytest.param(
        """\
fn f() -> (Tensor[3; i64], Tensor[3, 2; f32]) { return for i in 0..3 { yield (i, fill<f32>([2], 1.0)) } }
fn g<A: Dim>() -> Tensor[3; i64] { return for i in A..A + 3 { yield i } }
""",
        [],
        id="section11-53 a new leading axis, tuples of stacked tensors",
    ),
    pytest.param(
        "fn f(x: f32) -> Tensor[3; f32] { return for i in 0..3 { return x } }",
        [("E2120", "return x")],
        id="section11-53 no return inside",
    ),
    pytest.param(
        """\
fn f(x: f32) -> f32 { static for _i in 0..3 { return x } return x }
fn g(x: f32) -> f32 { let y = x }
fn h(x: f32) -> f32 { return x return x }
""",
        [("E2120", "return x"), ("E2120", "g"), ("E2120", "return x")],
        id="section11-54 a return in a loop, one missing, one too early",
    ),
    pytest.param(
        """\
fn o(x: f32) { return }
fn f(x: f32) -> f32 { let _ = o(x) return x }
fn g(x: f32) -> f32 { let y = o(x) return x }
fn h(x: f32) { return x }
fn i(x: f32) -> f32 { return }
""",
        [("E2101", "o(x)"), ("E2101", "x"), ("E2101", "return")],
        id="section6 without a result",
    ),
    pytest.param(
        """\
fn f() -> i64 { var n = 0 n = n + 1 return n }
fn g() -> i64 { var n = 0 n = 1.0 return n }
fn h(x: Tensor[3; f32]) -> Tensor[3; f32] { var y = x while y[0] > 0.0 { y = y[0:2] } return y }
""",
        [("E2109", "1.0"), ("E2109", "y[0:2]")],
        id="section11-55 a var keeps its type",
    ),
]


@pytest.mark.parametrize(("program", "errors"), PROGRAMS)
def test_contract(check_text, program, errors):
    assert check_text(program).errors == errors
