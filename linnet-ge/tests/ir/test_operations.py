"""The table of operations: what it says of single ones, and that all of it can be read."""

from __future__ import annotations

import pytest

from linnet_ge.ir.dtypes import CPP, CPP_NUMBERS, PROTO, SERIAL, number_of
from linnet_ge.ir.operations import attribute_keys, input_names, known_types, operation, subgraph_names
from linnet_ge.readable.values import value_text


@pytest.mark.parametrize("type", known_types())
def test_every_operation_can_be_read_and_its_defaults_printed(type: str) -> None:
    found = operation(type)
    assert found is not None
    names = [*(p.name for p in found.inputs), *found.attribute_keys, *(p.name for p in found.subgraphs)]
    assert all(name.isidentifier() for name in names)
    assert len(set(found.attribute_keys)) == len(found.attributes)
    for rule in found.attributes:
        if rule.default is not None:
            assert rule.default.kind == rule.kind
            value_text(rule.default)


@pytest.mark.parametrize(
    ("type", "defaults"),
    [
        pytest.param("Reshape", "axis: 0, num_axes: -1", id="Reshape"),
        pytest.param("Exp", "base: -1.000000, scale: 1.000000, shift: 0.000000", id="Exp"),
        pytest.param("LayerNorm", "begin_norm_axis: 0, begin_params_axis: 0, epsilon: 0.000000", id="LayerNorm"),
        pytest.param("SoftmaxV2", "axes: {-1}, half_to_float: false", id="SoftmaxV2"),
        pytest.param("TopKV2", "sorted: true, dim: -1, largest: true, indices_dtype: 3", id="TopKV2"),
        pytest.param("TopK", "sorted: true, largest: true, dim: -1", id="TopK"),
        pytest.param("ReduceSum", "keep_dims: false, noop_with_empty_axes: true", id="ReduceSum"),
        pytest.param("ScatterElements", 'axis: 0, reduction: "none"', id="ScatterElements"),
        pytest.param("ArgMaxV2", "dtype: DT_INT64", id="ArgMaxV2"),
        pytest.param("PartitionedCall", "", id="empty strings are not printed"),
        pytest.param("Unsqueeze", "", id="empty lists are not printed"),
        pytest.param("Const", "value: <empty>", id="Const"),
    ],
)
def test_defaults_are_printed_in_the_order_of_registration(type: str, defaults: str) -> None:
    found = operation(type)
    assert found is not None
    texts = [(rule.key, value_text(rule.default)) for rule in found.attributes if rule.default is not None]
    assert ", ".join(f"{key}: {text}" for key, text in texts if text is not None) == defaults


@pytest.mark.parametrize(
    ("type", "counts", "names"),
    [
        pytest.param("ConcatV2", {"x": 2}, ["x_0", "x_1", "concat_dim"], id="dynamic, then required"),
        pytest.param("Concat", {"x": 2}, ["concat_dim", "x_0", "x_1"], id="required, then dynamic"),
        pytest.param("MatMul", {}, ["x1", "x2"], id="an optional is absent"),
        pytest.param("MatMul", {"bias": 1}, ["x1", "x2", "bias"], id="an optional is there"),
        pytest.param(
            "IncreFlashAttention",
            {"key": 1, "value": 1, "atten_mask": 1},
            ["query", "key_0", "value_0", "atten_mask"],
            id="IncreFlashAttention",
        ),
        pytest.param("While", {"input": 2}, ["input_0", "input_1"], id="While"),
        pytest.param("For", {"input": 2}, ["start", "limit", "delta", "input_1", "input_2"], id="For begins at 1"),
        pytest.param("PartitionedCall", {"args": 1}, ["args_0"], id="PartitionedCall"),
    ],
)
def test_inputs_as_a_readable_dump_names_them(type: str, counts: dict[str, int], names: list[str]) -> None:
    found = operation(type)
    assert found is not None
    assert [printed for _, printed in input_names(found, counts)] == names


@pytest.mark.parametrize(
    ("type", "count", "names"),
    [
        pytest.param("If", 2, ("then_branch", "else_branch"), id="If"),
        pytest.param("If", 1, None, id="one of two cannot be told"),
        pytest.param("Case", 3, ("branches0", "branches1", "branches2"), id="dynamic graphs have no underscore"),
        pytest.param("Add", 0, (), id="none"),
    ],
)
def test_graphs(type: str, count: int, names: tuple[str, ...] | None) -> None:
    found = operation(type)
    assert found is not None
    assert subgraph_names(found, count) == names


def test_an_unknown_operation() -> None:
    assert operation("AscBackend") is None
    assert attribute_keys("AscBackend") is None


@pytest.mark.parametrize(
    ("type", "keys"),
    [
        pytest.param("While", ("cond", "body", "parallel_iterations"), id="graphs first"),
        pytest.param("Add", (), id="none"),
        pytest.param("Case", None, id="any number of graphs"),
    ],
)
def test_the_keys_that_a_reader_may_expect(type: str, keys: tuple[str, ...] | None) -> None:
    assert attribute_keys(type) == keys


@pytest.mark.parametrize(
    ("name", "cpp", "proto"),
    [("DT_FLOAT", 0, 1), ("DT_INT32", 3, 7), ("DT_INT64", 9, 8), ("DT_BOOL", 12, 11), ("DT_BFLOAT16", 27, 27), ("DT_HIFLOAT4", 42, 41)],
)
def test_the_two_numberings_of_types(name: str, cpp: int, proto: int) -> None:
    assert CPP[cpp] == PROTO[proto] == name
    assert CPP_NUMBERS[name] == cpp


def test_every_dtype_has_a_number() -> None:
    from linnet_core.check.types import DTYPES

    assert set(SERIAL) == set(DTYPES)
    assert [number_of(dtype) for dtype in ("f32", "f16", "i32", "i64", "bool", "bf16")] == [0, 1, 3, 9, 12, 27]
