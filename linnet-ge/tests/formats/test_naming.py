"""Inputs and graphs of protobuf dumps are called as in a readable dump, where that can be known."""

from __future__ import annotations

import pytest

from linnet_ge.formats.naming import input_parameters, links_of
from linnet_ge.model import Link, Value


def _attributes(**lists: tuple[object, ...]) -> dict[str, Value]:
    return {name: Value("list_string" if isinstance(items[0], str) else "list_int", items) for name, items in lists.items()}


NAMES = _attributes(_input_name_key=("dx0", "dx1", "x"), _input_name_value=(1, 3, 0))
OLD = _attributes(_input_name_idx_key=("bias", "x"), _input_name_idx_value=(1, 0))
LOOP = _attributes(_input_name_key=("start", "input0"), _input_name_value=(0, 3))
CONCAT = _attributes(_input_name_key=("x1", "x0", "concat_dim"), _input_name_value=(1, 0, 2))
UNNAMED = _attributes(_input_name_key=("__input0",), _input_name_value=(0,))
KNOWN = _attributes(_ir_inputs_key=("x", "dx"), _ir_inputs_value=(0, 2))


@pytest.mark.parametrize(
    ("kind", "attributes", "count", "names"),
    [
        pytest.param("Odd", NAMES | KNOWN, 4, {0: "x", 1: "dx_0", 3: "dx_1"}, id="the file says what is dynamic"),
        pytest.param("Odd", NAMES, 4, {0: "x", 1: "dx0", 3: "dx1"}, id="an unknown operation keeps its names"),
        pytest.param("Odd", OLD, 2, {0: "x", 1: "bias"}, id="names of older dumps"),
        pytest.param("Odd", {}, 2, {}, id="nothing is known"),
        pytest.param("End", UNNAMED, 1, {}, id="an input without a name"),
        pytest.param("Neg", UNNAMED, 1, {0: "x"}, id="an input without a name, of the table"),
        pytest.param("MatMulV2", {}, 3, {0: "x1", 1: "x2"}, id="the table, up to what is optional"),
        pytest.param("PartitionedCall", {}, 2, {0: "args_0", 1: "args_1"}, id="the table, dynamic"),
        pytest.param("ConcatV2", {}, 3, {0: "x_0", 1: "x_1", 2: "concat_dim"}, id="the table, dynamic before required"),
        pytest.param("ConcatV2", {}, 1, {0: "concat_dim"}, id="the table, no member"),
        pytest.param("ConcatV2", {}, 0, {}, id="the table, too few"),
        pytest.param("For", {}, 5, {0: "start", 1: "limit", 2: "delta", 3: "input_1", 4: "input_2"}, id="a loop counts from 1"),
        pytest.param("For", LOOP, 4, {0: "start", 3: "input_1"}, id="its names too"),
        pytest.param("ConcatV2", CONCAT, 3, {1: "x_1", 0: "x_0", 2: "concat_dim"}, id="the table says what is dynamic"),
    ],
)
def test_inputs_are_named(kind: str, attributes: dict[str, Value], count: int, names: dict[int, str]) -> None:
    assert input_parameters(kind, attributes, count) == names


@pytest.mark.parametrize(
    ("kind", "graphs", "links"),
    [
        pytest.param("If", ["a", "b"], (Link("then_branch", "a"), Link("else_branch", "b")), id="branches"),
        pytest.param("If", ["", "b"], (Link("else_branch", "b"),), id="a branch that is not set"),
        pytest.param("If", ["a"], (Link(None, "a"),), id="one of two is not told"),
        pytest.param("Case", ["a", "b"], (Link("branches0", "a"), Link("branches1", "b")), id="dynamic"),
        pytest.param("Odd", ["a"], (Link(None, "a"),), id="unknown"),
    ],
)
def test_graphs_are_named(kind: str, graphs: list[str], links: tuple[Link, ...]) -> None:
    assert links_of(kind, graphs) == links
