"""The operations of GE on NumPy arrays, as their descriptions say what they give, for graphs that were made from entries.

In: a dump with the types of its outputs, arrays by index of `Data`.  Out: the results of its main graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ge_library
import ml_dtypes
import numpy as np

from linnet_ge.model import Dump, Graph, Node, TensorInfo, TensorValue

DTYPES: dict[str, Any] = {
    "DT_BOOL": np.bool_,
    "DT_FLOAT": np.float32,
    "DT_FLOAT16": np.float16,
    "DT_BFLOAT16": ml_dtypes.bfloat16,
    "DT_DOUBLE": np.float64,
    **{f"DT_{'U' * u}INT{n}": getattr(np, f"{'u' * u}int{n}") for u in (0, 1) for n in (8, 16, 32, 64)},
}
SHORT = (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16))
Inputs = Mapping[str, Any]


def results(dump: Dump, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The results of the main graph."""
    with np.errstate(all="ignore"):
        return _graph(dump, dump.graphs[0], arrays)


def _graph(dump: Dump, graph: Graph, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    values: dict[tuple[str, int], np.ndarray] = {}
    for node in graph.nodes:
        if node.type == "Data":
            made = [arrays[node.attributes["index"].value]]
        else:
            made = _node(dump, node, {str(e.parameter): values[e.node, e.output] for e in node.inputs})
        for at, (value, info) in enumerate(zip(made, node.outputs, strict=False)):
            values[node.name, at] = _held(node, np.asarray(value), info)
    return [values[o.edge.node, o.edge.output] for o in graph.outputs]


def _held(node: Node, value: np.ndarray, info: TensorInfo | None) -> np.ndarray:
    """The value, which must be of the type that the graph says."""
    assert info is not None
    assert info.dtype is not None
    assert value.shape == info.shape, f"{node.name} gives {value.shape}, not {info.shape}"
    assert value.dtype == DTYPES[info.dtype], f"{node.name} gives {value.dtype}, not {info.dtype}"
    return value


def _node(dump: Dump, node: Node, i: Inputs) -> list[Any]:
    a = {key: value.value for key, value in node.attributes.items()}
    if node.type == "Const":
        value, info = a["value"], node.outputs[0]
        assert isinstance(value, TensorValue)
        assert info is not None
        assert info.dtype is not None
        return [np.array(value.values, dtype=DTYPES[info.dtype]).reshape(value.shape or ())]
    graphs = {str(link.ir_name): dump.by_name[link.graph] for link in node.subgraphs}
    passed = [value for name, value in i.items() if name.startswith(("input_", "args_"))]
    match node.type:
        case "While":
            while bool(_graph(dump, graphs["cond"], passed)[0]):
                passed = _graph(dump, graphs["body"], passed)
            return passed
        case "For":
            for at in range(int(i["start"]), int(i["limit"]), int(i["delta"])):
                passed = _graph(dump, graphs["body"], [np.asarray(at, np.int32), *passed])
            return passed
        case "If":
            return _graph(dump, graphs["then_branch" if i["cond"] else "else_branch"], passed)
        case "PartitionedCall":
            return _graph(dump, graphs["f"], passed)
    given = (_COMPUTED.get(node.type) or ge_library.COMPUTED[node.type])(i, a)
    return given if isinstance(given, list) else [given]


def _cast(i: Inputs, a: Inputs) -> Any:
    from linnet_ge.ir.dtypes import CPP

    to = DTYPES[CPP[a["dst_type"]]]
    x = i["x"]
    if to is np.bool_:
        return x != 0
    if x.dtype.kind in "fV" and np.issubdtype(to, np.integer):  # what lies outside, which GE leaves open, is the nearest there is
        wide = np.nan_to_num(x.astype(np.float64), nan=0.0)
        inside = (wide > float(np.iinfo(to).min)) & (wide < float(np.iinfo(to).max))
        ends = np.where(wide > 0, np.iinfo(to).max, np.iinfo(to).min).astype(to)
        return np.where(np.isnan(x.astype(np.float64)), to(0), np.where(inside, np.where(inside, wide, 0).astype(to), ends))
    return x.astype(to)


def _wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float32) if x.dtype in SHORT else x


def _pair(function: Callable[[Any, Any], Any], one: str = "x1", other: str = "x2") -> Callable[[Inputs, Inputs], Any]:
    def compute(i: Inputs, a: Inputs) -> Any:
        given = function(_wide(i[one]), _wide(i[other]))
        return given.astype(i[one].dtype) if given.dtype != np.bool_ else given

    return compute


def _single(function: Callable[[Any], Any]) -> Callable[[Inputs, Inputs], Any]:
    return lambda i, a: np.asarray(function(_wide(i["x"]))).astype(i["x"].dtype)


def _reduced(function: Any) -> Callable[[Inputs, Inputs], Any]:
    def compute(i: Inputs, a: Inputs) -> Any:
        assert not a["keep_dims"]
        x, axes = _wide(i["x"]), tuple(int(n) for n in i["axes"])
        more = {"dtype": x.dtype} if function in (np.sum, np.prod) else {}
        if x.size == 0 and function in (np.max, np.min):
            low = _end(x.dtype, lowest=function is np.max)
            more = {"initial": low}
        return np.asarray(function(x, axis=axes, **more)).astype(i["x"].dtype)

    return compute


def _end(dtype: Any, *, lowest: bool) -> Any:
    if dtype.kind == "f":
        return dtype.type(-np.inf if lowest else np.inf)
    info = np.iinfo(dtype)
    return info.min if lowest else info.max


def _truncated(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Division of integers toward zero; by zero, which GE leaves open, -1 as linnet has it."""
    a, b = np.broadcast_arrays(a, b)
    safe = np.where(b == 0, 1, b).astype(b.dtype)
    quotient = a // safe
    quotient = (quotient + ((a % safe != 0) & ((a < 0) != (safe < 0)))).astype(a.dtype)
    return np.where(b == 0, np.invert(np.zeros_like(a)), quotient)


def _remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """With the sign of the dividend; of a division by zero of integers, which GE leaves open, the dividend."""
    a, b = np.broadcast_arrays(a, b)
    return np.fmod(a, b) if a.dtype.kind in "fV" else np.where(b == 0, a, np.fmod(a, np.where(b == 0, 1, b).astype(b.dtype)))


def _product(i: Inputs, turned1: bool, turned2: bool) -> Any:
    x1, x2 = _wide(i["x1"]), _wide(i["x2"])
    x1, x2 = (np.swapaxes(x, -1, -2) if turned else x for x, turned in ((x1, turned1), (x2, turned2)))
    return (x1 @ x2).astype(i["x1"].dtype)


def _strided(i: Inputs, a: Inputs) -> Any:
    assert not any(a[mask] for mask in ("begin_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"))
    ends = [None if a["end_mask"] >> axis & 1 else int(end) for axis, end in enumerate(i["end"])]
    return i["x"][tuple(slice(int(b), e, int(s)) for b, e, s in zip(i["begin"], ends, i["strides"], strict=True))]


def _scattered(i: Inputs, a: Inputs) -> Any:
    made = np.zeros(tuple(i["shape"]), _wide(i["x"]).dtype)
    np.add.at(made, tuple(np.moveaxis(i["indices"], -1, 0)), i["x"])
    return made.astype(i["x"].dtype)


def _updated(i: Inputs, a: Inputs) -> Any:
    made = i["x"].copy()
    made[tuple(np.moveaxis(i["indices"], -1, 0))] = i["updates"]
    return made


def _joined(i: Inputs, a: Inputs) -> Any:
    parts = [value for name, value in i.items() if name != "concat_dim"]
    assert len(parts) == a["N"]
    return np.concatenate(parts, int(i["concat_dim"]))


def _summed_up(i: Inputs, a: Inputs) -> Any:
    x = _wide(i["x"])
    return np.cumsum(x, axis=int(i["axis"]), dtype=x.dtype).astype(i["x"].dtype)


def _ranged(i: Inputs, a: Inputs) -> Any:
    return np.arange(int(i["start"]), int(i["limit"]), int(i["delta"])).astype(i["start"].dtype)


_COMPUTED: dict[str, Callable[[Inputs, Inputs], Any]] = {
    "Cast": _cast,
    "Add": _pair(np.add),
    "Sub": _pair(np.subtract),
    "Mul": _pair(np.multiply),
    "RealDiv": _pair(np.divide),
    "TruncateDiv": _pair(_truncated),
    "TruncateMod": _pair(_remainder),
    "Minimum": _pair(np.minimum),
    "Maximum": _pair(np.maximum),
    "LogicalAnd": _pair(np.logical_and),
    "LogicalOr": _pair(np.logical_or),
    "BitwiseAnd": _pair(np.bitwise_and),
    "BitwiseOr": _pair(np.bitwise_or),
    "BitwiseXor": _pair(np.bitwise_xor),
    "LeftShift": _pair(np.left_shift, "x", "y"),
    "RightShift": _pair(np.right_shift, "x", "y"),
    "Equal": _pair(np.equal),
    "NotEqual": _pair(np.not_equal),
    "Less": _pair(np.less),
    "LessEqual": _pair(np.less_equal),
    "Greater": _pair(np.greater),
    "GreaterEqual": _pair(np.greater_equal),
    "LogicalNot": _single(np.logical_not),
    "Invert": _single(np.invert),
    "Neg": _single(np.negative),
    "Exp": _single(np.exp),
    "Log": _single(np.log),
    "Sqrt": _single(np.sqrt),
    "Rsqrt": _single(lambda x: 1 / np.sqrt(x)),
    "Sin": _single(np.sin),
    "Cos": _single(np.cos),
    "Tanh": _single(np.tanh),
    "Abs": _single(np.abs),
    "SelectV2": lambda i, a: np.where(i["condition"], i["then"], i["else"]),
    "Reshape": lambda i, a: i["x"].reshape(tuple(i["shape"])),
    "Transpose": lambda i, a: np.transpose(i["x"], tuple(i["perm"])),
    "BroadcastTo": lambda i, a: np.broadcast_to(i["x"], tuple(i["shape"])),
    "StridedSlice": _strided,
    "ConcatV2": _joined,
    "Cumsum": _summed_up,
    "Range": _ranged,
    "GatherNd": lambda i, a: i["x"][tuple(np.moveaxis(i["indices"], -1, 0))],
    "GatherV2": lambda i, a: np.take(i["x"], i["indices"], axis=int(i["axis"])),
    "ScatterNd": _scattered,
    "TensorScatterUpdate": _updated,
    "ReduceSum": _reduced(np.sum),
    "ReduceProd": _reduced(np.prod),
    "ReduceMax": _reduced(np.max),
    "ReduceMin": _reduced(np.min),
    "ReduceAny": _reduced(np.any),
    "ReduceAll": _reduced(np.all),
    "MatMul": lambda i, a: _product(i, a["transpose_x1"], a["transpose_x2"]),
    "BatchMatMul": lambda i, a: _product(i, a["adj_x1"], a["adj_x2"]),
    "ClipByValue": lambda i, a: np.clip(i["x"], i["clip_value_min"], i["clip_value_max"]),
}
