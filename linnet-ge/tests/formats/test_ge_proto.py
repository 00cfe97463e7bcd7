"""GE's protobuf text as the view: edges, types of both numberings, attributes, and what the schema does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from linnet_core.errors import DocumentError
from linnet_ge.formats.dtypes import CPP, PROTO
from linnet_ge.formats.ge_proto import view
from linnet_ge.model import Dump, Edge, Link, TensorInfo
from linnet_ge.prototext.read import read

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "ge"

OP = """
op { name: "a:b" type: "Data" output_desc { dtype: DT_BF16 shape { dim: -1 dim: 4 } layout: "ND" } }
op {
  name: "n" type: "Case" input: "a:b:0" input: "" input: "a:b:1" input: "c:-1" subgraph_name: "g1" id: 7 99: 8 4242 { 1: "a" }
  attr { key: "T" value { dt: 3 } } attr { key: "z" value { i: 0 } } attr { key: "e" value { list {} } }
  attr { key: "_input_name_key" value { list { s: "x" s: "y1" } } } attr { key: "_input_name_value" value { list { i: 0 i: 2 } } }
  attr { key: "ll" value { list_list_int { list_list_i { list_i: 1 list_i: 2 } list_list_i { list_i: 3 } } } }
  attr { key: "odd" value { new_kind: 3 } }
}
"""


def _view(text: str) -> Dump:
    return view(read(text, "f"), "f")


def test_a_bare_graph_and_a_model_give_the_same_nodes() -> None:
    bare, model = _view('name: "g"' + OP), _view('graph { name: "g"' + OP + "}")
    assert bare.graphs[0].name == model.graphs[0].name == "g"
    assert [node.name for node in bare.graphs[0].nodes] == [node.name for node in model.graphs[0].nodes] == ["a:b", "n"]


def test_inputs_are_split_at_the_last_colon_and_keep_their_places() -> None:
    node = _view(OP).graphs[0].by_name["n"]
    assert node.inputs == (Edge("x", "a:b", 0, 0), Edge("y1", "a:b", 1, 2))
    assert node.control_inputs == ("c",)
    assert node.subgraphs == (Link("branches0", "g1"),)


def test_attributes_are_typed_and_unknown_ones_kept() -> None:
    values = _view(OP).graphs[0].by_name["n"].attributes
    got = {key: (value.kind, value.value) for key, value in values.items() if not key.startswith("_") and key != ".4242"}
    assert got == {
        "T": ("type", "DT_INT32"),
        "z": ("int", 0),
        "e": ("unknown", ()),
        "ll": ("list_list_int", ((1, 2), (3,))),
        "odd": ("unknown", "new_kind: 3"),
        ".id": ("int", 7),
        ".99": ("int", 8),
    }
    assert values[".4242"].raw == '4242 {\n  1: "a"\n}\n'


def test_descriptors_count_types_by_the_other_enum() -> None:
    node = _view(OP).graphs[0].nodes[0]
    assert node.outputs == (TensorInfo("DT_BFLOAT16", (-1, 4), "ND"),)
    assert (CPP[3], PROTO[3], CPP[27], PROTO[27], CPP[42], PROTO[41]) == (
        "DT_INT32",
        "DT_INT8",
        "DT_BFLOAT16",
        "DT_BFLOAT16",
        "DT_HIFLOAT4",
        "DT_HIFLOAT4",
    )


def test_an_input_that_is_no_output_of_a_node_is_a_note() -> None:
    (note,) = _view('op { name: "n"\n input: "a" }').notes
    assert str(note) == 'f:1: node `n`: `input` 0 is "a"; expected `NODE:OUTPUT`'


def test_very_many_faults_are_not_told_one_by_one() -> None:
    notes = _view('op { name: "n"' + ' input: "a"\n' * 5000 + "}").notes
    assert (len(notes), notes[-1].message) == (201, "from here on such faults are not told one by one")
    [note] = _view(f'op {{ name: "n" input: "{"x" * 5000}" }}').notes
    assert len(str(note)) < 200


def test_the_results_of_a_graph_are_what_its_net_output_takes() -> None:
    dump = _view('op { name: "a" } op { name: "out" type: "NetOutput" input: "a:1" }')
    assert [(output.edge.node, output.edge.output) for output in dump.graphs[0].outputs] == [("a", 1)]


def test_a_file_without_a_graph_is_refused() -> None:
    with pytest.raises(DocumentError, match="no graph"):
        _view("x: 1")


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample dumps are not beside the checkout")
def test_a_real_dump_by_value() -> None:
    name = "ge_proto_00046_afterUBMatch.txt"
    dump = view(read((SAMPLES / name).read_text("utf-8"), name), name)
    graph = dump.graphs[0]
    conv = graph.by_name["conv1"]
    assert (len(graph.nodes), dump.notes, graph.name) == (234, (), "partition0_rank3_new_sub_graph57")
    assert [edge.parameter for edge in conv.inputs] == ["x", "filter", "bias"]
    assert (conv.attributes["strides"].value, conv.attributes["pads"].value) == ((1, 1, 2, 2), (3, 3, 3, 3))


def test_a_node_of_whose_outputs_nothing_is_said_has_as_many_as_are_taken() -> None:
    text = (
        'op { name: "a" type: "Split" } op { name: "b" type: "Add" input: "a:2" input: "c:0" } op { name: "c" type: "Foo" output_desc {} }'
    )
    counts = {node.name: node.output_count for node in _view(text + ' output: "b:0" output: "gone:0"').graphs[0].nodes}
    assert counts == {"a": 3, "b": 1, "c": 1}
