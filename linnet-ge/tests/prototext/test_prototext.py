"""Protobuf text without a schema: what is kept, what is said of wrong text, and that writing reads back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet_core.errors import DocumentError
from linnet_ge.prototext.read import MAX_DEPTH, read
from linnet_ge.prototext.scalars import bool_of, bytes_of, float_of, int_of, literal
from linnet_ge.prototext.tree import Field, Items, message, messages, same, scalar, scalars
from linnet_ge.prototext.write import write

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "ge"


def test_every_field_is_kept_known_or_not_with_its_line() -> None:
    root = read('99: 7\n4242 { 1: "a" 2 { 3: 0x2A } }\nnew { deep { v: 1 } }\n[ext.name] { a: 1 }\nword: FOO', "f").root
    assert [(field.name, field.line) for field in root] == [("99", 1), ("4242", 2), ("new", 3), ("[ext.name]", 4), ("word", 5)]
    inner = message(message(root, "4242") or (), "2")
    assert int_of(scalar(inner or (), "3") or "") == 42


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("a < b: 1 >", "a {\n  b: 1\n}\n", id="angle brackets"),
        pytest.param("a: 1; b: 2, c: 3", "a: 1\nb: 2\nc: 3\n", id="separators"),
        pytest.param("a: [1, -2]", "a : [\n  1,\n  -2\n]\n", id="list of numbers"),
        pytest.param("a [{}, <b: 1>]", "a : [\n  {\n  }\n,\n  {\n    b: 1\n  }\n]\n", id="list of messages"),
        pytest.param("a { l: [1] }", "a {\n  l : [\n    1\n  ]\n}\n", id="list at the end of a message"),
        pytest.param('a: "x" \'y\' # why\n "z" b: 1', 'a: "x" \'y\' "z"\nb: 1\n', id="adjacent strings"),
        pytest.param("# first\na : -inf b: 1e-05 c: 1.0f", "a: -inf\nb: 1e-05\nc: 1.0f\n", id="floats"),
        pytest.param("[type.googleapis.com/x.Y] { a: 1 }", "[type.googleapis.com/x.Y] {\n  a: 1\n}\n", id="any"),
    ],
)
def test_spellings_read(text: str, written: str) -> None:
    document = read(text, "f")
    assert not document.problems
    assert write(document.root) == written.replace(" : [", ": [")
    assert same(read(write(document.root), "f").root, document.root)


@pytest.mark.parametrize(
    ("text", "kept", "problem"),
    [
        pytest.param('a { b: "xx\n c: 1 }', "a {\n  c: 1\n}\n", 'f:1: a string is not closed on its line; expected `"`', id="open string"),
        pytest.param("a: 1\n\x00\nb: 2", "a: 1\nb: 2\n", "f:2: the character U+0000 where a field begins", id="NUL"),
        pytest.param("a {\n b: 1", "a {\n  b: 1\n}\n", "f:2: the file ends inside `a`, which begins on line 1; expected `}`", id="cut"),
        pytest.param("a: 1 }\nb: 2", "a: 1\nb: 2\n", "f:1: `}` closes nothing", id="closes nothing"),
        pytest.param("a { b: 1 > c: 2", "a {\n  b: 1\n}\nc: 2\n", "f:1: `>` closes `a` of line 1; expected `}`", id="other bracket"),
        pytest.param("a: 1\nb = 2\nc: 3", "a: 1\nc: 3\n", "f:2: `=` behind `b`; expected `:`, `{` or `<`", id="no colon"),
    ],
)
def test_wrong_text_gives_what_it_has_and_says_where(text: str, kept: str, problem: str) -> None:
    document = read(text, "f")
    assert write(document.root) == kept
    assert str(document.problems[0]).startswith(problem)


@pytest.mark.parametrize("text", ["}", "\x00\x01", "hello world", '"a"'])
def test_text_without_a_field_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(DocumentError, match=r"^f:1: "):
        read(text, "f")


def test_five_thousand_messages_deep_read_and_write() -> None:
    root = read("f { " * 5000 + "v: 1" + " }" * 5000, "f").root
    assert same(read(write(root), "f").root, root)


def test_ten_thousand_messages_deep_give_the_line_of_the_limit() -> None:
    document = read("f {\n" * 10_000 + "}" * 10_000, "f")
    assert [problem.line for problem in document.problems] == [MAX_DEPTH + 1]
    assert "nested deeper" in document.problems[0].message


@pytest.mark.parametrize("text", [pytest.param("a: 1\n" * 500, id="fields"), pytest.param("a: [" + "1,\n" * 500 + "1]", id="items")])
def test_a_file_of_more_fields_than_are_read_is_left_there(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("linnet_ge.prototext.read.MAX_FIELDS", 100)
    monkeypatch.setattr("linnet_ge.prototext.read._STRETCH", 20)
    monkeypatch.setattr("linnet_ge.prototext.read._REMEMBERED", 0)
    document = read(text, "f")
    [problem] = document.problems
    assert str(problem) == f"f:{problem.line}: there are more than 100 fields; expected fewer; the rest was not read"
    kept = len(document.root) if len(document.root) > 1 else len(document.root[0].value.items)
    assert (100 < kept <= 120, problem.line) == (True, kept + 1)


def test_a_file_of_nothing_but_faults_is_left_after_a_hundred() -> None:
    assert len(read("a: 1\n" + "!\n" * 5000, "f").problems) == 100


@pytest.mark.parametrize(
    ("text", "data"),
    [
        pytest.param(r'"\346\250\241"', "模".encode(), id="octal"),
        pytest.param(r"'\x41\x7'", b"A\x07", id="hex"),
        pytest.param(r'"\u6a21\U0001F600\ud83d\ude00"', "模😀😀".encode(), id="unicode"),
        pytest.param(r'"a\"b\\n" ' + "'\"'", b'a"b\\n"', id="quotes"),
        pytest.param(r'"\z"', b"\\z", id="no escape"),
    ],
)
def test_strings(text: str, data: bytes) -> None:
    assert bytes_of(text) == data


def test_numbers() -> None:
    assert [int_of(text) for text in ("-1", "- 1", "0x2A", "017", "0", "1.5", "A")] == [-1, -1, 42, 15, 0, None, None]
    assert [float_of(text) for text in ("1e-05", "1.0f", "-inf", ".5", "7", "inff", "x")] == [
        1e-05,
        1.0,
        float("-inf"),
        0.5,
        7.0,
        float("inf"),
        None,
    ]
    assert [bool_of(text) for text in ("true", "0", "DT_X")] == [True, False, None]


@given(st.binary())
def test_a_literal_reads_back(data: bytes) -> None:
    assert bytes_of(literal(data)) == data


_NAMES = st.sampled_from(["a", "op", "attr", "99", "[ext.name]"])
_SCALARS = st.one_of(
    st.integers().map(str), st.floats().map(repr), st.binary(max_size=8).map(literal), st.sampled_from(["true", "DT_FLOAT"])
)
_TREES = st.recursive(
    st.just(()),
    lambda inner: st.lists(
        st.builds(
            Field,
            _NAMES,
            st.one_of(_SCALARS, inner, st.lists(st.one_of(_SCALARS, inner), max_size=3).map(lambda items: Items(tuple(items)))),
            st.just(1),
        ),
        max_size=4,
    ).map(tuple),
    max_leaves=12,
)


@given(_TREES)
@settings(max_examples=60)
def test_any_tree_written_reads_back(tree: tuple[Field, ...]) -> None:
    document = read(write(tree), "f")
    assert not document.problems
    assert same(document.root, tree)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample dumps are not beside the checkout")
@pytest.mark.parametrize(("name", "ops"), [("ge_proto_small.txt", 4), ("ge_proto_00046_afterUBMatch.txt", 234)])
def test_a_real_dump_is_written_back_byte_for_byte(name: str, ops: int) -> None:
    text = (SAMPLES / name).read_text("utf-8")
    root = read(text, name).root
    graph = message(root, "graph") or ()
    assert len(list(messages(graph, "op"))) == ops
    assert len(list(scalars(graph, "name"))) == 1
    assert write(root) == text
