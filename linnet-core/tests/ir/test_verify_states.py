"""Which states a function touches is worked out from its body, through children, arrays, optionals, loops and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from linnet_core.errors import InternalError
from linnet_core.ir.verify import verify
from linnet_core.ir.verify_states import touched_states

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Module

TEXT = """
block Cell {
    state s: Tensor[1; f32]
    state u: Tensor[1; f32]
    fn read(x: Tensor[1; f32]) -> Tensor[1; f32] { return x + s }
    fn write(x: Tensor[1; f32]) -> Tensor[1; f32] {
        u = x
        return x
    }
    fn neither(x: Tensor[1; f32]) -> Tensor[1; f32] { return x + 1.0 }
}
block Model {
    sub one: Cell
    sub grid: [[Cell; 2]; 3]
    sub maybe: Cell?
    fn direct(x: Tensor[1; f32]) -> Tensor[1; f32] { return one.read(x) + one.s + one.neither(x) }
    fn all(x: Tensor[1; f32]) -> Tensor[1; f32] {
        var y = x
        static for row in grid { static for cell in row { y = cell.write(y) } }
        return grid[0][1].read(y)
    }
    fn optional(x: Tensor[1; f32]) -> Tensor[1; f32] { return match maybe { some(c) => c.write(x) none => x } }
    fn loop_(x: Tensor[1; f32], n: i64) -> Tensor[1; f32] {
        var y = x
        var i = 0
        while i < n {
            y = if i > 2 { optional(y) } else { direct(y) }
            i = i + 1
        }
        return y
    }
}
fn free(x: Tensor[1; f32]) -> Tensor[1; f32] { return x }
"""

TOUCHED = {
    "Cell.read": {"s"},
    "Cell.write": {"u"},
    "Cell.neither": set(),
    "Model.direct": {"one.s"},
    "Model.all": {"grid[*][*].s", "grid[*][*].u"},
    "Model.optional": {"maybe.u"},
    "Model.loop_": {"maybe.u", "one.s"},
    "free": set(),
}


@pytest.mark.parametrize("name", list(TOUCHED))
def test_touched(lowered: Callable[[str], Module], name: str) -> None:
    module = lowered(TEXT)
    function = module.functions[f"test::{name}"]
    assert touched_states(module, function) == TOUCHED[name]
    assert sorted(TOUCHED[name]) == list(function.states)


@pytest.mark.parametrize("name", [name for name, states in TOUCHED.items() if states])
def test_a_state_that_is_not_declared_is_named(lowered: Callable[[str], Module], name: str) -> None:
    module = lowered(TEXT)
    function = module.functions[f"test::{name}"]
    broken = replace(function, states=function.states[1:])
    with pytest.raises(InternalError, match=f"^function `test::{name}`: touches the state") as raised:
        verify(replace(module, functions={**module.functions, function.name: broken}))
    assert f"`{function.states[0]}`" in str(raised.value)
