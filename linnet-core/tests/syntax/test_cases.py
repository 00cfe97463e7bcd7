"""Whole programs: what parses without a word, and those with one lexical or syntax error.

The shared case collection is read when it lies beside the checkout; the programs here stand for it when it does not.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import Source, read

SHARED = Path(__file__).resolve().parents[4] / "shared" / "cases" / "language"
#: Codes of this room; a case that expects another one, or none, must parse clean.
OURS = ("E10", "E11")


def shared_cases() -> list[tuple[str, str, int | None]]:
    manifest = SHARED / "manifest.json"
    if not manifest.exists():
        return []
    return [(case["file"], case["expect"], case["line"]) for case in json.loads(manifest.read_text("utf-8"))["cases"]]


def found_in(source: Source) -> list[tuple[str, int]]:
    diagnostics = Diagnostics()
    parse(source, diagnostics)
    return [(d.code, source.position(d.span.start).line) for d in diagnostics.found if d.span is not None]


@pytest.mark.skipif(not SHARED.exists(), reason="the shared cases are not beside this checkout")
def test_shared_cases_have_the_lexical_and_syntax_errors_they_expect() -> None:
    cases = shared_cases()
    assert len(cases) > 30
    wrong = {}
    for file, expect, line in cases:
        expected = [(expect, line)] if expect.startswith(OURS) else []
        found = found_in(read(str(SHARED / file), Diagnostics()))
        if found != expected:
            wrong[file] = (found, expected)
    assert wrong == {}


RIGHT = """/* before /* the */ module */
module shop.prices

use std.nn.linear::{Linear, linear as project}

/// A rate.
pub const RATE = 2.5e-1

type Row<N: Dim, T: Float = f32> = Tensor[N; T]

pub op scaled<*S: Shape, N: Dim, T: Float>(
    x: Tensor[*S, N; T],
    by: T = 2,
) -> Tensor[*S, N / 2; T]
where
    N % 2 == 0
{
    return x[..., 0::2] * x[..., 1::2] * by
} grad(y, dy) {
    return dy
}

pub block Shop<H: Dim, T: Float = bf16>
where H > 0 {
    param weight: Tensor[H, H; T]
    param bias: Tensor[H; T]? = none
    state seen: Tensor[H; T]
    sub layers: [Linear<H, H, T>; 3]

    pub entry run<B: Dim>(x: Tensor[B, H; T]) -> Tensor[B, H; T] {
        var y = x
        static for layer in layers {
            y = layer.forward(y)
        }
        let z[b, o] = sum[i] y[b, i] * weight[o, i]
        return match bias {
            some(v) => z + v
            none => if B > 1 && !(B == 2) { z } else { -(z) }
        }
    }
}
"""


def test_a_whole_program_parses_without_a_word() -> None:
    assert found_in(Source("t.linnet", RIGHT)) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        pytest.param("2.5e-1", "2.5e-1 ~", "E1001", 7, id="a character that cannot appear"),
        pytest.param("/* before", "/* /* before", "E1002", 1, id="an unclosed comment"),
        pytest.param("2.5e-1", '"\\q"', "E1003", 7, id="a bad escape"),
        pytest.param("param bias", "param ref", "E1004", 26, id="a reserved word as a member"),
        pytest.param("2.5e-1", "2.5_e-1", "E1005", 7, id="a malformed number"),
        pytest.param("var y = x", "var y x", "E1101", 31, id="a missing sign"),
        pytest.param("module shop.prices\n", "", "E1102", 3, id="no module line"),
        pytest.param("y = layer", "y = self.layer", "E1103", 33, id="self"),
    ],
)
def test_one_edit_is_one_error_at_its_line(old: str, new: str, code: str, line: int) -> None:
    assert RIGHT.count(old) == 1
    assert found_in(Source("t.linnet", RIGHT.replace(old, new))) == [(code, line)]
