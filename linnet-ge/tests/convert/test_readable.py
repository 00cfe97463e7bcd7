"""Protobuf dumps as readable dumps: what GE's emitter prints of the same graph, and what is said to be lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from dumps import SMALL, VARIANTS

from linnet_core.errors import DocumentError
from linnet_ge.convert import readable
from linnet_ge.convert.lost import counts, one_by_one
from linnet_ge.formats.files import Opened, open_dump
from linnet_ge.model import Dump, Graph, Node
from linnet_ge.readable.dump_text import dump_text

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "ge"

PROTO = r"""
graph {
  name: "main"
  op { name: "x" type: "Data" attr { key: "index" value { i: 0 } } output_desc { dtype: DT_FLOAT shape { dim: 2 } layout: "ND" size: 8 } }
  op {
    name: "k" type: "Const" output_desc { }
    attr { key: "value" value { t { desc { dtype: DT_INT32 shape { dim: 7 } }
      data: "\000\000\000\000\001\000\000\000\002\000\000\000\003\000\000\000\004\000\000\000\005\000\000\000\377\377\377\377" } } }
  }
  op {
    name: "top" type: "TopKV2" input: "x:0" input: "k:0" input: "x:-1" output_desc { } output_desc { } id: 7
    attr { key: "dim" value { i: -1 } } attr { key: "sorted" value { b: true } } attr { key: "_private" value { s: "p" } }
  }
  op {
    name: "case" type: "If" input: "x:0" input: "top:1" output_desc { } subgraph_name: "a" subgraph_name: "b"
    attr { key: "_ir_inputs_key" value { list { s: "cond" s: "input" } } }
    attr { key: "_ir_inputs_value" value { list { i: 0 i: 2 val_type: VT_LIST_INT } } }
    attr { key: "_input_name_key" value { list { s: "cond" s: "input0" } } }
    attr { key: "_input_name_value" value { list { i: 0 i: 1 } } }
  }
  op {
    name: "odd" type: "Odd" input: "case:0" output_desc { }
    attr { key: "_ir_attr_names" value { list { s: "second" s: "first" s: "unset" s: "none" s: "bytes" } } }
    attr { key: "first" value { f: 1e-07 } } attr { key: "second" value { dt: 27 } } attr { key: "third" value { i: 3 } }
    attr { key: "none" value { s: "" } } attr { key: "bytes" value { bt: "\001" } }
  }
  op { name: "out" type: "NetOutput" input: "odd:0" input: "top:0" }
  99: 7
}
graph { name: "b" op { name: "y" type: "Data" output_desc { } } output: "y:0" }
graph { name: "b" }
graph { name: "alone" op { name: "z" type: "Odd" input: "q:1" attr { key: "axes" value { list { i: 1 i: 2 } } } } }
attr { key: "stream_num" value { i: 0 } }
"""

READABLE = """graph("main"):
  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %k : [#users=1] = Node[type=Const] (attrs = {value: [0 1 2 ... 4 5 -1]})
  %top : [#users=2] = Node[type=TopKV2] (inputs = (x=%x, k=%k), attrs = {sorted: true, dim: -1})
  %ret : [#users=1] = get_element[node=%top](0)
  %ret_1 : [#users=1] = get_element[node=%top](1)
  %case : [#users=1] = Node[type=If] (inputs = (cond=%x, input_0=%ret_1), attrs = {then_branch: %a, else_branch: %b})
  %odd : [#users=1] = Node[type=Odd] (inputs = (_input_0=%case), attrs = {second: DT_BFLOAT16, first: 0.000000})

  return (output_0=%odd, output_1=%ret)

graph("b"):
  %y : [#users=1] = Node[type=Data] ()

  return (%y)

graph("alone"):
  %z : [#users=0] = Node[type=Odd] (inputs = (_input_0=%q), attrs = {axes: {1, 2}})
"""


def opened(folder: Path, text: str) -> Opened:
    (folder / "dump").write_text(text, encoding="utf-8")
    return open_dump(str(folder / "dump"))


def test_a_protobuf_dump_is_printed_as_the_emitter_would(tmp_path: Path) -> None:
    assert readable.readable_text(opened(tmp_path, PROTO)) == READABLE


def test_what_is_lost_is_counted_and_listed(tmp_path: Path) -> None:
    losses = list(readable.lost(opened(tmp_path, PROTO)))
    assert list(counts(losses)) == [
        "model 1: stream_num 1",
        "graphs 2: 99 1, another of the same name 1",
        "output_desc 4: dtype 1, layout 1, shape 1, size 1",
        "values 5: bytes (no text) 1, first (rounded) 1, none (empty) 1, value (dtype, shape) 1, value (shortened) 1",
        "edges 1: control 1",
        "attributes 8: .id 1, _input_name_key 1, _input_name_value 1, _ir_attr_names 1, _ir_inputs_key 1, _ir_inputs_value 1, "
        "_private 1, third 1",
        "nodes 1: name of NetOutput 1",
    ]
    told = list(one_by_one(losses, "dump"))
    assert len(told) == len(losses)
    assert "dump:10: node `top`: edges: control" in told
    assert "dump:28: graphs: 99" in told
    assert "dump:25: node `odd`: values: none (empty)" in told
    assert "dump:24: node `odd`: attributes: third" in told
    assert "dump:4: node `x`: output_desc: size" in told


def test_a_readable_dump_is_only_spelled_anew(tmp_path: Path) -> None:
    log = opened(tmp_path, VARIANTS["log"](SMALL))
    assert readable.readable_text(log) == SMALL
    assert list(readable.lost(log)) == []


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    text = readable.readable_text(opened(tmp_path, PROTO))
    again = opened(tmp_path, text)
    assert again.dump.notes == ()
    assert readable.readable_text(again) == text


def test_a_name_that_no_readable_dump_can_hold_is_told(tmp_path: Path) -> None:
    odd = opened(tmp_path, r'graph { op { name: "a\nb" output_desc { } } }')
    assert list(counts(readable.lost(odd))) == ["nodes 1: line end in a name: it cannot be read back 1"]


def test_a_node_of_more_outputs_than_there_can_be_is_refused() -> None:
    node = Node("a", "Odd", 10**17)
    with pytest.raises(DocumentError, match="node `a`: it says that it has 100000000000000000 outputs"):
        dump_text(Dump("readable", (Graph("g", (node,)),)))


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample dumps are not beside the checkout")
@pytest.mark.parametrize("name", ["ge_proto_small.txt", "ge_proto_00046_afterUBMatch.txt"])
def test_real_dumps_are_read_again_and_every_field_is_kept_or_told(tmp_path: Path, name: str) -> None:
    real = open_dump(str(SAMPLES / name))
    text = readable.readable_text(real)
    again = opened(tmp_path, text)
    assert readable.readable_text(again) == text
    edges = [[(e.parameter or f"_input_{e.position}", e.node, e.output) for e in node.inputs] for node in real.dump.graphs[0].nodes]
    assert [[(e.parameter, e.node, e.output) for e in node.inputs] for node in again.dump.graphs[0].nodes] == edges
    lost = {(one.line, one.family, one.field) for one in readable.lost(real) if one.node is None}
    # the attributes of graph and model, which stand at the end of the file
    assert {field for _, family, field in lost if family == "model"} >= {"memory_size", "target_type", "weight_size"}
