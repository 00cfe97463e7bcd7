"""A request for ranges is read strictly; a fault names the slice and the field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from linnet_core.errors import DocumentError
from linnet_core.graph.slice_request import Slice, read_request

GOOD = {"name": "a", "start": 0, "stop": 2, "inputs": [0], "outputs": [1, 1], "states": [["s.k", 3]]}


def test_a_request_is_read() -> None:
    assert read_request(json.dumps([GOOD, {**GOOD, "name": "b `'\" __import__('os')"}])) == (
        Slice("a", 0, 2, (0,), (1, 1), (("s.k", 3),)),
        Slice("b `'\" __import__('os')", 0, 2, (0,), (1, 1), (("s.k", 3),)),
    )
    assert read_request("[]") == ()


WRONG: list[Any] = [
    pytest.param({"name": "a"}, "the document: should be a list", id="no list"),
    pytest.param([GOOD, 3], "slices[1]: should be an object", id="no object"),
    pytest.param([{k: v for k, v in GOOD.items() if k != "stop"}], "slices[0].stop: missing", id="a field missing"),
    pytest.param([{**GOOD, "step": 1}], "slices[0].step: no such field", id="a field too many"),
    pytest.param([{**GOOD, "name": 3}], "slices[0].name: should be a string", id="a name that is none"),
    pytest.param([{**GOOD, "name": ""}], "slices[0].name: '' is no name: one or more characters that print are", id="an empty name"),
    pytest.param(
        [{**GOOD, "name": "a\nimport os"}],
        "slices[0].name: 'a\\nimport os' is no name: one or more characters that print are",
        id="a name of two lines",
    ),
    pytest.param([{**GOOD, "name": "\ud800"}], "slices[0].name: half of a surrogate pair is no text", id="a name that is no text"),
    pytest.param([GOOD, GOOD], "slices: the name `a` stands there twice", id="two of a name"),
    pytest.param([{**GOOD, "start": True}], "slices[0] `a`.start: should be an integer", id="a bool for a number"),
    pytest.param([{**GOOD, "stop": 2.0}], "slices[0] `a`.stop: should be an integer", id="a float for a number"),
    pytest.param([{**GOOD, "stop": "2"}], "slices[0] `a`.stop: should be an integer", id="a string for a number"),
    pytest.param([{**GOOD, "start": -1}], "slices[0] `a`.start: -1 is negative", id="a negative number"),
    pytest.param([{**GOOD, "inputs": 0}], "slices[0] `a`.inputs: should be a list", id="one input"),
    pytest.param([{**GOOD, "inputs": [0, None]}], "slices[0] `a`.inputs[1]: should be an integer", id="an absent input"),
    pytest.param([{**GOOD, "inputs": [2, 0, 2]}], "slices[0] `a`.inputs: value `2` stands there twice", id="an input twice"),
    pytest.param([{**GOOD, "outputs": [-1]}], "slices[0] `a`.outputs[0]: -1 is negative", id="a negative id"),
    pytest.param(
        [{**GOOD, "states": {"s": 1}}],
        "slices[0] `a`.states: should be a list",
        id="states as an object",
    ),
    pytest.param(
        [{**GOOD, "states": [["s"]]}],
        "slices[0] `a`.states[0]: should be a pair: a path and the id of a value",
        id="half a pair",
    ),
    pytest.param([{**GOOD, "states": [[1, "s"]]}], "slices[0] `a`.states[0][0]: should be a string", id="a pair the wrong way round"),
    pytest.param([{**GOOD, "states": [["s", 1], ["s", 2]]}], "slices[0] `a`.states: state `s` stands there twice", id="a state twice"),
]


@pytest.mark.parametrize(("document", "message"), WRONG)
def test_a_wrong_request_is_refused(document: Any, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_request(json.dumps(document))
    assert str(caught.value) == message
