"""What each construct becomes, as the text form shows it."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

VALUES = [
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * 2 }",
        """
        %1 = const.float [value = 2.0] : f32
        %2 = mul %0, %1 : Tensor[N; f32]
        return %2
        """,
        id="an integer literal in a float context is a float constant",
    ),
    pytest.param(
        "fn f<T: Numeric>(x: T) -> T { return x + 1 }",
        """
        %1 = const.int [value = 1] : T
        %2 = add %0, %1 : T
        return %2
        """,
        id="an integer literal of a numeric generic stays an integer",
    ),
    pytest.param(
        "fn f<T: Float>(x: T) -> T { return x + 1 }",
        """
        %1 = const.float [value = 1.0] : T
        %2 = add %0, %1 : T
        return %2
        """,
        id="an integer literal of a float generic is a float constant",
    ),
    pytest.param(
        "fn f() -> f64 { return -0.0 }",
        """
        %0 = const.float [value = -0.0] : f64
        return %0
        """,
        id="minus zero keeps its sign",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return x + 10000000000000000.0 }",
        """
        %1 = const.float [value = 1e+16] : f32
        %2 = add %0, %1 : f32
        return %2
        """,
        id="a float has the shortest text, with a point or an exponent",
    ),
    pytest.param(
        "fn f() -> bool { return true }",
        """
        %0 = const.bool [value = 1] : bool
        return %0
        """,
        id="true is 1",
    ),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32], n: i64) -> Tensor[N; f32] { let m = n + N return x / N }",
        """
        %2 = const.dim [value = N] : i64
        %3 m = add %1, %2 : i64
        %4 = const.dim [value = N] : i64
        %5 = cast %4 : f32
        %6 = div %0, %5 : Tensor[N; f32]
        return %6
        """,
        id="a dimension is an i64 and is cast where another dtype is due",
    ),
    pytest.param(
        "const Half: f32 = 0.5\nconst Both: f32 = Half + Half\nfn f(x: f32) -> f32 { return x * Both - Half }",
        """
        %1 = const.float [value = 0.5] : f32
        %2 = add %1, %1 : f32
        %3 = mul %0, %2 : f32
        %4 = sub %3, %1 : f32
        return %4
        """,
        id="constants are inlined with the constants they use, once a region",
    ),
    pytest.param(
        "const A: f32 = 0.5\nconst B: f32 = A\nfn f(x: f32) -> f32 { let b = B let a = A return a + b + x }",
        """
        %1 b = const.float [value = 0.5] : f32
        %2 = add %1, %1 : f32
        %3 = add %2, %0 : f32
        return %3
        """,
        id="a constant that is another one",
    ),
    pytest.param(
        "const Eps = 1e-5\nfn f(x: f32) -> f32 { return x + Eps }",
        """
        %1 = const.float [value = 1e-05] : f32
        %2 = add %0, %1 : f32
        return %2
        """,
        id="an untyped constant takes the dtype of its use",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return +x }",
        """
        return %0
        """,
        id="unary plus vanishes",
    ),
    pytest.param(
        "fn f(x: f32) -> (f32, bool) { let (a, (b, c)) = g(x) return (a, c) }\n"
        "fn g(x: f32) -> (f32, (f32, bool)) { return (x, (x, true)) }",
        """
        %1 = call %0 [callee = test::g, generics = ()] : (f32, (f32, bool))
        %2 a = tuple.get %1 [value = 0] : f32
        %3 = tuple.get %1 [value = 1] : (f32, bool)
        %4 b = tuple.get %3 [value = 0] : f32
        %5 c = tuple.get %3 [value = 1] : bool
        %6 = tuple.make %2, %5 : (f32, bool)
        return %6
        """,
        id="tuple patterns take elements",
    ),
    pytest.param(
        "struct Pair<N: Dim> { left: Tensor[N; f32] right: f32 }\n"
        "fn f<N: Dim>(x: Tensor[N; f32], y: f32) -> f32 { let p = Pair(right = y, left = x) return p.right }",
        """
        %2 p = struct.make %0, %1 : Pair<N>
        %3 = struct.get %2 [value = 1] : f32
        return %3
        """,
        id="struct fields stand in declaration order",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return g(x) }\nfn g(x: f32, by: f32 = 2, bias: f32? = none) -> f32 { return x * by }",
        """
        %1 = const.float [value = 2.0] : f32
        %2 = option.none : f32?
        %3 = call %0, %1, %2 [callee = test::g, generics = ()] : f32
        return %3
        """,
        id="defaults are lowered at the call",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { let _ = g(x) return x }\nfn g(x: f32) { return }",
        """
        call %0 [callee = test::g, generics = ()]
        return %0
        """,
        id="a call without a result",
    ),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[2; f32] { return g<N, f32>(x) }\n"
        "op g<M: Dim, T: Float>(x: Tensor[M; T]) -> Tensor[2; T] { return fill<T>([2], 1) }",
        """
        %1 = semantic.call %0 [callee = test::g, generics = (N, f32), selected = canonical decomposition] : Tensor[2; f32]
        return %1
        """,
        id="an op is called as itself, by the canonical decomposition until a library call is chosen",
    ),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N, 2; f32] { return permute(broadcast_to(x, [2, N]), [1, 0]) }",
        """
        %1 = broadcast %0 [shape = (2, N)] : Tensor[2, N; f32]
        %2 = permute %1 [shape = (1, 0)] : Tensor[N, 2; f32]
        return %2
        """,
        id="shape operations say the shape",
    ),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[2 * N; f32] { return cumsum(concat(x, x, axis = -1), axis = 0) }",
        """
        %1 = concat %0, %0 [axis = -1] : Tensor[2 * N; f32]
        %2 = cumsum %1 [axis = 0] : Tensor[2 * N; f32]
        return %2
        """,
        id="a negative axis stays as written",
    ),
    pytest.param(
        "enum Mode { Slow, Fast }\nfn f(m: Mode, x: f32) -> f32 { let n = Mode.Fast return match m { Slow => x _ => g(n) } }\n"
        "fn g(m: Mode) -> f32 { return 1.0 }",
        """
        %2 n = enum.const [name = Fast] : Mode
        %4 = enum.match %0 [variants = (Slow, _)] : f32
        {
            yield %1
        }
        {
            %3 = call %2 [callee = test::g, generics = ()] : f32
            yield %3
        }
        return %4
        """,
        id="a match on an enum has a region an arm",
    ),
    pytest.param(
        "fn f(c: bool, x: f32?, y: f32) -> f32 { let a = if c { y } else { -y } return match x { some(v) => v * a none => a } }",
        """
        %4 a = if %0 : f32
        {
            yield %2
        }
        {
            %3 = neg %2 : f32
            yield %3
        }
        %7 = option.match %1 : f32
        (%5 v: f32) {
            %6 = mul %5, %4 : f32
            yield %6
        }
        {
            yield %4
        }
        return %7
        """,
        id="branches yield",
    ),
]

INDEXING = [
    pytest.param(
        "fn f<M: Dim, K: Dim>(a: Tensor[M, K; f32], b: Tensor[K; f32]) -> Tensor[M; f32] { let c[m] = sum[k] a[m, k] * b[k] return c }",
        """
        %8 c = comprehension [indices = (m in [M])] : Tensor[M; f32]
        (%2 m: i64) {
            %7 = reduce [indices = (k in [K]), reduce = sum] : f32
            (%3 k: i64) {
                %4 = tensor.element %0, %2, %3 : f32
                %5 = tensor.element %1, %3 : f32
                %6 = mul %4, %5 : f32
                yield %6
            }
            yield %7
        }
        return %8
        """,
        id="index notation",
    ),
    pytest.param(
        "fn f<*S: Shape, N: Dim>(x: Tensor[*S, N; f32], i: i32) -> Tensor[*S; f32] { let y[*s] = x[*s, i] return y }",
        """
        %5 y = comprehension [indices = (s in [*S])] : Tensor[*S; f32]
        (%2 s: an index of [*S]) {
            %3 = cast %1 : i64
            %4 = tensor.element %0, %2, %3 : f32
            yield %4
        }
        return %5
        """,
        id="a pack index, and a computed position as an i64",
    ),
    pytest.param(
        "fn f<N: Dim, M: Dim>(x: Tensor[N, M; f32], i: i64, j: i64) -> f32 { return x[i, j] }",
        """
        %3 = tensor.element %0, %1, %2 : f32
        return %3
        """,
        id="run-time positions in every axis read one element",
    ),
    pytest.param(
        "fn f<N: Dim, M: Dim>(x: Tensor[N, M; f32], j: i64) -> f32 where N > 0 { return x[0, j] }",
        """
        %2 = const.dim [value = 0] : i64
        %3 = tensor.element %0, %2, %1 : f32
        return %3
        """,
        id="a known and a run-time position read one element",
    ),
    pytest.param(
        "fn f<N: Dim, M: Dim>(x: Tensor[N, M; f32], j: i64) -> Tensor[N; f32] { return x[:, j] }",
        """
        %4 = comprehension [indices = (k0 in [N])] : Tensor[N; f32]
        (%2 k0: i64) {
            %3 = tensor.element %0, %2, %1 : f32
            yield %3
        }
        return %4
        """,
        id="a run-time position runs over the axes that stay",
    ),
    pytest.param(
        "fn f<N: Dim, *S: Shape, M: Dim>(x: Tensor[N, *S, M; f32], i: i64) -> Tensor[*S, 1; f32] where M > 1 { return x[i, ..., 1:2] }",
        """
        %5 = comprehension [indices = (k0 in [*S], k1 in [M])] : Tensor[*S, M; f32]
        (%2 k0: an index of [*S], %3 k1: i64) {
            %4 = tensor.element %0, %1, %2, %3 : f32
            yield %4
        }
        %6 = slice %5 [axes = (*S, 1:2)] : Tensor[*S, 1; f32]
        return %6
        """,
        id="bounds beside a run-time position are sliced afterwards",
    ),
    pytest.param(
        "fn f<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> Tensor[2; f32] where N > 0, M > 3 { return x[0, 0:4:2] }",
        """
        %1 = slice %0 [axes = (0, 0:4:2)] : Tensor[2; f32]
        return %1
        """,
        id="known positions are a slice",
    ),
]

LOOPS = [
    pytest.param(
        "fn f(x: f32, n: i64) -> f32 { var a = x var i = 0 var unused = x while i < n { i = i + 1 a = a * x } return a }",
        """
        %2 i = const.int [value = 0] : i64
        %11 i, %12 a = while %2, %0 : i64, f32
        (%3 i: i64, %4 a: f32) {
            %5 = compare %3, %1 [compare = lt] : bool
            yield %5
        }
        (%6 i: i64, %7 a: f32) {
            %8 = const.int [value = 1] : i64
            %9 i = add %6, %8 : i64
            %10 a = mul %7, %0 : f32
            yield %9, %10
        }
        return %12
        """,
        id="a loop carries what it assigns, in order of first assignment",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { var a = x for i in 0..4 { var a = x a = a + x } return a }",
        """
        %1 = const.dim [value = 0] : i64
        %2 = const.dim [value = 4] : i64
        for %1, %2
        (%3 i: i64) {
            %4 a = add %0, %0 : f32
            yield
        }
        return %0
        """,
        id="a local of the body with the name of an outer one is not carried",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { var a = x static for i in 0..2 { static for j in 0..3 { a = a + cast<f32>(j) } } return a }",
        """
        %1 = const.dim [value = 0] : i64
        %2 = const.dim [value = 2] : i64
        %12 a = static_range %1, %2, %0 : f32
        (%3 i: i64, %4 a: f32) {
            %5 = const.dim [value = 0] : i64
            %6 = const.dim [value = 3] : i64
            %11 a = static_range %5, %6, %4 : f32
            (%7 j: i64, %8 a: f32) {
                %9 = cast %7 : f32
                %10 a = add %8, %9 : f32
                yield %10
            }
            yield %11
        }
        return %12
        """,
        id="assignments of inner loops count",
    ),
    pytest.param(
        "fn f(x: f32) -> (Tensor[4; f32], f32) { var a = x let ys = for i in 0..4 { a = a * x yield a + x } return (ys, a) }",
        """
        %1 = const.dim [value = 0] : i64
        %2 = const.dim [value = 4] : i64
        %7 a, %8 ys = for %1, %2, %0 : f32, Tensor[4; f32]
        (%3 i: i64, %4 a: f32) {
            %5 a = mul %4, %0 : f32
            %6 = add %5, %0 : f32
            yield %5, %6
        }
        %9 = tuple.make %8, %7 : (Tensor[4; f32], f32)
        return %9
        """,
        id="a scan yields the carried values, then the stacked one",
    ),
]


@pytest.mark.parametrize(("text", "expected"), VALUES + INDEXING + LOOPS)
def test_becomes(body: Callable[[str, str], str], text: str, expected: str) -> None:
    assert body(text, "f") == dedent(expected).strip()
