"""The JSON document of any format: it follows its schema, keeps what the view says, and the rest as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from dumps import SMALL, VARIANTS

from linnet_ge.convert import document
from linnet_ge.documents import schema_text
from linnet_ge.formats.files import open_dump
from linnet_ge.prototext.read import read
from linnet_ge.prototext.tree import same

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "ge"

PROTO = r"""
version: 4
graph {
  name: "g"
  op {
    name: "a" type: "Const" input: "b\377:0" input: "c:-1" id: 3
    attr { key: "value" value { t { desc { dtype: DT_FLOAT shape { dim: 3 } } data: "\000\000\200?\000\000\200\177\000\000\300\377" } } }
    attr { key: "b" value { bt: "\001\002\003" } } attr { key: "f" value { f: -inf } } attr { key: "e" value { list { } } }
    attr { key: "fn" value { func { name: "x" } } } attr { key: "ll" value { list_list_int { list_list_i { list_i: 1 } } } }
    input_desc { name: "x" size: 3 } output_desc { dtype: DT_BF16 shape { dim: -1 } layout: "ND" size: 4 } output_desc { }
    subgraph_name: "h"
    4242 { 1: "a" }
  }
  attr { key: "k" value { i: 1 } }
}
"""
ONNX = """
ir_version: 6
graph {
  name: "g"
  node {
    name: "a" op_type: "ge:Add"
    attribute { name: "output_desc_dtype:0" s: "DT_FLOAT" type: STRING } attribute { name: "output_desc_size:0" i: 8 type: INT }
    attribute { name: "input_desc_dtype:0" s: "DT_FLOAT" type: STRING } attribute { name: "n" type: INT }
  }
  output { name: "a" }
}
"""


def _document(folder: Path, *texts: str) -> dict[str, Any]:
    opened = []
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
        opened.append(open_dump(str(folder / f"{number}.txt")))
    return json.loads(document.document_text(opened))


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in (("readable", SMALL), ("proto", PROTO), ("onnx", ONNX))])
def test_it_follows_its_schema(tmp_path: Path, text: str) -> None:
    jsonschema.validate(_document(tmp_path, text, text), json.loads(schema_text("ge-dump-1")))


def test_a_protobuf_dump_keeps_everything(tmp_path: Path) -> None:
    [file] = _document(tmp_path, PROTO)["files"]
    assert (file["kind"], file["fields"], file["graphs"][0]["fields"]) == (
        "proto",
        "version: 4\n",
        'attr {\n  key: "k"\n  value {\n    i: 1\n  }\n}\n',
    )
    [node] = file["graphs"][0]["nodes"]
    values = {one["key"]: (one["kind"], one["value"]) for one in node["attributes"]}
    assert values == {
        "value": ("tensor", {"state": "values", "dtype": "DT_FLOAT", "shape": [3], "values": [1.0, "inf", "-nan"]}),
        "b": ("bytes", "AQID"),
        "f": ("float", "-inf"),
        "e": ("unknown", "list {\n}\n"),
        "fn": ("message", 'func {\n  name: "x"\n}\n'),
        "ll": ("list_list_int", [[1]]),
        ".id": ("int", 3),
        ".4242": ("message", '4242 {\n  1: "a"\n}\n'),
    }
    assert node["inputs"] == [{"position": 0, "parameter": None, "node": "b\udcff", "output": 0, "defined": False, "ambiguous": False}]
    assert (node["control_inputs"], node["subgraphs"]) == (["c"], [{"ir_name": None, "graph": "h", "defined": False}])
    info = {"dtype": "DT_BFLOAT16", "shape": [-1], "layout": "ND", "origin_shape": None, "origin_layout": None}
    assert node["outputs"][0] == info
    assert node["fields"] == 'input_desc {\n  name: "x"\n  size: 3\n}\noutput_desc {\n  size: 4\n}\noutput_desc {\n}\n'


def test_onnx_descriptors_that_the_view_leaves_out_are_kept(tmp_path: Path) -> None:
    [file] = _document(tmp_path, ONNX)["files"]
    [node] = file["graphs"][0]["nodes"]
    left = read(node["fields"], "f").root
    assert [[one.value for one in field.value if one.name == "name"] for field in left] == [
        ['"output_desc_size:0"'],
        ['"input_desc_dtype:0"'],
    ]
    assert [one["key"] for one in node["attributes"]] == ["n"]
    assert (file["fields"], file["graphs"][0]["fields"]) == ("ir_version: 6\n", 'output {\n  name: "a"\n}\n')


def test_of_a_readable_dump_the_spelling_is_lost(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(SMALL)
    (tmp_path / "b").write_text(VARIANTS["log"](SMALL))
    assert list(document.lost(open_dump(str(tmp_path / "a")))) == []
    losses = list(document.lost(open_dump(str(tmp_path / "b"))))
    assert {one.family for one in losses} == {"spelling"}
    [file] = _document(tmp_path, SMALL)["files"]
    assert [one["raw"] for one in file["graphs"][0]["nodes"][2]["attributes"]] == ["true", "-1"]


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample dumps are not beside the checkout")
def test_of_a_real_dump_no_field_is_missing() -> None:
    """Every field of every operation stands in the document: as a value, or in the text of what is left."""
    name = str(SAMPLES / "ge_proto_00046_afterUBMatch.txt")
    opened = open_dump(name)
    [file] = json.loads(document.document_text([opened]))["files"]
    assert opened.document is not None
    [graph] = [field for field in opened.document.root if field.name == "graph"]
    ops = [field.value for field in graph.value if field.name == "op"]
    nodes = file["graphs"][0]["nodes"]
    assert len(ops) == len(nodes) == 234
    for op, node in zip(ops, nodes, strict=True):
        keys = {one["key"] for one in node["attributes"]}
        for field in op:
            if field.name == "attr":
                assert field.value[0].value.strip('"') in keys
            elif field.name not in ("name", "type", "input", "input_desc", "output_desc", "subgraph_name"):
                assert f".{field.name}" in keys
        left = read(node["fields"] or "", name).root if node["fields"] else ()
        told = [field for field in left if field.name == "input_desc"]
        given = [field for field in op if field.name == "input_desc"]
        assert len(told) in (0, len(given))
        assert all(same(a.value, b.value) for a, b in zip(told, given, strict=False))
