"""Library calls that stand for ops of the standard library -> operations of GE.

In: `native_call`.  Out: its result.  A library call without an operation is an error that names it: nothing is put in its place that
computes something else.  `--no-library` exports the op's own body instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import DocumentError
from linnet_ge.from_graph import caches, images
from linnet_ge.from_graph.contraction import Axes, product

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from linnet_core.graph.calls import NativeCall
    from linnet_core.python_source.fold import Scalar
    from linnet_ge.from_graph.making import Making
    from linnet_ge.from_graph.scope import Source

    Rule = Callable[[Making, NativeCall], Source]

#: What follows the name of a call that is not widened to f32; GE's operations are the same.
_INPUT_DTYPE = " (input dtype)"
_ATTENTION = "torch.nn.functional.scaled_dot_product_attention"
_ROWS = "torch.Tensor.index_put"
#: Where the epsilon stands, which is an attribute in GE.
_EPSILON = {
    "torch.rms_norm": 2,
    "torch.nn.functional.layer_norm": 3,
    "torch.nn.functional.batch_norm": 5,
    "torch.nn.functional.group_norm": 3,
}


def fault(call: NativeCall, known: Mapping[str, Scalar]) -> str | None:
    """Why no operation stands for a library call; None where one does.  `known`: the numbers known at export, by name."""
    base = call.implementation.removesuffix(_INPUT_DTYPE)
    named = f"the library call `{call.implementation}`"
    if base not in RULES:
        return f"{named} has no operation of the Graph Engine"
    if base in _EPSILON and str(call.operand(_EPSILON[base]).value) not in known:
        return f"{named} with an epsilon that is not known at export has no operation of the Graph Engine"
    if base.startswith(_ATTENTION) and call.dtype == "f64":
        return f"{named} on f64 has no operation of the Graph Engine"
    if base.startswith(_ATTENTION) and call.dtype != "f32" and str(call.operand(3).value) not in known:
        return f"{named} on {call.dtype} with a scale that is not known at export has no operation of the Graph Engine"
    if base == _ROWS and caches.is_of_several_slots(call):
        return f"{named} of several slots has no operation of the Graph Engine"
    return None


def native(m: Making, call: NativeCall) -> Source:
    """The result of a library call.  Raises `DocumentError` where `fault` says why there is none."""
    reason = fault(call, m.known)
    if reason is not None:
        raise DocumentError(f"{reason}; export with --no-library, or without --target")
    return RULES[call.implementation.removesuffix(_INPUT_DTYPE)](m, call)


def _epsilon(m: Making, call: NativeCall) -> float:
    return m.known[str(call.operand(_EPSILON[call.implementation.removesuffix(_INPUT_DTYPE)]).value)]


def _linear(m: Making, call: NativeCall) -> Source:
    x, weight = m.operand(call, 0), m.operand(call, 1)
    inner = len(x.shape) - 1
    leading = tuple(range(inner))
    y = product(m, Axes((*leading, inner), (inner + 1, inner), (*leading, inner + 1)), x, weight, call.dtype)
    if not m.has(call, 2):
        return y
    return m.scope.add("Add", {"x1": y, "x2": m.operand(call, 2)}, y.shape, call.dtype)


def _matmul(m: Making, call: NativeCall) -> Source:
    a, b = m.operands(call)
    rank = len(a.shape)
    batch = tuple(range(rank - 2))
    axes = Axes((*batch, rank, rank + 1), (*batch, rank + 1, rank + 2), (*batch, rank, rank + 2))
    return product(m, axes, a, b, call.dtype)


def _embedding(m: Making, call: NativeCall) -> Source:
    ids, table = m.operands(call)
    return m.scope.add("GatherV2", {"x": table, "indices": ids, "axis": m.integer(0, "i32")}, call.shape, call.dtype)


def _take(m: Making, call: NativeCall) -> Source:
    x, order = m.operands(call)
    return m.scope.add("GatherV2", {"x": x, "indices": order, "axis": m.integer(len(x.shape) - 1, "i32")}, call.shape, call.dtype)


def _causal(m: Making, call: NativeCall) -> Source:
    """`key <= query + (keys - queries)`."""
    queries, keys = call.shape
    first = {"start": m.integer(keys - queries), "limit": m.integer(keys), "delta": m.integer(1)}
    last = m.reshape(m.scope.add("Range", first, (queries,), "i64"), (queries, 1))
    key = m.scope.add("Range", {"start": m.integer(0), "limit": m.integer(keys), "delta": m.integer(1)}, (keys,), "i64")
    return m.scope.add("LessEqual", {"x1": key, "x2": last}, call.shape, "bool")


def _unary(type: str) -> Rule:
    def rule(m: Making, call: NativeCall) -> Source:
        x = m.operand(call, 0)
        return m.scope.add(type, {"x": x}, x.shape, call.dtype)

    return rule


def _rms_norm(m: Making, call: NativeCall) -> Source:
    x, weight = m.operand(call, 0), m.operand(call, 1)
    return m.scope.add("RmsNorm", {"x": x, "gamma": weight}, x.shape, call.dtype, epsilon=_epsilon(m, call))


def _layer_norm(m: Making, call: NativeCall) -> Source:
    x, weight = m.operand(call, 0), m.operand(call, 1)
    bias = m.operand(call, 2) if m.has(call, 2) else m.spread(m.const([0.0], (), weight.dtype), weight.shape)
    axis = len(x.shape) - 1
    epsilon = _epsilon(m, call)
    attributes = {"begin_norm_axis": axis, "begin_params_axis": axis, "epsilon": epsilon}
    return m.scope.add("LayerNorm", {"x": x, "gamma": weight, "beta": bias}, x.shape, call.dtype, **attributes)


def _attention(m: Making, call: NativeCall) -> Source:
    """FlashAttentionScore, whose mask is true where nothing is seen; its fourth output is the attention."""
    query, key, value = (m.operand(call, position) for position in range(3))
    scale = m.known.get(str(call.operand(3).value))
    if scale is None:
        query = m.scope.add("Mul", {"x1": query, "x2": m.operand(call, 3)}, query.shape, query.dtype)
    inputs = {"query": query, "key": key, "value": value}
    if m.has(call, 4):
        seen = m.operand(call, 4)
        hidden = m.scope.add("LogicalNot", {"x": seen}, seen.shape, "bool")
        inputs["atten_mask"] = m.reshape(hidden, (seen.shape[0], 1, *seen.shape[1:])) if len(seen.shape) == 3 else hidden
    heads = query.shape[1]
    sums = ((query.shape[0], heads, query.shape[2], 8), "f32")
    attributes = {"scale_value": 1.0 if scale is None else scale, "head_num": heads, "input_layout": "BNSD"}
    return m.scope.add_node("FlashAttentionScore", inputs, [sums, sums, ((0,), call.dtype), (call.shape, call.dtype)], attributes)[3]


def _batch_norm(m: Making, call: NativeCall) -> Source:
    x, mean, variance, weight, bias = (m.operand(call, position) for position in range(5))
    statistics = {"scale": weight, "offset": bias, "mean": mean, "variance": variance}
    inputs = {"x": x, **{name: m.cast(one, "f32") for name, one in statistics.items()}}
    attributes = {"epsilon": _epsilon(m, call), "data_format": "NCHW", "is_training": False}
    return m.scope.add("BatchNorm", inputs, x.shape, call.dtype, **attributes)


def _group_norm(m: Making, call: NativeCall) -> Source:
    x, weight, bias = (m.operand(call, position) for position in range(3))
    attributes = {"num_groups": call.generics["Groups"], "eps": _epsilon(m, call)}
    return m.scope.add("GroupNorm", {"x": x, "gamma": weight, "beta": bias}, x.shape, call.dtype, **attributes)


#: By implementation, without what says that nothing is widened.
RULES: dict[str, Rule] = {
    "torch.nn.functional.linear": _linear,
    "torch.matmul": _matmul,
    "torch.nn.functional.embedding": _embedding,
    "torch.index_select": _take,
    "torch.tril": _causal,
    "torch.softmax": _unary("SoftmaxV2"),
    "torch.relu": _unary("Relu"),
    "torch.sigmoid": _unary("Sigmoid"),
    "torch.nn.functional.silu": _unary("Swish"),
    "torch.nn.functional.gelu(tanh)": _unary("Gelu"),
    "torch.nn.functional.gelu": _unary("GeluV2"),
    "torch.rms_norm": _rms_norm,
    "torch.nn.functional.layer_norm": _layer_norm,
    "torch.nn.functional.batch_norm": _batch_norm,
    "torch.nn.functional.group_norm": _group_norm,
    _ATTENTION: _attention,
    _ATTENTION + " (enable_gqa)": _attention,
    "torch.Tensor.index_copy": caches.span,
    _ROWS: caches.rows,
    **images.RULES,
}
