"""Bodies of kernels: what tiles are, and each rule broken.  Refused bodies mark with `/*!*/` where their one error starts."""

from __future__ import annotations

import pytest

from linnet_core.check.program import Let
from linnet_core.check.show_types import show


def kernel(body: str) -> str:
    """A kernel of two sizes of the grid around a body, with memory and scalars of several dtypes."""
    return (
        "fn twice<*S: Shape>(v: Tensor[*S; f32]) -> Tensor[*S; f32] { return v + v }\n"
        "kernel k<N: Dim, M: Dim, B: Dim, T: Float>(\n"
        "    x: Tensor[N; f32], a: Tensor[N, M; f32], ids: Tensor[N; i64], flags: Tensor[N; bool], h: Tensor[N; T], s: f32, n: i32\n"
        ") -> (y: Tensor[N; f32], c: Tensor[N, M; f32], count: Tensor[M; i32], g: Tensor[N; f16], t: Tensor[N; T], d: Tensor[N; f64])\n"
        "grid((N + B - 1) / B, M) warps(4) where B > 0 {\n"
        "    let at = program_id(0) * B + iota<i32>(B)\n"
        "    let inside = at < N\n"
        f"    {body}\n"
        "}\n"
    )


TYPES = [
    pytest.param("program_id(1)", "i32", id="a position in the grid"),
    pytest.param("program_id(axis = 0)", "i32", id="an axis by name"),
    pytest.param("load(x[0])", "f32", id="one element"),
    pytest.param("load(x[at])", "Tensor[B; f32]", id="a tile"),
    pytest.param("load(x[at], inside)", "Tensor[B; f32]", id="a mask"),
    pytest.param("load(x[at], true)", "Tensor[B; f32]", id="a scalar mask"),
    pytest.param("load(x[at], n < 3, 1)", "Tensor[B; f32]", id="a literal in the gaps"),
    pytest.param("load(x[at], mask = inside, other = s)", "Tensor[B; f32]", id="arguments by name"),
    pytest.param("load(x[at], inside, load(x[at], inside))", "Tensor[B; f32]", id="a tile in the gaps"),
    pytest.param("load(x[at], inside, -1.0e30)", "Tensor[B; f32]", id="a negative literal in the gaps"),
    pytest.param("load(a[at, 0])", "Tensor[B; f32]", id="a column"),
    pytest.param("load(a[n, iota(M)])", "Tensor[M; f32]", id="a row"),
    pytest.param("load(a[at, iota(4)])", "Tensor[B, 4; f32]", id="a tile an axis"),
    pytest.param("load(a[iota(4), at])", "Tensor[4, B; f32]", id="axes in order"),
    pytest.param("load(a[fill<i32>([2, 3], 0), iota<u8>(5)])", "Tensor[2, 3, 5; f32]", id="a tile of two axes, and unsigned positions"),
    pytest.param("load(x[load(ids[at])])", "Tensor[B; f32]", id="loaded positions"),
    pytest.param("load(flags[at])", "Tensor[B; bool]", id="bools"),
    pytest.param("load(flags[at], load(flags[at]), true)", "Tensor[B; bool]", id="bools as a mask"),
    pytest.param("load(h[at])", "Tensor[B; T]", id="a generic dtype"),
    pytest.param("load(y[at])", "Tensor[B; f32]", id="a result read back"),
    pytest.param("load(x[N - 1])", "f32", id="a compile-time position"),
    pytest.param("load(x[at], at < N, 0.0) * s", "Tensor[B; f32]", id="arithmetic on tiles"),
    pytest.param("select(inside, load(x[at]), 0.0)", "Tensor[B; f32]", id="a select"),
    pytest.param("twice(load(x[at]))", "Tensor[B; f32]", id="a call"),
    pytest.param("reshape(load(x[at]), [B, 1])", "Tensor[B, 1; f32]", id="a shape function"),
    pytest.param("cumsum(load(x[at]), axis = 0)", "Tensor[B; f32]", id="a running sum"),
    pytest.param("load(x[at])[0]", "f32", id="an element of a tile"),
    pytest.param("if n < 3 { load(x[at]) } else { load(x[at], inside) }", "Tensor[B; f32]", id="a branch"),
    pytest.param("for i in 0..4 { let p = cast<i32>(i) yield load(x[at + p]) }", "Tensor[4, B; f32]", id="a scan"),
]


@pytest.mark.parametrize(("value", "type"), TYPES)
def test_types(check_text, value, type):
    checked = check_text(kernel(f"let v = {value}"))
    assert [(found.code, found.message) for found in checked.found if found.severity == "error"] == []
    bound = [node.local for node in checked.program.functions["test::k"].body if isinstance(node, Let) and node.local.name == "v"]
    assert [show(local.type) for local in bound] == [type]


ACCEPTED = [
    pytest.param("let v = load(x[at], inside) let m = max[i] v[i] store(y[at], v - m, inside)", id="a reduction of a tile"),
    pytest.param("let v = load(a[at, iota(M)]) let w[i] = sum[j] v[i, j] * v[i, j] store(y[at], w)", id="index notation on tiles"),
    pytest.param(
        "var sum = fill<f32>([B], 0.0)\n for i in 0..M { sum = sum + load(a[at, cast<i32>(i)], inside) }\n store(y[at], sum, inside)",
        id="a loop that carries a tile",
    ),
    pytest.param("var i = n\n while i < 3 { store(y[i], s) i = i + 1 }", id="a store in a loop"),
    pytest.param("static for i in 0..4 { store(c[at, i], s, inside) }", id="a store in an unrolled loop"),
    pytest.param("for i in 0..4 { for j in 0..4 { atomic_add(count[i], 1) } }", id="an atomic write in nested loops"),
    pytest.param("store(y[at], 1, inside)", id="an integer literal for floats"),
    pytest.param("store(c[at, iota(M)], s)", id="a scalar for every element"),
    pytest.param("store(y[0], 1.0) store(y[1], 2.0, inside[0])", id="elements, and a scalar mask"),
    pytest.param("store(y[at], 1.0) atomic_max(count[0], 2)", id="two results, two kinds of write"),
    pytest.param("atomic_add(g[at], 1.0)", id="atomic_add of f16"),
    pytest.param("atomic_min(y[at], load(x[at]), inside)", id="atomic_min of f32"),
    pytest.param("let x: f32 = 1.0 store(y[at], x)", id="a local that hides memory"),
    pytest.param("store(y[N + 5], 1.0, n < 0)", id="a masked position outside"),
    pytest.param("let (p, q) = (load(x[at]), n) store(y[at + q], p)", id="a tuple of tiles"),
]


@pytest.mark.parametrize("body", ACCEPTED)
def test_accepted(check_text, body):
    assert [(found.code, found.message) for found in check_text(kernel(body)).found if found.severity == "error"] == []


REFUSED = [
    pytest.param("let v = /*!*/x", "E2127", "x", id="memory as a value"),
    pytest.param("let v = /*!*/x + 1.0", "E2127", "x", id="memory as an operand"),
    pytest.param("let v = /*!*/x[at]", "E2127", "x", id="memory indexed without a load"),
    pytest.param("let v = twice(/*!*/x)", "E2127", "x", id="memory as an argument"),
    pytest.param("let v = sum[i] /*!*/x[i]", "E2127", "x", id="memory in index notation"),
    pytest.param("let v = /*!*/y", "E2127", "y", id="a result as a value"),
    pytest.param("let v = (/*!*/x, 1.0)", "E2127", "x", id="memory in a tuple"),
    pytest.param("/*!*/y = 1.0", "E2127", "y", id="an assignment to a result"),
    pytest.param("/*!*/x = 1.0", "E2127", "x", id="an assignment to a parameter in memory"),
    pytest.param("/*!*/s = 1.0", "E2108", "s", id="an assignment to a scalar parameter"),
    pytest.param("let v = load(/*!*/x)", "E2127", "x", id="a load of a whole tensor"),
    pytest.param("let v = load(/*!*/at[0])", "E2127", "at[0]", id="a load of a tile"),
    pytest.param("let v = load(/*!*/at)", "E2127", "at", id="a load of a local"),
    pytest.param("let v = load(/*!*/1.0)", "E2127", "1.0", id="a load of a number"),
    pytest.param("let v = load(/*!*/s)", "E2127", "s", id="a load of a scalar parameter"),
    pytest.param("let v = load(/*!*/a[n][n])", "E2127", "a[n][n]", id="an index after another"),
    pytest.param("let v = load(/*!*/nope[n])", "E1201", "nope", id="a load of an unknown name"),
    pytest.param("let v = load(/*!*/x[n, n])", "E2204", "x[n, n]", id="too many indices"),
    pytest.param("let v = load(/*!*/a[n])", "E2204", "a[n]", id="too few indices"),
    pytest.param("let v = load(x[/*!*/1.5])", "E2127", "1.5", id="a float position"),
    pytest.param("let v = load(x[/*!*/s])", "E2127", "s", id="a float scalar as a position"),
    pytest.param("let v = load(x[/*!*/inside])", "E2127", "inside", id="bools as positions"),
    pytest.param("let v = load(x[/*!*/0:4])", "E2127", "0:4", id="a range"),
    pytest.param("let v = load(x[/*!*/:])", "E2127", ":", id="a whole axis"),
    pytest.param("let v = load(a[/*!*/..., 0])", "E2127", "...", id="an ellipsis"),
    pytest.param("let v = load(x[n, /*!*/...])", "E2127", "...", id="an ellipsis where no axis is left"),
    pytest.param("let v = load(x[/*!*/-1])", "E2209", "-1", id="a negative position"),
    pytest.param("let v = load(x[/*!*/N])", "E2209", "N", id="a position past the end"),
    pytest.param("let v = load(x[/*!*/-1], inside[0])", "E2209", "-1", id="a negative position under a mask"),
    pytest.param("let v = load(x[at], /*!*/at)", "E2127", "at", id="a mask of integers"),
    pytest.param("let v = load(x[at], /*!*/1)", "E2127", "1", id="a number as a mask"),
    pytest.param("let v = load(x[at], /*!*/iota<i32>(4) < 3)", "E2127", "iota<i32>(4) < 3", id="a mask of another shape"),
    pytest.param("let v = load(a[at, iota(4)], /*!*/inside)", "E2127", "inside", id="a mask of fewer axes"),
    pytest.param("let v = load(x[0], /*!*/inside)", "E2127", "inside", id="a tile as the mask of one element"),
    pytest.param("let v = load(x[at], inside, /*!*/n)", "E2101", "n", id="another dtype in the gaps"),
    pytest.param("let v = load(x[at], inside, /*!*/at)", "E2103", "at", id="a tile of another dtype in the gaps"),
    pytest.param("let v = load(x[at], inside, /*!*/fill<f32>([4], 0.0))", "E2202", "fill<f32>([4], 0.0)", id="another shape in the gaps"),
    pytest.param("let v = load(ids[at], inside, /*!*/0.5)", "E2105", "0.5", id="a float in the gaps of integers"),
    pytest.param("let v = load(x[at], /*!*/other = 0.0)", "E2102", "other = 0.0", id="gaps without a mask"),
    pytest.param("let v = load(x[at], inside, 0.0, /*!*/1)", "E2102", "1", id="an argument too many"),
    pytest.param("let v = /*!*/load()", "E2102", "load()", id="no arguments"),
    pytest.param("let v = load</*!*/f32>(x[at])", "E2111", "f32", id="generic arguments"),
    pytest.param("let v = sum[i] /*!*/load(x[i])", "E3104", "load(x[i])", id="a load in a reduction"),
    pytest.param("let v[i] = inside[i] && /*!*/load(flags[i])", "E3104", "load(flags[i])", id="a load in index notation"),
    pytest.param("let v = program_id(/*!*/2)", "E2127", "2", id="an axis the grid has not"),
    pytest.param("let v = program_id(/*!*/-1)", "E2127", "-1", id="a negative axis"),
    pytest.param("let v = program_id(/*!*/M)", "E2127", "M", id="an axis that is a generic"),
    pytest.param("let v = program_id(/*!*/n)", "E2123", "n", id="a run-time axis"),
    pytest.param("let v = /*!*/program_id()", "E2102", "program_id()", id="no axis"),
    pytest.param("let v = /*!*/program_id(0) * iota(B)", "E2103", "program_id(0) * iota(B)", id="i32 with i64"),
    pytest.param("store(/*!*/x[at], 1.0)", "E2127", "x", id="a write to a parameter"),
    pytest.param("store(/*!*/y, 1.0)", "E2127", "y", id="a write to a whole result"),
    pytest.param("store(/*!*/at[0], 1)", "E2127", "at[0]", id="a write to a tile"),
    pytest.param("store(/*!*/nope[0], 1)", "E1201", "nope", id="a write to an unknown name"),
    pytest.param("store(/*!*/c[at], 1.0)", "E2204", "c[at]", id="too few indices of a write"),
    pytest.param("store(y[/*!*/0:4], 1.0)", "E2127", "0:4", id="a range written"),
    pytest.param("store(y[at], /*!*/at)", "E2103", "at", id="a tile of another dtype written"),
    pytest.param("store(y[at], /*!*/n)", "E2101", "n", id="a scalar of another dtype written"),
    pytest.param("store(y[at], /*!*/true)", "E2101", "true", id="a bool written"),
    pytest.param("store(y[at], /*!*/iota(4) > 3)", "E2103", "iota(4) > 3", id="bools written"),
    pytest.param("store(y[at], /*!*/fill<f32>([4], 0.0))", "E2202", "fill<f32>([4], 0.0)", id="another shape written"),
    pytest.param("store(y[0], /*!*/load(x[at]))", "E2101", "load(x[at])", id="a tile written to one element"),
    pytest.param("atomic_add(count[0], /*!*/0.5)", "E2105", "0.5", id="a float added to integers"),
    pytest.param("store(y[at], 1.0, /*!*/n)", "E2127", "n", id="an integer as the mask of a write"),
    pytest.param("store(c[at, iota(4)], 1.0, /*!*/inside)", "E2127", "inside", id="a mask of a write of fewer axes"),
    pytest.param("store(y[at], 1.0)\n/*!*/atomic_add(y[at], 1.0)", "E2127", "atomic_add(y[at], 1.0)", id="two kinds of write"),
    pytest.param(
        "atomic_max(count[0], 1)\nfor i in 0..4 { /*!*/atomic_min(count[0], 1) }",
        "E2127",
        "atomic_min(count[0], 1)",
        id="two kinds in a loop",
    ),
    pytest.param("/*!*/atomic_max(g[at], 1.0)", "E2127", "atomic_max(g[at], 1.0)", id="atomic_max of f16"),
    pytest.param("/*!*/atomic_add(d[at], 1.0)", "E2127", "atomic_add(d[at], 1.0)", id="atomic_add of f64"),
    pytest.param("/*!*/atomic_add(t[at], 1.0)", "E2127", "atomic_add(t[at], 1.0)", id="atomic_add of a generic dtype"),
    pytest.param("/*!*/return", "E2127", "return", id="a return"),
    pytest.param("/*!*/return at", "E2127", "return at", id="a return of a value"),
    pytest.param("while n < 3 { /*!*/return }", "E2127", "return", id="a return in a loop"),
    pytest.param("/*!*/yield at", "E2124", "yield at", id="a yield"),
    pytest.param("let v = iota(/*!*/n)", "E2123", "n", id="a tile of a run-time size"),
    pytest.param("for i in 0../*!*/n { }", "E2123", "n", id="a loop of a run-time length"),
    pytest.param(
        "let v = nope[0] + /*!*/nope[1]".replace("nope[0] + /*!*/", "/*!*/nope[0] + "), "E1201", "nope", id="an unknown name twice"
    ),
    pytest.param("let v = 1 / /*!*/M\nlet w = iota(4 / M)".replace("1 / /*!*/M", "iota(1 / /*!*/M)"), "E2205", "M", id="one divisor twice"),
    pytest.param("let v = /*!*/pad(at)", "E2190", "pad(at)", id="a function without a meaning"),
]


@pytest.mark.parametrize(("body", "code", "words"), REFUSED)
def test_refused(check_text, marked, body, code, words):
    text = kernel(body)
    checked = check_text(text)
    assert checked.spot == (code, words, *marked(text))
    assert code != "E2127" or None not in (checked.only.help, checked.only.label)


OUTSIDE = [
    pytest.param("fn f() -> i32 { return /*!*/program_id(0) }", "program_id(0)", id="program_id"),
    pytest.param("fn f(x: Tensor[4; f32]) -> f32 { return /*!*/load(x[0]) }", "load(x[0])", id="load"),
    pytest.param("fn f(x: Tensor[4; f32]) -> f32 {\n /*!*/store(x[0], 1.0)\n return 1.0 }", "store(x[0], 1.0)", id="store"),
    pytest.param("fn f(x: Tensor[4; f32]) -> f32 {\n /*!*/atomic_add(x[0], 1.0)\n return 1.0 }", "atomic_add(x[0], 1.0)", id="atomic_add"),
    pytest.param(
        "fn f(x: Tensor[4; f32]) -> f32 {\n /*!*/atomic_max(x[0], nope)\n return 1.0 }", "atomic_max(x[0], nope)", id="atomic_max"
    ),
    pytest.param("const C: i32 = /*!*/program_id(0)", "program_id(0)", id="in a constant"),
    pytest.param(
        "op f(x: Tensor[4; f32]) -> Tensor[4; f32] { return x } grad(y, dy) {\n /*!*/store(y[0], 1.0)\n return dy }",
        "store(y[0], 1.0)",
        id="grad",
    ),
]


@pytest.mark.parametrize(("text", "words"), OUTSIDE)
def test_refused_outside_a_kernel(check_text, marked, text, words):
    checked = check_text(text)
    assert checked.spot == ("E2127", words, *marked(text))
    assert checked.only.help is not None


def test_two_root_causes_are_two_errors_and_their_uses_none(check_text):
    checked = check_text(kernel("let v = x\n let w = v + load(y)\n store(y[at], w + v, inside)\n store(c[at, 0], w)"))
    assert [(found.code, found.span.text) for found in checked.found] == [("E2127", "x"), ("E2127", "y")]


def test_a_parameter_that_was_refused_is_silent_in_the_body(check_text):
    text = "kernel k(x: (f32, f32), q: Nope) -> y: f32 grid(1) { let v = load(x[0]) + q store(y[0], v) let w = x }"
    assert [(found.code, found.span.text) for found in check_text(text).found] == [
        ("E2127", "(f32, f32)"),
        ("E1201", "Nope"),
        ("E2127", "f32"),
    ]


def test_a_body_under_a_where_that_was_reported_is_not_checked(check_text):
    text = "kernel k<N: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid(1) where N > nope { store(y[0], load(x[0:2])) }"
    assert [(found.code, found.span.text) for found in check_text(text).found] == [("E1201", "nope")]


def test_an_unused_tile_is_a_warning_and_memory_none(check_text):
    text = "kernel k(x: Tensor[4; f32], s: f32) -> y: Tensor[4; f32] grid(4) { let v = load(x[0]) var w = s }"
    assert [(found.code, found.span.text) for found in check_text(text).found] == [("W1002", "v"), ("W1002", "w")]
