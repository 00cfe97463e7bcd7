"""What a graph computes, by the definitions of the nodes, in NumPy.  An oracle for the evaluator: no target and no printed source.

Every value is computed in its dtype; f16 and bf16 are not used by these tests, so nothing is widened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Broadcast,
    Compare,
    Concat,
    Constant,
    Contract,
    Convert,
    Cumsum,
    Elementwise,
    EndCounted,
    EndWhile,
    Finish,
    Gather,
    Input,
    Iota,
    Parameter,
    Reduce,
    Reshape,
    Select,
    Slice,
    State,
    Transpose,
    UpdateRow,
    WhileCondition,
    WhileInitialCondition,
    WhileTrailingCondition,
)
from linnet_core.graph.nodes import flat_nodes

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call, Operand
    from linnet_core.graph.nodes import Graph, Node

DTYPES: dict[str, Any] = {
    "bool": np.bool_,
    **{f"{kind}{bits}": np.dtype(f"{kind}{bits // 8}") for kind in "iu" for bits in (8, 16, 32, 64)},
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
BINARY: dict[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.logical_and,
    "or": np.logical_or,
    "bitand": np.bitwise_and,
    "bitor": np.bitwise_or,
    "bitxor": np.bitwise_xor,
}
UNARY: dict[str, Any] = {
    "not": np.logical_not,
    "neg": np.negative,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    **{kind: getattr(np, kind) for kind in ("exp", "log", "sqrt", "sin", "cos", "tanh", "abs")},
}
COMPARE: dict[str, Any] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
REDUCE: dict[str, Any] = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "any": np.any, "all": np.all}


def compute(graph: Graph, **given: Any) -> list[np.ndarray]:
    """The entry's results, then its final states.  `given` holds inputs by name, parameters and states by path (dots as `__`)."""
    machine = _Machine({name.replace("__", "."): value for name, value in given.items()})
    return machine.run(flat_nodes(graph.nodes))


class _Machine:
    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.values: dict[int, np.ndarray] = {}

    def run(self, nodes: list[Node]) -> list[np.ndarray]:
        at = 0
        finished: list[np.ndarray] = []
        while at < len(nodes):
            node = nodes[at]
            match node.call:
                case BeginWhile():
                    at = self.loop(nodes, at)
                case BeginCounted():
                    at = self.counted(nodes, at)
                case Finish():
                    finished = [self.see(operand) for operand in node.call.operands]
                case WhileInitialCondition() | WhileTrailingCondition():
                    pass
                case _ if not node.declined:
                    self.keep(node, [self.value(node.call)])
            at += 1
        return finished

    def keep(self, node: Node, results: list[np.ndarray]) -> None:
        for id, value, type in zip(node.results, results, node.call.result_types(), strict=True):
            value = np.asarray(value)
            assert value.shape == type.shape, f"{node.call} gives {value.shape}"
            assert value.dtype == DTYPES[type.dtype], f"{node.call} gives {value.dtype}"
            self.values[id] = value

    def see(self, operand: Operand | None) -> np.ndarray:
        assert operand is not None
        value = self.values[operand.value]  # type: ignore[index]  # a recorded operand is named by its id
        if value.shape != operand.shape:
            value = value.reshape(operand.shape) if value.size == np.prod(operand.shape) else np.broadcast_to(value, operand.shape)
        assert value.dtype == DTYPES[operand.dtype]
        return value

    def loop(self, nodes: list[Node], start: int) -> int:
        """A while loop; the place of its end."""
        end = _closing(nodes, start, BeginWhile, EndWhile)
        checks = [at for at in range(start, end) if isinstance(nodes[at].call, WhileCondition)]
        check = next(at for at in checks if _depth(nodes, start, at, BeginWhile, EndWhile) == 1)
        carried = [self.see(operand) for operand in nodes[start].call.operands]
        while True:
            self.keep(nodes[start], carried)
            self.run(nodes[start + 1 : check])
            if not self.see(nodes[check].call.operands[0]):
                break
            self.keep(nodes[check], carried)
            self.run(nodes[check + 1 : end])
            carried = [self.see(operand) for operand in nodes[end].call.operands]
        self.keep(nodes[end], carried)
        return end

    def counted(self, nodes: list[Node], start: int) -> int:
        """A counted loop; the place of its end."""
        end = _closing(nodes, start, BeginCounted, EndCounted)
        opened = nodes[start].call
        assert isinstance(opened, BeginCounted)
        carried = [self.see(operand) for operand in opened.operands]
        for index in range(opened.start, opened.stop):
            self.keep(nodes[start], [np.int64(index), *carried])  # type: ignore[list-item]  # a NumPy scalar stands for an array without axes
            self.run(nodes[start + 1 : end])
            carried = [self.see(operand) for operand in nodes[end].call.operands]
        self.keep(nodes[end], carried)
        return end

    def value(self, call: Call) -> Any:
        seen = [self.see(operand) for operand in call.operands]
        match call:
            case Input():
                return np.asarray(self.given[call.name], DTYPES[call.dtype])
            case Parameter() | State():
                return np.asarray(self.given[call.path], DTYPES[call.dtype])
            case Constant():
                return np.asarray(call.literal.value, DTYPES[call.dtype])
            case Elementwise():
                return self.elementwise(call, seen)
            case Compare():
                return COMPARE[call.kind](*seen)
            case Select():
                return np.where(*seen)
            case Convert():
                return seen[0].astype(DTYPES[call.dtype])
            case Contract():
                return np.einsum(seen[0], call.lhs_axes, seen[1], call.rhs_axes, call.out_axes)
            case _:
                return _moved(call, seen)

    def elementwise(self, call: Elementwise, seen: list[np.ndarray]) -> Any:
        dtype = DTYPES[call.dtype]
        assert all(value.shape == call.shape and value.dtype == dtype for value in seen), str(call)
        if call.kind == "div":
            floats = np.issubdtype(dtype, np.floating)
            return seen[0] / seen[1] if floats else np.trunc(seen[0] / seen[1]).astype(dtype)
        if call.kind == "rem":
            return np.fmod(*seen)
        table = UNARY if len(seen) == 1 else BINARY
        return table[call.kind](*seen).astype(dtype)


def _moved(call: Call, seen: list[np.ndarray]) -> Any:
    """The shape family, gathers and reductions."""
    match call:
        case Reshape():
            return seen[0].reshape(call.shape)
        case Transpose():
            return seen[0].transpose(call.permutation)
        case Broadcast():
            order = sorted(range(len(call.dims)), key=call.dims.__getitem__)
            shape = [1] * len(call.shape)
            for axis, at in enumerate(call.dims):
                shape[at] = seen[0].shape[axis]
            return np.broadcast_to(seen[0].transpose(order).reshape(shape), call.shape)
        case Slice():
            return seen[0][tuple(slice(*bounds) for bounds in zip(call.starts, call.limits, call.strides, strict=True))]
        case Concat():
            return np.concatenate(seen, call.axis)
        case Cumsum():
            return np.cumsum(seen[0], call.axis, dtype=seen[0].dtype)
        case Iota():
            return np.arange(call.length, dtype=np.int64)
        case Gather():
            source, indices = seen
            columns = tuple(indices[..., at] for at in range(indices.shape[-1]))
            assert all((column >= 0).all() and (column < size).all() for column, size in zip(columns, source.shape, strict=False))
            return source[columns]
        case Reduce():
            if call.kind in ("sum", "prod"):
                return REDUCE[call.kind](seen[0], axis=call.dims, dtype=seen[0].dtype)
            return REDUCE[call.kind](seen[0], axis=call.dims)
        case UpdateRow():
            stack = seen[0].copy()
            stack[int(seen[1])] = seen[2]
            return stack
        case _:
            raise AssertionError(f"{call.op} is not interpreted")


def _depth(nodes: list[Node], start: int, at: int, opens: type[Call], closes: type[Call]) -> int:
    inside = nodes[start:at]
    return sum(isinstance(node.call, opens) for node in inside) - sum(isinstance(node.call, closes) for node in inside)


def _closing(nodes: list[Node], start: int, opens: type[Call], closes: type[Call]) -> int:
    depth = 0
    for at in range(start, len(nodes)):
        depth += isinstance(nodes[at].call, opens) - isinstance(nodes[at].call, closes)
        if depth == 0:
            return at
    raise AssertionError("a loop is not closed")
