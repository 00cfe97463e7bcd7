"""Library calls become operations with GE's names, parameters and attributes; those without one are refused by name."""

from __future__ import annotations

from typing import Any

import ge_machine
import numpy as np
import pytest
from ge_entries import Taking

from linnet_core.conformance.hand import Hand
from linnet_core.errors import DocumentError
from linnet_core.graph.calls import NativeCall, Operand
from linnet_core.graph.record import Recorder
from linnet_core.graph.target import Declined
from linnet_core.ir.library_calls import LIBRARY_CALLS
from linnet_ge.from_graph.build import dump_of
from linnet_ge.from_graph.native import RULES
from linnet_ge.from_graph.target import GraphEngineTarget
from linnet_ge.model import Dump
from linnet_ge.readable.dump_text import dump_text

#: Without an operation of GE; everything else in linnet's table of library calls has a case below.
REFUSED = {
    "torch.Tensor.index_put(tokens)",
    "linnet.sink_attention",
    "linnet.paged_attention",
    "linnet.paged_prefill_attention",
    "linnet.linear_cross_entropy",
    "linnet.linear_token_log_probs",
    "linnet.split_cross_entropy",
    "linnet.split_token_log_probs",
    "torch.distributed.all_reduce",
    "torch.distributed.all_gather",
    "torch.distributed.shared",
    "torch._grouped_mm",
    "torch._grouped_mm(shared)",
    "torch._grouped_mm(combined)",
    "torch.ops.aten._weight_int4pack_mm",
    "linnet.decode_fp8",
    "torch._scaled_mm",
    "linnet.mxfp4_experts",
    "linnet.mxfp4_experts(shared)",
    "linnet.mxfp4_grouped(shared)",
    "linnet.mxfp4_grouped(combine)",
}


def written(implementation: str, operands: list[Any], shape: tuple[int, ...], dtype: str = "f32", **generics: int) -> Dump:
    """One library call.  An operand is an array (an input), a float (a constant f32) or None (absent)."""
    recorder = Recorder(Taking(frozenset({implementation})))
    hand = Hand(recorder)
    made: list[Operand | None] = []
    for at, operand in enumerate(operands):
        match operand:
            case None:
                made.append(None)
            case float():
                made.append(hand.constant(operand, "f32"))
            case _:
                made.append(hand.input(f"x{at}", operand))
    call = NativeCall(implementation=implementation, generics=generics, shape=shape, dtype=dtype, operands=tuple(made))
    hand.finish(hand(call))
    return dump_of(recorder.graph())


def zeros(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    """An input; its values do not count."""
    return np.zeros(shape, dtype)


def test_every_library_call_has_a_rule_or_is_known_to_have_none() -> None:
    known = {row.implementation.removesuffix(" (input dtype)") for row in LIBRARY_CALLS}
    assert known == RULES.keys() | REFUSED
    assert not RULES.keys() & REFUSED


@pytest.mark.parametrize("implementation", sorted(REFUSED))
def test_a_call_without_an_operation_is_refused_by_name(implementation: str) -> None:
    with pytest.raises(DocumentError) as refused:
        written(implementation, [zeros(2)], (2,))
    assert f"`{implementation}`" in str(refused.value)
    assert "--no-library" in str(refused.value)


_F = "torch.nn.functional."
_HEADS = [zeros(1, 4, 3, 8), zeros(1, 2, 5, 8), zeros(1, 2, 5, 8)]
NODES: list[Any] = [
    pytest.param(
        _F + "linear",
        [zeros(2, 3), zeros(4, 3), None],
        (2, 4),
        {},
        "MatMul] (inputs = (x1=%x0, x2=%x1), attrs = {transpose_x1: false, transpose_x2: true})",
        id="linear",
    ),
    pytest.param(
        "torch.matmul",
        [zeros(5, 2, 3), zeros(5, 3, 4)],
        (5, 2, 4),
        {},
        "BatchMatMul] (inputs = (x1=%x0, x2=%x1), attrs = {adj_x1: false, adj_x2: false})",
        id="batched matmul",
    ),
    pytest.param(
        _F + "embedding",
        [zeros(2, dtype=np.int32), zeros(7, 3)],
        (2, 3),
        {},
        "GatherV2] (inputs = (x=%x1, indices=%x0, axis=%Const_0), "
        "attrs = {batch_dims: 0, is_preprocessed: false, negative_index_support: false})",
        id="embedding",
    ),
    pytest.param(
        "torch.index_select",
        [zeros(2, 3), zeros(3, dtype=np.int32)],
        (2, 3),
        {},
        "GatherV2] (inputs = (x=%x0, indices=%x1, axis=%Const_0), "
        "attrs = {batch_dims: 0, is_preprocessed: false, negative_index_support: false})",
        id="index_select",
    ),
    pytest.param(
        "torch.softmax",
        [zeros(2, 3)],
        (2, 3),
        {},
        "SoftmaxV2] (inputs = (x=%x0), attrs = {axes: {-1}, half_to_float: false})",
        id="softmax",
    ),
    pytest.param("torch.softmax (input dtype)", [zeros(2)], (2,), {}, "SoftmaxV2] (inputs", id="softmax of the input's dtype"),
    pytest.param("torch.relu", [zeros(2)], (2,), {}, "Relu] (inputs = (x=%x0))", id="relu"),
    pytest.param("torch.sigmoid", [zeros(2)], (2,), {}, "Sigmoid] (inputs = (x=%x0))", id="sigmoid"),
    pytest.param(_F + "silu", [zeros(2)], (2,), {}, "Swish] (inputs = (x=%x0), attrs = {scale: 1.000000})", id="silu"),
    pytest.param(_F + "gelu(tanh)", [zeros(2)], (2,), {}, "Gelu] (inputs = (x=%x0))", id="gelu by tanh"),
    pytest.param(_F + "gelu", [zeros(2)], (2,), {}, 'GeluV2] (inputs = (x=%x0), attrs = {approximate: "none"})', id="gelu"),
    pytest.param(
        "torch.rms_norm",
        [zeros(2, 3), zeros(3), 1e-5],
        (2, 3),
        {},
        "RmsNorm] (inputs = (x=%x0, gamma=%x1), attrs = {epsilon: 0.000010})",
        id="rms_norm",
    ),
    pytest.param(
        _F + "layer_norm",
        [zeros(2, 3), zeros(3), zeros(3), 1e-5],
        (2, 3),
        {},
        "LayerNorm] (inputs = (x=%x0, gamma=%x1, beta=%x2), attrs = {begin_norm_axis: 1, begin_params_axis: 1, epsilon: 0.000010})",
        id="layer_norm",
    ),
    pytest.param(
        _F + "batch_norm",
        [zeros(1, 2, 3, 3), zeros(2), zeros(2), zeros(2), zeros(2), 1e-3],
        (1, 2, 3, 3),
        {},
        "BatchNorm] (inputs = (x=%x0, scale=%x3, offset=%x4, mean=%x1, variance=%x2), "
        'attrs = {epsilon: 0.001000, data_format: "NCHW", is_training: false, exponential_avg_factor: 1.000000})',
        id="batch_norm",
    ),
    pytest.param(
        _F + "group_norm",
        [zeros(1, 4, 3, 3), zeros(4), zeros(4), 1e-3],
        (1, 4, 3, 3),
        {"Groups": 2},
        "GroupNorm] (inputs = (x=%x0, gamma=%x1, beta=%x2), "
        'attrs = {num_groups: 2, data_format: "NCHW", eps: 0.001000, is_training: true})',
        id="group_norm",
    ),
    pytest.param(
        _F + "scaled_dot_product_attention (enable_gqa)",
        [*_HEADS, 0.5, zeros(3, 5, dtype=np.bool_)],
        (1, 4, 3, 8),
        {},
        "FlashAttentionScore] (inputs = (query=%x0, key=%x1, value=%x2, atten_mask=%LogicalNot_0), "
        "attrs = {scale_value: 0.500000, keep_prob: 1.000000, pre_tockens: 2147483647, next_tockens: 2147483647, head_num: 4, "
        'input_layout: "BNSD", inner_precise: 1, sparse_mode: 0})',
        id="attention",
    ),
    pytest.param(
        _F + "scaled_dot_product_attention", [*_HEADS, 0.5, None], (1, 4, 3, 8), {}, "value=%x2), attrs", id="attention without a mask"
    ),
    pytest.param(
        _F + "conv2d",
        [zeros(1, 2, 5, 5), zeros(3, 2, 3, 3), zeros(3)],
        (1, 3, 3, 3),
        {"Stride": 2, "Pad": 1},
        "Conv2D] (inputs = (x=%x0, filter=%x1, bias=%x2), attrs = {strides: {1, 1, 2, 2}, pads: {1, 1, 1, 1}, dilations: {1, 1, 1, 1}, "
        'groups: 1, data_format: "NCHW", offset_x: 0})',
        id="conv2d",
    ),
    pytest.param(
        _F + "conv2d(rect)",
        [zeros(1, 2, 5, 6), zeros(3, 2, 3, 2), None],
        (1, 3, 2, 7),
        {"StrideH": 2, "StrideW": 1, "PadH": 0, "PadW": 1},
        "attrs = {strides: {1, 1, 2, 1}, pads: {0, 0, 1, 1}",
        id="conv2d of a rectangle",
    ),
    pytest.param(
        _F + "conv1d",
        [zeros(1, 2, 6), zeros(3, 2, 3), None],
        (1, 3, 6),
        {"Stride": 1, "Pad": 1},
        "attrs = {strides: {1, 1, 1, 1}, pads: {0, 0, 1, 1}",
        id="conv1d",
    ),
    pytest.param(
        _F + "max_pool2d",
        [zeros(1, 2, 4, 4)],
        (1, 2, 3, 3),
        {"K": 2, "Stride": 2, "Pad": 1},
        'MaxPoolV3] (inputs = (x=%PadV3_2), attrs = {ksize: {1, 1, 2, 2}, strides: {1, 1, 2, 2}, padding_mode: "CALCULATED", '
        'pads: {0, 0, 0, 0}, data_format: "NCHW", global_pooling: false, ceil_mode: false})',
        id="max_pool2d",
    ),
    pytest.param(
        "torch.Tensor.mean",
        [zeros(1, 2, 4, 4)],
        (1, 2),
        {},
        "ReduceMean] (inputs = (x=%x0, axes=%Const_0), attrs = {keep_dims: false, noop_with_empty_axes: true})",
        id="mean",
    ),
    pytest.param(_F + "interpolate(nearest)", [zeros(1, 2, 2, 3)], (1, 2, 4, 6), {}, "BroadcastTo] (inputs = (x=%Reshape", id="nearest"),
]


@pytest.mark.parametrize(("implementation", "operands", "shape", "generics", "node"), NODES)
def test_a_library_call_becomes_its_operation(
    implementation: str, operands: list[Any], shape: tuple[int, ...], generics: dict[str, Any], node: str
) -> None:
    assert node in dump_text(written(implementation, operands, shape, **generics))


def test_an_epsilon_that_is_not_known_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"`torch\.rms_norm` with an epsilon that is not known"):
        written("torch.rms_norm", [zeros(2, 3), zeros(3), zeros()], (2, 3))


def test_attention_is_the_fourth_output() -> None:
    text = dump_text(written(_F + "scaled_dot_product_attention", [*_HEADS, 0.5, None], (1, 4, 3, 8)))
    assert "[#users=4] = Node[type=FlashAttentionScore]" in text
    assert text.endswith("  return (%ret_3)\n")


@pytest.mark.parametrize(("queries", "keys"), [(3, 3), (2, 5)])
def test_a_causal_mask(queries: int, keys: int) -> None:
    (mask,) = ge_machine.results(written("torch.tril", [], (queries, keys), "bool"), [])
    np.testing.assert_array_equal(mask, np.tril(np.ones((queries, keys), bool), keys - queries))


def _cache(at: Any, count: int, lead: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    cache = np.arange(2 * 1 * 5 * 2, dtype=np.float32).reshape(2, 1, 5, 2)
    return cache, -1 - np.arange(lead * count * 2, dtype=np.float32).reshape(lead, 1, count, 2), np.asarray(at, np.int32)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("at", [-1, 0, 3, 7])
def test_a_span_of_a_cache_is_written_and_nothing_outside(at: int, count: int) -> None:
    cache, value, position = _cache(at, count)
    (given,) = ge_machine.results(written("torch.Tensor.index_copy", [cache, value, position], cache.shape), [cache, value, position])
    wanted = cache.copy()
    for n in range(count):
        if 0 <= at + n < 5:
            wanted[:, :, at + n] = value[:, :, n]
    np.testing.assert_array_equal(given, wanted)


def test_each_row_of_a_cache_at_its_own_position() -> None:
    cache, value, at = _cache([4, 9], 1)
    (given,) = ge_machine.results(written("torch.Tensor.index_put", [cache, value, at], cache.shape), [cache, value, at])
    wanted = cache.copy()
    wanted[0, :, 4] = value[0, :, 0]
    np.testing.assert_array_equal(given, wanted)


def test_one_slot_of_a_cache() -> None:
    cache, value, at = _cache(3, 3, lead=1)
    slot = np.asarray(1, np.int32)
    operands = [cache, value, slot, at]
    (given,) = ge_machine.results(written("torch.Tensor.index_put", operands, cache.shape), operands)
    wanted = cache.copy()
    wanted[1, :, 3:5] = value[0, :, :2]
    np.testing.assert_array_equal(given, wanted)


def test_several_slots_of_a_cache_are_refused() -> None:
    cache, value, at = _cache(3, 3)
    with pytest.raises(DocumentError, match="of several slots"):
        written("torch.Tensor.index_put", [cache, value, np.zeros(2, np.int32), at], cache.shape)


def test_the_own_target_takes_what_has_an_operation_and_exports_the_rest_by_body() -> None:
    target = GraphEngineTarget()
    recorder = Recorder(target)
    hand = Hand(recorder)
    x = hand.input("x", zeros(2, 3))
    soft = NativeCall(implementation="torch.softmax", generics={}, shape=(2, 3), dtype="f32", operands=(x,))
    sink = NativeCall(implementation="linnet.sink_attention", generics={}, shape=(2, 3), dtype="f32", operands=(x,))
    assert not isinstance(recorder.emit(soft), Declined)
    refused = recorder.emit(sink)
    assert isinstance(refused, Declined)
    assert refused.reason == "the library call `linnet.sink_attention` has no operation of the Graph Engine"


def test_the_own_target_declines_a_norm_whose_epsilon_is_an_input() -> None:
    recorder = Recorder(GraphEngineTarget())
    hand = Hand(recorder)
    x, gamma, epsilon = hand.input("x", zeros(2, 3)), hand.input("gamma", zeros(3)), hand.input("epsilon", zeros())
    norm = NativeCall(implementation="torch.rms_norm", generics={}, shape=(2, 3), dtype="f32", operands=(x, gamma, epsilon))
    assert isinstance(recorder.emit(norm), Declined)
    known = NativeCall(
        implementation="torch.rms_norm", generics={}, shape=(2, 3), dtype="f32", operands=(x, gamma, hand.constant(1e-5, "f32"))
    )
    assert not isinstance(recorder.emit(known), Declined)
