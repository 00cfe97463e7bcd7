"""Every kind of call with a gradient stands in a program of `programs.py`, and what those say on numpy are the slopes of their losses."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from agreement import differences
from programs import GIVEN, TEXTS
from running import program, source_file

from linnet_core.graph.calls import CALLS, Elementwise, Reduce
from linnet_core.graph.calls.elementwise import BINARY_KINDS, UNARY_KINDS
from linnet_core.graph.calls.reduce import ReduceKind
from linnet_core.graph.gradient.rules import RULES
from linnet_core.graph.nodes import flat_nodes

if TYPE_CHECKING:
    from running import Program

#: Kinds with a gradient that no program here has, and what holds them.
ELSEWHERE = {
    "native_call": "exchanges between processes, in linnet-torch/tests/test_processes.py",
    "scatter_add": "no source says one; linnet-core/tests/graph/gradient/test_rules.py emits it",
}
#: Kinds that pass no gradient on by a rule of their own: leaves, positions, truth values, brackets and devices.
NOTHING = {
    "input",
    "parameter",
    "state",
    "constant",
    "compare",
    "iota",
    "launch_kernel",
    "finish",
    "begin_remat",
    "end_remat",
    "begin_while",
    "while_condition",
    "end_while",
    "while_initial_condition",
    "while_trailing_condition",
    "begin_counted",
    "end_counted",
    "begin_custom_gradient",
    "enable_placement",
    "set_slot",
    "transfer",
    "release",
    "gather_parts",
}
_LOGIC = {"not", "and", "or", "bitand", "bitor", "bitxor", "shl", "shr"}


def exported(family: str, *, gradient: bool) -> Program:
    return program("numpy", source_file(f"module gradients\n{TEXTS[family]}\n"), gradient=gradient)


def test_every_kind_of_call_with_a_gradient_stands_in_a_program() -> None:
    calls = [node.call for family in TEXTS for node in flat_nodes(exported(family, gradient=False).graph.nodes)]
    ruled = {str(kind.__struct_config__.tag) for kind in RULES}
    assert ruled | NOTHING == set(CALLS)
    assert ruled & NOTHING == set()
    assert {call.op for call in calls} & ruled == ruled - set(ELSEWHERE)
    assert {call.kind for call in calls if isinstance(call, Elementwise)} - _LOGIC == {*UNARY_KINDS, *BINARY_KINDS} - _LOGIC
    assert {call.kind for call in calls if isinstance(call, Reduce)} == set(get_args(ReduceKind)) - {"any", "all"}


@pytest.mark.parametrize("family", [family for family in TEXTS if family != "gradient clauses"])
def test_numpy_gives_the_slopes(family: str) -> None:
    """All but of clauses, which are not the slopes of their bodies here; what passes through f32 has the slope of what does not."""
    text = TEXTS[family].replace("cast<f64>(cast<f32>(x))", "x")
    plain = program("numpy", source_file(f"module gradients\n{text}\n"))
    _, *found = exported(family, gradient=True).run(GIVEN)[0]
    floats = [name for name, array in GIVEN.items() if array.dtype.kind == "f"]
    for name, gradient in zip(floats, found, strict=True):
        assert differences(np.asarray(gradient), slope(plain, name), 1e-6) is None, name


def slope(plain: Program, name: str) -> np.ndarray:
    """Central differences by every element of one input."""
    found = np.zeros(GIVEN[name].shape)
    for at in np.ndindex(found.shape):
        sides = []
        for step in (1e-5, -1e-5):
            moved = GIVEN[name].copy()
            moved[at] += step
            sides.append(float(plain.run({**GIVEN, name: moved})[0][0]))
        found[at] = (sides[0] - sides[1]) / 2e-5
    return found
