"""Ops with their own gradient, as jax spells them.

In: the parts of a region.  Out: the lines of a function of the module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.layout import Lines, tuple_text

if TYPE_CHECKING:
    from linnet_core.python_source.region_text import GradientText


def own_gradient(name: str, text: GradientText) -> list[str]:
    """A `jax.custom_vjp` with its forward and backward rules; an argument without a gradient has None for one."""
    parameters = ", ".join(text.parameters)
    if not text.differentiated:
        return _function(name, parameters, (*text.forward.lines, f"return {text.forward.answers[0]}"))
    keeping = (f"y = {name}({parameters})", f"return y, {tuple_text(text.saved)}")
    taken = (f"{tuple_text(text.saved) if len(text.saved) == 1 else ', '.join(text.saved)} = saved",) if text.saved else ()
    return [
        "@jax.custom_vjp",
        *_function(name, parameters, (*text.forward.lines, f"return {text.forward.answers[0]}")),
        "",
        "",
        *_function(f"{name}_forward", parameters, keeping),
        "",
        "",
        *_function(f"{name}_backward", "saved, dy", (*taken, *text.backward.lines, f"return {text.gradients}")),
        "",
        "",
        f"{name}.defvjp({name}_forward, {name}_backward)",
    ]


def _function(name: str, parameters: str, lines: tuple[str, ...]) -> list[str]:
    text = Lines()
    with text.block(f"def {name}({parameters}):"):
        text.add(*lines)
    return text.lines
