"""Launching the kernel of an op.

In: a call of an op that names a kernel.  Out: the results of a `launch_kernel` that the target took, or None: the call then goes on as if
the op named no kernel.  The kernel's region is evaluated like any other, its calls going to the target's kernel writer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.types import ScalarType
from linnet_core.errors import SourceError
from linnet_core.graph.bind import check_constraints
from linnet_core.graph.calls import KernelProgram, LaunchKernel, Operand
from linnet_core.graph.evaluate_tensors import whole
from linnet_core.graph.failures import unfit
from linnet_core.graph.instances import Frame, check_sizes, concrete_dim
from linnet_core.graph.target import Declined
from linnet_core.graph.values import Fields, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.evaluate import Evaluator, Rule
    from linnet_core.graph.instances import Instance
    from linnet_core.graph.kernel_writer import KernelWriter
    from linnet_core.graph.target import RegionCallback
    from linnet_core.ir.module import Op


class KernelDecision(Struct, frozen=True):
    """What became of the kernel in one evaluation of the call `op`: launched, or why not."""

    op: Op
    kernel: str
    refusal: str | None = None


class Written(Struct, frozen=True):
    """What a target's writer made of a kernel, and why its program has no text."""

    program: KernelProgram
    grid: tuple[int, ...]
    refusal: str | None


def launched(
    ev: Evaluator,
    op: Op,
    callee: Instance,
    arguments: Sequence[Value],
    body: RegionCallback,
    pullback: RegionCallback | None,
    *,
    once: bool,
) -> Sequence[Value] | None:
    """The results of the launch; None where there is none.  What was decided is kept.

    `body` emits the op's own body from names for its arguments, `pullback` its own gradient.
    """
    use = callee.function.kernel
    if use is None or ev.target.capabilities.kernel_target is None:
        return None
    found = _why_not(ev, arguments, once=once) or _launch(ev, op, callee, arguments, body, pullback)
    ev.kernels.append(KernelDecision(op, use.name, found if isinstance(found, str) else None))
    return None if isinstance(found, str) else found


def _why_not(ev: Evaluator, arguments: Sequence[Value], *, once: bool) -> str | None:
    if ev.exact:
        return "the policy is exact, and a kernel rounds in its own order"
    if not ev.library:
        return "library calls are switched off, and kernels with them"
    if ev.emitter.placement is not None:
        return "values are placed, and a kernel runs where its arguments are"
    if not once:
        return "it runs for each element of index notation"
    if not arguments or not all(isinstance(argument, Tensor) and not argument.axes for argument in arguments):
        return "an argument is no tensor, and a kernel takes nothing else" if arguments else "it takes no tensor"
    return None


def _launch(
    ev: Evaluator, op: Op, callee: Instance, arguments: Sequence[Value], body: RegionCallback, pullback: RegionCallback | None
) -> Sequence[Value] | str:
    """The results, or why there is no launch."""
    try:
        kernel = _instance(ev, op, callee)
        written = _written(ev, op, kernel)
    except SourceError as failure:
        return failure.diagnostics[0].message
    launch, region = kernel.function.launch, kernel.function.body
    assert launch is not None
    types = [kernel.concrete(argument.type, op.span) for argument in region.args[len(region.args) - launch.outputs :]]
    call = LaunchKernel(
        callee=callee.function.name,
        name=kernel.function.name,
        program=written.program,
        grid=written.grid,
        result_shapes=tuple([type.shape for type in types]),
        result_dtypes=tuple([type.dtype for type in types]),
        warps=launch.warps,
        stages=launch.stages,
        operands=tuple([whole(argument, op) for argument in arguments]),
    )
    regions = {"body": body} if pullback is None else {"body": body, "pullback": pullback}
    answer = ev.emitter.emit(call, regions)
    if isinstance(answer, Declined):
        return written.refusal or answer.reason
    results = tuple([Tensor(Operand(name, type.shape, type.dtype)) for name, type in zip(answer, types, strict=True)])
    return results if len(results) == 1 else (Fields(results),)


def _instance(ev: Evaluator, op: Op, callee: Instance) -> Instance:
    """The kernel under the generics the op gives it; `SourceError` where they are no sizes, or its `where` does not hold."""
    use = callee.function.kernel
    assert use is not None
    kernel = ev.module.functions[use.name]
    try:
        bindings = callee.bindings.passed(kernel.generics, use.args)
    except ZeroDivisionError:
        raise unfit(f"a generic of `{kernel.name}` divides by zero at these sizes", op.span) from None
    check_sizes(kernel.generics, kernel.name, bindings, op.span)
    check_constraints(kernel.constraints, bindings, op.span, f"kernel `{kernel.name}`")
    return ev.instances.of(kernel, bindings)


def _written(ev: Evaluator, op: Op, kernel: Instance) -> Written:
    """The target's text of the kernel, written once for each instance."""
    known = ev.programs.get(id(kernel))
    if known is None:
        known = ev.programs[id(kernel)] = _write(ev, op, kernel)
    return known


def _write(ev: Evaluator, op: Op, kernel: Instance) -> Written:
    """The text; `SourceError` where the grid has no program."""
    factory, launch = ev.target.capabilities.kernel_target, kernel.function.launch
    assert factory is not None
    assert launch is not None
    grid = tuple([concrete_dim(size, kernel.bindings, op.span) for size in launch.grid])
    if min(grid) < 1:
        raise unfit(f"its grid has no program: {list(grid)}", op.span)
    writer: KernelWriter = factory(ev.numerics, grid)
    inner = type(ev)(ev.module, writer, numerics=ev.numerics, library=False)
    frame = Frame(kernel)
    first_result = len(kernel.function.body.args) - launch.outputs
    for at, argument in enumerate(kernel.function.body.args):
        type_ = kernel.concrete(argument.type, op.span)
        name = argument.name or f"m{at}"
        if isinstance(argument.type, ScalarType) and at < first_result:
            value = writer.scalar(name, type_.dtype)
        else:
            value = writer.memory(name, type_.shape, type_.dtype, is_result=at >= first_result)
        frame.values[argument.id] = Tensor(Operand(value, type_.shape, type_.dtype))
    try:
        inner.region(kernel.function.body, frame)
    except SourceError as failure:
        return Written(nothing(writer), grid, failure.diagnostics[0].message)
    return Written(writer.program() if writer.refusal is None else nothing(writer), grid, writer.refusal)


def nothing(writer: KernelWriter) -> KernelProgram:
    """The program of a kernel that cannot be written: its parameters, and no text, which every target declines."""
    return KernelProgram(writer.program().parameters, "", {})


# ------------------------------------------------------------------------------------------------------ inside a kernel


def program_id(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`kernel.program_id`."""
    return Tensor(Operand(_writer(ev).program_id(op.attrs["axis"]), (), "i32"))


def load(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`kernel.load`."""
    memory, *rest = [whole(frame.values[operand.id], op) for operand in op.operands]
    count = op.attrs["indices"]
    indices, options = tuple(rest[:count]), rest[count:]
    shape = _tile(indices)
    mask = options[0] if options else None
    return Tensor(Operand(_writer(ev).load(memory, indices, shape, mask, options[1] if options[1:] else None), shape, memory.dtype))


def store(ev: Evaluator, op: Op, frame: Frame) -> list[Value]:
    """`kernel.store`."""
    memory, *rest = [whole(frame.values[operand.id], op) for operand in op.operands]
    count = op.attrs["indices"]
    indices, value, options = tuple(rest[:count]), rest[count], rest[count + 1 :]
    _writer(ev).store(memory, indices, _tile(indices), value, options[0] if options else None, op.attrs.get("atomic"))
    return []


def _tile(indices: Sequence[Operand]) -> tuple[int, ...]:
    return tuple([size for index in indices for size in index.shape])


def _writer(ev: Evaluator) -> KernelWriter:
    return ev.target  # type: ignore[return-value]  # the evaluator of a kernel has a kernel writer for a target


RULES: dict[str, Rule] = {"kernel.program_id": program_id, "kernel.load": load, "kernel.store": store}
