"""Names and paths that are someone else's: in printed source nothing is shadowed, nothing ends a string.

In: a target.  Out: source in which every name is a hostile one, and what is wrong with what it answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linnet_core.conformance.case import fresh
from linnet_core.conformance.hand import Hand
from linnet_core.graph.calls import Elementwise, Finish, Input, Parameter, State

if TYPE_CHECKING:
    from linnet_core.plugins.target import TargetPlugin

#: Names that are words of the host language, become equal as identifiers, or end a line, a string or a comment.
HOSTILE = (
    "x",
    "lambda",
    "None",
    "np",
    "print",
    "__import__",
    "v0",
    "p0",
    "w0_0",
    "in_x",
    "a b",
    "a-b",
    "a.b",
    "a_b",
    "a_b_2",
    "x): import os #",
    'quote"',
    "quote'",
    "'''",
    '"""',
    "back\\slash",
    "{x}",
    "line\nbreak = 1",
    "carriage\rreturn",
    "form\x0b\x0cfeed",
    "next\x1c\x85line\u2028and\u2029paragraph",
    "nul\x00",
    "模型 é",
    "ﬁ",
    "\ud800",
    "\u202e reversed",
    "# type: ignore",
    "",
    "x_2",
)

#: A program whose names are words of Python and of frameworks; each input is 1 and the members are 2, 3 and 4, which makes 15.
FOREIGN = """pub block Module<H: Dim> {
    param training: Tensor[H; f32]
    param forward: Tensor[H; f32]
    param state_dict: Tensor[H; f32]
    pub entry run(lambda: Tensor[H; f32], torch: Tensor[H; f32], jnp: Tensor[H; f32], np: Tensor[H; f32], v1: Tensor[H; f32],
        p0: Tensor[H; f32], in_v1: Tensor[H; f32], print: Tensor[H; f32], __import__: Tensor[H; f32],
        None: Tensor[H; f32]) -> Tensor[H; f32] {
        return training * lambda + forward * torch + state_dict * np + (v1 + p0 + in_v1 + print + __import__ + None) * jnp
    }
}
"""


def source(plugin: TargetPlugin) -> str:
    """An entry with an input, a parameter and a state of every hostile name, in a module, a block and an entry of the longest."""
    target = fresh(plugin)
    hand = Hand(target)
    longest = max(HOSTILE, key=len)
    inputs = [hand(Input(name=name, shape=(), dtype="f32")) for name in HOSTILE]
    parameters = [hand(Parameter(path=f"p.{name}", shape=(), dtype="f32")) for name in HOSTILE]
    states = [hand(State(path=f"s.{name}", shape=(), dtype="f32")) for name in HOSTILE]
    total = inputs[0]
    for value in (*inputs[1:], *parameters):
        total = hand(Elementwise(kind="add", shape=(), dtype="f32", operands=(total, value)))
    kept = [hand(Elementwise(kind="sub", shape=(), dtype="f32", operands=(total, value))) for value in states]
    paths = tuple([f"s.{name}" for name in HOSTILE])
    target.emit(Finish(module=longest, block=longest, entry=longest, returns=1, states=paths, operands=(total, *kept)))
    return target.source()


def differing(plugin: TargetPlugin, text: str) -> str | None:
    """What `source` answers otherwise than its calls say."""
    assert plugin.run is not None, "the kit is for targets that run what they print"
    count = len(HOSTILE)
    leaves: list[list[Any]] = [[np.asarray(start * count + at, np.float32) for at in range(count)] for start in range(3)]
    results = [float(result) for result in plugin.run(text, *leaves)]
    total = float(sum(range(2 * count)))
    wanted = [total, *(total - float(state) for state in leaves[2])]
    return None if results == wanted else f"{results} for {wanted}"
