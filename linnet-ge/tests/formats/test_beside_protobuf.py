"""What protobuf writes, ours reads as protobuf does: every known field of random messages and of real dumps, and the view of them."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet_ge.formats import ge_onnx, ge_proto
from linnet_ge.ir.dtypes import CPP
from linnet_ge.model import Node, Value
from linnet_ge.prototext.read import read
from linnet_ge.prototext.scalars import bool_of, bytes_of, float_of, int_of, string_of
from linnet_ge.prototext.tree import Message, messages, scalars

pytest.importorskip("google.protobuf", reason="protobuf is of the dependency group `protobuf`")
from google.protobuf import text_format
from protobuf_classes import ge_graph, ge_model, onnx_model

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "ge"
#: How protobuf can be told to print.
STYLES: dict[str, dict[str, Any]] = {
    "usual": {},
    "one line": {"as_one_line": True},
    "UTF-8": {"as_utf8": True},
    "pointed brackets": {"pointy_brackets": True},
    "short lists": {"use_short_repeated_primitives": True, "as_one_line": True},
    "by number": {"use_index_order": True, "as_utf8": True},
}
TEXTS = ["", "a/b:c", 'q"\\', "line\nend\t", "\u6a21\u578b", "\x00\x7f", "{ x: 1 }", "# no comment", "'"]
NUMBERS = [0, 1, -1, 2**31 - 1, -(2**31), 7]
FLOATS = [0.0, -0.0, 1.5, 1e-7, -1e30, 0.1, math.inf, -math.inf, math.nan]
#: Messages in one another at most.
DEPTH = 5


def filled(message: Any, random: Random, depth: int = 0) -> Any:
    """The message with about a third of its fields set at random."""
    for field in message.DESCRIPTOR.fields:
        if random.random() < 0.6 or (field.message_type is not None and depth >= DEPTH):
            continue
        is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
        target = getattr(message, field.name)
        if is_map:
            for key in random.sample(TEXTS, random.randrange(3)):
                filled(target[key], random, depth + 1)
        elif field.message_type is not None:
            for one in [target.add() for _ in range(random.randrange(3))] if field.is_repeated else [target]:
                one.SetInParent()
                filled(one, random, depth + 1)
        elif field.is_repeated:
            target.extend(_random(field, random) for _ in range(random.randrange(4)))
        else:
            setattr(message, field.name, _random(field, random))
    return message


def _random(field: Any, random: Random) -> Any:
    if field.type == field.TYPE_STRING:
        return random.choice(TEXTS)
    if field.type == field.TYPE_BYTES:
        return bytes(random.randrange(256) for _ in range(random.randrange(9)))
    if field.type == field.TYPE_ENUM:
        return random.choice(list(field.enum_type.values)).number
    if field.type in (field.TYPE_FLOAT, field.TYPE_DOUBLE):
        return random.choice(FLOATS)
    number = random.choice(NUMBERS)
    unsigned = field.type in (field.TYPE_UINT32, field.TYPE_UINT64)
    return bool(number % 2) if field.type == field.TYPE_BOOL else abs(number) if unsigned else number


def differences(ours: Message, theirs: Any, path: str = "") -> list[str]:
    """Where the field tree says something else than the message, of all fields the message's type has."""
    found: list[str] = []
    for field in theirs.DESCRIPTOR.fields:
        here = f"{path}.{field.name}"
        if field.message_type is None:
            given = [decoded(text, field) for text in scalars(ours, field.name)]
            told = getattr(theirs, field.name)
            if not field.is_repeated and given == [] and (not field.has_presence or not theirs.HasField(field.name)):
                given = [field.default_value]
            wanted = [rounded(value, field) for value in (told if field.is_repeated else [told])]
            if [repr(value) for value in given] != [repr(value) for value in wanted]:
                found.append(f"{here}: {given} is not {wanted}")
            continue
        own = list(messages(ours, field.name))
        told = getattr(theirs, field.name)
        if field.message_type.GetOptions().map_entry:
            entries = {string_of(text): next(messages(one, "value"), ()) for one in own for text in (*scalars(one, "key"), '""')[:1]}
            found += [] if entries.keys() == set(told) else [f"{here}: keys {sorted(map(str, entries))}"]
            pairs = [(entries[key], told[key]) for key in told if key in entries]
        else:
            expected = list(told) if field.is_repeated else [told] if theirs.HasField(field.name) else []
            found += [] if len(own) == len(expected) else [f"{here}: {len(own)} messages are not {len(expected)}"]
            pairs = list(zip(own, expected, strict=False))
        for number, (one, other) in enumerate(pairs):
            found += differences(one, other, f"{here}[{number}]")
    return found


def decoded(text: str, field: Any) -> Any:
    """What ours makes of the text of a scalar."""
    match field.type:
        case field.TYPE_STRING:
            return string_of(text)
        case field.TYPE_BYTES:
            return bytes_of(text)
        case field.TYPE_BOOL:
            return bool_of(text)
        case field.TYPE_FLOAT | field.TYPE_DOUBLE:
            return rounded(float_of(text), field)
        case field.TYPE_ENUM:
            return field.enum_type.values_by_name[text].number if int_of(text) is None else int_of(text)
    return int_of(text)


def rounded(value: Any, field: Any) -> Any:
    """A float as 32 bits hold it, others as they are."""
    return struct.unpack("<f", struct.pack("<f", value))[0] if field.type == field.TYPE_FLOAT else value


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "kind", [pytest.param(ge_model, id="ModelDef"), pytest.param(ge_graph, id="GraphDef"), pytest.param(onnx_model, id="ONNX")]
)
@settings(max_examples=25, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_every_known_field_is_as_protobuf_has_it(kind: Any, style: str, random: Random) -> None:
    message = filled(kind()(), random)
    text = text_format.MessageToString(message, **STYLES[style])
    document = read(text, "f") if text.strip() else None
    root = document.root if document is not None else ()
    assert document is None or document.problems == ()
    assert differences(root, message) == []


def test_a_difference_is_found() -> None:
    message = text_format.Parse('graph { name: "g" op { id: 3 attr { key: "k" value { f: 0.5 } } } }', ge_model()())
    wrong = read('graph { name: "h" op { id: 4 attr { key: "k" value { f: 0.25 } } attr { key: "l" } } op { } }', "f").root
    assert [one.partition(":")[0] for one in differences(wrong, message)] == [
        ".graph[0].name",
        ".graph[0].op",
        ".graph[0].op[0].attr",
        ".graph[0].op[0].attr[0].f",
        ".graph[0].op[0].id",
    ]


@settings(max_examples=60, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_the_view_says_what_operations_and_attributes_say(random: Random) -> None:
    message = ge_model()()
    graph = message.graph.add(name="g")
    for number in range(random.randrange(1, 4)):
        op = filled(graph.op.add(), random)
        op.name, op.type = f"n{number}", random.choice(["Odd", "Data"])
        del op.input[:]
        op.input.extend(random.choice(["a:0", "a:b:12", "a:-1", ""]) for _ in range(random.randrange(4)))
    view = ge_proto.view(read(text_format.MessageToString(message), "f"), "f")
    for op, node in zip(graph.op, view.graphs[0].nodes, strict=True):
        assert (node.name, node.type, node.output_count) == (op.name, op.type, len(op.output_desc))
        _hold_inputs(list(op.input), node)
        assert [link.graph for link in node.subgraphs] == [name for name in op.subgraph_name if name]
        for desc, info in zip(op.output_desc, node.outputs, strict=True):
            assert info is not None
            assert (info.layout or "", info.shape) == (desc.layout, tuple(desc.shape.dim) if desc.HasField("shape") else None)
        assert {key for key in node.attributes if not key.startswith(".")} >= {key for key in op.attr if not key.startswith(".")}
        for key, attribute in op.attr.items():
            _hold_value(attribute, node.attributes[key])


def _hold_inputs(inputs: list[str], node: Node) -> None:
    data = [text for text in inputs if not text.endswith(":-1")]
    assert [(edge.position, f"{edge.node}:{edge.output}") for edge in node.inputs] == [(at, text) for at, text in enumerate(data) if text]
    assert list(node.control_inputs) == [text[:-3] for text in inputs if text.endswith(":-1")]


def _hold_value(attribute: Any, value: Value) -> None:
    """The view's value of an AttrDef."""
    member = attribute.WhichOneof("value")
    match member:
        case None:
            assert value.kind == "unknown"
        case "i" | "b" | "bt":
            assert (value.kind, value.value) == ({"i": "int", "b": "bool", "bt": "bytes"}[member], getattr(attribute, member))
        case "f":
            assert repr(struct.unpack("<f", struct.pack("<f", value.value))[0]) == repr(attribute.f)
        case "s":
            assert (value.kind, value.value) == ("string", attribute.s.decode("utf-8", "surrogateescape"))
        case "dt":
            assert (value.kind, value.value) == ("type", CPP[attribute.dt]) if attribute.dt in CPP else value.kind == "unknown"
        case "list_list_int":
            rows = tuple(tuple(row.list_i) for row in attribute.list_list_int.list_list_i)
            assert (value.kind, value.value) == ("list_list_int", rows)
        case "list":
            _hold_list(attribute.list, value)
        case "t":
            assert value.kind == "tensor"
            assert (value.value.shape or ()) == tuple(attribute.t.desc.shape.dim)


def _hold_list(told: Any, value: Value) -> None:
    """The view's value of a ListValue; of several members that are filled it takes the first that it knows."""
    known = {"list_string": told.s, "list_int": told.i, "list_float": told.f, "list_bool": told.b, "list_type": told.dt}
    first = next((kind for kind, items in known.items() if items), None)
    if first is None:
        assert value.kind in known or value.kind in ("unknown", "message")
        assert value.kind not in known or value.value == ()
        return
    wanted: list[Any] = list(known[first])
    if first == "list_type" and not all(number in CPP for number in wanted):
        assert value.kind == "unknown"
        return
    own = value.value
    if first == "list_string":
        wanted = [item.decode("utf-8", "surrogateescape") for item in wanted]
    elif first == "list_type":
        wanted = [CPP[number] for number in wanted]
    elif first == "list_float":
        own = struct.unpack(f"<{len(own)}f", struct.pack(f"<{len(own)}f", *own))
    assert (value.kind, repr(list(own))) == (first, repr(wanted))


@pytest.mark.parametrize(
    ("told", "value"),
    [
        pytest.param("i: 3", Value("int", 4), id="int"),
        pytest.param("b: true", Value("int", 1), id="kind"),
        pytest.param("f: 0.5", Value("float", 0.25), id="float"),
        pytest.param('s: "a"', Value("string", "b"), id="string"),
        pytest.param("dt: 3", Value("type", "DT_FLOAT"), id="type"),
        pytest.param("list_list_int { list_list_i { list_i: 1 } }", Value("list_list_int", ((2,),)), id="list of lists"),
        pytest.param("list { i: 1 i: 2 }", Value("list_int", (1,)), id="list"),
        pytest.param("list { f: 1.5 }", Value("list_int", (1,)), id="list's kind"),
        pytest.param("list { }", Value("list_int", (1,)), id="empty list"),
        pytest.param("", Value("int", 0), id="none"),
    ],
)
def test_another_value_is_not_held(told: str, value: Value) -> None:
    message = text_format.Parse(f'graph {{ op {{ attr {{ key: "k" value {{ {told} }} }} }} }}', ge_model()())
    with pytest.raises(AssertionError):
        _hold_value(message.graph[0].op[0].attr["k"], value)


@pytest.mark.parametrize("inputs", [["b:0", "c:-1"], ["a:1", "c:-1"], ["a:0", "d:-1"], ["a:0"], ["", "a:0", "c:-1"]], ids=",".join)
def test_other_inputs_are_not_held(inputs: list[str]) -> None:
    text = 'graph { op { name: "n" type: "Add" input: "a:0" input: "c:-1" } }'
    [node] = ge_proto.view(read(text, "f"), "f").graphs[0].nodes
    _hold_inputs(["a:0", "c:-1"], node)
    with pytest.raises(AssertionError):
        _hold_inputs(inputs, node)


def test_the_view_of_onnx_says_what_nodes_and_attributes_say() -> None:
    words = """
    ir_version: 6 graph { name: "g" node { input: "a:0" input: "b:-1" name: "n" op_type: "ge:Odd"
      attribute { name: "f" f: 0.1 type: FLOAT } attribute { name: "i" i: 0 type: INT } attribute { name: "s" s: "\\303\\251" type: STRING }
      attribute { name: "fs" floats: [1, 2.5] type: FLOATS }
      attribute { name: "is" type: INTS } attribute { name: "ss" strings: "x" type: STRINGS } } }
    """
    message = text_format.Parse(words, onnx_model()())
    [node] = ge_onnx.view(read(text_format.MessageToString(message), "f"), "f").graphs[0].nodes
    assert (node.name, node.type, node.inputs[0].node, node.control_inputs) == ("n", "Odd", "a", ("b",))
    got = {key: (value.kind, value.value) for key, value in node.attributes.items()}
    assert got == {
        "f": ("float", 0.1),
        "i": ("int", 0),
        "s": ("string", "\u00e9"),
        "fs": ("list_float", (1.0, 2.5)),
        "is": ("list_int", ()),
        "ss": ("list_string", ("x",)),
    }


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample dumps are not beside the checkout")
@pytest.mark.parametrize("name", ["ge_proto_small.txt", "ge_proto_00046_afterUBMatch.txt"])
def test_real_dumps_are_read_as_protobuf_reads_them(name: str) -> None:
    text = (SAMPLES / name).read_text("utf-8")
    message = text_format.Parse(text, ge_model()())
    document = read(text, name)
    assert differences(document.root, message) == []
    view = ge_proto.view(document, name)
    for op, node in zip(message.graph[0].op, view.graphs[0].nodes, strict=True):
        _hold_inputs(list(op.input), node)
        for key, attribute in op.attr.items():
            _hold_value(attribute, node.attributes[key])
