"""Index notation: domains, what may stand where, and one error for one cause."""

from __future__ import annotations

import pytest

from linnet_core.text.show_text import show_text

HEAD = """
fn soft<*S: Shape, N: Dim>(x: Tensor[*S, N; f32]) -> Tensor[*S, N; f32] { return x }
fn twice(x: f32) -> f32 { return x * 2.0 }
fn total<N: Dim>(x: Tensor[N; f32]) -> f32 { return sum[n] x[n] }
const BIAS: f32 = 0.5
pub fn f<*S: Shape, *R: Shape, M: Dim, N: Dim, K: Dim, V: Dim>(
    v: Tensor[N; f32], a: Tensor[M, K; f32], b: Tensor[K, N; f32], other: Tensor[V, N; f32],
    square: Tensor[N, N; f32], rect: Tensor[M, N; f32],
    p: Tensor[*S, N; f32], q: Tensor[*S, *R; f32], ids: Tensor[M; i32], table: Tensor[V, K; f32], mask: Tensor[N; bool], s: f32, t: i32,
    m: Tensor[N; f32]?, u: Tensor[4; u8], cube: Tensor[M, K, N; f32], deep: Tensor[*S; i32], two: (Tensor[N; f32], Tensor[N; f32])?,
) -> f32 {
"""


def program(statement: str) -> str:
    return f"{HEAD} {statement}\n return s }}"


ACCEPTED = [
    pytest.param("let c[m, n] = sum[k] a[m, k] * b[k, n]", "Tensor[M, N; f32]", id="a matrix product"),
    pytest.param("let c[n, m] = rect[m, n]", "Tensor[N, M; f32]", id="a transpose"),
    pytest.param("let c[n] = square[n, n]", "Tensor[N; f32]", id="a diagonal"),
    pytest.param("let c[*i, n] = p[*i, n] * v[n]", "Tensor[*S, N; f32]", id="a pack"),
    pytest.param("let c[*j, *i] = q[*i, *j]", "Tensor[*R, *S; f32]", id="two packs"),
    pytest.param("let c[m, k] = table[ids[m], k]", "Tensor[M, K; f32]", id="a gather"),
    pytest.param("let c[*i, k] = table[deep[*i], k]", "Tensor[*S, K; f32]", id="a gather by a pack"),
    pytest.param("let c[n] = square[n, 0] + square[t, n]", "Tensor[N; f32]", id="constant and run-time positions"),
    pytest.param("let c[n] = v[n] * s + BIAS", "Tensor[N; f32]", id="scalars stand without indices"),
    pytest.param("let c[m, n] = soft(rect)[m, n]", "Tensor[M, N; f32]", id="a call, indexed"),
    pytest.param("let c[n] = twice(v[n])", "Tensor[N; f32]", id="a call of one element"),
    pytest.param("let c[n] = v[n] / total(v)", "Tensor[N; f32]", id="a call of a whole tensor"),
    pytest.param("let c[n] = exp(v)[n]", "Tensor[N; f32]", id="a prelude call, indexed"),
    pytest.param("let c[n] = iota<i32>(N)[n] + t", "Tensor[N; i32]", id="the value of an index"),
    pytest.param("let c[n] = soft(v * 2.0)[n]", "Tensor[N; f32]", id="arithmetic in a whole argument"),
    pytest.param("let c[k] = soft(b[:, 0])[k]", "Tensor[K; f32]", id="a slice in a whole argument"),
    pytest.param("let c[n] = select(mask[n] && v[n] > 0.0, v[n], 0.0)", "Tensor[N; f32]", id="logic per element"),
    pytest.param("let c[n] = if mask[n] { v[n] } else { 0.0 }", "Tensor[N; f32]", id="if per element"),
    pytest.param("let c[n] = match m { some(w) => w[n] none => v[n] }", "Tensor[N; f32]", id="match with a tensor inside"),
    pytest.param("let c[n] = match two { some((x, y)) => x[n] + y[n] none => 0.0 }", "Tensor[N; f32]", id="match with two tensors inside"),
    pytest.param("let c[m] = (sum[k] a[m, k]) / (max[k] a[m, k])", "Tensor[M; f32]", id="one name in two reductions"),
    pytest.param("let c[m] = sum[k, n] a[m, k] * b[k, n]", "Tensor[M; f32]", id="two indices in one reduction"),
    pytest.param("let c[m] = max[n] sum[k] cube[m, k, n]", "Tensor[M; f32]", id="a reduction in a reduction"),
    pytest.param("let c = v - max[n] v[n]", "Tensor[N; f32]", id="a reduction outside index notation"),
    pytest.param("let c = sum[*i, n] p[*i, n]", "f32", id="a pack reduced"),
    pytest.param("let c = sum<f32>[n] v[n]", "f32", id="a stated accumulator"),
    pytest.param("let c = any[n] mask[n] && v[n] < 1.0", "bool", id="any takes all to its right"),
    pytest.param("let c[t] = v[t]", "Tensor[N; f32]", id="an index hides a local of its name"),
    pytest.param("let c[n] = v[n] + v[N - 1]", "Tensor[N; f32]", id="a symbolic position"),
    pytest.param("let c[m, n] = rect[m, n] + cast<f32>(n0[n])", None, id="a local from before"),
    pytest.param("let c[m] = v[iota(M)[m] + 1]", "Tensor[M; f32]", id="a computed position gives no domain"),
    pytest.param("let c[i] = u[i] + 1", "Tensor[4; u8]", id="a literal takes the dtype of the element"),
]


@pytest.mark.parametrize(("statement", "type"), ACCEPTED)
def test_indexed_value_has_the_domains_of_its_indices(check_text, statement, type):
    if type is None:
        statement, type = f"let n0 = iota(N)\n {statement}", "Tensor[M, N; f32]"
    checked = check_text(program(statement))
    assert checked.errors == []
    assert checked.type_of("c") == type


REFUSED = [
    pytest.param("let c[m, n] = a[m, k] * b[k, n] * a[m, k]", ["E3101 k"], id="an unbound index, once, at its first use"),
    pytest.param("let c[*i] = p[*i, n]", ["E3101 n"], id="an unbound index after a pack"),
    pytest.param("let c[n] = p[*i, n]", ["E3101 *i"], id="an unbound pack index"),
    pytest.param("let c[n] = v[f]", ["E3101 f"], id="the name of a function is an unbound index"),
    pytest.param("let c[n] = sum[k] v[n]", ["E3102 k"], id="a reduction index without use"),
    pytest.param("let c[n, k] = v[n]", ["E3103 k"], id="an output index without use"),
    pytest.param("let c[n, k] = sum[m] v[n]", ["E3102 m"], id="an unused reduction index silences what follows"),
    pytest.param("let c[n, n] = v[n]", ["E3105 n"], id="an output index twice"),
    pytest.param("let c = sum[n, n] square[n, n]", ["E3105 n"], id="a reduction index twice"),
    pytest.param("let c[n] = sum[n] v[n]", ["E3105 n"], id="a reduction over an output index"),
    pytest.param("let c[m, n] = sum[k] a[m, k] * other[k, n]", ["E2201 sum[k]"], id="two extents of a reduction index"),
    pytest.param("let c[k] = a[0, k] * b[0, k]", ["E2201 k"], id="two extents of an output index"),
    pytest.param("let c[m] = rect[m, m]", ["E2201 m"], id="a diagonal of two extents"),
    pytest.param("let c = sum[i] v[i] * square[i, i] * a[i, 0] * b[i, 0]", ["E2201 sum[i]"], id="three extents are one error"),
    pytest.param("let c[*i] = q[*i, *i]", ["E2201 *i"], id="one pack index over two packs"),
    pytest.param("let c[n] = v[n + 1]", ["E3104 n"], id="arithmetic on an index"),
    pytest.param("let c[n] = n * 2", ["E3104 n"], id="an index as a value"),
    pytest.param("let c[n] = cast<i32>(n)", ["E3104 n"], id="an index as an argument"),
    pytest.param("let c[n] = v[n] + v", ["E3104 v"], id="a whole tensor as an operand"),
    pytest.param("let c[n] = (v + v)[n]", ["E3104 v + v"], id="an indexed sum"),
    pytest.param("let c[n] = v", ["E3104 v"], id="a whole tensor as the element"),
    pytest.param("let c[n] = square[n, ...]", ["E3104 ..."], id="dots"),
    pytest.param("let c[n] = square[n, 0:2]", ["E3104 0:2"], id="a slice beside an index"),
    pytest.param("let c[m] = table[ids, m]", ["E3104 ids"], id="a whole tensor as a position"),
    pytest.param("let c[m, n] = soft(a[m, 0] * v)[n]", ["E3104 a[m, 0]"], id="an index inside a call that runs whole"),
    pytest.param("let c[n] = total(v * v[n])", ["E3104 v[n]"], id="an index inside a whole argument"),
    pytest.param("let c[n] = square[n]", ["E2204 square[n]"], id="too few indices"),
    pytest.param("let c[n] = v[n, n]", ["E2204 v[n, n]"], id="too many indices"),
    pytest.param("let c[n] = v[n] * s[n]", ["E2204 s[n]"], id="a scalar with an index"),
    pytest.param("let c[n] = v[n] + rect[0]", ["E2204 rect[0]"], id="too few positions without an index"),
    pytest.param("let c[i, n] = p[i, n]", ["E3106 i"], id="a plain index at a pack"),
    pytest.param("let c[*i] = v[*i]", ["E3106 *i"], id="a pack index at one axis"),
    pytest.param("let c[*i, n] = p[i, n]", ["E3106 i"], id="a pack index without its star"),
    pytest.param("let c[i, n] = p[*i, n]", ["E3106 *i"], id="a plain index with a star"),
    pytest.param("let c[n] = v[n] + square[-1, n]", ["E2209 -1"], id="a negative position"),
    pytest.param("let c[n] = v[n] + u[4]", ["E2209 4"], id="a position at the extent"),
    pytest.param("let c[n] = v[s]", ["E2101 s"], id="a float position"),
    pytest.param("let c = sum[n] mask[n]", ["E2112 mask[n]"], id="a sum of bools"),
    pytest.param("let c = all[n] v[n]", ["E2101 v[n]"], id="all of floats"),
    pytest.param("let c = sum<f64>[n] v[n]", ["E2103 v[n]"], id="an accumulator of another dtype"),
    pytest.param("let c[n] = m[n]", ["E2104 m[n]"], id="an optional, indexed"),
    pytest.param("let c[n] = if v > 0.0 { 1.0 } else { v[n] }", ["E2114 v > 0.0"], id="a whole condition"),
    pytest.param("let c[n] = missing[n, k] * absent[k]", ["E1201 missing", "E1201 absent"], id="unknown tensors"),
    pytest.param("let exp[n] = v[n]", ["E1207 exp"], id="a prelude name on the left"),
    pytest.param("let c[exp] = v[exp]", ["E1207 exp"], id="a prelude name as an index"),
    pytest.param("let c = sum[exp] v[exp]", ["E1207 exp"], id="a prelude name as a reduction index"),
    pytest.param("let c = v[n]", ["E1201 n"], id="an index outside index notation"),
]


@pytest.mark.parametrize(("statement", "errors"), REFUSED)
def test_mistake_is_one_error_at_its_place(check_text, statement, errors):
    assert [f"{code} {words}" for code, words in check_text(program(statement)).errors] == errors


def test_two_extents_name_both_tensors_and_the_where_that_would_help(check_text):
    checked = check_text(program("let c[m, n] = sum[k] a[m, k] * other[k, n]"))
    (found,) = checked.found
    assert found.message == "`k` stands for two extents"
    assert found.label == "two extents"
    assert [(label.span.text, label.text) for label in found.related] == [("k", "K here"), ("k", "V here")]
    assert found.notes == ("`a` binds `k` to K", "`other` binds `k` to V")
    assert found.help == "state that they are equal: `where K == V`"


def test_extents_equal_by_a_fact_agree(check_text):
    text = """pub fn dot<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> f32 where A == B { return sum[i] x[i] * y[i] }"""
    assert check_text(text).errors == []


def test_inner_index_may_reuse_a_name_of_another_statement(check_text):
    checked = check_text(program("let c[m] = sum[n] rect[m, n]\n let d[n] = sum[m] rect[m, n]\n let _ = d\n let _ = c"))
    assert checked.errors == []


def test_failed_statement_silences_the_uses_of_its_name(check_text):
    assert check_text(program("let c[n] = v[k]\n let d[n] = c[n] + v[n]\n let _ = d + c")).errors == [("E3101", "k")]


def test_sum_of_a_thousand_elements_does_not_recurse(check_text):
    terms = " + ".join(["v[n]"] * 990)
    assert check_text(program(f"let c[n] = {terms}\n let _ = c")).errors == []
    assert check_text(program(f"let c[n] = {terms} + v\n let _ = c")).errors == [("E3104", "v")]


def test_two_extents_as_printed(check_text):
    checked = check_text(
        """pub fn product<M: Dim, K1: Dim, K2: Dim, N: Dim>(
    a: Tensor[M, K1; f32],
    b: Tensor[K2, N; f32],
) -> Tensor[M, N; f32] {
    let c[m, n] = sum[k] a[m, k] * b[k, n]
    return c
}"""
    )
    path = checked.found[0].span.source.path
    assert (
        show_text(checked.found, colour=False).rstrip("\n")
        == f"""error E2201: `k` stands for two extents

  --> {path}:5:19
   |
 5 |     let c[m, n] = sum[k] a[m, k] * b[k, n]
   |                   ^^^^^^ two extents
   |                               - K1 here
   |                                      - K2 here
   |
   = note: `a` binds `k` to K1
   = note: `b` binds `k` to K2
   = help: state that they are equal: `where K1 == K2`"""
    )
