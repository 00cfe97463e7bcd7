"""How printed source launches a kernel.

In: the program of a `launch_kernel`, and the op's body as printed lines.  Out: a function of references, and one that runs it where Pallas
does, and the body where it does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.layout import Lines, tuple_text
from linnet_jax.writer import DTYPES, shape_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import LaunchKernel
    from linnet_core.python_source.region_text import Part
    from linnet_core.python_source.regions import Launched

IMPORTS = """
import os

try:
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import triton as plgpu
except ImportError:
    pl = None
"""
LAUNCHES = '''
def _launches(kernel, body, *arguments):
    """What the kernel gives on a GPU or in the interpreter, and the body elsewhere; the body is what is differentiated."""
    interpreted = os.environ.get("LINNET_PALLAS_INTERPRET") == "1"
    if pl is None or not (interpreted or jax.default_backend() == "gpu"):
        return body(*arguments)

    @jax.custom_vjp
    def run(*arguments):
        if interpreted:
            return kernel(True)(*arguments)
        return jax.lax.platform_dependent(*arguments, cuda=kernel(False), default=body)

    run.defvjp(lambda *arguments: jax.vjp(body, *arguments), lambda back, dy: back(dy))
    return run(*arguments)
'''


def launched(name: str, parameters: Sequence[str], arguments: Sequence[str], body: Part, call: Launched) -> list[str]:
    """The functions `name` and the kernel's."""
    launch = call.launch
    given = ", ".join(parameters)
    function = f"_kernel{name.removeprefix('_launch')}"
    lines = Lines()
    with lines.block(f"def {function}({', '.join(launch.program.parameters)}):"):
        lines.add(*launch.program.body.split("\n"))
    lines.add("", "")
    with lines.block(f"def {name}({given}):"):
        with lines.block("def kernel(interpret):"):
            shapes = [f"jax.ShapeDtypeStruct({shape_text(t.shape)}, {DTYPES[t.dtype]})" for t in launch.result_types()]
            options = f"out_shape={tuple_text(shapes)}, grid={shape_text(launch.grid)}, interpret=interpret{_hints(launch)}"
            lines.add(f"call = pl.pallas_call({function}, {options})")
            lines.add(f"return lambda {given}: tuple(call({', '.join(arguments)}))")
        lines.add("")
        with lines.block(f"def body({given}):"):
            lines.add(*body.lines, f"return {tuple_text([str(answer) for answer in body.answers])}")
        lines.add("", f"return _launches(kernel, body, {given})")
    return lines.lines


def _hints(launch: LaunchKernel) -> str:
    hints = [f"{name}={value}" for name, value in (("num_warps", launch.warps), ("num_stages", launch.stages)) if value]
    return f", compiler_params=plgpu.CompilerParams({', '.join(hints)})" if hints else ""
