"""GE's copy of ONNX as the view: what is left out because it is zero, descriptors in either form, graphs that stand as nodes."""

from __future__ import annotations

import pytest

from linnet_core.errors import DocumentError
from linnet_ge.formats.ge_onnx import view
from linnet_ge.model import Dump, Edge, Link, TensorInfo, TensorValue
from linnet_ge.prototext.read import read

ATTRIBUTES = r"""
attribute { name: "N" i: 2 type: INT }
attribute { name: "axis" type: INT }
attribute { name: "empty" type: INTS }
attribute { name: "epsilon" f: 1e-05 type: FLOAT }
attribute { name: "id" i: 3 type: 2 }
attribute { name: "mode" s: "a\346\250\241" type: STRING }
attribute { name: "sorted" type: INT }
attribute { name: "words" strings: "a" strings: "" type: STRINGS }
attribute { name: "pads" ints: [1, 2] type: INTS }
attribute { name: "value_data" s: "\002\000\000\000\001\000\000\000" type: STRING }
attribute { name: "value_desc_device_type" s: "NPU" type: STRING }
attribute { name: "value_desc_dtype" s: "DT_INT32" type: STRING }
attribute { name: "value_desc_layout" s: "ND" type: STRING }
attribute { name: "value_desc_shape" ints: 2 type: INTS }
attribute { name: "t" t { dims: 1 } type: TENSOR }
attribute { name: "_input_name_key" strings: "k" strings: "x" type: STRINGS }
attribute { name: "_input_name_value" ints: 1 ints: 0 type: INTS }
attribute { name: "output_desc_dtype:0" s: "DT_BFLOAT16" type: STRING }
attribute { name: "output_desc_shape:0" ints: -1 ints: 4 type: INTS }
attribute { name: "output_desc_layout:0" s: "ND" type: STRING }
attribute { name: "output_desc_origin_shape:0" type: INTS }
attribute { name: "output_desc_1" s: "{\"dtype\": \"DT_INT32\", \"shape\": [2], \"layout\": \"NHWC\"}" type: STRING }
attribute { name: "output_desc_nums" i: 2 type: INT }
attribute { name: "input_desc_size:0" i: 9 type: INT }
"""
NODE = f'node {{ name: "a/b:c" op_type: "ge:TopKV2" input: "x:y:0" input: "k:1" input: "z:-1" domain: "d" {ATTRIBUTES} }}'
GRAPH = 'g { name: "sub" node { name: "i" op_type: "ge:Data" } }'
INNER = f'node {{ name: "sub" op_type: "subgraph" attribute {{ name: "graph" {GRAPH} type: GRAPH }} }}'
SHAPE = 'shape { dim { dim_value: 3 } dim { dim_param: "n" } dim { } }'
OUTPUT = f'output {{ name: "a/b:c" type {{ tensor_type {{ elem_type: 1 {SHAPE} }} }} }}'


def _view(text: str) -> Dump:
    return view(read(text, "f"), "f")


def _model(*parts: str) -> str:
    return f'ir_version: 6 producer_name: "GE" graph {{ name: "g" {" ".join(parts)} }}'


def test_attributes_have_their_types_and_zero_is_a_value() -> None:
    attributes = _view(_model(NODE)).graphs[0].nodes[0].attributes
    got = {key: (value.kind, value.value) for key, value in attributes.items() if key not in ("t",) and not key.startswith("_")}
    assert got == {
        "N": ("int", 2),
        "axis": ("int", 0),
        "empty": ("list_int", ()),
        "epsilon": ("float", 1e-05),
        ".id": ("int", 3),
        "mode": ("string", "a\u6a21"),
        "sorted": ("bool", False),
        "words": ("list_string", ("a", "")),
        "pads": ("list_int", (1, 2)),
        "value": ("tensor", TensorValue("values", (2, 1), "DT_INT32", (2,))),
        ".domain": ("string", "d"),
    }
    assert attributes["t"].kind == "message"


def test_edges_are_split_at_the_last_colon_and_named() -> None:
    node = _view(_model(NODE)).graphs[0].by_name["a/b:c"]
    assert node.type == "TopKV2"
    assert node.inputs == (Edge("x", "x:y", 0, 0), Edge("k", "k", 1, 1))
    assert node.control_inputs == ("z",)


def test_descriptors_are_read_in_both_forms() -> None:
    node = _view(_model(NODE)).graphs[0].nodes[0]
    assert node.outputs == (TensorInfo("DT_BFLOAT16", (-1, 4), "ND", ()), TensorInfo("DT_INT32", (2,), "NHWC"))


def test_graphs_stand_flat_as_nodes() -> None:
    dump = _view(_model(NODE, INNER))
    assert [(graph.name, [node.name for node in graph.nodes]) for graph in dump.graphs] == [("g", ["a/b:c"]), ("sub", ["i"])]
    owner = INNER.replace('"subgraph"', '"If"').replace('"graph"', '"then_branch"')
    assert _view(_model(owner)).graphs[0].nodes[0].subgraphs == (Link("then_branch", "sub"),)


def test_without_attributes_what_is_used_and_the_value_infos_are_told() -> None:
    bare = 'node { name: "a/b:c" op_type: "ge:Odd" output: "a/b:c:1" output: "a/b:c:-1" }'
    dump = _view(_model(bare, OUTPUT))
    [node] = dump.graphs[0].nodes
    assert (node.output_count, node.outputs) == (2, (TensorInfo("DT_FLOAT", (3, -1, 0)), None))
    assert [output.edge for output in dump.graphs[0].outputs] == [Edge(None, "a/b:c", 0, 0)]
    assert _view(_model('node { name: "a" op_type: "ge:TopKV2" }')).graphs[0].nodes[0].output_count == 2


def test_a_bare_graph_is_read_and_other_text_refused() -> None:
    assert [node.name for node in _view(INNER.replace("subgraph", "ge:If")).graphs[0].nodes] == ["sub"]
    with pytest.raises(DocumentError, match="f: no graph"):
        _view("ir_version: 6")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        pytest.param("i: 1", "int", id="no type"),
        pytest.param("type: FLOATS", "list_float", id="empty"),
        pytest.param("type: 42", "message", id="unknown type"),
        pytest.param('i: "a" type: INT', "unknown", id="no integer"),
        pytest.param("ints: 1 ints: x type: INTS", "unknown", id="no integers"),
    ],
)
def test_what_an_attribute_says_of_its_type(words: str, kind: str) -> None:
    node = _view(_model(f'node {{ name: "a" op_type: "ge:Odd" attribute {{ name: "k" {words} }} }}')).graphs[0].nodes[0]
    assert node.attributes["k"].kind == kind
