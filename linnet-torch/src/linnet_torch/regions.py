"""Ops with their own gradient and blocks that are computed again, as torch spells them.

In: the parts of a region.  Out: the lines of a function of the module, or its call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.layout import Lines, tuple_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.python_source.region_text import GradientText
    from linnet_torch.writer import TorchWriter


def own_gradient(name: str, text: GradientText) -> list[str]:
    """A function, and the `torch.autograd.Function` it goes through where something is differentiated.

    Nothing but two questions stands before the body where nothing is: `apply` alone takes microseconds.  The class asks the same function
    for its value, under `no_grad`.
    """
    parameters = ", ".join(text.parameters)
    made = f"_G{name[2:]}"
    lines = Lines()
    with lines.block(f"def {name}({parameters}):"):
        if text.differentiated:
            asked = " or ".join(f"{argument}.requires_grad" for argument in text.differentiated)
            several = f"({asked})" if len(text.differentiated) > 1 else asked
            with lines.block(f"if torch.is_grad_enabled() and {several}:"):
                lines.add(f"return {made}.apply({parameters})")
        lines.add(*text.forward.lines, f"return {text.forward.answers[0]}")
    if not text.differentiated:
        return lines.lines
    lines.add("", "")
    with lines.block(f"class {made}(torch.autograd.Function):"):
        lines.add("@staticmethod")
        with lines.block(f"def forward({parameters}):"):
            lines.add(f"return {name}({parameters})")
        lines.add("", "@staticmethod")
        with lines.block("def setup_context(ctx, inputs, y):"):
            lines.add(f"{_target(text.parameters)} = inputs")
            lines.add(f"ctx.save_for_backward({', '.join(text.saved)})")
            lines.add(*(f"ctx.{name} = {name}" for name in text.backward.local))
        lines.add("", "@staticmethod")
        with lines.block("def backward(ctx, dy):"):
            lines.add(*([f"{_target(text.saved)} = ctx.saved_tensors"] if text.saved else []))
            lines.add(*(f"{name} = ctx.{name}" for name in text.backward.local))
            lines.add(*text.backward.lines, f"return {text.gradients}")
    return lines.lines


def _target(names: Sequence[str]) -> str:
    return tuple_text(names) if len(names) == 1 else ", ".join(names)


def recomputed(writer: TorchWriter, name: str, arguments: Sequence[str]) -> str:
    """The call of a function whose inside the way back computes again; nothing printed draws random numbers torch would have to keep."""
    writer.flags.add("checkpoint")
    return f"checkpoint({', '.join([name, *arguments, 'use_reentrant=False', 'preserve_rng_state=False'])})"
