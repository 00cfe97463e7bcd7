"""What blocks become, in which order functions stand, and where each operation came from."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Module, Op, Region

CELLS = """
block Cell<H: Dim> {
    param w: Tensor[H; f32]
    state s: Tensor[H; f32]
    fn step(x: Tensor[H; f32]) -> Tensor[H; f32] {
        s = s + x * w
        return twice(s)
    }
    fn twice(x: Tensor[H; f32]) -> Tensor[H; f32] { return x + x }
}
block Model<H: Dim, L: Dim> where L > 0 {
    sub cells: [Cell<H>; L]
    sub extra: Cell<H>? = none
    entry run(x: Tensor[H; f32]) -> Tensor[H; f32] {
        var y = x
        static for cell in cells { y = cell.step(y) }
        return match extra { some(e) => e.step(y) none => cells[0].s }
    }
}
"""


def test_a_method_takes_its_block_first(body: Callable[[str, str], str]) -> None:
    expected = """
        %2 = state.read %0 [name = s] : Tensor[H; f32]
        %3 = block.param %0 [name = w] : Tensor[H; f32]
        %4 = mul %1, %3 : Tensor[H; f32]
        %5 = add %2, %4 : Tensor[H; f32]
        state.write %0, %5 [name = s]
        %6 = state.read %0 [name = s] : Tensor[H; f32]
        %7 = call %0, %6 [callee = test::Cell.twice, generics = ()] : Tensor[H; f32]
        return %7
        """
    assert body(CELLS, "Cell.step") == dedent(expected).strip()


def test_children_are_values_of_block_types(body: Callable[[str, str], str]) -> None:
    expected = """
        %2 = block.sub %0 [name = cells] : [Cell<H>; L]
        %6 y = static_for %2, %1 : Tensor[H; f32]
        (%3 cell: Cell<H>, %4 y: Tensor[H; f32]) {
            %5 y = call %3, %4 [callee = test::Cell.step, generics = ()] : Tensor[H; f32]
            yield %5
        }
        %7 = block.sub %0 [name = extra] : Cell<H>?
        %14 = option.match %7 : Tensor[H; f32]
        (%8 e: Cell<H>) {
            %9 = call %8, %6 [callee = test::Cell.step, generics = ()] : Tensor[H; f32]
            yield %9
        }
        {
            %10 = block.sub %0 [name = cells] : [Cell<H>; L]
            %11 = const.dim [value = 0] : i64
            %12 = array.get %10, %11 : Cell<H>
            %13 = state.read %12 [name = s] : Tensor[H; f32]
            yield %13
        }
        return %14
        """
    assert body(CELLS, "Model.run") == dedent(expected).strip()


def test_functions_follow_their_block_and_know_their_states(lowered: Callable[[str], Module]) -> None:
    module = lowered(CELLS)
    assert {name: f.states for name, f in module.functions.items()} == {
        "test::Cell.step": ("s",),
        "test::Cell.twice": (),
        "test::Model.run": ("cells[*].s", "extra.s"),
    }
    assert list(module.blocks) == ["test::Cell", "test::Model"]


def all_ops(region: Region) -> list[Op]:
    """Every operation, nested ones included."""
    return [inner for op in region.ops for inner in (op, *(x for r in op.regions for x in all_ops(r)))]


def test_every_operation_carries_its_words(lowered: Callable[[str], Module]) -> None:
    module = lowered(CELLS)
    ops = [op for function in module.functions.values() for op in all_ops(function.body)]
    assert all(op.span is not None and op.span.text for op in ops)
    words = {op.kind: op.span.text for op in ops if op.span is not None}
    assert words["mul"] == "x * w"
    assert words["state.write"] == "s = s + x * w"


def test_modules_stand_in_load_order(lowered: Callable[[str], Module]) -> None:
    module = lowered("use std.linalg::{matmul}\nfn f<N: Dim>(x: Tensor[N, N; f32]) -> Tensor[N, N; f32] { return matmul(x, x) }")
    names = [name.partition("::")[0] for name in module.functions]
    assert names == sorted(names), "std.linalg before test"
    assert names[-1] == "test"
    assert "std.linalg" in names
