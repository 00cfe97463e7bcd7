"""How printed source launches a kernel.

In: the program of a `launch_kernel`, and the op's body as printed lines.  Out: a `@triton.jit` function and one that launches it where
Triton can, and runs the body where it cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.layout import Lines, tuple_text
from linnet_core.python_source.writer import shape_text
from linnet_torch.kernels.types import TYPES
from linnet_torch.writer import DTYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import LaunchKernel, ResultType
    from linnet_core.python_source.region_text import Part
    from linnet_core.python_source.regions import Launched

#: The import of Triton, without which the bodies run, and how the greatest and the least element of a tile are found: NaN if there is one.
IMPORTS = """
try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None
"""
REDUCTIONS = '''
if triton is not None:

    @triton.jit
    def _linnet_max(a, b):
        """The larger; NaN where either is."""
        return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)

    @triton.jit
    def _linnet_min(a, b):
        """The smaller; NaN where either is."""
        return tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)
'''
LAUNCHES = '''
def _launches(*tensors, interpreter=True):
    """Whether Triton runs on these: on CUDA or in its interpreter, and nothing is differentiated, which the body is for."""
    if triton is None or (torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)):
        return False
    interpreted = not isinstance(_linnet_max, triton.runtime.JITFunction)
    return interpreter if interpreted else all(tensor.is_cuda for tensor in tensors)
'''


def launched(name: str, parameters: Sequence[str], arguments: Sequence[str], body: Part, call: Launched) -> list[str]:
    """The functions `name` and the kernel's."""
    launch = call.launch
    jit = f"_kernel{name.removeprefix('_launch')}"
    results = [f"r{at}" for at in range(len(launch.result_shapes))]
    lines = Lines()
    with lines.block("if triton is not None:"):
        lines.add("", "@triton.jit")
        with lines.block(f"def {jit}({', '.join(launch.program.parameters)}):"):
            lines.add(*launch.program.body.split("\n"))
    lines.add("", "")
    with lines.block(f"def {name}({', '.join(parameters)}):"):
        # Triton's interpreter cuts f32 to bf16 where a GPU rounds
        short = ["interpreter=False"] if TYPES["bf16"] in launch.program.body else []
        lines.add(f"if _launches({', '.join([*dict.fromkeys(arguments), *short])}):")
        lines.indent()
        for result, type in zip(results, launch.result_types(), strict=True):
            accumulated = launch.program.atomics.get(launch.program.parameters[len(arguments) + int(result[1:])])
            lines.add(f"{result} = {_fresh(type, accumulated, arguments[0])}")
        given = [*(f"{argument}.contiguous()" for argument in arguments), *results]
        lines.add(f"{jit}[{shape_text(launch.grid)}]({', '.join([*given, *_hints(launch)])})")
        lines.add(f"return {tuple_text(results)}")
        lines.dedent()
        lines.add(*body.lines, f"return {tuple_text([str(answer) for answer in body.answers])}")
    return lines.lines


def _hints(launch: LaunchKernel) -> list[str]:
    return [f"{name}={value}" for name, value in (("num_warps", launch.warps), ("num_stages", launch.stages)) if value]


def _fresh(type: ResultType, accumulated: str | None, like: str) -> str:
    """A result before any program has run: the identity of what accumulates in it."""
    rest = f"dtype={DTYPES[type.dtype]}, device={like}.device"
    if accumulated is None:
        return f"torch.empty({shape_text(type.shape)}, {rest})"
    if accumulated == "sum":
        return f"torch.zeros({shape_text(type.shape)}, {rest})"
    highest = accumulated == "min"
    if type.dtype.startswith("f"):
        value = f'float("{"" if highest else "-"}inf")'
    else:
        value = f"torch.iinfo({DTYPES[type.dtype]}).{'max' if highest else 'min'}"
    return f"torch.full({shape_text(type.shape)}, {value}, {rest})"
