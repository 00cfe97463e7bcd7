"""Bytes to text, and places in it: lines, columns in code points, offsets in bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from linnet_core.errors import SourceError, UsageError
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import MAX_BAD_BYTES, Source, decode, read


def faults(data: bytes) -> list[tuple[str, int, int, str]]:
    diagnostics = Diagnostics()
    source = decode("t.linnet", data, diagnostics)
    found = []
    for d in diagnostics.found:
        assert d.span is not None
        position = source.position(d.span.start)
        found.append((d.code, position.line, position.column, d.message))
    return found


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("", [""], id="empty"),
        pytest.param("a\nb\n", ["a", "b", ""], id="LF"),
        pytest.param("a\r\nb\r\n", ["a", "b", ""], id="CR LF"),
        pytest.param("a\rb\rc", ["a", "b", "c"], id="lone CR"),
        pytest.param("a\n\rb\r\n\nc", ["a", "", "b", "", "c"], id="mixed"),
        pytest.param("a\u2028b\x0cc", ["a\u2028b\x0cc"], id="no other character ends a line"),
    ],
)
def test_lines(text: str, lines: list[str]) -> None:
    source = Source("t", text)
    assert [source.line_text(n + 1) for n in range(len(source.line_starts))] == lines


def test_columns_count_code_points_and_offsets_bytes() -> None:
    source = Source("t", "aé\n模😀x")
    assert [(p.line, p.column, p.offset) for p in map(source.position, range(7))] == [
        (1, 1, 0),
        (1, 2, 1),
        (1, 3, 3),
        (2, 1, 4),
        (2, 2, 7),
        (2, 3, 11),
        (2, 4, 12),
    ]


def test_a_byte_order_mark_counts_in_offsets_and_not_in_columns() -> None:
    source = decode("t", b"\xef\xbb\xbfmodule m", Diagnostics())
    assert source.text == "module m"
    first = source.position(0)
    assert (first.line, first.column, first.offset) == (1, 1, 3)


def test_bytes_that_are_not_utf_8_are_reported_where_they_are() -> None:
    assert faults(b"module m\n// caf\xe9 and \xff\xfe\nx") == [
        ("E1001", 2, 7, "the byte 0xe9 is not UTF-8"),
        ("E1001", 2, 13, "the bytes 0xff 0xfe are not UTF-8"),
    ]


def test_a_bad_byte_is_one_byte_in_offsets() -> None:
    source = decode("t", b"\xe9\xe9x", Diagnostics())
    assert source.position(2).offset == 2


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        pytest.param("module m\r\n".encode("utf-16"), "UTF-16", id="UTF-16 with a mark"),
        pytest.param("module m\r\n".encode("utf-16-le"), "UTF-16", id="UTF-16LE without"),
        pytest.param("module m\r\n".encode("utf-16-be"), "UTF-16", id="UTF-16BE without"),
        pytest.param("module m\r\n".encode("utf-32"), "UTF-32", id="UTF-32"),
    ],
)
def test_another_encoding_is_one_line_that_names_it(data: bytes, encoding: str) -> None:
    assert faults(data) == [("E1001", 1, 1, f"the file is {encoding} text, not UTF-8")]


def test_a_binary_file_is_one_error() -> None:
    found = faults(bytes(range(256)) * 50)
    assert [(code, message) for code, _, _, message in found] == [
        ("E1001", "the file is no text: it holds NUL bytes and bytes that are not UTF-8")
    ]


def test_many_bad_bytes_are_a_bounded_number_of_errors() -> None:
    found = faults(b"\xff a\n" * (MAX_BAD_BYTES + 900))
    assert len(found) == MAX_BAD_BYTES + 1
    assert found[-1][3] == "bytes at 900 more places are not UTF-8"


def test_without_a_collector_bad_bytes_are_raised() -> None:
    with pytest.raises(SourceError, match="0xff is not UTF-8"):
        decode("t", b"\xff")


def test_a_file_that_cannot_be_read_is_a_usage_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or directory"):
        read(str(tmp_path / "gone.linnet"))
    with pytest.raises(UsageError, match="is a directory"):
        read(str(tmp_path))
    with pytest.raises(UsageError, match="this is no path"):
        read("a\0b")
    loop = tmp_path / "loop.linnet"
    loop.symlink_to(loop)
    with pytest.raises(UsageError, match="too many levels of symbolic links"):
        read(str(loop))


def test_a_path_is_kept_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.linnet").write_text("module a", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert read("./a.linnet").path == "./a.linnet"
