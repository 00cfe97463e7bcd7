"""Kernels against the rules of the Core IR.

In: a kernel, an op that names one, or one of the operations that only kernels have.  Out: `InternalError`, or a problem in words, or None.

A kernel's tensors are memory: they are its arguments, and nothing but loads and stores takes them, as the first operand; only its
results are written, each in one way.  An op names a kernel whose arguments are its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import BOOL, DimArg, DTypeArg, ScalarType, ShapeArg, TensorType, TupleType, is_in_class, shape_of
from linnet_core.errors import InternalError
from linnet_core.ir.verify_types import dtype_of, may_bind
from linnet_core.shapes import Pack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.check.program import Generic
    from linnet_core.check.types import GenericArg, Type
    from linnet_core.ir.module import Function, Launch, Module, Op, Value

OPERATIONS = ("kernel.program_id", "kernel.load", "kernel.store")

#: What atomic writes take; `add` takes f16 as well.
_ATOMIC = ("f32", "i32", "u32", "i64", "u64")
_ARGUMENTS = {"dim": DimArg, "shape": ShapeArg, "dtype": DTypeArg}


def verify_kernels(module: Module, function: Function) -> None:
    """Whether `function` is a kernel as it should be, or none and without a kernel's operations; and whether the kernel it names fits."""
    problem = _use(module, function)
    if (function.kind == "kernel") != (function.launch is not None):
        problem = "only a kernel has a launch, and it has one"
    elif function.launch is not None:
        problem = problem or _kernel(function, function.launch)
    else:
        found = next((op.kind for op in _ops(function) if op.kind in OPERATIONS), None)
        problem = problem or (f"holds a `{found}` and is no kernel" if found is not None else None)
    if problem is not None:
        raise InternalError(f"function `{function.name}`: {problem}")


def _ops(function: Function) -> Iterator[Op]:
    pending = [function.body] if function.grad is None else [function.body, function.grad]
    while pending:
        for op in pending.pop().ops:
            yield op
            pending.extend(op.regions)


def _kernel(function: Function, launch: Launch) -> str | None:
    args = function.body.args
    if function.block is not None or function.results or function.states or function.grad is not None:
        return "a kernel has no block, results, states or gradient"
    if not 1 <= launch.outputs <= len(args):
        return f"{launch.outputs} of its {len(args)} arguments are results"
    if not 1 <= len(launch.grid) <= 3:
        return f"its grid has {len(launch.grid)} sizes"
    if launch.warps < 0 or launch.warps & (launch.warps - 1) or launch.stages < 0:
        return f"it is launched with {launch.warps} warps and {launch.stages} stages"
    results = args[-launch.outputs :]
    for arg in args:
        if not (isinstance(arg.type, TensorType) and not any(isinstance(unit, Pack) for unit in arg.type.shape)) and (
            arg in results or not isinstance(arg.type, ScalarType)
        ):
            return f"its argument `{arg.name}` is {arg.type}"
    return _memory(function, launch, {arg.id: arg for arg in args if isinstance(arg.type, TensorType)}, {arg.id for arg in results})


def _memory(function: Function, launch: Launch, memory: dict[int, Value], results: set[int]) -> str | None:
    """Memory is read and written, and nothing else is."""
    written: dict[int, str | None] = {}
    for op in _ops(function):
        taken = op.operands[1:] if op.kind in ("kernel.load", "kernel.store") else op.operands
        wrong = next((value.name for value in taken if value.id in memory), None)
        if wrong is not None:
            return f"`{op.kind}` takes the memory `{wrong}` as a value"
        if op.kind == "kernel.program_id" and not 0 <= op.attrs["axis"] < len(launch.grid):
            return f"a program asks for axis {op.attrs['axis']} of a grid of {len(launch.grid)} sizes"
        if op.kind not in ("kernel.load", "kernel.store"):
            continue
        place = op.operands[0]
        if place.id not in (memory if op.kind == "kernel.load" else results):
            return f"`{op.kind}` takes %{place.id}, which is no {'memory' if op.kind == 'kernel.load' else 'result'}"
        atomic = op.attrs.get("atomic")
        if op.kind == "kernel.store" and written.setdefault(place.id, atomic) != atomic:
            return f"`{place.name}` is written in two ways"
    return None


def check_kernel_op(op: Op) -> str | None:
    """What is wrong with the types of an operation of kernels."""
    if op.kind == "kernel.program_id":
        return None if op.results[0].type == ScalarType("i32") else f"gives {op.results[0].type}"
    memory, count = op.operands[0].type, op.attrs["indices"]
    if not isinstance(memory, TensorType) or count != len(memory.shape):
        return f"has {count} indices for {memory}"
    stores = op.kind == "kernel.store"
    indices, rest = op.operands[1 : 1 + count], op.operands[1 + count :]
    least, most = (1, 2) if stores else (0, 2)
    if len(indices) != count or not least <= len(rest) <= most:
        return f"has {len(op.operands)} operands for {count} indices"
    for index in indices:
        dtype = dtype_of(index.type)
        if dtype is None or not is_in_class(dtype, "integer"):
            return f"has an index of type {index.type}"
    rank = sum(len(shape_of(index.type) or ()) for index in indices)
    values, mask = (rest[:1], rest[1:]) if stores else (rest[1:], rest[:1])
    for value in values:
        if dtype_of(value.type) != memory.dtype or not _fills(value.type, rank):
            return f"has {value.type} for elements of {memory}"
    for value in mask:
        if dtype_of(value.type) != BOOL or not _fills(value.type, rank):
            return f"has a mask of type {value.type}"
    if not stores:
        result = op.results[0].type
        return None if dtype_of(result) == memory.dtype and len(shape_of(result) or ()) == rank else f"gives {result}"
    atomic = op.attrs.get("atomic")
    fits = atomic is None or memory.dtype in _ATOMIC or (atomic == "add" and memory.dtype == "f16")
    return None if fits else f"writes {memory.dtype} by an atomic {atomic}"


def _fills(type: Type, rank: int) -> bool:
    """Whether a value is one for all elements of a place, or one for each."""
    return len(shape_of(type) or ()) in (0, rank)


def _use(module: Module, function: Function) -> str | None:
    use = function.kernel
    if use is None:
        return None
    kernel = module.functions.get(use.name)
    if function.kind != "op" or kernel is None or kernel.launch is None:
        return f"names `{use.name}` as its kernel"
    if len(use.args) != len(kernel.generics) or not all(map(_is_for, use.args, kernel.generics)):
        return f"gives other generics than those of kernel `{use.name}`"
    args = function.body.args[1:] if function.block is not None else function.body.args
    result = function.results[0] if function.results else None
    given = [arg.type for arg in args] + list(result.elements if isinstance(result, TupleType) else function.results)
    declared = [arg.type for arg in kernel.body.args]
    fits = len(given) == len(declared) and all(map(may_bind, given, declared))
    return None if fits else f"has other parameters or results than its kernel `{use.name}`"


def _is_for(arg: GenericArg, generic: Generic) -> bool:
    return isinstance(arg, _ARGUMENTS[generic.kind])
