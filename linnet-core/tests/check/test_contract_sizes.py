"""The contract's sizes and proofs (section 5, items 31 to 40).

In each table a program and, of everything wrong with it, the code and the words the primary span covers.  Ids say which sentence or
item of the language's definition a program is for.
"""

from __future__ import annotations

import pytest

PROGRAMS = [
    pytest.param(
        """\
fn a<H: Dim, N: Dim>(x: Tensor[H; f32]) -> Tensor[N * (H / N); f32] where H % N == 0, N > 0 { return x }
fn b<H: Dim>(x: Tensor[3 * H; f32]) -> Tensor[H; f32] { return x[0:H] + x[H:2 * H] + x[2 * H:3 * H] }
fn c<B: Dim, S: Dim, N: Dim, D: Dim>(x: Tensor[B, S, N * D; f32]) -> Tensor[B, S, N, D; f32] {
    return reshape(x, [B, S, N, D]) }
fn d<B: Dim, H: Dim, Hk: Dim, K: Dim, D: Dim>(x: Tensor[B, Hk, H / Hk, K, D; f32]) -> Tensor[B, H, K, D; f32]
    where H % Hk == 0, Hk > 0 { return reshape(x, [B, H, K, D]) }
fn e<D: Dim>(x: Tensor[D / 2 + D / 2; f32], y: Tensor[2 * (D / 2); f32]) -> Tensor[D; f32] where D % 2 == 0 { return x + y }
fn f<S: Dim>(x: Tensor[S; f32]) -> Tensor[S - 1; f32] where S > 0 { return x[1:S] }
fn g<K: Dim, Q: Dim>(x: Tensor[K; f32]) -> Tensor[K - Q; f32] where K >= Q { return x[Q:K] }
fn h<P: Dim, S: Dim>(x: Tensor[P * S; f32]) -> Tensor[P, S; f32] { return reshape(x, [P, S]) }
""",
        [],
        id="section5 what real models write",
    ),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N - N - 1; f32]) -> f32 { return 1.0 }",
        [("E2208", "N - N - 1")],
        id="section5 a negative size",
    ),
    pytest.param(
        """\
fn b<D: Dim>(x: Tensor[8 * D / 8; f32]) -> Tensor[D; f32] { return x }
fn c<D: Dim>(x: Tensor[D; f32]) -> Tensor[D / 2; f32] where D % 2 == 0 { return x[0::2] }
fn d<M: Dim>(x: Tensor[min(3, M); f32]) -> Tensor[3; f32] where M >= 3 { return x }
fn e<K: Dim, BK: Dim>(x: f32) -> Tensor[(K + BK - 1) / BK; f32] where BK > 0 { return fill([(K + BK - 1) / BK], x) }
fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> Tensor[A; f32] where A == B { return x + y }
""",
        [],
        id="section11-31 deductions of the public cases",
    ),
    pytest.param(
        """\
fn c<D: Dim>(x: Tensor[D; f32]) -> Tensor[D / 2; f32] { return x[0::2] }
fn d<M: Dim>(x: Tensor[min(3, M); f32]) -> Tensor[3; f32] { return x }
fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> Tensor[A; f32] { return x + y }
""",
        [("E2202", "x[0::2]"), ("E2202", "x"), ("E2207", "x + y")],
        id="section11-31 the same without their facts",
    ),
    pytest.param(
        """\
fn f<A: Dim>(x: Tensor[A; f32]) -> Tensor[3; f32] { return x[2:5] }
fn g(x: Tensor[5; f32]) -> Tensor[2; f32] { return x[1:5:2] }
""",
        [],
        id="section11-32 an extent is not clamped",
    ),
    pytest.param(
        """\
fn f(x: Tensor[4; f32]) -> Tensor[5; f32] { return x[0:5] }
fn g(x: Tensor[4; f32]) -> Tensor[1; f32] { return x[3:2] }
fn h<N: Dim>(x: Tensor[N; f32]) -> Tensor[N + 1; f32] { return x[0:N + 1] }
""",
        [("E2209", "5"), ("E2209", "3:2"), ("E2209", "N + 1")],
        id="section11-32 provably false bounds",
    ),
    pytest.param(
        """\
fn f<H: Dim, N: Dim>(x: Tensor[H / N; f32]) -> f32 { return 1.0 }
fn g<H: Dim, N: Dim>(x: Tensor[H; f32]) -> f32 where H % N == 0 { let _y = H / N return 1.0 }
fn h<H: Dim>(x: Tensor[H / 0; f32]) -> f32 { return 1.0 }
""",
        [("E2205", "N"), ("E2205", "0"), ("E2205", "N")],
        id="section11-33 a divisor needs a proof",
    ),
    pytest.param(
        """\
fn f<N: Dim>(x: f32) -> f32 where N % 2 == 0 { return x / cast<f32>(N) }
fn g<C: Dim>(x: Tensor[C; f32]) -> f32 { return max[c] x[c] }
""",
        [],
        id="section11-33 what needs none",
    ),
    pytest.param(
        """\
fn even<N: Dim>(x: Tensor[N; f32]) -> f32 where N % 2 == 0 { return 1.0 }
fn f<N: Dim>(x: Tensor[2 * N; f32]) -> f32 { return even(x) }
fn g<N: Dim>(x: Tensor[N; f32]) -> f32 { return even(x) }
fn h(x: Tensor[3; f32]) -> f32 { return even(x) }
""",
        [("E2206", "even(x)"), ("E2206", "even(x)")],
        id="section11-34 a where at a call",
    ),
    pytest.param(
        """\
fn both<N: Dim>(x: Tensor[N; f32]) -> f32 where N > 0, N % 2 == 0 { return 1.0 }
fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { return both(x) }
""",
        [("E2206", "both(x)"), ("E2206", "both(x)")],
        id="section11-34 every clause that is not proved",
    ),
    pytest.param(
        """\
block C<H: Dim, N: Dim> where H % N == 0, N > 0 { param w: Tensor[H / N; f32]
    fn f(x: Tensor[H; f32]) -> Tensor[N * (H / N); f32] { return x } }
block B<A: Dim> { sub one: C<2 * A, 2> sub many: [C<7, 2>; 3] }
""",
        [("E2206", "C<7, 2>")],
        id="section11-34 a where at a sub, and assumed inside",
    ),
    pytest.param(
        """\
fn f<N: Dim>(x: Tensor[N; f32]) -> f32 where N > 3, N < 2 { return 1.0 }
fn g<N: Dim>(x: Tensor[N; f32]) -> f32 where N < 0 { return 1.0 }
""",
        [("E2211", "N < 2"), ("E2211", "N < 0")],
        id="section5 clauses that contradict each other",
    ),
    pytest.param(
        """\
fn f<B: Dim, H: Dim>(x: Tensor[B, H; f32], y: Tensor[H; f32], z: Tensor[B, 1; f32]) -> Tensor[B, H; f32] { return x + y * z }
fn g<*S: Shape, H: Dim>(x: Tensor[*S, H; f32], y: Tensor[H; f32]) -> Tensor[*S, H; f32] { return x + y }
""",
        [],
        id="section11-35 broadcasting is right-aligned and proved",
    ),
    pytest.param(
        """\
fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> Tensor[A; f32] { return x + y }
fn g<*S: Shape, *R: Shape>(x: Tensor[*S; f32], y: Tensor[*R; f32]) -> Tensor[*S; f32] { return x + y }
""",
        [("E2207", "x + y"), ("E2207", "x + y")],
        id="section11-35 what does not broadcast",
    ),
    pytest.param(
        """\
fn split<B: Dim, F: Dim, N: Dim, T: Float>(x: Tensor[B, F; T]) -> Tensor[B, N, F / N; T] where N > 0, F % N == 0 {
    return reshape(x, [B, N, F / N]) }
fn f<B: Dim, D: Dim>(x: Tensor[B, 8 * D; bf16]) -> Tensor[B, 8, D; bf16] { return split<B, 8 * D, 8>(x) }
""",
        [],
        id="section11-36 explicit generics bind from the left",
    ),
    pytest.param(
        """\
fn split<F: Dim, N: Dim>(x: Tensor[F; f32]) -> Tensor[N, F / N; f32] where N > 0, F % N == 0 {
    return reshape(x, [N, F / N]) }
fn f<D: Dim>(x: Tensor[8 * D; f32]) -> Tensor[8, D; f32] { return split(x) }
""",
        [("E2110", "split(x)")],
        id="section11-36 a generic in no argument is written",
    ),
    pytest.param(
        """\
fn p<*S: Shape, N: Dim>(x: Tensor[*S, N; f32]) -> Tensor[*S, N; f32] { return x }
fn f(x: Tensor[3, 4, 5; f32]) -> Tensor[3, 4, 5; f32] { return p<[3, 4], 5>(x) }
fn g(x: Tensor[3, 5; f32]) -> Tensor[3, 5; f32] { return p<3, 5>(x) }
""",
        [("E2111", "3")],
        id="section11-36 a shape in brackets",
    ),
    pytest.param(
        """\
fn p<*S: Shape, N: Dim>(x: Tensor[*S, N; f32]) -> Tensor[*S, N; f32] { return x }
fn f(x: Tensor[5; f32]) -> Tensor[5; f32] { return p(x) + p<[], 5>(x) }
""",
        [],
        id="section11-37 a pack may be empty",
    ),
    pytest.param(
        """\
fn f(x: Tensor[4, 5; f32], i: i32) -> Tensor[5; f32] { return x[2] + x[i] }
fn g(x: Tensor[4, 5, 6; f32]) -> Tensor[4, 5; f32] { return x[..., 0] }
""",
        [],
        id="section11-38 missing components keep their axes",
    ),
    pytest.param(
        """\
fn f(x: Tensor[4; f32]) -> f32 { return x[4] }
fn g<N: Dim>(x: Tensor[N; f32]) -> f32 { return x[N] }
""",
        [("E2209", "4"), ("E2209", "N")],
        id="section11-38 an index provably outside",
    ),
    pytest.param(
        "fn f<B: Dim, S: Dim>(x: Tensor[B, S, 4; f32]) -> Tensor[B, 4; f32] { return x[:, 0, :] + x[:, S - 1, :] }",
        [],
        id="section11-38 one that cannot be decided",
    ),
    pytest.param(
        """\
fn f(x: Tensor[4; f32]) -> f32 { return x[-1] }
fn g(x: Tensor[4; f32]) -> Tensor[2; f32] { return x[-2:4] }
fn h(x: Tensor[4; f32]) -> Tensor[4; f32] { return x[0:4:-1] }
""",
        [("E2209", "-1"), ("E2209", "-2"), ("E2209", "-1")],
        id="section11-39 negative positions and bounds",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3, 4; f32]) -> Tensor[6, 4; f32] { return concat(x, x, axis = 0) }
fn g<*S: Shape>(x: Tensor[*S, 4; f32]) -> Tensor[*S, 8; f32] { return concat(x, cumsum(x, axis = -1), axis = -1) }
""",
        [],
        id="section11-40 axes from the front and from the back",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3, 4; f32]) -> Tensor[6, 4; f32] { return concat(x, x, axis = 2) }
fn g<*S: Shape>(x: Tensor[*S, 4; f32]) -> Tensor[*S, 8; f32] { return concat(x, x, axis = 0) }
fn h(x: Tensor[3; f32]) -> Tensor[6; f32] { return concat(x, x) }
""",
        [("E2210", "2"), ("E2210", "0"), ("E2102", "concat(x, x)")],
        id="section11-40 a bad axis, a pack on the counted side, a missing one",
    ),
    pytest.param(
        """\
fn f(x: Tensor[3, 4; f32]) -> Tensor[4, 3; f32] { return permute(x, [1, 0]) }
fn g(x: Tensor[3, 4; f32]) -> Tensor[4, 3; f32] { return permute(x, [1, 1]) }
fn h<*S: Shape>(x: Tensor[*S, 4; f32]) -> f32 { let _y = permute(x, [1, 0]) return 1.0 }
""",
        [("E2210", "[1, 1]"), ("E2210", "permute(x, [1, 0])")],
        id="section7 permutations",
    ),
    pytest.param(
        "fn f<A: Dim, B: Dim>(x: Tensor[A; f32]) -> Tensor[B; f32] { return reshape(x, [B]) }",
        [("E2203", "reshape(x, [B])")],
        id="section7 reshape keeps the number of elements",
    ),
    pytest.param(
        """\
fn f(x: Tensor[4; f32]) -> f32 { return x[0, 1] }
fn g(x: Tensor[4, 3; f32]) -> f32 { return x[..., ..., 0] }
fn h(x: f32) -> f32 { return x[0] }
fn i(x: Tensor[4; f32], n: i64) -> f32 { return x[0:n][0] }
""",
        [("E2204", "x[0, 1]"), ("E2204", "..."), ("E2204", "x[0]"), ("E2123", "n")],
        id="section7 components of a slice",
    ),
]


@pytest.mark.parametrize(("program", "errors"), PROGRAMS)
def test_contract(check_text, program, errors):
    assert check_text(program).errors == errors
