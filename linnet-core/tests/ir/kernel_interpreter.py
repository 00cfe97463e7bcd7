"""What a kernel computes, said as plainly as possible: its programs one after another, each operation on NumPy arrays.

In: a module in Core IR, an op that names a kernel, numbers for the op's generics, and arrays.  Out: the kernel's results.  It is a
reference for tests: slow, and it knows the operations that tiles are made of, not blocks, state or optionals.

An element that no program writes keeps a canary (NaN, the lowest integer, or false), so that a kernel which forgets one differs
from its op.
"""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from linnet_core.check.program import SliceAxis
from linnet_core.check.types import DimArg, DTypeArg, DTypeVar, ShapeArg, shape_of
from linnet_core.shapes import Dim, Pack
from linnet_core.shapes.substitute import substitute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from linnet_core.check.program import Generic
    from linnet_core.check.types import GenericArg, Type
    from linnet_core.ir.module import Function, Module, Op, Region

DTYPES: dict[str, Any] = {
    "bool": np.bool_,
    **{f"{kind}{bits}": np.dtype(f"{kind}{bits // 8}").type for kind in "iu" for bits in (8, 16, 32, 64)},
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}
_BINARY: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "min": np.minimum, "max": np.maximum, "rem": np.fmod,
    "and": np.logical_and, "or": np.logical_or, "bitand": np.bitwise_and, "bitor": np.bitwise_or, "bitxor": np.bitwise_xor,
}  # fmt: skip
_UNARY: dict[str, Callable[..., Any]] = {
    "not": np.logical_not, "neg": np.negative, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos,
    "tanh": np.tanh, "abs": np.abs, "rsqrt": lambda x: x.dtype.type(1) / np.sqrt(x),
}  # fmt: skip
_REDUCE = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum, "any": np.logical_or, "all": np.logical_and}
_COMPARE = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}


class OutsideError(Exception):
    """An unmasked read or write outside its tensor."""


class Scope:
    """Numbers, shapes and dtypes for the generics of one function."""

    def __init__(self, generics: Iterable[tuple[Generic, Any]]) -> None:
        self.dims: dict[int, Dim] = {}
        self.packs: dict[int, tuple[int, ...]] = {}
        self.dtypes: dict[int, str] = {}
        for generic, value in generics:
            match generic.kind:
                case "dim":
                    self.dims[generic.id] = Dim.constant(value)
                case "shape":
                    self.packs[generic.id] = tuple(value)
                case "dtype":
                    self.dtypes[generic.id] = value

    def dim(self, dim: Dim) -> int:
        packs = {id: tuple(map(Dim.constant, shape)) for id, shape in self.packs.items()}
        value = substitute(dim, self.dims, packs).value
        assert value is not None, dim
        return value

    def shape(self, units: Iterable[Any]) -> tuple[int, ...]:
        return tuple(n for unit in units for n in (self.packs[unit.id] if isinstance(unit, Pack) else (self.dim(unit),)))

    def dtype(self, type: Type) -> Any:
        name = type.dtype  # type: ignore[union-attr]  # tensors and scalars only
        return DTYPES[self.dtypes[name.id] if isinstance(name, DTypeVar) else name]

    def argument(self, arg: GenericArg) -> Any:
        match arg:
            case DimArg():
                return self.dim(arg.dim)
            case ShapeArg():
                return self.shape(arg.shape)
            case DTypeArg():
                return self.dtypes[arg.dtype.id] if isinstance(arg.dtype, DTypeVar) else arg.dtype


def launch(module: Module, op: str, generics: Mapping[str, Any], arguments: Iterable[Any], *, backwards: bool = False) -> list[np.ndarray]:
    """The results of the kernel that `op` names, its programs run in order (or from the last to the first)."""
    function = module.functions[op]
    assert function.kernel is not None
    outer = Scope((generic, generics[generic.name]) for generic in function.generics)
    kernel = module.functions[function.kernel.name]
    assert kernel.launch is not None
    scope = Scope(zip(kernel.generics, map(outer.argument, function.kernel.args), strict=True))
    count = kernel.launch.outputs
    results = [_fresh(kernel, arg.id, scope.shape(shape_of(arg.type) or ()), scope.dtype(arg.type)) for arg in kernel.body.args[-count:]]
    memory = [np.array(value) for value in arguments] + results
    grid = [range(scope.dim(size)) for size in kernel.launch.grid]
    programs = list(itertools.product(*grid))
    with np.errstate(all="ignore"):
        for position in reversed(programs) if backwards else programs:
            run = Run(module, scope, position)
            run.region(kernel.body, memory)
    return results


def whole(module: Module, entry: str, generics: Mapping[str, Any], arguments: Iterable[Any]) -> list[np.ndarray]:
    """The results of an entry, in which every op that names a kernel is that kernel."""
    function = module.functions[entry]
    scope = Scope((generic, generics[generic.name]) for generic in function.generics)
    with np.errstate(all="ignore"):
        (given,) = _Whole(module, scope, ()).region(function.body, [np.array(value) for value in arguments])
    return list(given) if isinstance(given, tuple) else [given]


def _fresh(kernel: Function, id: int, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """A result before any program has run: the identity of its atomic write, or the canary."""
    atomics = [op.attrs.get("atomic") for op in _ops(kernel.body) if op.kind == "kernel.store" and op.operands[0].id == id]
    if dtype == np.bool_:
        return np.zeros(shape, dtype)
    is_float = np.issubdtype(dtype, np.floating) or dtype is ml_dtypes.bfloat16
    lowest, highest = (-np.inf, np.inf) if is_float else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    canary = np.nan if is_float else lowest
    value = {"add": 0, "max": lowest, "min": highest, None: canary}[atomics[0] if atomics else None]
    return np.full(shape, value, dtype)


def _divided(kind: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Truncated toward zero; by zero all bits set, and `a` remains."""
    divisor = np.where(b == 0, b.dtype.type(1), b)
    rest = np.fmod(a, divisor)
    return np.where(b == 0, a, rest) if kind == "rem" else np.where(b == 0, ~np.zeros_like(a), (a - rest) // divisor)


def _truncated(x: np.ndarray, dtype: Any) -> np.ndarray:
    """Toward zero, to the nearest number there is; NaN to 0."""
    info = np.iinfo(dtype)
    inside = (x > info.min) & (x < info.max)
    return np.where(inside, np.where(inside, x, 0).astype(dtype), np.where(x > 0, info.max, np.where(x < 0, info.min, 0)))


def _ops(region: Region) -> Iterable[Op]:
    for op in region.ops:
        yield op
        for inner in op.regions:
            yield from _ops(inner)


class Run:
    """One program of the grid, or one function called from it."""

    def __init__(self, module: Module, scope: Scope, position: tuple[int, ...]) -> None:
        self.module, self.scope, self.position = module, scope, position
        self.values: dict[int, Any] = {}

    def region(self, region: Region, args: Iterable[Any]) -> list[Any]:
        """What the region ends with."""
        self.values.update((arg.id, value) for arg, value in zip(region.args, args, strict=True))
        for op in region.ops:
            operands = [self.values[value.id] for value in op.operands]
            if op.kind in ("return", "yield"):
                return operands
            given = self.op(op, operands)
            self.values.update((result.id, value) for result, value in zip(op.results, given, strict=True))
        raise AssertionError("a region without an end")

    def op(self, op: Op, operands: list[Any]) -> list[Any]:
        if op.kind.startswith("kernel."):
            return self.memory(op, operands)
        if op.regions:
            return self.with_regions(op, operands)
        if op.kind in ("call", "semantic.call"):
            callee = self.module.functions[op.attrs["callee"]]
            scope = Scope(zip(callee.generics, map(self.scope.argument, op.attrs["generics"]), strict=True))
            return Run(self.module, scope, self.position).region(callee.body, operands)
        if op.kind in ("tuple.make", "struct.make"):
            return [tuple(operands)]
        if op.kind in ("tuple.get", "struct.get"):
            return [operands[0][op.attrs["value"]]]
        if op.kind == "enum.const":
            return [op.attrs["name"]]
        dtype = self.scope.dtype(op.results[0].type)
        return [np.asarray(self.pure(op, operands, dtype), dtype=dtype)]

    def pure(self, op: Op, operands: list[Any], dtype: Any) -> Any:
        shape = self.scope.shape(shape_of(op.results[0].type) or ())
        match op.kind:
            case "const.int" | "const.bool" | "const.float":
                return dtype(float(op.attrs["value"]) if op.kind == "const.float" else op.attrs["value"])
            case "const.dim":
                return self.scope.dim(op.attrs["value"])
            case "div" | "rem" if np.issubdtype(dtype, np.integer):
                return _divided(op.kind, operands[0], operands[1])
            case "div":
                return operands[0] / operands[1]
            case "compare":
                return _COMPARE[op.attrs["compare"]](operands[0], operands[1])
            case "select":
                return np.where(*operands)
            case "cast" if operands[0].dtype.kind == "f" and np.issubdtype(dtype, np.integer):
                return _truncated(operands[0], dtype)
            case "cast":
                return operands[0].astype(dtype)
            case "reshape":
                return operands[0].reshape(shape)
            case "broadcast" | "fill":
                return np.broadcast_to(operands[0], shape)
            case "iota":
                return np.arange(shape[0])
            case "permute":
                return np.transpose(operands[0], op.attrs["shape"])
            case "slice":
                return operands[0][tuple(self.slice(axis) for axis in op.attrs["axes"])]
            case "concat":
                return np.concatenate(operands, op.attrs["axis"])
            case "cumsum":
                return np.cumsum(operands[0], op.attrs["axis"], dtype=dtype)
            case "tensor.element":
                return operands[0][tuple(int(i) for part in operands[1:] for i in (part if isinstance(part, tuple) else (part,)))]
        return (_UNARY.get(op.kind) or _BINARY[op.kind])(*operands)

    def slice(self, axis: Any) -> Any:
        if not isinstance(axis, SliceAxis):
            return slice(None)
        start, stop = self.scope.dim(axis.start), self.scope.dim(axis.stop)
        return start if axis.squeeze else slice(start, stop, axis.step)

    def with_regions(self, op: Op, operands: list[Any]) -> list[Any]:
        match op.kind:
            case "comprehension" | "reduce":
                return [self.over_indices(op)]
            case "if":
                return self.region(op.regions[0 if operands[0] else 1], ())
            case "enum.match":
                variants = op.attrs["variants"]
                return self.region(op.regions[variants.index(operands[0] if operands[0] in variants else "_")], ())
            case "while":
                while self.region(op.regions[0], operands)[0]:
                    operands = self.region(op.regions[1], operands)
                return operands
        assert op.kind in ("for", "static_range"), op.kind
        carried, rows = operands[2:], []
        for i in range(int(operands[0]), int(operands[1])):
            given = self.region(op.regions[0], (np.int64(i), *carried))
            carried, rows = given[: len(carried)], [*rows, given[len(carried) :]]
        scanned = len(op.results) > len(carried)
        return [*carried, np.stack([row[0] for row in rows])] if scanned else carried

    def over_indices(self, op: Op) -> Any:
        """A comprehension or reduction, element by element."""
        domains = [self.scope.shape(index.domain) for index in op.attrs["indices"]]
        plain = [not isinstance(index.domain[0], Pack) for index in op.attrs["indices"]]
        dtype = self.scope.dtype(op.results[0].type)
        shape = tuple(n for domain in domains for n in domain)
        values = np.empty(shape, dtype)
        for at in np.ndindex(shape):
            rest, args = list(at), []
            for domain, is_plain in zip(domains, plain, strict=True):
                taken, rest = rest[: len(domain)], rest[len(domain) :]
                args.append(np.int64(taken[0]) if is_plain else tuple(taken))
            values[at] = self.region(op.regions[0], args)[0]
        if op.kind == "comprehension":
            return values
        return np.asarray(_REDUCE[op.attrs["reduce"]].reduce(values.ravel(), dtype=dtype), dtype=dtype)

    def memory(self, op: Op, operands: list[Any]) -> list[Any]:
        """A program's position, a load or a store."""
        if op.kind == "kernel.program_id":
            return [np.int32(self.position[op.attrs["axis"]])]
        tensor, count = operands[0], op.attrs["indices"]
        indices, rest = operands[1 : 1 + count], operands[1 + count :]
        shape = tuple(n for index in indices for n in np.shape(index))
        if op.kind == "kernel.load":
            mask = np.broadcast_to(rest[0], shape) if rest else np.ones(shape, bool)
            result = np.array(np.broadcast_to(rest[1] if len(rest) > 1 else tensor.dtype.type(0), shape))
            for at, place in self.places(tensor, indices, mask):
                result[at] = tensor[place]
            return [result]
        mask = np.broadcast_to(rest[1], shape) if len(rest) > 1 else np.ones(shape, bool)
        value = np.broadcast_to(rest[0], shape)
        combine = {"add": np.add, "max": np.maximum, "min": np.minimum, None: lambda old, new: new}[op.attrs.get("atomic")]
        for at, place in self.places(tensor, indices, mask):
            tensor[place] = combine(tensor[place], value[at])
        return []

    def places(self, tensor: np.ndarray, indices: list[Any], mask: np.ndarray) -> Iterable[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Each position of the tile that is not masked out, with the element of the tensor it is."""
        for at in np.ndindex(mask.shape):
            if not mask[at]:
                continue
            rest, place = at, []
            for index in indices:
                place.append(int(index[rest[: np.ndim(index)]] if np.ndim(index) else index))
                rest = rest[np.ndim(index) :]
            if any(not 0 <= i < n for i, n in zip(place, tensor.shape, strict=True)):
                raise OutsideError(f"{tuple(place)} in {tensor.shape}")
            yield at, tuple(place)


class _Whole(Run):
    """An entry, whose ops are their kernels."""

    def op(self, op: Op, operands: list[Any]) -> list[Any]:
        callee = self.module.functions[op.attrs["callee"]] if op.kind in ("call", "semantic.call") else None
        if callee is None or callee.kernel is None:
            return super().op(op, operands)
        generics = map(self.scope.argument, op.attrs["generics"])
        results = launch(self.module, op.attrs["callee"], dict(zip([g.name for g in callee.generics], generics, strict=True)), operands)
        return [tuple(results)] if len(results) > 1 else results
