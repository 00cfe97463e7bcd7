"""The proofs that functions of real models need, each in a function that checks only if the proof is found, and beside it a
near miss whose claim is false for some sizes and must be refused."""

from __future__ import annotations

import re

import pytest

HELPERS = """
fn same<*S: Shape>(a: Tensor[*S; f32], b: Tensor[*S; f32]) -> Tensor[*S; f32] { return a + b }
fn grouped<H: Dim, G: Dim>(x: Tensor[H; f32]) -> Tensor[G, H / G; f32] where G > 0, H % G == 0 { return reshape(x, [G, H / G]) }
fn halves<D: Dim>(x: Tensor[D; f32]) -> Tensor[D; f32] where D % 2 == 0 { return concat(-x[D / 2:D], x[0:D / 2], axis = 0) }
block Norm<C: Dim> where C % 32 == 0 { param w: Tensor[32, C / 32; f32]
    pub fn get() -> Tensor[C; f32] { return reshape(w, [C]) } }
"""

PROVED = [
    pytest.param(
        "pub fn f<B: Dim, D: Dim, N: Dim>(x: Tensor[B, D; f32]) -> Tensor[B, N * (D / N); f32] where D % N == 0, N > 0 { return x }",
        id="P1 heads times head size",
    ),
    pytest.param(
        "pub fn f<C: Dim, H: Dim, W: Dim, P: Dim>(x: Tensor[C, H, W; f32]) -> Tensor[C, H / P, P, W / P, P; f32]"
        " where H % P == 0, W % P == 0, P > 0 { return reshape(x, [C, H / P, P, W / P, P]) }",
        id="P2 patches, cancelled twice",
    ),
    pytest.param(
        "pub fn f<H: Dim, W: Dim, P: Dim, D: Dim>(t: Tensor[1, D; f32], x: Tensor[(H / P) * (W / P), D; f32])"
        " -> Tensor[(H / P) * (W / P) + 1, D; f32] where P > 0 { return concat(t, x, axis = 0) }",
        id="P3 one more than the patches",
    ),
    pytest.param(
        "pub fn f<Heads: Dim, Kv: Dim, S: Dim>(x: Tensor[Heads / S; f32]) -> Tensor[Kv / S, (Heads / S) / (Kv / S); f32]"
        " where S > 0, (Heads / S) % (Kv / S) == 0, Kv / S > 0 { return grouped<Heads / S, Kv / S>(x) }",
        id="P4 nested quotients as facts",
    ),
    pytest.param(
        "pub fn f<H: Dim, Heads: Dim, S: Dim>(x: Tensor[(Heads / S) * (H / Heads); f32], y: Tensor[(H / Heads) * (Heads / S); f32])"
        " -> Tensor[Heads / S, H / Heads; f32] where S > 0, Heads > 0 { return reshape(same(x, y), [Heads / S, H / Heads]) }",
        id="P5 products of quotients commute",
    ),
    pytest.param(
        "pub fn f<H: Dim>(x: Tensor[H; f32]) -> Tensor[H / 32, 32; f32] where H % 32 == 0 { return reshape(x, [H / 32, 32]) }",
        id="P6 blocks of 32",
    ),
    pytest.param(
        "pub fn f<E: Dim, O: Dim, G: Dim, H: Dim>(x: Tensor[E, O, G * 32; f32]) -> Tensor[E * O, H; f32] where H == G * 32"
        " { return reshape(x, [E * O, H]) }",
        id="P7 an equality as a rewrite",
    ),
    pytest.param(
        "pub fn f<L: Dim>(x: Tensor[(L + 2 * 1 - 3) / 1 + 1; f32], y: Tensor[(L + 0 - 1) / 1 + 1; f32]) -> Tensor[L; f32] { return x + y }",
        id="P8 convolutions that keep the length",
    ),
    pytest.param(
        "pub fn f<L: Dim>(x: Tensor[(L + 2 * 1 - 3) / 2 + 1; f32]) -> Tensor[(L - 1) / 2 + 1; f32] { return x }",
        id="P9 a strided convolution",
    ),
    pytest.param(
        "pub fn f<M: Dim>(x: Tensor[(4 * M + 2 * 1 - 3) / 2 + 1; f32]) -> Tensor[2 * M; f32] { return x }",
        id="P10 a quotient that rounds down",
    ),
    pytest.param(
        "pub fn f<M: Dim, H: Dim>(x: Tensor[(2 * (2 * M) + 2 - 3) / 1 + 1, ((H * 2) * 2) * 2; f32]) -> Tensor[4 * M, H * 8; f32]"
        " { return x }",
        id="P11 products of numbers",
    ),
    pytest.param(
        "pub fn f<B: Dim, T: Dim, V: Dim, S: Dim>(x: Tensor[B * T, S * (V / S); f32]) -> Tensor[B, T, V; f32]"
        " where V % S == 0, S > 0 { return reshape(x, [B, T, V]) }",
        id="P12 shards of a vocabulary",
    ),
    pytest.param(
        "pub fn f<P: Dim, N: Dim>(x: Tensor[P + N; f32], y: Tensor[N; f32]) -> Tensor[2 * N; f32]"
        " { return concat(y, x[P:P + N], axis = 0) }",
        id="P13 a slice, then a concat",
    ),
    pytest.param(
        "pub fn f<H: Dim>(x: Tensor[3 * H; f32]) -> Tensor[H; f32] { return x[0:H] + x[H:2 * H] + x[2 * H:3 * H] }",
        id="P14 three fused projections",
    ),
    pytest.param("pub fn f<D: Dim>(x: Tensor[D; f32]) -> Tensor[D; f32] where D % 2 == 0 { return halves(x) }", id="P15 two halves"),
    pytest.param(
        "pub fn f<D: Dim>(x: Tensor[D; f32]) -> Tensor[D; f32] { return concat(x[D / 2:D], x[0:D / 2], axis = 0) }",
        id="P15 two unequal halves, without a fact",
    ),
    pytest.param(
        "pub fn f<I: Dim>(x: Tensor[2 * I; f32]) -> Tensor[I; f32] { return x[0::2] * x[1::2] }",
        id="P16 strided slices",
    ),
    pytest.param(
        "pub fn f<In: Dim, G: Dim>(x: Tensor[In / G, G / 2, 2; f32]) -> Tensor[In; f32] where In % G == 0, G % 2 == 0, G > 0"
        " { return reshape(x, [In]) }",
        id="P17 two cancellations",
    ),
    pytest.param(
        "pub fn f<In: Dim>(x: Tensor[In / 2; f32]) -> Tensor[In; f32] where In % 2 == 0 { return concat(x, x, axis = 0) }",
        id="P18 twice a half",
    ),
    pytest.param(
        "pub fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> f32 where A == B { return sum[d] x[d] * y[d] }",
        id="P19 extents equal by a fact",
    ),
    pytest.param(
        "pub block M<C: Dim> where C % 32 == 0 { sub a: Norm<512>\n sub b: Norm<C>\n"
        " pub entry run() -> (Tensor[512; f32], Tensor[C; f32]) { return (a.get(), b.get()) } }",
        id="P20 facts of literals and of the block around",
    ),
    pytest.param(
        "pub fn f<N: Dim, B: Dim, V: Dim>(x: Tensor[2 * N; f32], y: Tensor[B * V; f32]) -> (Tensor[N; f32], Tensor[B, V; f32])"
        " { return (x[0:N] + x[N:2 * N], reshape(y, [B, V])) }",
        id="P21 halves of an even axis and a product split",
    ),
    pytest.param(
        "pub fn f<H: Dim, Hd: Dim>(x: Tensor[H / Hd; f32]) -> Tensor[H / Hd; f32] where H % Hd == 0, Hd > 0, (H / Hd) % 2 == 0"
        " { return halves(x) }",
        id="P22 a fact of a quotient for the callee",
    ),
    pytest.param(
        "pub fn f<B: Dim, D: Dim>(x: Tensor[B, D; f32]) -> Tensor[1, D; f32] where B > 0 { return x[0:1, :] }",
        id="P23 one row of at least one",
    ),
    pytest.param(
        "fn pool<H: Dim, D: Dim>(x: Tensor[1, H, D; f32]) -> Tensor[H, D; f32] { return reshape(x, [H, D]) }\n"
        "pub fn f<B: Dim, H: Dim, D: Dim>(x: Tensor[B, H, D; f32]) -> Tensor[H, D; f32] where B > 0 { return pool(x[0:1, ...]) }",
        id="P24 a slice of one is a literal one",
    ),
]


@pytest.mark.parametrize("text", PROVED)
def test_function_that_needs_the_proof_checks(check_text, text):
    assert check_text(HELPERS + text).errors == []


MISSES = [
    pytest.param(
        "pub fn f<B: Dim, D: Dim, N: Dim>(x: Tensor[B, D; f32]) -> Tensor[B, N * (D / N); f32] where N > 0 { return x }",
        "E2202",
        id="P1 without divisibility",
    ),
    pytest.param(
        "pub fn f<B: Dim, D: Dim, N: Dim>(x: Tensor[B, D; f32]) -> Tensor[B, N * (D / N); f32] where D % N == 0 { return x }",
        "E2205",
        id="P1 without a positive divisor",
    ),
    pytest.param(
        "pub fn f<C: Dim, H: Dim, W: Dim, P: Dim>(x: Tensor[C, H, W; f32]) -> Tensor[C, H / P, P, W / P, P; f32]"
        " where (H * W) % P == 0, P > 0 { return reshape(x, [C, H / P, P, W / P, P]) }",
        "E2203",
        id="P2 only the product divides",
    ),
    pytest.param(
        "pub fn f<H: Dim, W: Dim, P: Dim, D: Dim>(t: Tensor[1, D; f32], x: Tensor[(H / P) * (W / P), D; f32])"
        " -> Tensor[(H * W) / (P * P) + 1, D; f32] where P > 0 { return concat(t, x, axis = 0) }",
        "E2202",
        id="P3 a quotient of products",
    ),
    pytest.param(
        "pub fn f<Heads: Dim, Kv: Dim, S: Dim>(x: Tensor[Heads / S; f32]) -> Tensor[Kv / S, (Heads / S) / (Kv / S); f32]"
        " where S > 0, Heads % Kv == 0, Kv / S > 0 { return grouped<Heads / S, Kv / S>(x) }",
        "E2206",
        id="P4 divisibility of the numerators only",
    ),
    pytest.param(
        "pub fn f<H: Dim, Heads: Dim, S: Dim>(x: Tensor[(Heads / S) * (H / Heads); f32]) -> Tensor[H / S; f32]"
        " where S > 0, Heads > 0 { return x }",
        "E2202",
        id="P5 quotients do not cancel",
    ),
    pytest.param(
        "pub fn f<H: Dim>(x: Tensor[H; f32]) -> Tensor[H / 32, 32; f32] where H % 16 == 0 { return reshape(x, [H / 32, 32]) }",
        "E2203",
        id="P6 only half of the divisor",
    ),
    pytest.param(
        "pub fn f<E: Dim, O: Dim, G: Dim, H: Dim>(x: Tensor[E, O, G * 32; f32]) -> Tensor[E * O, H; f32] where H >= G * 32"
        " { return reshape(x, [E * O, H]) }",
        "E2203",
        id="P7 an inequality is no rewrite",
    ),
    pytest.param("pub fn f<L: Dim>(x: Tensor[(L + 2 * 1 - 3) / 1 + 2; f32]) -> Tensor[L; f32] { return x }", "E2202", id="P8 one too many"),
    pytest.param(
        "pub fn f<L: Dim>(x: Tensor[(L + 2 * 1 - 3) / 2 + 1; f32]) -> Tensor[L / 2; f32] { return x }", "E2202", id="P9 an odd length"
    ),
    pytest.param(
        "pub fn f<M: Dim>(x: Tensor[(4 * M + 2 * 1 - 2) / 2 + 1; f32]) -> Tensor[2 * M; f32] { return x }",
        "E2202",
        id="P10 nothing to round",
    ),
    pytest.param(
        "pub fn f<H: Dim>(x: Tensor[((H * 2) * 2) * 2; f32]) -> Tensor[H * 6; f32] { return x }", "E2202", id="P11 sums for products"
    ),
    pytest.param(
        "pub fn f<B: Dim, T: Dim, V: Dim, S: Dim>(x: Tensor[B * T, S * (V / S); f32]) -> Tensor[B, T, V; f32]"
        " where S > 0 { return reshape(x, [B, T, V]) }",
        "E2203",
        id="P12 a vocabulary that may not divide",
    ),
    pytest.param(
        "pub fn f<P: Dim, N: Dim>(x: Tensor[P + N; f32], y: Tensor[N; f32]) -> Tensor[2 * N; f32]"
        " { return concat(y, x[N:P + N], axis = 0) }",
        "E2202",
        id="P13 the other end",
    ),
    pytest.param(
        "pub fn f<H: Dim>(x: Tensor[3 * H; f32]) -> Tensor[H; f32] { return x[0:H] + x[H:3 * H] }", "E2207", id="P14 two of three"
    ),
    pytest.param("pub fn f<D: Dim>(x: Tensor[D; f32]) -> Tensor[D; f32] { return halves(x) }", "E2206", id="P15 an odd size"),
    pytest.param(
        "pub fn f<D: Dim>(x: Tensor[D; f32]) -> Tensor[D; f32] { return concat(x[0:D / 2], x[0:D / 2], axis = 0) }",
        "E2202",
        id="P15 the smaller half twice",
    ),
    pytest.param(
        "pub fn f<I: Dim>(x: Tensor[I; f32]) -> Tensor[I / 2; f32] { return x[0::2] * x[1::2] }", "E2207", id="P16 an axis of odd length"
    ),
    pytest.param(
        "pub fn f<In: Dim, G: Dim>(x: Tensor[In / G, G / 2, 2; f32]) -> Tensor[In; f32] where In % G == 0, G > 0"
        " { return reshape(x, [In]) }",
        "E2203",
        id="P17 an odd group",
    ),
    pytest.param(
        "pub fn f<In: Dim>(x: Tensor[In / 2; f32]) -> Tensor[In; f32] { return concat(x, x, axis = 0) }", "E2202", id="P18 an odd size"
    ),
    pytest.param(
        "pub fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> f32 where A >= B { return sum[d] x[d] * y[d] }",
        "E2201",
        id="P19 only at least as long",
    ),
    pytest.param(
        "pub block M<C: Dim> where C % 16 == 0 { sub b: Norm<C>\n pub entry run() -> Tensor[C; f32] { return b.get() } }",
        "E2206",
        id="P20 a weaker fact of the block around",
    ),
    pytest.param(
        "pub fn f<B: Dim, V: Dim>(y: Tensor[B * V; f32]) -> Tensor[B, V, V; f32] { return reshape(y, [B, V, V]) }",
        "E2203",
        id="P21 one factor too many",
    ),
    pytest.param(
        "pub fn f<H: Dim, Hd: Dim>(x: Tensor[H / Hd; f32]) -> Tensor[H / Hd; f32] where H % Hd == 0, Hd > 0, H % 2 == 0"
        " { return halves(x) }",
        "E2206",
        id="P22 an even numerator",
    ),
    pytest.param("pub fn f<D: Dim>(x: Tensor[0, D; f32]) -> Tensor[1, D; f32] { return x[0:1, :] }", "E2209", id="P23 one row of none"),
    pytest.param(
        "fn pool<H: Dim, D: Dim>(x: Tensor[1, H, D; f32]) -> Tensor[H, D; f32] { return reshape(x, [H, D]) }\n"
        "pub fn f<B: Dim, H: Dim, D: Dim>(x: Tensor[B, H, D; f32]) -> Tensor[H, D; f32] where B > 0 { return pool(x[0:B, ...]) }",
        "E2202",
        id="P24 as many as the batch",
    ),
]


@pytest.mark.parametrize(("text", "code"), MISSES)
def test_near_miss_is_refused(check_text, text, code):
    assert [found for found, _ in check_text(HELPERS + text).errors] == [code]


#: Those with a `where`, which ends at the body.
STATED = [param for param in PROVED if " where " in param.values[0]]


def without_clauses(program: str) -> list[tuple[str, list[str], str]]:
    """The program before its `where`, what is left of the clauses when each one and all of them are taken out, and the rest."""
    head, _, rest = program.partition(" where ")
    stated, brace, body = rest.partition("{")
    clauses = [clause.strip() for clause in re.split(r",(?![^(]*\))", stated)]
    kept = [clauses[:at] + clauses[at + 1 :] for at in range(len(clauses))]
    return [(head, left, brace + body) for left in (*kept, [])]


@pytest.mark.parametrize("program", STATED)
def test_the_where_that_is_offered_takes_the_place_of_one_that_is_missing(check_text, program):
    for head, clauses, body in without_clauses(program):
        for _ in range(4):
            where = f" where {', '.join(clauses)} " if clauses else " "
            found = check_text(f"{HELPERS}{head}{where}{body}").found
            if not found:
                break
            offered = [re.search("`where (.*)`", each.help or "") for each in found]
            assert all(offered), [(each.message, each.help) for each in found]
            clauses = list(dict.fromkeys([*clauses, *(each[1] for each in offered if each is not None)]))
        assert not found, f"{clauses} do not settle it"
