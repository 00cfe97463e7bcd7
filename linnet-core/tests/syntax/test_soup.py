"""Random text: the parser answers with a tree and diagnostics inside the text, whatever it is given."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linnet_core.syntax.parse_file import parse
from linnet_core.syntax.tokens import KEYWORDS, RESERVED
from linnet_core.text.codes import CODES
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.show_json import to_json
from linnet_core.text.show_text import show_text
from linnet_core.text.source import Source, decode

#: The environment variable LINNET_FUZZ multiplies the number of examples.
MORE = int(os.environ.get("LINNET_FUZZ", "1"))
# fmt: off
SIGNS = [
    "(", ")", "[", "]", "{", "}", "<", ">", ",", ":", ";", "=", "+", "-", "*", "/", "%", "!", "&", "|", "^", "?", ".", "..", "...",
    "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "::",
]
# fmt: on
PLAIN = ["x", "y", "N", "Dim", "Tensor", "sum", "max", "grad", "grid", "warps", "store", "f32", "1", "2.5", "0x1", "1_", "1.", ".5", '"s"']
WORDS = sorted(KEYWORDS) + sorted(RESERVED) + PLAIN
GAPS = [" ", "\n", "", "\n    ", " // c\n", "/* c */"]

PROGRAM = """module a.b
use std.nn.linear::{Linear, linear as l}
const N = 4
struct S<N: Dim> { a: Tensor[N; f32] b: (f32, i64?) }
enum E { A, B }
op f<N: Dim, T: Float = bf16>(x: Tensor[N; T], k: T = 2) -> T kernel k<N, 8 * N> where N > 0, N % 2 == 0 {
    let y[i, *s] = sum<f32>[j] x[i, j, *s] * -1.5
    var c: i64 = 0
    while c < 3 { c = c + 1 }
    static for i in 0..N { c = c }
    let z = for i in 0..N { yield i }
    return match z { some((a, b)) => if a { f<N, [A, *S]>(x, k = 2) } else { x[0, ::2, ..., 1:2] } none => (1, [a, 2]) }
} grad(y, dy) { return dy }
kernel k(x: f32) -> (y: f32) grid(N) warps(4) { store(y[0], load(x[0]), true) }
block B<H: Dim> where H > 0 {
    param w: Tensor[H; f32]? = none
    sub l: [Linear<H, H>; 3]
    pub entry run() { return }
}
"""


def check(text: str) -> None:
    diagnostics = Diagnostics()
    source = Source("t.linnet", text)
    file = parse(source, diagnostics)
    assert file.span.source is source
    for found in diagnostics.found:
        assert found.code in CODES
        assert found.span is not None
        assert 0 <= found.span.start <= found.span.end <= len(text)
    assert show_text(diagnostics, colour=False).count(f"{source.path}:") >= len(diagnostics.found)
    assert to_json(diagnostics)["summary"]["errors"] == len(diagnostics.found)


fuzz = settings(max_examples=300 * MORE, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@fuzz
@given(st.lists(st.tuples(st.sampled_from(SIGNS + WORDS), st.sampled_from(GAPS)), max_size=60))
def test_token_soup(pairs: list[tuple[str, str]]) -> None:
    check("module m\nfn f() {\n" + "".join(token + gap for token, gap in pairs))


@fuzz
@given(st.text(max_size=80))
def test_character_soup(text: str) -> None:
    check(text)


@fuzz
@given(st.data())
def test_a_program_with_a_piece_cut_out_or_put_in(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(PROGRAM)))
    stop = data.draw(st.integers(start, min(len(PROGRAM), start + 12)))
    middle = data.draw(st.sampled_from(["", *SIGNS, *WORDS]))
    check(PROGRAM[:start] + middle + PROGRAM[stop:])


def test_the_program_that_is_cut_is_right() -> None:
    diagnostics = Diagnostics()
    parse(Source("t.linnet", PROGRAM), diagnostics)
    assert diagnostics.found == ()


@fuzz
@given(st.binary(max_size=80), st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"module m\n// "]))
def test_byte_soup(data: bytes, before: bytes) -> None:
    diagnostics = Diagnostics()
    source = decode("t.linnet", before + data, diagnostics)
    parse(source, diagnostics)
    show_text(diagnostics, colour=True)
    for found in to_json(diagnostics)["diagnostics"]:
        assert found["location"]["start"]["offset"] <= len(before + data)
