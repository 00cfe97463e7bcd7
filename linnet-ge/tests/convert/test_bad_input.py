"""Protobuf dumps as nobody should have them: every form is written all the same, or the fault is said in one line."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linnet_core.errors import DocumentError
from linnet_ge.convert import document, drawn, readable
from linnet_ge.convert.dot import dot_text
from linnet_ge.convert.svg import svg_text
from linnet_ge.documents import schema_text
from linnet_ge.formats.files import Opened, open_dump

OP = 'op { name: "a" type: "Odd" output_desc { } '
DEEP = 9_000


def _open(folder: Path, text: str | bytes) -> Opened:
    (folder / "dump").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
    return open_dump(str(folder / "dump"))


def _open_or_fault(folder: Path, text: str) -> Opened | str:
    try:
        return _open(folder, text)
    except DocumentError as error:
        return str(error)


def _every_form(opened: Opened) -> list[str]:
    """All forms of a dump, and what each loses."""
    graphs = list(opened.dump.graphs)
    drawings = list(drawn.drawings(opened.dump, graphs))
    losses = [*readable.lost(opened), *document.lost(opened), *drawn.lost(opened, graphs)]
    json.loads(document.document_text([opened]))
    return [
        readable.readable_text(opened),
        dot_text(drawings),
        svg_text(drawings, 10_000),
        *(f"{one.family} {one.field}" for one in losses),
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"graph {{ {OP}" + "input_desc { " * DEEP, id="descriptors in descriptors"),
        pytest.param(f"graph {{ {OP}" + "input_desc { output_desc { " * DEEP, id="descriptors in turn"),
        pytest.param(f'graph {{ {OP} attr {{ key: "k" value {{ ' + "func { attr { value { " * DEEP, id="functions in functions"),
        pytest.param(f'graph {{ {OP} attr {{ key: "k" value {{ ' + "list { g { op { attr { value { " * DEEP, id="graphs in lists"),
        pytest.param(f"graph {{ {OP}" + "new { " * DEEP, id="an unknown field"),
        pytest.param("graph { attr { value { " * DEEP, id="graphs in attributes of graphs"),
        pytest.param('ir_version: 6 graph { node { name: "a" op_type: "ge:Odd" ' + 'attribute { name: "g" g { node { ' * DEEP, id="ONNX"),
    ],
)
def test_messages_in_one_another(tmp_path: Path, text: str) -> None:
    opened = _open(tmp_path, text)
    assert any("nested deeper than" in note.message and note.line == 1 for note in opened.dump.notes)
    assert "graph(" in _every_form(opened)[0]


#: Text, and what a case is called.
ODD = {
    "unknown fields": f"graph {{ {OP} {' '.join(f'u{at}: {at}' for at in range(20_000))} }} }}",
    "one field again and again": f"graph {{ {OP} {'id: 1 ' * 50_000} }} }}",
    "graphs of one name": f'graph {{ {OP} subgraph_name: "g" }} }} ' + 'graph { name: "g" } ' * 1990,
    "nodes of one name": "graph { " + f'{OP} input: "a:0" }} ' * 1990 + "}",
    "a graph that runs itself": 'graph { op { name: "a" type: "If" output_desc { } subgraph_name: "g" } name: "g" }',
    "outputs": f"graph {{ {OP} " + "output_desc { dtype: 1 } " * 20_000 + "} }",
    "branches that are not set": f"graph {{ {OP} " + 'subgraph_name: "" ' * 20_000 + "} }",
    "inputs that are none": 'graph { op { name: "a" input: ":" input: "x" input: "a:99999999999999999999" input: "a:-7" } }',
    "kinds mixed up": "graph { op { attr { } attr { key: 3 value: 4 } input_desc: 3 output_desc: [1, {}] name { } type: x } }",
    "a tensor of nothing": 'graph { op { attr { key: "value" value { t { desc { dtype: 99 shape: 3 } data: 7 } } } } }',
    "lists of messages": "graph: [ { op: [ { name: 'a' } ] }, { } ]",
    "a descriptor far away": 'ir_version: 6 graph { node { attribute { name: "output_desc_dtype:99999999999" s: "[" } } }',
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_what_is_odd_is_written_in_every_form(tmp_path: Path, text: str) -> None:
    assert _every_form(_open(tmp_path, text))[0].startswith('graph("')


@pytest.mark.parametrize("cut", range(1, 120, 7))
def test_a_file_that_is_cut_anywhere_gives_what_it_has(tmp_path: Path, cut: int) -> None:
    whole = f'graph {{ name: "g"\n {OP} attr {{ key: "k\\346\\250\\241" value {{ s: "some \\" words" }} }}\n input: "b:0" }} }}\n'
    opened = _open(tmp_path, whole[: -cut - 1])
    assert len(opened.dump.notes) >= 1
    _every_form(opened)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"", "the file is empty", id="empty"),
        pytest.param(b"\0" * 10_000, "the file is binary", id="zero bytes"),
        pytest.param("graph { op { } }".encode("utf-16"), "the file is UTF-16", id="UTF-16"),
        pytest.param(b"version: 3\n", "no graph", id="a model without a graph"),
        pytest.param(b"graph: 3\nversion: 1\n", "no graph", id="a graph that is a number"),
        pytest.param(b"ir_version: 6\n", "no graph", id="ONNX without a graph"),
    ],
)
def test_what_is_no_dump_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        _open(tmp_path, data)


WHOLE = (
    f'graph {{ name: "g"\n {OP} input: "b:0" input: "b:-1" subgraph_name: "h" attr {{ key: "value" value {{ t {{ desc {{ dtype: DT_INT8'
    ' shape { dim: 2 } } data: "\\001\\002" } } } attr { key: "l" value { list { s: "x" val_type: VT_LIST_STRING } } } } }\n'
    'graph { name: "h" op { name: "out" type: "NetOutput" } } attr { key: "m" value { i: 1 } }\n',
    'ir_version: 6 graph { name: "g" node { name: "a" op_type: "ge:Const" input: "b:0" attribute { name: "k" ints: [1, 2] type: INTS }'
    ' attribute { name: "v_data" s: "\\001" type: STRING } attribute { name: "v_desc_dtype" s: "DT_INT8" type: STRING }\n'
    ' attribute { name: "output_desc_shape:0" ints: 1 type: INTS } attribute { name: "output_desc_1" s: "{}" type: STRING } }\n'
    ' node { name: "s" op_type: "subgraph" attribute { name: "graph" g { name: "s" } type: GRAPH } } output { name: "a" } }\n',
)
PIECES = [
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "<",
    ">",
    ":",
    "\n",
    " op {",
    " attr ",
    " value ",
    " type: INT ",
    ' s: "x" ',
    " g { ",
    " 99 ",
    "\\",
    "#",
    "-",
]
_VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema_text("ge-dump-1")))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    which=st.sampled_from(WHOLE),
    changes=st.lists(st.tuples(st.integers(0, 700), st.integers(0, 40), st.sampled_from(["", *PIECES])), max_size=6),
)
def test_text_that_was_damaged_anywhere_is_written_or_refused(tmp_path: Path, which: str, changes: list[tuple[int, int, str]]) -> None:
    text = which
    for at, gone, piece in changes:
        text = text[:at] + piece + text[at + gone :]
    opened = _open_or_fault(tmp_path, text)
    if isinstance(opened, str):
        assert opened.startswith(str(tmp_path / "dump"))
        return
    _every_form(opened)
    _VALIDATOR.validate(json.loads(document.document_text([opened])))
