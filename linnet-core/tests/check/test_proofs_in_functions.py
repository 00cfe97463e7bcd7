"""Proofs in whole functions beyond the plainest: convolutions at odd sizes, tiles, windows, shares; each beside a near miss."""

from __future__ import annotations

import pytest

#: A function with a hole, what makes it right, what makes it wrong, and the code it then has.
PAIRS = [
    pytest.param(
        "fn f<A: Dim, B: Dim>(x: Tensor[2 * A; f32]) -> Tensor[2 * A / (A + B), A + B; f32] where A + B > 0, @ {\n"
        "    return reshape(x, [2 * A / (A + B), A + B])\n}",
        "(A + A) % (B + A) == 0",
        "A % (B + A) == B",
        "E2203",
        id="a compound divisor",
    ),
    pytest.param(
        "fn f<H: Dim>(x: Tensor[((H + 6 - 7) / 2 + 1 + 2 - 3) / 2 + 1; f32]) -> Tensor[@; f32] { return x }",
        "((H - 1) / 2) / 2 + 1",
        "H / 4",
        "E2202",
        id="a stem of two strided convolutions",
    ),
    pytest.param(
        "fn f<L: Dim, K: Dim>(x: Tensor[L + 2 * ((K - 1) / 2) - K + 1; f32]) -> Tensor[L; f32] where @ { return x }",
        "K % 2 == 1",
        "K % 2 == 0",
        "E2202",
        id="a convolution that keeps the length, by an odd kernel",
    ),
    pytest.param(
        "fn f<N: Dim, T: Dim>(x: Tensor[N; f32]) -> Tensor[(N + T - 1) / T * T - N + N; f32] where T > 0, N > 0, @ {\n    return x\n}",
        "N % T == 0",
        "N % T < 2",
        "E2202",
        id="tiles that come out even",
    ),
    pytest.param(
        "fn f<S: Dim, W: Dim>(x: Tensor[S; f32]) -> Tensor[@; f32] { return x[max(S - W, 0):S] }",
        "min(S, W)",
        "W",
        "E2202",
        id="the last of a window",
    ),
    pytest.param(
        "fn f<H: Dim, I: Dim>(x: Tensor[I; f32]) -> Tensor[H / @, 3; f32] where 3 * H == 2 * I { return reshape(x, [H / 2, 3]) }",
        "2",
        "3",
        "E2202",
        id="an inner size of three halves",
    ),
    pytest.param(
        "fn f<A: Dim, B: Dim, C: Dim>(x: Tensor[min(A, max(B, C)); f32]) -> Tensor[max(min(A, B), min(A, @)); f32] { return x }",
        "C",
        "B + C",
        "E2202",
        id="minima and maxima distribute",
    ),
    pytest.param(
        "fn f<N: Dim, P: Dim>(x: Tensor[N; f32]) -> Tensor[N / P / 2, 2 * P; f32] where P > 0, @ {\n"
        "    return reshape(x, [N / (2 * P), 2 * P])\n}",
        "N % (2 * P) == 0",
        "N % P == 0",
        "E2203",
        id="a nested quotient",
    ),
    pytest.param(
        "fn g<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> f32 where A % 6 == 0, A <= B { return 1.0 }\n"
        "fn f<N: Dim, M: Dim>(x: Tensor[N; f32], y: Tensor[N * M; f32]) -> f32 where N % 2 == 0, N % 3 == 0, @ { return g(x, y) }",
        "M > 0",
        "M >= 0",
        "E2206",
        id="two divisors and a product at a call",
    ),
]


@pytest.mark.parametrize(("text", "right", "wrong", "code"), PAIRS)
def test_the_function_checks_and_its_near_miss_does_not(check_text, text, right, wrong, code):
    assert check_text(text.replace("@", right)).errors == []
    assert [found for found, _ in check_text(text.replace("@", wrong)).errors] == [code]
