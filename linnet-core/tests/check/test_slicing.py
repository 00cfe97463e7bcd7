"""Index expressions outside index notation: what they take, what they give, what is refused."""

from __future__ import annotations

import pytest

HEAD = """
pub fn f<*S: Shape, M: Dim, N: Dim, D: Dim, T: Float>(
    v: Tensor[N; f32], x: Tensor[M, N; T], c: Tensor[10, 7; i32], p: Tensor[*S, 3 * D; T], q: Tensor[D, *S, N; f32],
    e: Tensor[2 * D; f32], o: Tensor[2 * D + 1; f32], t: i32, u: u8, s: f32, flag: bool,
    m: Tensor[N; f32]?, ids: Tensor[N; i32], pair: (f32, f32),
) -> f32 where N > 3 {
"""


def program(expression: str) -> str:
    return f"{HEAD} let y = {expression}\n let _ = y\n return s }}"


ACCEPTED = [
    pytest.param("x[0]", "Tensor[N; T]", id="an integer drops its axis and the rest stays"),
    pytest.param("x[0, 1]", "T", id="two integers give a scalar"),
    pytest.param("x[:, 0]", "Tensor[M; T]", id="a colon keeps its axis"),
    pytest.param("x[:]", "Tensor[M, N; T]", id="a colon alone"),
    pytest.param("x[...]", "Tensor[M, N; T]", id="dots alone"),
    pytest.param("x[..., N - 1]", "Tensor[M; T]", id="dots, then the last position"),
    pytest.param("x[0, ...]", "Tensor[N; T]", id="dots after"),
    pytest.param("x[0, ..., 1]", "T", id="dots that stand for nothing"),
    pytest.param("c[::3]", "Tensor[4, 7; i32]", id="a step counts by ceiling"),
    pytest.param("c[1::3]", "Tensor[3, 7; i32]", id="a start and a step"),
    pytest.param("c[:, 0:6:2]", "Tensor[10, 3; i32]", id="start, stop and step"),
    pytest.param("c[5, 2:6]", "Tensor[4; i32]", id="a row, sliced"),
    pytest.param("c[10:10]", "Tensor[0, 7; i32]", id="an empty slice at the end"),
    pytest.param("p[..., 0:D]", "Tensor[*S, D; T]", id="behind a pack"),
    pytest.param("p[..., 2 * D:3 * D]", "Tensor[*S, D; T]", id="symbolic bounds behind a pack"),
    pytest.param("q[0]", "Tensor[*S, N; f32]", id="before a pack"),
    pytest.param("q[0, ..., 2]", "Tensor[*S; f32]", id="on both sides of a pack"),
    pytest.param("e[0::2]", "Tensor[D; f32]", id="even positions of an even axis"),
    pytest.param("e[1::2]", "Tensor[D; f32]", id="odd positions of an even axis"),
    pytest.param("o[::2]", "Tensor[D + 1; f32]", id="even positions of an odd axis"),
    pytest.param("o[1::2]", "Tensor[D; f32]", id="odd positions of an odd axis"),
    pytest.param("v[D]", "f32", id="a position nothing is known of"),
    pytest.param("v[0:D]", "Tensor[D; f32]", id="a bound nothing is known of"),
    pytest.param("x[t]", "Tensor[N; T]", id="a run-time row"),
    pytest.param("x[t, :]", "Tensor[N; T]", id="a run-time row and a colon"),
    pytest.param("x[u, 1:3]", "Tensor[2; T]", id="a run-time position and a slice"),
    pytest.param("x[t, t + 1]", "T", id="two run-time positions"),
    pytest.param("p[..., t]", "Tensor[*S; T]", id="a run-time position behind a pack"),
    pytest.param("x[0][1]", "T", id="one access after the other"),
]


@pytest.mark.parametrize(("expression", "type"), ACCEPTED)
def test_access_has_the_type_of_what_it_keeps(check_text, expression, type):
    checked = check_text(program(expression))
    assert checked.errors == []
    assert checked.type_of("y") == type


REFUSED = [
    pytest.param("x[-1]", "E2209", "-1", id="a negative index"),
    pytest.param("x[0:-1]", "E2209", "-1", id="a negative bound"),
    pytest.param("c[10]", "E2209", "10", id="an index at the extent"),
    pytest.param("v[N]", "E2209", "N", id="a symbolic index at the extent"),
    pytest.param("v[N + D]", "E2209", "N + D", id="a symbolic index beyond the extent"),
    pytest.param("c[0:11]", "E2209", "11", id="a bound beyond the extent"),
    pytest.param("v[0:N + 1]", "E2209", "N + 1", id="a symbolic bound beyond the extent"),
    pytest.param("c[4:2]", "E2209", "4:2", id="a slice that ends before it starts"),
    pytest.param("c[11:]", "E2209", "11:", id="a start beyond the extent"),
    pytest.param("c[::0]", "E2209", "0", id="a step of zero"),
    pytest.param("c[::-1]", "E2209", "-1", id="a negative step"),
    pytest.param("v[::D]", "E2209", "D", id="a step that depends on a size"),
    pytest.param("v[0:t]", "E2123", "t", id="a run-time bound"),
    pytest.param("v[::t]", "E2123", "t", id="a run-time step"),
    pytest.param("v[s]", "E2101", "s", id="a float as a position"),
    pytest.param("v[1.0]", "E2101", "1.0", id="a float literal as a position"),
    pytest.param("v[flag]", "E2101", "flag", id="a bool as a position"),
    pytest.param("v[ids]", "E2101", "ids", id="a tensor as a position"),
    pytest.param("v[0, 1]", "E2204", "v[0, 1]", id="too many components"),
    pytest.param("x[0, 1, ...,  2]", "E2204", "x[0, 1, ...,  2]", id="too many components around dots"),
    pytest.param("x[..., ...]", "E2204", "...", id="dots twice"),
    pytest.param("p[0]", "E2204", "p[0]", id="an axis of a pack from the front"),
    pytest.param("p[:, 0]", "E2204", "p[:, 0]", id="a colon at a pack"),
    pytest.param("q[..., 0, 1]", "E2204", "q[..., 0, 1]", id="an axis of a pack from the back"),
    pytest.param("p[*S, 0]", "E3106", "*S", id="a pack outside index notation"),
    pytest.param("s[0]", "E2204", "s[0]", id="a scalar"),
    pytest.param("m[0]", "E2104", "m[0]", id="an optional tensor"),
    pytest.param("pair[0]", "E2104", "pair[0]", id="a tuple"),
    pytest.param("v[missing]", "E1201", "missing", id="an unknown name"),
]


@pytest.mark.parametrize(("expression", "code", "words"), REFUSED)
def test_access_is_refused_once_at_the_words_that_are_wrong(check_text, expression, code, words):
    checked = check_text(program(expression))
    assert checked.errors == [(code, words)]


BLOCKS = """
block Leaf<H: Dim> { param w: Tensor[H; f32]
    pub fn get() -> Tensor[H; f32] { return w } }
pub block Root<H: Dim, L: Dim> where L > 1 {
    sub leaves: [Leaf<H>; L]
    sub rows: [[Leaf<H>; 2]; 3]
    pub entry run(t: i32) -> Tensor[H; f32] { return %s }
}
"""


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("leaves[0].get()", id="the first"),
        pytest.param("leaves[L - 1].get()", id="the last"),
        pytest.param("rows[2][1].get()", id="of an array of arrays"),
    ],
)
def test_array_of_blocks_takes_compile_time_positions(check_text, expression):
    assert check_text(BLOCKS % expression).errors == []


@pytest.mark.parametrize(
    ("expression", "code", "words"),
    [
        pytest.param("leaves[t].get()", "E2123", "t", id="a run-time position"),
        pytest.param("leaves[L].get()", "E2209", "L", id="at the length"),
        pytest.param("leaves[-1].get()", "E2209", "-1", id="a negative position"),
        pytest.param("rows[3][0].get()", "E2209", "3", id="beyond a literal length"),
        pytest.param("leaves[0:1].get()", "E2209", "0:1", id="a slice"),
        pytest.param("rows[0, 1].get()", "E2204", "rows[0, 1]", id="two components"),
    ],
)
def test_array_of_blocks_refuses(check_text, expression, code, words):
    assert check_text(BLOCKS % expression).errors == [(code, words)]


def test_long_chain_of_accesses_is_one_error_and_no_recursion(check_text):
    assert check_text(program("x" + "[0]" * 1000)).errors[0][0] == "E2204"
