"""The document: keys and their order, ids and views, round trips, and what reading refuses."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from node_samples import sample_graph

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import CALLS
from linnet_core.graph.document import attribute_names, decode, document, encode, flat_nodes, from_document

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLE = document(sample_graph())

#: The attributes of each kind, in order, as the format says.
ATTRIBUTES = {
    "input": "name shape dtype",
    "parameter": "path shape dtype",
    "state": "path shape dtype",
    "constant": "literal dtype",
    "elementwise": "kind shape dtype",
    "compare": "kind shape",
    "select": "shape dtype",
    "convert": "shape dtype",
    "reshape": "shape",
    "transpose": "shape permutation",
    "broadcast": "shape dims",
    "slice": "starts limits strides shape",
    "concat": "axis",
    "cumsum": "axis",
    "iota": "length",
    "gather": "shape",
    "reduce": "kind dims shape",
    "contract": "lhs_axes rhs_axes out_axes shape dtype",
    "native_call": "implementation generics shape dtype",
    "update_row": "",
    "scatter_add": "shape dtype",
    "enable_placement": "slots",
    "set_slot": "slot",
    "transfer": "slot",
    "release": "",
    "gather_parts": "",
    "begin_remat": "",
    "end_remat": "",
    "begin_while": "",
    "while_condition": "",
    "end_while": "",
    "while_initial_condition": "",
    "while_trailing_condition": "",
    "begin_counted": "start stop",
    "end_counted": "",
    "begin_custom_gradient": "",
    "end_custom_gradient": "arguments",
    "launch_kernel": "callee name program grid result_shapes result_dtypes warps stages",
    "finish": "module block entry returns states",
}


def every_node(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for node in nodes:
        found.append(node)
        found += every_node(node.get("body", []))
        for region in node.get("regions", []):
            found += every_node(region["nodes"])
    return found


def test_every_kind_has_the_attributes_of_the_format() -> None:
    assert {op: " ".join(attribute_names(kind)) for op, kind in CALLS.items()} == ATTRIBUTES
    assert list(CALLS) == list(ATTRIBUTES)


def test_the_sample_holds_every_kind() -> None:
    assert {node["op"] for node in every_node(SAMPLE["nodes"])} == {"call", *CALLS}


def test_keys_stand_in_the_order_of_the_format() -> None:
    assert list(SAMPLE) == ["version", "target", "values", "nodes"]
    assert all(list(value) == ["id", "name", "shape", "dtype"] for value in SAMPLE["values"])
    for node in every_node(SAMPLE["nodes"]):
        if node["op"] == "call":
            assert list(node) == ["op", "callee", "semantic", "path", "generics", "arguments", "body", "results"]
            continue
        after = [key for key in ("declined", "regions") if key in node]
        assert list(node) == ["op", *ATTRIBUTES[node["op"]].split(), "operands", "results", *after]


def test_an_operand_is_a_bare_id_unless_it_is_viewed() -> None:
    add = next(node for node in SAMPLE["nodes"] if node["op"] == "elementwise")
    assert add["operands"][0] == 0
    assert add["operands"][1] == {"value": add["operands"][1]["value"], "shape": [2, 3], "dtype": "f32"}
    assert SAMPLE["values"][add["operands"][1]["value"]]["shape"] == []
    native = next(node for node in SAMPLE["nodes"] if node["op"] == "native_call")
    assert native["operands"] == [0, 0, None]


def test_real_literals_are_spelled_as_they_read_back() -> None:
    text = encode(sample_graph()).decode()
    for spelling in ("0.1", "-0.0", "1e-05", "1e+300", '"inf"', '"-inf"', '"nan"', "4611686018427387905"):
        assert f'"value":{spelling}' in text
    assert json.dumps(json.loads(text), separators=(",", ":")) == text


def test_a_document_reads_back_to_the_same_bytes() -> None:
    text = encode(sample_graph())
    assert encode(decode(text)) == text
    assert document(decode(text)) == SAMPLE
    assert decode(encode(sample_graph(), indent=2)) is not None
    assert flat_nodes(decode(text).nodes)[0].call == flat_nodes(sample_graph().nodes)[0].call


def first(op: str, *, declined: bool = False) -> int:
    return next(at for at, node in enumerate(SAMPLE["nodes"]) if node["op"] == op and node.get("declined", False) == declined)


def edit(op: str, change: Callable[[dict[str, Any]], Any], *, declined: bool = False) -> dict[str, Any]:
    """The sample with its first node of a kind edited in place."""
    edited = copy.deepcopy(SAMPLE)
    change(edited["nodes"][first(op, declined=declined)])
    return edited


def put(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda node: node.update(fields)


def drop(field: str) -> Callable[[dict[str, Any]], None]:
    return lambda node: node.pop(field) and None


def region(field: str, change: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def edit_region(node: dict[str, Any]) -> None:
        node["regions"][0][field] = change(node["regions"][0][field])

    return edit_region


REFUSED = [
    pytest.param("concat", put(axis=1.0), "axis: expected `int`, got `float`", id="a float for an integer"),
    pytest.param("concat", put(axis=True), "axis: expected `int`, got `bool`", id="a bool for an integer"),
    pytest.param("concat", put(axis=7), "the operands of this concat do not fit", id="an axis there is not"),
    pytest.param("concat", put(axes=1), "axes: no such field", id="an unknown field"),
    pytest.param("concat", drop("axis"), "axis: missing", id="a missing field"),
    pytest.param("concat", put(operands=[0, 100_000]), "operands[1]: 100000 is no value's id", id="an id there is not"),
    pytest.param("concat", put(operands=[0, -1]), "operands[1]: -1 is no value's id", id="a negative id"),
    pytest.param("concat", put(operands=[0, len(SAMPLE["values"]) - 1]), "is used before a node makes it", id="an id not made yet"),
    pytest.param("concat", put(operands=[0, None]), "only a native_call has absent operands", id="an absent operand"),
    pytest.param("concat", put(operands=[]), "concat takes at least 1 operands, not 0", id="too few operands"),
    pytest.param("concat", put(results=[0, 1]), "this concat has 1 results, not 2", id="too many results"),
    pytest.param("concat", put(declined=True), "declined: no such field", id="declining what cannot be declined"),
    pytest.param("contract", put(declined=True), "a declined contract has 0 results, not 1", id="declined with results"),
    pytest.param("contract", put(declined=False), "declined: only true is written", id="declined false"),
    pytest.param("elementwise", put(kind="sinh"), "kind: invalid enum value 'sinh'", id="an unknown kind"),
    pytest.param("convert", put(dtype="i32"), "but its node gives i32", id="a result of another dtype than its value"),
    pytest.param("convert", put(dtype="f32)\nimport os\n#"), "dtype: 'f32)\\nimport os\\n#' is no dtype", id="text for a dtype"),
    pytest.param("reshape", put(shape=[-3, -2]), "shape: a size is negative", id="negative sizes"),
    pytest.param("native_call", put(operands=[]), "takes *S I, O I, O? -> *S O, not  -> [2, 2]", id="a library call of nothing"),
    pytest.param(
        "concat", put(results=[0]), "results: value 0 is f32 [2, 3], and this concat gives another type", id="a value of another type"
    ),
    pytest.param("elementwise", put(op="elementwize"), "op: 'elementwize' is no node kind", id="an unknown op"),
    pytest.param("reshape", put(shape=[3, 2]), "but its node gives f32 [3, 2]", id="a shape other than its value's"),
    pytest.param(
        "constant", put(literal={"kind": "integer", "value": 1.0}), "literal.value: expected `int`, got `float`", id="a float literal"
    ),
    pytest.param("constant", put(literal={"kind": "real", "value": "Infinity"}), "'Infinity' is no number", id="a misspelt infinity"),
    pytest.param("constant", put(literal={"kind": "lowest", "value": 0}), "a lowest literal has no value", id="an end with a value"),
    pytest.param(
        "end_while",
        put(operands=[0]),
        "end_while does not carry what its begin_while carried",
        id="a loop that ends otherwise than it began",
    ),
    pytest.param("begin_while", put(op="end_while"), "end_while does not close a begin_while", id="an end without a beginning"),
    pytest.param("call", put(semantic=True), "semantic: expected `int`, got `bool`", id="semantic true"),
    pytest.param("call", put(semantic=2), "semantic: 2 is neither 0 nor 1", id="semantic 2"),
    pytest.param("call", put(callee="f\ud800"), "callee: half of a surrogate pair is no text", id="half a surrogate pair"),
    pytest.param("call", put(path=3), "path: expected `str | null`, got `int`", id="a number for a path"),
    pytest.param("call", put(generics={"N": 1.5}), "generics.N", id="a float generic"),
    pytest.param("call", put(generics={"N": -1}), "generics.N: a size is negative", id="a negative generic"),
    pytest.param("call", put(generics={"S": [2, -1]}), "generics.S: a size is negative", id="a negative size of a pack"),
    pytest.param("call", put(generics={"T": "f8"}), "generics.T: 'f8' is no dtype", id="an unknown dtype of a generic"),
    pytest.param("end_counted", put(op="end_while"), "end_while does not close a begin_while", id="a loop closed by another's end"),
    pytest.param("while_condition", put(op="begin_remat"), "begin_remat takes 0 operands", id="a bracket with operands"),
    pytest.param("call", put(results=["x"]), "results[0]: 'x' is no value's id", id="text for an id"),
    pytest.param("end_custom_gradient", lambda n: n["regions"][0].update(role="forward"), "'forward' is none of pullback", id="a role"),
    pytest.param(
        "end_custom_gradient",
        lambda n: n["regions"][0]["nodes"].append({"op": "input", "name": "y", "shape": [], "dtype": "f32", "operands": [], "results": []}),
        "regions[0].nodes[1].op: no input stands in a region",
        id="an input in a region",
    ),
    pytest.param("set_slot", put(slot=2), "slot: 2 is none of 2 devices", id="a device there is not"),
    pytest.param("transfer", put(slot=-1), "slot: -1 is none of 2 devices", id="a negative device"),
    pytest.param("enable_placement", put(slots=10**9), "slots: 1 to 65536 devices", id="too many devices"),
    pytest.param("set_slot", put(op="enable_placement", slots=2), "slot: no such field", id="devices said twice"),
    pytest.param("launch_kernel", put(grid=[2, 0]), "grid: [2, 0] has no program", id="an empty grid"),
    pytest.param("launch_kernel", put(result_dtypes=["f32", "f8"]), "result_dtypes[1]: 'f8' is no dtype", id="no dtype of a kernel"),
    pytest.param("launch_kernel", put(warps=-1), "warps: -1 is negative", id="negative warps"),
    pytest.param("elementwise", put(kind="and"), "kind: and of f32", id="bits of floats"),
    pytest.param(
        "reduce",
        put(operands=[{"value": 0, "shape": [2, 3], "dtype": "i32"}]),
        "operands[0]: value 0 is f32 [2, 3], no i32 [2, 3]",
        id="a view of another dtype",
    ),
    pytest.param(
        "reduce", put(operands=[{"value": 0, "shape": [4, 2, 3], "dtype": "f32"}]), "a reduce sees a value as it is", id="a view elsewhere"
    ),
    pytest.param(
        "select",
        put(operands=[{"value": 0, "shape": [6], "dtype": "f32"}] * 3),
        "value 0 is f32 [2, 3], no f32 [6]",
        id="a view that is no spreading",
    ),
    pytest.param("parameter", put(op="state", path="held"), "path: 'held' stands there twice", id="a state twice"),
    pytest.param("finish", put(states=["layers.0.w"]), "states: 'layers.0.w' is a parameter", id="a parameter that is assigned"),
    pytest.param("finish", put(operands=[0, 0]), "states: 'held' is f32 [4, 3], not f32 [2, 3]", id="a state of another shape"),
    pytest.param("finish", put(returns=2, states=[], gradients=["b"]), "gradients: 'b' is no parameter", id="a gradient of nothing"),
    pytest.param("input", put(regions=[]), "regions: no such field", id="regions where there are none"),
    pytest.param("end_custom_gradient", region("arguments", lambda a: a[:3]), "4 arguments are due, not 3", id="a pullback without dy"),
    pytest.param("end_custom_gradient", region("arguments", lambda a: [*a[:3], a[2]]), "arguments[3]: value", id="y for dy"),
    pytest.param("end_custom_gradient", region("results", lambda r: r[:1]), "2 results are due, not 1", id="a gradient too few"),
    pytest.param("end_custom_gradient", region("results", lambda r: [*r, None]), "2 results are due, not 3", id="a gradient too many"),
    pytest.param(
        "end_custom_gradient",
        region("results", lambda r: [r[0], 2]),
        "results[1]: value 2 is f32 [4, 3]; f32 [2, 3] is due",
        id="a wrong gradient",
    ),
    pytest.param("end_custom_gradient", put(operands=[1, 0, 0]), "those of begin_custom_gradient are due", id="arguments turned round"),
    pytest.param("end_custom_gradient", put(op="end_remat", operands=[], results=[]), "arguments: no such field", id="another end"),
    pytest.param("end_remat", put(op="begin_remat"), "op: this begin_remat is not closed among the same nodes", id="a block never closed"),
    pytest.param("launch_kernel", region("role", lambda _: "forward"), "'forward' is none of body, pullback", id="a role of a kernel"),
    pytest.param("launch_kernel", region("arguments", lambda a: []), "1 arguments are due, not 0", id="a body without its argument"),
    pytest.param(
        "launch_kernel", region("results", lambda r: [r[0], None]), "results[1]: a body gives every result", id="a result left out"
    ),
    pytest.param("launch_kernel", region("results", lambda r: r[:1]), "2 results are due, not 1", id="a result of a body too few"),
    pytest.param("launch_kernel", put(result_dtypes=["f32"]), "result_dtypes: 1 of them for 2 shapes", id="a dtype too few"),
    pytest.param("launch_kernel", put(grid=[]), "grid: one to three sizes are due, not 0", id="no grid"),
    pytest.param("while_condition", put(op="while_trailing_condition", results=[]), "is used before a node makes it", id="no condition"),
]


@pytest.mark.parametrize(("op", "change", "message"), REFUSED)
def test_reading_refuses_and_names_the_node(op: str, change: Callable[[dict[str, Any]], Any], message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        from_document(edit(op, change))
    assert message in str(caught.value)
    assert str(caught.value).startswith("nodes[")


def test_what_a_loop_or_a_region_makes_is_gone_behind_it() -> None:
    behind = len(SAMPLE["nodes"]) - 1
    kernel = SAMPLE["nodes"][first("launch_kernel")]
    (inside,) = kernel["regions"][0]["nodes"][0]["results"]
    index = SAMPLE["nodes"][first("begin_counted")]["results"][0]
    for id in (inside, index):
        edited = copy.deepcopy(SAMPLE)
        edited["nodes"][behind]["operands"][0] = id
        with pytest.raises(DocumentError) as caught:
            from_document(edited)
        assert str(caught.value) == f"nodes[{behind}].operands[0]: value {id} is used outside the loop or region that makes it"


def test_a_loop_ends_among_the_nodes_it_began_among() -> None:
    edited = copy.deepcopy(SAMPLE)
    begin, end = first("begin_counted"), first("end_counted")
    call = {**SAMPLE["nodes"][first("call")], "arguments": [], "body": edited["nodes"][begin : begin + 1], "results": []}
    edited["nodes"][begin] = call
    with pytest.raises(DocumentError) as caught:
        from_document(edited)
    assert str(caught.value) == f"nodes[{begin}].body[0].op: this begin_counted is not closed among the same nodes"
    edited = copy.deepcopy(SAMPLE)
    edited["nodes"][end] = {**call, "body": edited["nodes"][end : end + 1]}
    with pytest.raises(DocumentError) as caught:
        from_document(edited)
    assert str(caught.value) == f"nodes[{end}].body[0].op: end_counted does not close a begin_counted among the same nodes"


def test_what_is_made_in_a_loop_or_a_region_is_unknown_behind_it() -> None:
    inside = (
        SAMPLE["nodes"][first("while_condition")]["results"][0],
        SAMPLE["nodes"][first("end_custom_gradient")]["regions"][0]["results"][0],
    )
    for id in inside:
        assert SAMPLE["values"][id]["shape"] == [2, 3]
        with pytest.raises(DocumentError, match=rf"operands\[0\]: value {id} is used outside the loop or region that makes it"):
            from_document(edit("finish", lambda node, id=id: node["operands"].__setitem__(0, id)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"version": 2}, "version: this is graph version 2; 1 is read here", id="another version"),
        pytest.param({"version": 1.0}, "version: expected `int`", id="a float version"),
        pytest.param({"nodes": {}}, "nodes: should be a list", id="nodes as an object"),
        pytest.param({"nodes": []}, "values[0]: no node makes this value", id="values without nodes"),
        pytest.param({"nodes": [], "values": []}, "nodes: the last one is not `finish`", id="nothing"),
        pytest.param({"nodes": SAMPLE["nodes"][:-1]}, "nodes: the last one is not `finish`", id="no finish"),
        pytest.param({"nodes": [*SAMPLE["nodes"], SAMPLE["nodes"][-1]]}, "nodes: 2 of them are `finish`; one is due", id="two ends"),
        pytest.param(
            {"values": [{"id": 0, "name": "v", "shape": [], "dtype": "f8"}]}, "values[0].dtype: 'f8' is no dtype", id="an unknown dtype"
        ),
        pytest.param({"extra": 1}, "extra: no such field", id="an unknown field"),
        pytest.param(
            {"values": [{"id": 1, "name": "v", "shape": [], "dtype": "f32"}]}, "values[0].id: 1 is not the position 0", id="an id"
        ),
        pytest.param(
            {"values": [{"id": 0, "name": "v", "shape": [-1], "dtype": "f32"}]}, "values[0].shape: a size is negative", id="a size"
        ),
    ],
)
def test_reading_refuses_a_document(change: dict[str, Any], message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        from_document({**SAMPLE, **change})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param('"value":0.1', '"value":NaN', "NaN", id="bare NaN"),
        pytest.param('"value":0.1', '"value":1e999', "1e999", id="beyond a double"),
        pytest.param('"version":1', '"version":1,"version":1', "twice", id="a key twice"),
        pytest.param('"version":1', '"version":01', "not JSON", id="no JSON"),
    ],
)
def test_reading_refuses_text(old: str, new: str, message: str) -> None:
    text = encode(sample_graph()).decode()
    assert old in text
    with pytest.raises(DocumentError, match=message):
        decode(text.replace(old, new, 1))


def test_every_truncation_is_refused() -> None:
    text = encode(sample_graph())
    for length in range(0, len(text), 97):
        with pytest.raises(DocumentError):
            decode(text[:length])


def test_no_edit_of_a_field_makes_reading_fail_otherwise() -> None:
    """Whatever stands in place of a field, reading answers with a graph or a `DocumentError`."""
    strange: list[Any] = [None, True, -1, 1.5, "x", [], {}, [[]], {"a": 1}, 10**30]
    refused = 0
    for at, node in enumerate(SAMPLE["nodes"]):
        for key in node:
            for value in strange:
                edited = {**SAMPLE, "nodes": [*SAMPLE["nodes"][:at], {**node, key: value}, *SAMPLE["nodes"][at + 1 :]]}
                try:
                    from_document(edited)
                except DocumentError:
                    refused += 1
    assert refused > 1000
