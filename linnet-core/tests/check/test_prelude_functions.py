"""Prelude functions: the type of each call, and what is refused."""

from __future__ import annotations

import pytest

HEAD = """
const STEPS = 1000
const RATE = 0.5
pub fn f<*S: Shape, A: Dim, B: Dim, T: Float, K: Integer>(
    v: Tensor[A; f32], x: Tensor[A, B; f32], y: Tensor[A, B; T], p: Tensor[*S, A; T], k: Tensor[A; i32], g: Tensor[A; K],
    w: Tensor[A; u8], b: Tensor[A; bool], row: Tensor[1, B; f32], four: Tensor[2, 3, 4, 5; f32], one: Tensor[1; f32],
    s: f32, n: i64, flag: bool, m: Tensor[A; f32]?, z: T,
) -> f32 where B > 0, A % 2 == 0 {
"""


def program(expression: str, annotation: str = "") -> str:
    return f"{HEAD} let r{annotation} = {expression}\n let _ = r\n return s }}"


ACCEPTED = [
    pytest.param("cast<bf16>(x)", "Tensor[A, B; bf16]", id="cast a tensor"),
    pytest.param("cast<T>(s)", "T", id="cast a scalar to a generic dtype"),
    pytest.param("cast<f32>(A / 2)", "f32", id="cast a compile-time integer"),
    pytest.param("cast<i32>(A - B)", "i32", id="cast a difference that may be negative"),
    pytest.param("cast<bool>(k)", "Tensor[A; bool]", id="cast to bool"),
    pytest.param("cast<f16>(b)", "Tensor[A; f16]", id="cast from bool"),
    pytest.param("cast<i8>(300)", "i8", id="cast a literal wraps, not refused"),
    pytest.param("exp(x)", "Tensor[A, B; f32]", id="exp"),
    pytest.param("rsqrt(z)", "T", id="rsqrt of a generic scalar"),
    pytest.param("tanh(1.0)", "f64", id="tanh of a literal"),
    pytest.param("abs(k)", "Tensor[A; i32]", id="abs of integers"),
    pytest.param("min(x, s)", "Tensor[A, B; f32]", id="min with a scalar"),
    pytest.param("max(y, 0.0)", "Tensor[A, B; T]", id="max with a literal"),
    pytest.param("max(0, k)", "Tensor[A; i32]", id="a literal first"),
    pytest.param("max(row, x)", "Tensor[A, B; f32]", id="max broadcasts"),
    pytest.param("max(k, A)", "Tensor[A; i32]", id="a compile-time integer lifts"),
    pytest.param("fill<f32>([max(A, B), min(A, 4)], 1.0)", "Tensor[max(A, B), min(A, 4); f32]", id="min and max of sizes"),
    pytest.param("iota(min(3, 5))", "Tensor[3; i64]", id="min of literals is a size"),
    pytest.param("shl(w, 1)", "Tensor[A; u8]", id="shl with a literal"),
    pytest.param("shl(1, w)", "Tensor[A; u8]", id="shl of a literal"),
    pytest.param("shr(n, 32 - 5)", "i64", id="shr of a scalar"),
    pytest.param("shr(g, 1)", "Tensor[A; K]", id="shr of a generic integer"),
    pytest.param("shl(1, 4)", "i64", id="shl of constants"),
    pytest.param("select(b, v, 0.0)", "Tensor[A; f32]", id="select with a literal"),
    pytest.param("select(b, 1.0, 0.0)", "Tensor[A; f64]", id="select of literals"),
    pytest.param("select(flag, x, 0.0)", "Tensor[A, B; f32]", id="select under a scalar condition"),
    pytest.param("select(b, k, A)", "Tensor[A; i32]", id="select with a compile-time integer"),
    pytest.param("select(x > 0.0, s, row)", "Tensor[A, B; f32]", id="the condition broadcasts too"),
    pytest.param("reshape(x, [A * B])", "Tensor[A * B; f32]", id="reshape to one axis"),
    pytest.param("reshape(x, [B, A / 2, 2])", "Tensor[B, A / 2, 2; f32]", id="reshape by a known divisor"),
    pytest.param("reshape(one, [])", "f32", id="reshape to a scalar"),
    pytest.param("reshape(s, [1, 1])", "Tensor[1, 1; f32]", id="reshape a scalar"),
    pytest.param("reshape(p, [*S, 2, A / 2])", "Tensor[*S, 2, A / 2; T]", id="reshape behind a pack"),
    pytest.param("broadcast_to(row, [A, B])", "Tensor[A, B; f32]", id="broadcast a one"),
    pytest.param("broadcast_to(v, [B, 1, A])", "Tensor[B, 1, A; f32]", id="broadcast to a higher rank"),
    pytest.param("broadcast_to(s, [A])", "Tensor[A; f32]", id="broadcast a scalar"),
    pytest.param("permute(four, [3, 1, 0, 2])", "Tensor[5, 3, 2, 4; f32]", id="permute"),
    pytest.param("concat(v, v, axis = 0)", "Tensor[2 * A; f32]", id="concat"),
    pytest.param("concat(x, row, axis = 0)", "Tensor[A + 1, B; f32]", id="concat other extents"),
    pytest.param("concat(p, p, axis = -1)", "Tensor[*S, 2 * A; T]", id="concat from the back, behind a pack"),
    pytest.param("concat(v, axis = 0)", "Tensor[A; f32]", id="concat of one part"),
    pytest.param("cumsum(x, axis = -2)", "Tensor[A, B; f32]", id="cumsum from the back"),
    pytest.param("cumsum(w, axis = 0)", "Tensor[A; u8]", id="cumsum of integers"),
    pytest.param("iota(A)", "Tensor[A; i64]", id="iota"),
    pytest.param("iota<i32>(2 * A)", "Tensor[2 * A; i32]", id="iota of a dtype"),
    pytest.param("iota(STEPS)", "Tensor[1000; i64]", id="iota of a constant"),
    pytest.param("fill([A], s)", "Tensor[A; f32]", id="fill takes the dtype of a typed scalar"),
    pytest.param("fill<bool>([A], true)", "Tensor[A; bool]", id="fill with a bool"),
    pytest.param("fill<T>([*S, B], RATE)", "Tensor[*S, B; T]", id="fill with a constant"),
    pytest.param("fill([A], 1)", "Tensor[A; i64]", id="fill with an integer literal"),
    pytest.param("fill<f32>([], 1.0)", "f32", id="fill without axes"),
    pytest.param("fill<u8>([A], 255)", "Tensor[A; u8]", id="fill at the limit of a dtype"),
]


@pytest.mark.parametrize(("expression", "type"), ACCEPTED)
def test_call_has_the_type_of_the_table(check_text, expression, type):
    checked = check_text(program(expression))
    assert checked.errors == []
    assert checked.type_of("r") == type


def test_literals_take_the_dtype_the_place_wants(check_text):
    assert check_text(program("select(b, 1.0, 0.0)", ": Tensor[A; f32]")).errors == []
    assert check_text(program("fill([A], 0.0)", ": Tensor[A; bf16]")).errors == []
    assert check_text(program("exp(2.0)", ": f32")).errors == []


REFUSED = [
    pytest.param("cast(x)", "E2111", "cast", id="cast without a dtype"),
    pytest.param("cast<f32, f32>(x)", "E2111", "f32", id="cast with two dtypes"),
    pytest.param("cast<A>(x)", "E1208", "A", id="cast to a size"),
    pytest.param("cast<f32>(m)", "E2101", "m", id="cast an optional"),
    pytest.param("cast<f32>()", "E2102", "cast<f32>()", id="cast nothing"),
    pytest.param("exp(k)", "E2112", "k", id="exp of integers"),
    pytest.param("exp(b)", "E2112", "b", id="exp of bools"),
    pytest.param("exp(1)", "E2112", "1", id="exp of an integer literal"),
    pytest.param("exp<f32>(x)", "E2111", "f32", id="exp with a dtype"),
    pytest.param("exp(x, x)", "E2102", "x", id="exp of two"),
    pytest.param("exp(t = x)", "E2102", "t", id="an unknown parameter"),
    pytest.param("abs(b)", "E2112", "b", id="abs of bools"),
    pytest.param("max(b, b)", "E2112", "b", id="max of bools"),
    pytest.param("max(x, y)", "E2103", "max(x, y)", id="max of two dtypes"),
    pytest.param("max(x, k)", "E2103", "max(x, k)", id="max of a float and an integer"),
    pytest.param("max(k, 0.5)", "E2105", "0.5", id="a float literal beside integers"),
    pytest.param("max(w, 256)", "E2105", "256", id="a literal that does not fit"),
    pytest.param("max(v, x)", "E2207", "max(v, x)", id="max of shapes that do not broadcast"),
    pytest.param("min(x)", "E2102", "min(x)", id="min of one"),
    pytest.param("shl(x, 1)", "E2112", "x", id="shift floats"),
    pytest.param("shl(w, k)", "E2103", "shl(w, k)", id="shift by another dtype"),
    pytest.param("select(x, x, x)", "E2114", "x", id="a condition of floats"),
    pytest.param("select(1, x, x)", "E2114", "1", id="a literal condition"),
    pytest.param("select(b, v, k)", "E2103", "select(b, v, k)", id="select of two dtypes"),
    pytest.param("select(b, x, 0.0)", "E2207", "select(b, x, 0.0)", id="a condition that does not broadcast"),
    pytest.param("select(b, m, v)", "E2101", "m", id="select an optional"),
    pytest.param("reshape(x, [A, A])", "E2203", "reshape(x, [A, A])", id="reshape to another count"),
    pytest.param("reshape(v, [A / 3, 3])", "E2203", "reshape(v, [A / 3, 3])", id="reshape by an unknown divisor"),
    pytest.param("reshape(x, [A, n])", "E2123", "n", id="a run-time size"),
    pytest.param("reshape(x, A)", "E2102", "A", id="a shape without brackets"),
    pytest.param("reshape(x, [0 - 4])", "E2208", "0 - 4", id="a negative size"),
    pytest.param("broadcast_to(x, [A, A])", "E2207", "broadcast_to(x, [A, A])", id="broadcast to other extents"),
    pytest.param("broadcast_to(x, [B])", "E2207", "broadcast_to(x, [B])", id="broadcast to a lower rank"),
    pytest.param("broadcast_to(x, [A, 1])", "E2207", "broadcast_to(x, [A, 1])", id="broadcast to a one"),
    pytest.param("permute(four, [0, 1, 2])", "E2210", "[0, 1, 2]", id="permute that misses an axis"),
    pytest.param("permute(four, [0, 2, 2, 3])", "E2210", "[0, 2, 2, 3]", id="permute that names one twice"),
    pytest.param("permute(four, [0, 1, 2, 4])", "E2210", "[0, 1, 2, 4]", id="permute beyond the rank"),
    pytest.param("permute(four, [-1, 0, 1, 2])", "E2210", "[-1, 0, 1, 2]", id="permute from the back"),
    pytest.param("permute(p, [1, 0])", "E2210", "permute(p, [1, 0])", id="permute a pack"),
    pytest.param("permute(four, [0, 1, 2, A])", "E2210", "A", id="permute by a size"),
    pytest.param("permute(s, [])", "E2101", "s", id="permute a scalar"),
    pytest.param("concat(v, v)", "E2102", "concat(v, v)", id="concat without an axis"),
    pytest.param("concat(axis = 0)", "E2102", "concat(axis = 0)", id="concat of nothing"),
    pytest.param("concat(v, v, dim = 0)", "E2102", "dim", id="concat along an unknown parameter"),
    pytest.param("concat(v, k, axis = 0)", "E2103", "concat(v, k, axis = 0)", id="concat two dtypes"),
    pytest.param("concat(x, four, axis = 0)", "E2202", "four", id="concat two ranks"),
    pytest.param("concat(x, row, axis = 1)", "E2202", "row", id="concat extents that differ"),
    pytest.param("concat(v, v, axis = 1)", "E2210", "1", id="concat beyond the rank"),
    pytest.param("concat(v, v, axis = -2)", "E2210", "-2", id="concat before the first axis"),
    pytest.param("concat(p, p, axis = 0)", "E2210", "0", id="concat a pack"),
    pytest.param("concat(p, p, axis = -2)", "E2210", "-2", id="concat a pack from the back"),
    pytest.param("concat(v, v, axis = n)", "E2123", "n", id="a run-time axis"),
    pytest.param("concat(v, s, axis = 0)", "E2101", "s", id="concat a scalar"),
    pytest.param("cumsum(b, axis = 0)", "E2112", "b", id="cumsum of bools"),
    pytest.param("cumsum(p, axis = 0)", "E2210", "0", id="cumsum over a pack"),
    pytest.param("cumsum(x)", "E2102", "cumsum(x)", id="cumsum without an axis"),
    pytest.param("iota(n)", "E2123", "n", id="iota of a run-time length"),
    pytest.param("iota(0 - 1)", "E2208", "0 - 1", id="iota of a negative length"),
    pytest.param("iota<bool>(A)", "E2112", "bool", id="iota of bools"),
    pytest.param("fill<f32>([A], n)", "E2103", "n", id="fill with another dtype"),
    pytest.param("fill<f32>([A], v)", "E2101", "v", id="fill with a tensor"),
    pytest.param("fill<u8>([A], 256)", "E2105", "256", id="fill with what does not fit"),
    pytest.param("fill<i32>([A], 0.5)", "E2105", "0.5", id="fill integers with a fraction"),
    pytest.param("program_id(0)", "E2127", "program_id(0)", id="program_id outside a kernel"),
    pytest.param("load(x)", "E2127", "load(x)", id="load outside a kernel"),
    pytest.param("pad(x)", "E2190", "pad(x)", id="pad"),
    pytest.param("gather(x)", "E2190", "gather(x)", id="gather"),
    pytest.param("scatter(x)", "E2190", "scatter(x)", id="scatter"),
    pytest.param("max(a = s, 2.0)", "E2102", "2.0", id="a positional argument after a named one"),
    pytest.param("max(s, a = 2.0)", "E2102", "a = 2.0", id="one parameter twice"),
    pytest.param("exp(missing)", "E1201", "missing", id="an unknown name"),
]


@pytest.mark.parametrize(("expression", "code", "words"), REFUSED)
def test_call_is_refused_once_at_the_words_that_are_wrong(check_text, expression, code, words):
    assert check_text(program(expression)).errors == [(code, words)]
