"""Reports of errors themselves: encodings, carets under tabs and wide characters, mismatched packs, a thousand errors, circles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from linnet_core.check.check import check
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostic, Diagnostics
from linnet_core.text.show_json import to_json
from linnet_core.text.show_text import show_text

if TYPE_CHECKING:
    from pathlib import Path


def found_in(folder: Path, data: bytes | str) -> tuple[Diagnostic, ...]:
    """Everything said about one file, in the order it is shown."""
    file = folder / "m.linnet"
    file.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    diagnostics = Diagnostics()
    package = load(str(file), diagnostics=diagnostics)
    if package is not None:
        check(package, diagnostics)
    return diagnostics.ordered()


def places(found: tuple[Diagnostic, ...]) -> list[tuple[str, int, int]]:
    """Code, line and column of each."""
    positions = [(each.code, each.span.source.position(each.span.start)) for each in found if each.span is not None]
    return [(code, position.line, position.column) for code, position in positions]


LINES = ("module oc.f3", "pub fn f(x: f32) -> f32 {", "    return x + missing", "}", "")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no mark", "byte order mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CR LF", "CR"])
def test_columns_do_not_depend_on_a_byte_order_mark_or_on_line_ends(tmp_path: Path, mark: bytes, end: str) -> None:
    assert places(found_in(tmp_path, mark + end.join(LINES).encode())) == [("E1201", 3, 16)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_one_error(tmp_path: Path, encoding: str) -> None:
    (found,) = found_in(tmp_path, "\n".join(LINES).encode(encoding))
    assert (found.code, found.help) == ("E1001", "save it as UTF-8")


WIDE = "module oc.f4\npub fn f(x: f32) -> f32 {\n\tlet s = 1.0 /* 模型 é 😀 */ + missing\n\treturn s\n}\n"


def test_carets_stand_under_the_word_after_tabs_and_wide_characters(tmp_path: Path) -> None:
    found = found_in(tmp_path, WIDE)
    line, row = show_text(found, colour=False).splitlines()[4:6]
    assert line.endswith("+ missing")
    assert row == "   | \t" + " " * 30 + "^" * 7
    (document,) = to_json(found)["diagnostics"]
    assert document["location"]["start"] == {"line": 3, "column": 29, "offset": WIDE.encode().index(b"missing")}


def test_a_combining_accent_takes_no_cell_and_an_escape_is_not_sent(tmp_path: Path) -> None:
    text = show_text(found_in(tmp_path, WIDE.replace("模型 é 😀", "e\u0301\x1b[31m")), colour=False)
    assert "\x1b" not in text
    assert text.splitlines()[5] == "   | \t" + " " * (len("let s = 1.0 /* e [31m */ + ")) + "^" * 7


PACKS = """module oc.d6
fn rows<*S: Shape, B: Dim, C: Dim>(x: Tensor[*S, B, C; f32]) -> Tensor[*S, B; f32] { let y[*s, b] = sum[c] x[*s, b, c]   return y }
pub fn bad(x: Tensor[3; f32]) -> f32 { return rows(x) }
fn same<*S: Shape>(x: Tensor[*S; f32], y: Tensor[*S; f32]) -> Tensor[*S; f32] { return x + y }
pub fn bad2(x: Tensor[3, 4; f32], y: Tensor[5; f32]) -> Tensor[3, 4; f32] { return same(x, y) }
"""


def test_packs_that_do_not_fit_are_one_error_each(tmp_path: Path) -> None:
    short, twice = found_in(tmp_path, PACKS)
    assert short.message == "argument `x` needs at least 2 axes, has 1"
    assert "`S` is both [3, 4], from `x`, and [5], from `y`" in twice.notes
    assert to_json((short, twice))["summary"] == {"errors": 2, "warnings": 0}


MANY = {
    "unknown names": ("E1201", "fn g{i}(x: f32) -> f32 {{ return missing{i} + x }}\n"),
    "broadcasts": ("E2207", "fn g{i}<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> Tensor[A; f32] {{ return x + y }}\n"),
    "calls": ("E2206", "fn g{i}<M: Dim>(x: Tensor[M; f32]) -> f32 {{ return needs(x) }}\n"),
    "dtypes": ("E2103", "fn g{i}(x: f32, y: bf16) -> f32 {{ return x + y }}\n"),
    "one name": ("E1204", "fn needs() {{ return }}\n"),
    "characters": ("E1001", "fn g{i}(x: f32) -> f32 {{ return x $ }}\n"),
    "numbers": ("E1005", "const G{i} = 1_\n"),
    "tokens": ("E1101", "fn g{i}(x: f32) -> f32 {{ let = x return x }}\n"),
}


@pytest.mark.parametrize("kind", MANY)
def test_a_thousand_errors_of_one_file_are_all_reported_in_order(tmp_path: Path, kind: str) -> None:
    code, line = MANY[kind]
    head = "module m\nfn needs<N: Dim>(x: Tensor[N; f32]) -> f32 where N > 3 { return 1.0 }\n"
    found = found_in(tmp_path, head + "".join(line.format(i=i) for i in range(1000)))
    assert [place[:2] for place in places(found)] == [(code, number) for number in range(3, 1003)]


CIRCLES = [
    pytest.param("block A { sub _a: A }", ["E2122"], id="a block that contains itself"),
    pytest.param("block A { sub _b: B }\nblock B { sub _c: [C; 2] }\nblock C { sub _a: A? }", ["E2122"], id="through two others"),
    pytest.param("block A<N: Dim> { sub _a: A<N + 1> }", ["E2122"], id="larger each time"),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { return f(fill<f32>([N + 1], 0.0)) }", ["E2119"], id="a function of more each time"
    ),
    pytest.param(
        "fn f<N: Dim>(x: f32) -> f32 { return g<N + 1>(x) }\nfn g<N: Dim>(x: f32) -> f32 { return f<N * 2>(x) }",
        ["E2119"],
        id="two functions",
    ),
    pytest.param("fn f<N: Dim = M, M: Dim = N>(x: f32) -> f32 { return x }\nfn g(x: f32) -> f32 { return f(x) }", ["E1201"], id="defaults"),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N * N; f32]) -> f32 { return 1.0 }\nfn g(x: Tensor[9; f32]) -> f32 { return f(x) }", ["E2110"], id="squares"
    ),
    pytest.param(
        "fn f<*S: Shape, *T: Shape>(x: Tensor[*S, *T; f32]) -> f32 { return 1.0 }\nfn g(x: Tensor[9, 2; f32]) -> f32 { return f(x) }",
        ["E2110"],
        id="two packs",
    ),
]


@pytest.mark.parametrize(("program", "codes"), CIRCLES)
def test_what_never_resolves_is_told_once(tmp_path: Path, program: str, codes: list[str]) -> None:
    assert [found.code for found in found_in(tmp_path, f"module m\n{program}\n")] == codes
