"""Attribute values: their kinds, strings that nothing escapes, what can be read in several ways."""

from __future__ import annotations

import pytest

from linnet_ge.model import TensorValue, Value
from linnet_ge.readable.attributes import attributes
from linnet_ge.readable.values import value_of, value_text


@pytest.mark.parametrize(
    ("raw", "kind", "value"),
    [
        pytest.param("-1", "int", -1, id="int"),
        pytest.param("2.000000", "float", 2.0, id="float"),
        pytest.param("-0.000000", "float", -0.0, id="minus zero"),
        pytest.param("-inf", "float", float("-inf"), id="-inf"),
        pytest.param("nan", "float", float("nan"), id="nan"),
        pytest.param("-nan", "float", float("nan"), id="-nan"),
        pytest.param("true", "bool", True, id="bool"),
        pytest.param('"a\\"', "string", "a\\", id="string"),
        pytest.param("DT_BFLOAT16", "type", "DT_BFLOAT16", id="type"),
        pytest.param("{1, 2}", "list_int", (1, 2), id="ints"),
        pytest.param("{1.000000, inf}", "list_float", (1.0, float("inf")), id="floats"),
        pytest.param("{false, true}", "list_bool", (False, True), id="bools"),
        pytest.param('{"a", "b, c"}', "list_string", ("a", "b, c"), id="strings"),
        pytest.param("{DT_FLOAT, DT_INT64}", "list_type", ("DT_FLOAT", "DT_INT64"), id="types"),
        pytest.param("{{1, 2}, {3}}", "list_list_int", ((1, 2), (3,)), id="lists of ints"),
        pytest.param("[5]", "tensor", TensorValue("values", (5,)), id="tensor of one"),
        pytest.param("[1 2 3 4 5 6]", "tensor", TensorValue("values", (1, 2, 3, 4, 5, 6)), id="tensor of six"),
        pytest.param("[0 1 2 ... 4 5 6]", "tensor", TensorValue("abbreviated", (0, 1, 2, 4, 5, 6)), id="tensor of more"),
        pytest.param("[true false]", "tensor", TensorValue("values", (True, False)), id="tensor of bools"),
        pytest.param("[-0.000000 inf]", "tensor", TensorValue("values", (-0.0, float("inf"))), id="tensor of floats"),
        pytest.param("<empty>", "tensor", TensorValue("empty"), id="empty tensor"),
        pytest.param("<invalid>", "tensor", TensorValue("invalid"), id="invalid tensor"),
        pytest.param("<not_supported>", "tensor", TensorValue("not_supported"), id="tensor of another type"),
        pytest.param("%g", "graph", "g", id="graph"),
    ],
)
def test_a_value_is_read_and_written(raw: str, kind: str, value: object) -> None:
    read = value_of(raw)
    assert (read.kind, repr(read.value), read.raw) == (kind, repr(value), raw)
    if raw != "-nan":  # the sign of a nan is kept by the text alone
        assert value_text(Value(read.kind, read.value)) == raw


@pytest.mark.parametrize(
    "raw", ["", "1.5.2", "{}", "{1, x}", "{{1, 2}", "[]", "[1 2 ...]", "<other>", "DT FLOAT", '"', "{1, 2.000000}", "٣"]
)
def test_what_is_no_value_is_kept_as_it_is(raw: str) -> None:
    assert (value_of(raw).kind, value_of(raw).value) == ("unknown", raw)


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        pytest.param("float", 1e-7, "0.000000", id="a small float"),
        pytest.param("float", -1e-9, "-0.000000", id="a small negative float"),
        pytest.param("float", 3.4028234663852886e38, "340282346638528859811704183484516925440.000000", id="the largest float"),
        pytest.param("string", "", None, id="an empty string is left out"),
        pytest.param("list_int", (), None, id="an empty list is left out"),
        pytest.param("list_list_int", ((), (2, 3), ()), "{{2, 3}}", id="empty lists inside are left out"),
        pytest.param("list_string", ("", "a"), '{"a"}', id="empty strings inside are left out"),
        pytest.param("bytes", b"x", None, id="bytes are not shown"),
        pytest.param("tensor", TensorValue("values", tuple(range(7))), "[0 1 2 ... 4 5 6]", id="seven values"),
        pytest.param("tensor", TensorValue("values", ()), "<empty>", id="no values"),
    ],
)
def test_a_value_that_was_made_is_printed_as_the_emitter_does(kind: str, value: object, text: str | None) -> None:
    assert value_text(Value(kind, value)) == text  # type: ignore[arg-type]  # a word of the table


def read(text: str, **more: object) -> list[tuple[str, object, bool]]:
    return [(a.key, a.value.value, a.value.ambiguous) for a in attributes(text, **more)]  # type: ignore[arg-type]  # passed on


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('s: "a, b: "c"", n: 1', [("s", 'a, b: "c"', False), ("n", 1, False)], id="a key in a string"),
        pytest.param('equation: "ij,jk->ik", N: 2', [("equation", "ij,jk->ik", False), ("N", 2, False)], id="commas"),
        pytest.param('s: "x", k: "y"', [("s", "x", True), ("k", "y", False)], id="one string or two"),
        pytest.param('s: "x"}, k: "y"', [("s", 'x"}, k: "y', False)], id="one string"),
        pytest.param('s: """', [("s", '"', False)], id="a quote"),
        pytest.param('s: ", k: "', [("s", ", k: ", False)], id="what ends a string, in one"),
        pytest.param('l: {"a", "b, c: "", ", "}, n: 1', [("l", ("a", 'b, c: "', ", "), True), ("n", 1, False)], id="a list of strings"),
        pytest.param('l: {"a"}, m: {"b"}', [("l", ("a",), True), ("m", ("b",), False)], id="one list or two"),
        pytest.param('s: "a\n\nb, c: {1}"', [("s", "a\n\nb, c: {1}", False)], id="line ends"),
        pytest.param('a: 1, s: "x, b: 2", c: 3.000000', [("a", 1, False), ("s", "x, b: 2", False), ("c", 3.0, False)], id="between others"),
        pytest.param('s: "x", b: what, t: "y"', [("s", 'x", b: what, t: "y', False)], id="only one split is right to the end"),
        pytest.param("a: 1, b: what, c: 2", [("a", 1, False), ("b", "what", False), ("c", 2, False)], id="an unknown value"),
        pytest.param("a: 1, b", [("a", "1, b", False)], id="rubbish behind a value"),
    ],
)
def test_attributes_are_told_apart(text: str, expected: list[tuple[str, object, bool]]) -> None:
    assert read(text) == expected


def test_the_keys_of_an_operation_settle_a_doubt() -> None:
    text = 'src_format: "NCHW", dst_format: "NHWC"'
    assert read(text)[0] == ("src_format", "NCHW", True)
    assert read(text, keys={"src_format", "dst_format"})[0] == ("src_format", "NCHW", False)
    assert read(text, keys={"src_format"})[0] == ("src_format", "NCHW", True)


def test_many_doubtful_strings_take_time_in_proportion() -> None:
    text = ", ".join(f'k{at}: "v"' for at in range(20_000))
    assert len(attributes(text)) == 20_000


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        pytest.param('names: {"a", "b"}', True, id="two strings, or one"),
        pytest.param('n: 1, names: {"a", "b", "c"}', True, id="three strings"),
        pytest.param('names: {"a"}', False, id="one string"),
        pytest.param("names: {1, 2}", False, id="numbers"),
    ],
)
@pytest.mark.parametrize("keys", [None, ("n", "names")], ids=["keys unknown", "keys known"])
def test_a_list_of_several_strings_may_be_one_of_fewer(text: str, doubtful: bool, keys: tuple[str, ...] | None) -> None:
    assert attributes(text, (), keys)[-1].value.ambiguous is doubtful
