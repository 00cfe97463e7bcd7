"""The contract's index notation (section 8, items 41 to 47).

In each table a program and, of everything wrong with it, the code and the words the primary span covers.  Ids say which sentence or
item of the language's definition a program is for.
"""

from __future__ import annotations

import pytest

PROGRAMS = [
    pytest.param(
        """\
fn f<M: Dim, K: Dim, N: Dim>(a: Tensor[M, K; f32], b: Tensor[K, N; f32]) -> Tensor[M, N; f32] {
    let c[m, n] = sum[k] a[m, k] * b[k, n] return c }
""",
        [],
        id="section8 a contraction",
    ),
    pytest.param(
        """\
fn t<*S: Shape>(x: Tensor[*S; f32]) -> Tensor[*S; f32] { return x }
fn f(x: Tensor[5, 6; f32], ids: Tensor[2; i32]) -> Tensor[2, 6; f32] { let y[b, h] = t(x)[ids[b], h] return y }
""",
        [],
        id="section8 a gather, and a call indexed in turn",
    ),
    pytest.param(
        "fn f(x: Tensor[3; f32], i: i32) -> Tensor[3; f32] { let y[i] = x[i] return y }",
        [],
        id="section8 a listed name is an index even beside a local",
    ),
    pytest.param(
        "fn f(x: Tensor[3, 4; f32], i: i32) -> Tensor[4; f32] { let y[j] = x[i, j] return y }",
        [],
        id="section8 any other local is a run-time position",
    ),
    pytest.param(
        """\
fn f(x: Tensor[4; f32]) -> Tensor[4; f32] { let y[i] = x * x[i] return y }
fn g(x: Tensor[4; f32]) -> Tensor[4; f32] { let y[i] = x[0:3] return y }
""",
        [("E3104", "x"), ("E3104", "x")],
        id="section8 a whole tensor",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3; f32]) -> f32 { return sum<f32>[i] x[i] }
fn g(x: Tensor[3; i8]) -> i8 { return prod[i] x[i] }
fn h(x: Tensor[3; bool]) -> bool { return all[i] x[i] }
""",
        [],
        id="section8 identities of dtypes",
    ),
    pytest.param(
        "fn f<B: Dim, V: Dim>(x: Tensor[B, V; f32], labels: Tensor[B; i64]) -> Tensor[B; f32] { let y[b] = x[b, labels[b]] return y }",
        [],
        id="section11-41 only a bare variable gets a domain",
    ),
    pytest.param(
        """\
fn f(x: Tensor[4, 3; f32]) -> Tensor[4; f32] { let y[i] = x[i] return y }
fn g(x: Tensor[4, 3; f32]) -> Tensor[4; f32] { let y[i] = x[i, 0, 0] return y }
""",
        [("E2204", "x[i]"), ("E2204", "x[i, 0, 0]")],
        id="section11-42 every access lists every axis",
    ),
    pytest.param(
        """\
fn f<R: Dim, C: Dim>(rows: Tensor[4; i64], cols: Tensor[5; i64]) -> Tensor[4, 5; f32] {
    let y[i, j] = cast<f32>(select(rows[i] < R && cols[j] < C, 1.0, 0.0)) return y }
""",
        [],
        id="section11-42 elements are scalars",
    ),
    pytest.param(
        "fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { let y[i] = x[i] * x[j] + x[j] return y }",
        [("E3101", "j")],
        id="section11-43 unbound",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { let y[i] = sum[k] x[i] return y }
fn g(x: Tensor[3; f32]) -> Tensor[3; f32] { let y[i, j] = x[i] return y }
""",
        [("E3102", "k"), ("E3103", "j")],
        id="section11-43 indexing nothing",
    ),
    pytest.param(
        "fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> f32 { return sum[k] x[k] * y[k] }",
        [("E2201", "sum[k]")],
        id="section11-43 two extents",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3; f32]) -> Tensor[3; f32] { let y[i, i] = x[i] return y }
fn g(x: Tensor[3; f32]) -> f32 { return sum[i, i] x[i] }
fn h(x: Tensor[3; f32], y: Tensor[4; f32]) -> Tensor[3; f32] { let a[i] = x[i] + (sum[i] y[i]) return a }
""",
        [("E3105", "i"), ("E3105", "i"), ("E3105", "i")],
        id="section11-43 listed twice",
    ),
    pytest.param(
        """\
fn f<*S: Shape>(x: Tensor[*S, 3; f32]) -> f32 { let y[s, j] = x[s, j] return 1.0 }
fn g(x: Tensor[4, 3; f32]) -> f32 { let y[*s, j] = x[*s, j] return 1.0 }
""",
        [("E3106", "s"), ("E3106", "*s")],
        id="section11-43 plain where a pack is due, and the reverse",
    ),
    pytest.param(
        """\
fn f<N: Dim>(x: Tensor[N, N; f32]) -> Tensor[N; f32] { let y[i] = x[i, i] return y }
fn g(x: Tensor[4, 5; f32]) -> Tensor[4; f32] { let y[i] = x[i, i] return y }
""",
        [("E2201", "i")],
        id="section11-44 a diagonal",
    ),
    pytest.param(
        """\
fn f<C: Dim>(v: Tensor[C; f32]) -> Tensor[C; f32] { return v - max[c] v[c] }
fn g(x: Tensor[3; f32], y: Tensor[4; f32]) -> f32 { return (sum[i] x[i]) + (sum[i] y[i]) }
""",
        [],
        id="section11-45 a reduction of a whole tensor beside a tensor",
    ),
    pytest.param(
        """\
fn f(x: Tensor[2; bf16]) -> f32 { return sum<f32>[i] x[i] }
fn g(x: Tensor[2; bf16]) -> f32 { return sum<f32>[i] cast<f32>(x[i]) }
""",
        [("E2103", "x[i]")],
        id="section11-46 sum<f32> does not cast",
    ),
    pytest.param(
        """\
fn f<N: Dim>(x: Tensor[2; f32]) -> f32 { return sum<N>[i] x[i] }
fn g<T: DType>(x: Tensor[2; T]) -> T { return sum<T>[i] x[i] }
fn h(x: Tensor[2; f32]) -> f32 { return sum<zz>[i] x[i] }
""",
        [("E1208", "N"), ("E2112", "x[i]"), ("E1201", "zz")],
        id="section11-46 the dtype of a reduction is a dtype",
    ),
    pytest.param(
        """\
fn f(x: Tensor[4; f32]) -> Tensor[4; f32] { let y[i] = x[i + 1] return y }
fn g(x: Tensor[4; f32]) -> Tensor[4; i64] { let y[i] = i * 2 return y }
""",
        [("E3104", "i"), ("E3104", "i")],
        id="section11-47 an index is no value",
    ),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { let y[i] = x[i] * cast<f32>(iota(N)[i]) return y }",
        [],
        id="section11-47 iota is",
    ),
]


@pytest.mark.parametrize(("program", "errors"), PROGRAMS)
def test_contract(check_text, program, errors):
    assert check_text(program).errors == errors
