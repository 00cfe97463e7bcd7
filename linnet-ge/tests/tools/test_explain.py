"""What is known of a node: from the file, and from the table of operations."""

from __future__ import annotations

from dumps import PROTO, SMALL, viewed

from linnet_ge.formats.ge_proto import view
from linnet_ge.model import Dump
from linnet_ge.prototext.read import read
from linnet_ge.tools.explain import Explanation, Run, Use, explain


def told(dump: Dump, name: str, graph: int = 0) -> Explanation:
    chosen = dump.graphs[graph]
    return explain(dump, chosen, [node.name for node in chosen.nodes].index(name))


def test_producers_consumers_and_names_of_a_readable_dump() -> None:
    top = told(viewed(SMALL), "top")
    assert [(one.name, one.form, one.source, one.output, one.type) for one in top.inputs] == [
        ("x", "required", "later", 0, "Add"),
        ("k", "required", "k", 0, "Const"),
    ]
    assert [(one.number, one.name, one.uses) for one in top.outputs] == [
        (0, "values", (Use("call", "PartitionedCall", "args_0"), Use(None, None, "1"))),
        (1, "indices", ()),
    ]
    assert [(one.key, one.value, one.state) for one in top.settings] == [
        ("sorted", "true", "default"),
        ("dim", "-1", "default"),
        ("largest", "true", "unset"),
    ]


def test_types_shapes_graphs_and_control_edges() -> None:
    dump = view(read(PROTO, "p"), "p")
    call = told(dump, "call")
    assert [(one.name, one.form, one.info and one.info.shape) for one in call.inputs] == [
        ("args_0", "dynamic", (4,)),
        ("args_1", "dynamic", (-1, 4)),
    ]
    assert call.runs == (Run("f", "inner", 1),)
    assert [use.node for use in call.outputs[0].uses] == ["NetOutput"]
    assert (told(dump, "x").waiting, told(dump, "cast").node.control_inputs) == (("cast",), ("x",))
    assert [(one.key, one.value, one.state) for one in told(dump, "c").settings] == [("value", "<empty>", "unset")]


def test_what_is_not_connected_and_what_the_table_has_not() -> None:
    text = """graph("g"):
  %a : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %m : [#users=1] = Node[type=MatMul] (inputs = (x1=%a, x2=%gone), attrs = {odd: 1})
  %o : [#users=2] = Node[type=NoSuchOp] (inputs = (%m, %ret_1))
  %ret : [#users=0] = get_element[node=%o](0)
  %ret_1 : [#users=1] = get_element[node=%o](1)
  %p : [#users=1] = Node[type=Add] (inputs = (%a, %a))
  %s : [#users=1] = Node[type=SplitD] (inputs = (x=%a))
"""
    matmul, odd, add, split = (told(viewed(text), name) for name in "mops")
    assert (matmul.unconnected, matmul.inputs[1].type) == (("bias (optional)",), None)
    assert [one.state for one in matmul.settings] == ["other", "unset", "unset"]
    assert (odd.known, [(one.name, one.form) for one in odd.inputs], odd.unconnected) == (False, [("0", None), ("1", None)], ())
    assert [one.name for one in add.inputs] == ["x1", "x2"]
    assert [(one.key, one.state) for one in split.settings] == [("split_dim", "required"), ("num_split", "required")]
    assert split.outputs[0].name == "y_0"


def test_outputs_of_an_unknown_operation_have_the_names_of_the_file() -> None:
    names = 'attr { key: "_output_name_key" value { list { s: "rest" s: "y0" s: "y1" } } }'
    places = 'attr { key: "_output_name_value" value { list { i: 2 i: 0 i: 1 } } }'
    forms = (
        'attr { key: "_ir_outputs_key" value { list { s: "y" s: "rest" } } } attr { key: "_ir_outputs_value" value { list { i: 2 i: 0 } } }'
    )
    text = f'graph {{ name: "g" op {{ name: "a" type: "NoSuchOp" {names} {places} %s {"output_desc { } " * 3} }} }}'
    for more, wanted in ((forms, ["y_0", "y_1", "rest"]), ("", ["y0", "y1", "rest"])):
        assert [one.name for one in told(view(read(text % more, "p"), "p"), "a").outputs] == wanted
