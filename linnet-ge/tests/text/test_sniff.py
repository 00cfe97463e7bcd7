"""The kind of a dump is told from its content; what is no text of a dump is said so."""

from __future__ import annotations

import pytest

from linnet_core.errors import DocumentError
from linnet_ge.text.file import bytes_of, text_of
from linnet_ge.text.sniff import HEAD, sniff

READABLE = 'graph("g"):\n  %x : [#users=1] = Node[type=Data] ()\n'


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        pytest.param(READABLE.encode(), "readable", id="readable"),
        pytest.param(("\ufeff" + READABLE).encode(), "readable", id="readable with a byte order mark"),
        pytest.param(("[INFO] dump follows\n" + READABLE).encode(), "readable", id="readable after other text"),
        pytest.param(READABLE.split("\n")[1].strip().encode(), "readable", id="a part of a readable dump"),
        pytest.param(READABLE.replace("\n", "\r\n").encode(), "readable", id="CRLF"),
        pytest.param(b'graph {\n  name: "g"\n  op {\n    name: "x"\n', "proto", id="ModelDef"),
        pytest.param(b'name: "g"\nop {\n  name: "x"\n  type: "Data"\n', "graph", id="bare GraphDef"),
        pytest.param(b'ir_version: 6\nproducer_name: "GE"\ngraph {\n', "onnx", id="ONNX"),
        pytest.param(b'graph {\n  node {\n    op_type: "ge:Add"\n', "onnx", id="ONNX without its head"),
        pytest.param(b'graph { name: "g" node { name: "a" op_type: "ge:Add" } }', "onnx", id="ONNX on one line"),
        pytest.param(b'99: 7 # x {\nname: "g" op { name: "op_type: node {" type: "Data" } }', "graph", id="GraphDef on one line"),
        pytest.param(b'graph < op < name: "a" type: "b" > >', "proto", id="angle brackets"),
        pytest.param(
            b'graph { op { attr { key: "k" value { s: "%x : [#users=1] = Node[type=Data] ()" } } } }', "proto", id="readable in a string"
        ),
        pytest.param(b"", "empty", id="empty"),
        pytest.param(READABLE.encode("utf-16"), "utf-16", id="UTF-16"),
        pytest.param(READABLE.encode("utf-16-be"), "utf-16", id="UTF-16 without a mark"),
        pytest.param(READABLE.encode("utf-32"), "utf-32", id="UTF-32"),
        pytest.param(b"\x7fELF\x00\x00\x01\x02\x03\x00", "binary", id="binary"),
        pytest.param(b"hello\nworld\n", "other", id="prose"),
        pytest.param(b'{"version": 1}', "other", id="JSON"),
    ],
)
def test_the_kind_is_told_from_the_content(data: bytes, kind: str) -> None:
    assert sniff(data) == kind


@pytest.mark.parametrize("data", [b"%" * HEAD, b" " * (HEAD - 1) + b"$", b'"' * HEAD], ids=["names", "blanks", "quotes"])
def test_a_head_of_one_character_is_nothing(data: bytes) -> None:
    """These took time with the square of their length once."""
    assert sniff(data) == "other"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"", "the file is empty", id="empty"),
        pytest.param("graph".encode("utf-16"), "UTF-16", id="UTF-16"),
        pytest.param(b"\x00" * 100, "binary", id="zero bytes"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(DocumentError, match=words) as caught:
        text_of(data, "a.txt")
    assert str(caught.value).startswith("a.txt")


def test_any_bytes_come_back() -> None:
    data = bytes(range(1, 256)) + b"\r\n\xe6\xa8\xa1\xff\r\n"
    assert bytes_of(text_of(data, "a.txt")) == data
