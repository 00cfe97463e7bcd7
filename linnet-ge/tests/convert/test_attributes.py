"""Which attributes a readable dump shows, as what, and what is lost of a value."""

from __future__ import annotations

import math

import pytest

from linnet_ge.convert.attributes import Shown, changes, shown_keys
from linnet_ge.model import Node, TensorValue, Value
from linnet_ge.readable.values import value_text


def _value(kind: str, value: object) -> Value:
    return Value(kind, value)  # pyright: ignore[reportArgumentType]  # a kind of the table


def _tensor(dtype: str, *values: float, state: str = "values") -> Value:
    return _value("tensor", TensorValue(state, values, dtype, (len(values),)))  # pyright: ignore[reportArgumentType]  # as above


@pytest.mark.parametrize(
    ("value", "text", "lost"),
    [
        pytest.param(_value("float", 0.1), "0.100000", [], id="six decimals are the same float"),
        pytest.param(_value("float", 1e-07), "0.000000", ["rounded"], id="too small"),
        pytest.param(_value("float", 3.4028235e38), "340282346638528859811704183484516925440.000000", [], id="the largest float"),
        pytest.param(_value("float", 1e39), "inf", [], id="no float of 32 bits"),
        pytest.param(_value("float", math.nan), "nan", [], id="nan"),
        pytest.param(_value("list_float", (0.5, 1.23456789)), "{0.500000, 1.234568}", ["rounded"], id="floats"),
        pytest.param(_value("string", ""), None, ["empty"], id="an empty string"),
        pytest.param(_value("string", 'a"b'), '"a"b"', [], id="a quote is not escaped"),
        pytest.param(_value("list_string", ("a", "")), '{"a"}', ["empty items"], id="an empty string in a list"),
        pytest.param(_value("list_int", ()), None, ["empty"], id="an empty list"),
        pytest.param(_value("list_list_int", ((), (2, 3), ())), "{{2, 3}}", ["empty items"], id="empty rows"),
        pytest.param(_value("list_list_float", ((0.5,),)), None, ["no text"], id="rows of floats"),
        pytest.param(_value("type", "DT_BFLOAT16"), "DT_BFLOAT16", [], id="a type"),
        pytest.param(_value("type", "DT_HIFLOAT4"), None, ["no text"], id="a type without a name"),
        pytest.param(_value("list_type", ("DT_FLOAT", "DT_HIFLOAT4")), None, ["no text"], id="one of several types without a name"),
        pytest.param(_value("bytes", b"a"), None, ["no text"], id="bytes"),
        pytest.param(_value("message", ()), None, ["no text"], id="a message"),
        pytest.param(_tensor("DT_INT32", 1, 2, 3, 4, 5, 6), "[1 2 3 4 5 6]", ["dtype, shape"], id="six elements"),
        pytest.param(_tensor("DT_INT32", 1, 2, 3, 4, 5, 6, 7), "[1 2 3 ... 5 6 7]", ["dtype, shape", "shortened"], id="seven elements"),
        pytest.param(_tensor("DT_FLOAT16", 0.0999755859375), "[0.099976]", ["dtype, shape"], id="a float of 16 bits"),
        pytest.param(_tensor("DT_DOUBLE", 1 / 3), "[0.333333]", ["dtype, shape", "rounded"], id="a float of 64 bits"),
        pytest.param(_tensor("DT_BFLOAT16", state="not_supported"), "<not_supported>", ["dtype, shape", "no values"], id="not supported"),
        pytest.param(_tensor("DT_FLOAT", state="empty"), "<empty>", ["dtype, shape"], id="an empty tensor"),
    ],
)
def test_a_value_and_what_is_lost_of_it(value: Value, text: str | None, lost: list[str]) -> None:
    shown = Shown(Node("n", "Odd", attributes={"k": value}))["k"]
    assert value_text(Value(shown.kind, shown.value)) == text
    assert list(changes(shown)) == lost


@pytest.mark.parametrize(
    ("kind", "keys", "shown"),
    [
        pytest.param("Conv2D", ["pads", "_x", "groups", "strides", "more"], ["strides", "pads", "groups"], id="the table's, in its order"),
        pytest.param("Odd", ["b", "_x", ".id", "a"], ["b", "a"], id="of an unknown operation all that are not private"),
    ],
)
def test_attributes_that_are_shown(kind: str, keys: list[str], shown: list[str]) -> None:
    attributes = {key: _value("int", 1) for key in keys}
    assert shown_keys(kind, attributes) == shown
    told = {**attributes, "_ir_attr_names": _value("list_string", (*keys[2:], "unset"))}
    assert shown_keys(kind, told) == keys[2:]
