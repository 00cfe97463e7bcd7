"""What a diagnostic says (section 10, items 69 to 76): one root cause once, in the program's words, with a repair that repairs."""

from __future__ import annotations

import functools
import re

import pytest

from linnet_core.shapes.budget import STEPS
from linnet_core.text.show_text import show_text

#: Programs with one thing wrong, and a `$` where a `where` may stand.
REPAIRED_BY_A_WHERE = [
    pytest.param("fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> Tensor[A; f32] $ { return x + y }", id="broadcast"),
    pytest.param("fn f<H: Dim, N: Dim>(x: Tensor[H / N; f32]) -> f32 $ { return 1.0 }", id="divisor"),
    pytest.param("fn f<H: Dim, A: Dim, B: Dim>(x: Tensor[H / (A - B); f32]) -> f32 $ { return 1.0 }", id="difference as a divisor"),
    pytest.param("fn f<H: Dim, A: Dim, B: Dim>(x: Tensor[H / (A * B); f32]) -> f32 $ { return 1.0 }", id="product as a divisor"),
    pytest.param("fn f<D: Dim>(x: Tensor[D; f32]) -> Tensor[D / 2; f32] $ { return x[0::2] }", id="strided slice"),
    pytest.param("fn f<M: Dim>(x: Tensor[min(3, M); f32]) -> Tensor[3; f32] $ { return x }", id="minimum"),
    pytest.param("fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[max(N, 1); f32] $ { return x }", id="maximum"),
    pytest.param("fn f<A: Dim, B: Dim>(x: Tensor[A; f32]) -> Tensor[B; f32] $ { return reshape(x, [B]) }", id="reshape"),
    pytest.param("fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> f32 $ { return sum[k] x[k] * y[k] }", id="two extents"),
    pytest.param("fn f<L: Dim>(x: f32) -> f32 $ { var y = x for _i in 3..L { y = y + x } return y }", id="a for that runs forward"),
    pytest.param(
        "fn f<A: Dim, B: Dim>(x: Tensor[A, 2; f32], y: Tensor[B, 2; f32]) -> Tensor[A, 4; f32] $ { return concat(x, y, axis = 1) }",
        id="parts of concat",
    ),
    pytest.param(
        "fn even<N: Dim>(x: Tensor[N; f32]) -> f32 where N % 6 == 0 { return 1.0 }\n"
        "fn f<C: Dim>(x: Tensor[2 * C; f32]) -> f32 $ { return even(x) }",
        id="a where at a call",
    ),
    pytest.param(
        "fn less<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> f32 where A <= B { return 1.0 }\n"
        "fn f<C: Dim, D: Dim>(x: Tensor[C; f32], y: Tensor[D; f32]) -> f32 $ { return less(x, y) }",
        id="an order at a call",
    ),
    pytest.param(
        "fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32], c: bool) -> Tensor[A; f32] $ { return if c { x } else { y } }",
        id="branches",
    ),
    pytest.param(
        "block C<H: Dim, N: Dim> where H % N == 0 { param w: Tensor[H; f32] }\nblock B<A: Dim, K: Dim> $ { sub _c: C<A, K> }", id="a sub"
    ),
]


@pytest.mark.parametrize("program", REPAIRED_BY_A_WHERE)
def test_the_where_that_is_offered_repairs_the_program(check_text, program):
    help = check_text(program.replace("$", "")).only.help
    assert help is not None
    clause = re.search("`(where .*)`", help)
    assert clause is not None, help
    assert check_text(program.replace("$", clause[1])).errors == []


#: The words before the `$...$` are replaced by what the help offers in backticks.
REPAIRED_BY_AN_EXPRESSION = [
    pytest.param("fn f(x: Tensor[4; bf16], y: f32) -> Tensor[4; bf16] { return x / $y$ }", id="two dtypes"),
    pytest.param("fn f(x: Tensor[4; f32]) -> Tensor[4; bf16] { return $x$ }", id="a tensor of another dtype"),
    pytest.param("fn f(x: f32) -> bf16 { return $x * 2$ }", id="a scalar of another dtype"),
    pytest.param("fn o(x: f32?) -> f32 { return 1.0 }\nfn f(x: f32) -> f32 { return o($x$) }", id="a bare value for an optional"),
    pytest.param("fn f(x: Tensor[2; bf16]) -> f32 { return sum<f32>[i] $x[i] * x[i]$ }", id="a sum in another dtype"),
    pytest.param("fn f(x: Tensor[2; i32]) -> bool { return any[i] $x[i]$ }", id="any of numbers"),
    pytest.param("fn f(v: bf16) -> Tensor[2; f32] { return fill<f32>([2], $v$) }", id="fill with another dtype"),
    pytest.param("fn f(x: Tensor[3; i32]) -> Tensor[3; f32] { return exp($x$) }", id="exp of integers"),
    pytest.param("fn f(x: f32) -> f32 { return $x.exp()$ }", id="a function called as a method"),
    pytest.param("fn f(logits: f32) -> f32 { return $logit$ }", id="a misspelt name"),
    pytest.param("fn o(x: f32) { return }\nfn f(x: f32) -> f32 { $let y = o(x)$ return x }", id="a call without a result"),
]


@pytest.mark.parametrize("program", REPAIRED_BY_AN_EXPRESSION)
def test_the_expression_that_is_offered_repairs_the_program(check_text, program):
    before, wrong, after = program.split("$")
    help = check_text(before + wrong + after).only.help
    assert help is not None
    offered = re.search("`([^`]*)`", help)
    assert offered is not None, help
    assert check_text(before + offered[1] + after).errors == []


ONE_ROOT_CAUSE = [
    pytest.param("fn f(x: f32) -> f32 { let a = y let b = a + y let c = b * a return c }", "E1201", id="section11-69 an unknown name"),
    pytest.param("fn f(x: Missing) -> Missing { let y = x + 1.0 return y.z }", "E1201", id="section11-69 an unknown type"),
    pytest.param("fn f(x: Tensor[3; f32]) -> f32 { return sum[i] x[i] * x[j] * x[j] }", "E3101", id="section11-69 an unbound index"),
    pytest.param("fn f<H: Dim, N: Dim>(x: Tensor[H / N, H / N; f32]) -> Tensor[H / N; f32] { return x[0] }", "E2205", id="a divisor"),
    pytest.param("fn f<N: Dim>(x: Tensor[N; f32]) -> f32 where N > 3, N < 2 { return x[5] }", "E2211", id="a where that never holds"),
    pytest.param("fn f(x: f32) -> f32 { let y = x @ x return y }", "E1001", id="a character that breaks a statement"),
    pytest.param("fn f(x: f32) -> f32 { return for i in 0..3 { return x } }", "E2120", id="a return for a yield"),
    pytest.param("fn f(x: Tensor[3; f32], y: Tensor[4; f32]) -> f32 { let a[i] = x[i] + (sum[i] y[i]) return a }", "E3105", id="an index"),
    pytest.param("fn f(x: f32) -> f32 { var y = x y = missing y = y + missing return y }", "E1201", id="a var assigned something unknown"),
    pytest.param("fn f<S: Shape>(x: Tensor[*S; f32]) -> Tensor[*S; f32] { return x }", "E1101", id="a pack without its star"),
    pytest.param("fn f(bool: f32, x: Tensor[3; f32]) -> f32 { return bool + sum[i] x[i] }", "E1207", id="a prelude name and its uses"),
    pytest.param("fn f(x: f32) -> f32 { let y} = x return y }", "E1101", id="a brace that closes a body"),
    pytest.param("fn f(x: f32) -> f32 { let mut y = x return y }", "E1004", id="a reserved word and the name after it"),
    pytest.param("block B { fn f(self, x: f32) -> f32 { return x } }", "E1103", id="self as a parameter"),
    pytest.param("const A = 1\n12ab H = true\nfn f(x: f32) -> f32 { return x }", "E1005", id="a malformed number for a keyword"),
    pytest.param(
        "fn g<N: Dim>(x: Tensor[N; f32]) where N > N { return }\nfn f(x: Tensor[3; f32]) { let _ = g(x) return }", "E2211", id="broken"
    ),
    pytest.param(
        "fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> Tensor[A, 2; f32] { let z[i] = x[i] + y[i] return z }",
        "E2201",
        id="an output index of two extents",
    ),
    pytest.param(
        "fn f<*S: Shape>(x: Tensor[*S, 2; f32], y: Tensor[*S; f32]) -> f32 { let z[s, i] = x[s, i] * y[s] + y[*s] return 1.0 }",
        "E3106",
        id="an index of a pack listed without its star",
    ),
    pytest.param("block B { sub c: C fn f(x: f32) -> f32 { return c.g(x) + c.w } }", "E1201", id="a sub of an unknown block"),
]


@pytest.mark.parametrize(("program", "code"), ONE_ROOT_CAUSE)
def test_one_root_cause_is_one_error(check_text, program, code):
    assert check_text(program).only.code == code


SPELLED = [
    pytest.param("N % 6 == 0", "2 * C", "`g` needs `2 * C % 6 == 0`, which is not proved", id="what the prover divides"),
    pytest.param("N % 2 == 0", "3", "`g` needs `3 % 2 == 0`, which is false", id="what folds"),
    pytest.param("N * 2 > K", "C + 1", "`g` needs `(C + 1) * 2 > K`, which is not proved", id="parentheses"),
    pytest.param("10 - N >= 0", "C - 1", "`g` needs `10 - (C - 1) >= 0`, which is not proved", id="on the right of a minus"),
    pytest.param("min(N, 4) == 4", "C / 2", "`g` needs `min(C / 2, 4) == 4`, which is not proved", id="inside min"),
]


@pytest.mark.parametrize(("clause", "size", "message"), SPELLED)
def test_an_obligation_is_shown_as_it_was_written(check_text, clause, size, message):
    program = f"const K = 7\nfn g<N: Dim>(x: Tensor[N; f32]) -> f32 where {clause} {{ return 1.0 }}\n"
    program += f"fn f<C: Dim>(x: Tensor[C; f32]) -> f32 where C > 0 {{ return g(fill<f32>([{size}], 0.0)) }}"
    assert check_text(program).only.message == message


def test_a_contradiction_is_shown_as_it_was_written(check_text):
    found = check_text("fn f<N: Dim>(x: Tensor[N; f32]) -> f32 where N * 2 > 6, N + N < 4 { return 1.0 }").only
    assert found.message == "`N + N < 4` contradicts `N * 2 > 6`"
    assert [(label.span.text, label.text) for label in found.related] == [("N * 2 > 6", "contradicts it")]


MEAN = "a mean is a sum divided by the size: `(sum[i] x[i]) / N`"
HELPED = [
    pytest.param("fn f(x: int) -> f32 { return 1.0 }", "did you mean `i64`?", id="a dtype of another language"),
    pytest.param(
        "fn f(x: Tensor[3; f32]) -> f32 { return sum(x) }", "a reduction lists its indices: `sum[i] x[i]`", id="sum as a function"
    ),
    pytest.param("fn f(x: Tensor[3; f32]) -> f32 { return x.sum() }", "a reduction lists its indices: `sum[i] x[i]`", id="sum as a method"),
    pytest.param(
        "fn f(x: Tensor[3; f32]) -> f32 { return mean(x) }",
        MEAN,
        id="mean as a function",
    ),
    pytest.param(
        "fn f(x: Tensor[3; f32]) -> f32 { return x.mean() }",
        MEAN,
        id="mean as a method",
    ),
    pytest.param(
        "fn f(x: Tensor[3; f32]) -> f32 { return average(x) }",
        MEAN,
        id="a mean by another name",
    ),
    pytest.param("fn f(x: Tensor[3; f32], means: f32) -> f32 { return mean(x) }", "did you mean `means`?", id="a name that is nearly mean"),
    pytest.param(
        "fn f(a: Tensor[3; f32]) -> f32 { return einsum(a, a) }",
        "a sum of products names its indices: `sum[k] a[i, k] * b[k, j]`",
        id="a sum of products as a function",
    ),
    pytest.param("fn f() -> Tensor[3; f32] { return zeros([3]) }", "did you mean `fill`?", id="a function of another language"),
    pytest.param("fn f() -> f32? { return None }", "did you mean `none`?", id="a word of another language"),
    pytest.param(
        "fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { return softmax(x) }",
        "import it: `use std.nn.softmax::{softmax}`",
        id="an op of the standard library",
    ),
    pytest.param("block B { sub x: Linear<3, 4> }", "import it: `use std.nn.linear::{Linear}`", id="a block of the standard library"),
    pytest.param("enum P { A }\nfn f(p: P) -> bool { return p == p }", "tell its variants apart with `match`", id="an enum compared"),
    pytest.param(
        "fn g<A: Dim, B: Dim>(x: Tensor[A; f32]) -> Tensor[B; f32] { return fill<f32>([B], 0.0) }\n"
        "fn f<C: Dim>(x: Tensor[2 * C; f32]) -> Tensor[3; f32] { return g(x) }",
        "write it: `g<2 * C, B>(...)`",
        id="a generic that is not inferred",
    ),
]


@pytest.mark.parametrize(("program", "help"), HELPED)
def test_what_helps(check_text, program, help):
    assert check_text(program).only.help == help


CHILDREN = """block Child<N: Dim, T: Float = bf16> {
    param weight: Tensor[N; T]
    pub fn forward(x: Tensor[N; T]) -> Tensor[N; T] { return x * weight }
}
block Parent<N: Dim, M: Dim> {
    sub child: CHILD
    fn own(x: Tensor[N; f32]) -> Tensor[N; f32] { return x }
    fn f(x: Tensor[M; f32]) -> Tensor[N; f32] { return CALL(x) }
}
"""


@pytest.mark.parametrize(
    ("child", "call", "code", "notes"),
    [
        pytest.param(
            "Child<M>",
            "child.forward",
            "E2103",
            ("`child` is `Child<M, bf16>`; `bf16` is the default of its `T`",),
            id="a default dtype",
        ),
        pytest.param("Child<M, f16>", "child.forward", "E2103", ("`child` is `Child<M, f16>`",), id="another dtype"),
        pytest.param(
            "Child<N, f32>",
            "child.forward",
            "E2202",
            ("`child` is `Child<N, f32>`", "axis 0 is M where N is due", "needed: M == N"),
            id="another size",
        ),
        pytest.param("Child<N>", "own", "E2202", ("axis 0 is M where N is due", "needed: M == N"), id="a method of its own"),
    ],
)
def test_an_argument_of_a_child_that_does_not_fit_shows_the_child(check_text, child, call, code, notes):
    found = check_text(CHILDREN.replace("CHILD", child).replace("CALL", call)).found
    assert [(each.code, each.notes) for each in found if each.code in ("E2103", "E2202")][:1] == [(code, notes)]


def test_an_argument_of_the_wrong_kind_is_shown_what_the_others_make_of_its_type(check_text):
    program = "fn g<A: Dim, T: Float>(x: Tensor[A; T], y: Tensor[2 * A; T]?) -> Tensor[A; T] { return x }\n"
    found = check_text(program + "fn f(x: Tensor[3; f16], y: Tensor[6; f16]) -> Tensor[3; f16] { return g(x, y) }").only
    assert (found.code, found.message) == ("E2101", "argument `y` is `Tensor[6; f16]`, and `Tensor[6; f16]?` is due")
    assert found.help == "wrap it: `some(y)`"


NOT_OFFERED = [
    pytest.param("fn f<A: Dim>(x: Tensor[A + 2; f32]) -> Tensor[2; f32] { return x }", id="A would be 0"),
    pytest.param("fn f<A: Dim>(x: Tensor[A; f32]) -> Tensor[2 * A; f32] { return x }", id="A would be 0 to be twice itself"),
    pytest.param("fn f(x: Tensor[4; f32]) -> Tensor[5; f32] { return x }", id="numbers"),
    pytest.param("fn f<*S: Shape>(x: Tensor[*S; f32]) -> Tensor[3; f32] { return reshape(x, [3]) }", id="the size of a pack"),
]


@pytest.mark.parametrize("program", NOT_OFFERED)
def test_no_where_is_offered_that_nobody_means(check_text, program):
    assert "where" not in (check_text(program).only.help or "")


LEADS = [
    pytest.param("Tensor[A; f32]", "Tensor[B; f32]", "state that they are equal: `where A == B`", id="two sizes"),
    pytest.param("Tensor[A / 2 + A / 2; f32]", "Tensor[A; f32]", "state it: `where A % 2 == 0`", id="a multiple"),
    pytest.param("Tensor[A; f32]", "Tensor[max(A, 1); f32]", "state it: `where A > 0`", id="an order"),
]


@pytest.mark.parametrize(("has", "due", "help"), LEADS)
def test_the_lead_in_fits_the_clause(check_text, has, due, help):
    assert check_text(f"fn f<A: Dim, B: Dim>(x: {has}) -> {due} {{ return x }}").only.help == help


def test_a_search_that_was_cut_short_is_told(check_text):
    """The obligation holds, since the least of two is at most the greatest, but there are not enough steps to see it."""
    names = [f"A{i}" for i in range(24)]
    turns = functools.reduce(lambda text, at: f"{'min' if at % 2 else 'max'}({text}, A{at})", range(1, 24), "A0")
    back = functools.reduce(lambda text, at: f"{'min' if at % 2 else 'max'}({text}, A{at})", reversed(range(23)), "A23")
    generics = ", ".join(f"{name}: Dim" for name in (*names, "Z"))
    found = check_text(
        "fn g<L: Dim, R: Dim>(x: f32) -> f32 where L <= R { return x }\n"
        f"fn f<{generics}>(x: f32) -> f32 {{ return g<min({turns}, {back}) * Z, max({back} * Z, {turns} * Z)>(x) }}"
    ).only
    assert found.code == "E2206"
    assert found.notes == (f"the search for a proof stopped after {STEPS:,} steps",)


SHOWN = [
    pytest.param(
        "fn f(o: f32?) -> f32 {\n    return match o {\n        some(v) => v\n    }\n}",
        "error E2118: the match on an optional misses `none`\n\n  --> PATH:2:12\n   |\n 2 |     return match o {\n"
        "   |            ^^^^^^^^^ `none` not covered\n   |\n   = help: add an arm, `none => ...`, or `_ => ...` for what is left\n",
        id="section11-73 a span of several lines",
    ),
    pytest.param(
        "fn g<N: Dim>(x: Tensor[N; f32]) -> f32 where N > 0 { return 1.0 }\n\nfn f<C: Dim>(x: Tensor[C; f32]) -> f32 { return g(x) }",
        "error E2206: `g` needs `C > 0`, which is not proved\n\n  --> PATH:3:49\n   |\n"
        " 1 | module test fn g<N: Dim>(x: Tensor[N; f32]) -> f32 where N > 0 { return 1.0 }\n"
        "   |                                                          ----- required here\n...\n"
        " 3 | fn f<C: Dim>(x: Tensor[C; f32]) -> f32 { return g(x) }\n"
        "   |                                                 ^^^^ needs it\n   |\n   = help: state it: `where C > 0`\n",
        id="section11-72 a secondary span on an earlier line",
    ),
    pytest.param(
        "\nfn f(x: Tensor[4; bf16], y: f32) -> Tensor[4; bf16] {\n    return x / y\n}",
        "error E2103: the operands of `/` have two dtypes, bf16 and f32\n\n  --> PATH:3:12\n   |\n 3 |     return x / y\n"
        "   |            ^^^^^ one dtype is needed\n   |            - bf16\n   |                - f32\n   |\n"
        "   = help: convert one of them: `cast<bf16>(y)`\n",
        id="section11-72 secondary spans on the same line",
    ),
]


@pytest.mark.parametrize(("program", "text"), SHOWN)
def test_how_it_is_shown(check_text, program, text):
    found = check_text(program).only
    assert found.span is not None
    assert show_text([found], colour=False) == text.replace("PATH", found.span.source.path)


@pytest.mark.parametrize("item", ["type V = Tensor[N; f32]", "struct S { a: Tensor[N; f32] }", "block C { param v: Tensor[N; f32] }"])
def test_a_generic_of_the_block_around_an_item_is_told_from_an_unknown_name(check_text, item):
    found = check_text(f"block A<N: Dim> {{ param _w: Tensor[N; f32] {item} }}").only
    assert found.message == "`N` belongs to block `A`, and an item declared inside it cannot name it"
