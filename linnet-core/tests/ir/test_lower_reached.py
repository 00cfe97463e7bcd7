"""Lowering for one entry: everything an export of it may ask for, nothing else, and each function as it is in the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from linnet_core.check.load_program import load_program
from linnet_core.ir.lowered import lowered
from linnet_core.ir.roots import chosen_entry, find_entry
from linnet_core.ir.show import function_lines, show

if TYPE_CHECKING:
    from pathlib import Path

    from linnet_core.check.program import Program

TEXT = """module test

use std.nn.activations::{silu}

const HALF: f32 = 0.5
const THIRD: f32 = 0.33

fn half(x: f32) -> f32 { return x * HALF }
fn third(x: f32) -> f32 { return x * THIRD }
fn inner(x: f32) -> f32 { return half(x) }
fn backward(dy: Tensor[3; f32]) -> Tensor[3; f32] { return dy * 2.0 }
op doubled(x: Tensor[3; f32]) -> Tensor[3; f32] { return x + x } grad(y, dy) { return backward(dy) }

kernel add_one<N: Dim>(x: Tensor[N; f32]) -> (y: Tensor[N; f32]) grid(N) {
    let i = program_id(0)
    store(y[i], load(x[i]) + 1.0)
}
op more<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] kernel add_one<N> { return x + 1.0 }

block Cell {
    param w: f32
    state seen: Tensor[3; f32]
    fn step(x: f32) -> f32 { return x * w }
    fn keep(x: f32) -> f32 {
        seen = seen + x
        return half(x)
    }
    fn never(x: f32) -> f32 { return third(x) }
}

block Model {
    sub cells: [Cell; 2]
    sub extra: Cell? = none

    entry plain(x: f32) -> f32 { return x }
    entry through(x: f32) -> f32 { return inner(x) }
    entry methods(x: f32) -> f32 {
        var y = x
        static for cell in cells { y = cell.step(y) }
        return match extra { some(e) => e.keep(y) none => y }
    }
    entry branches(x: f32) -> f32 { return if x > 0.0 { half(x) } else { third(x) } }
    entry differentiable(x: Tensor[3; f32]) -> Tensor[3; f32] { return doubled(x) }
    entry launching(x: Tensor[3; f32]) -> Tensor[3; f32] { return more(x) }
    entry defaulting(x: f32 = inner(1.0)) -> f32 { return x }
    entry library(x: Tensor[3; f32]) -> Tensor[3; f32] { return silu(x) }
}
"""

#: Entry -> the functions it needs beside itself, in the order of the whole module.
REACHED = [
    pytest.param("plain", [], id="nothing"),
    pytest.param("through", ["test::half", "test::inner"], id="a function that calls one"),
    pytest.param("methods", ["test::half", "test::Cell.step", "test::Cell.keep"], id="methods in a loop and in an arm"),
    pytest.param("branches", ["test::half", "test::third"], id="both sides of a branch"),
    pytest.param("differentiable", ["test::backward", "test::doubled"], id="what the gradient of an op calls"),
    pytest.param("launching", ["test::add_one", "test::more"], id="the kernel of an op"),
    pytest.param("defaulting", ["test::half", "test::inner"], id="what the default of an input calls"),
    pytest.param(
        "library", ["std.nn.activations::sigmoid", "std.nn.activations::silu"], id="an op of the standard library and what its body calls"
    ),
]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "test.linnet").write_text(TEXT, encoding="utf-8")
    return load_program(str(tmp_path / "test.linnet"), None)[1]


@pytest.mark.parametrize(("entry", "reached"), REACHED)
@pytest.mark.parametrize("optimize", [pytest.param(True, id="passes"), pytest.param(False, id="no passes")])
def test_an_entry_brings_what_it_reaches(program: Program, entry: str, reached: list[str], optimize: bool) -> None:
    part = lowered(program, "fast", optimize=optimize, entry=f"test::Model.{entry}")
    whole = lowered(program, "fast", optimize=optimize)
    own = f"test::Model.{entry}"
    assert [name for name in part.functions if name != own] == reached
    assert own in part.functions
    for name, function in part.functions.items():
        assert function_lines(function) == function_lines(whole.functions[name])
        assert function.states == whole.functions[name].states
    assert (part.blocks, part.structs, part.enums) == (whole.blocks, whole.structs, whole.enums)
    assert find_entry(part, "Model", entry).function is part.functions[own]


def test_without_an_entry_everything_is_lowered(program: Program) -> None:
    whole = lowered(program, "exact")
    assert set(whole.functions) == set(program.functions)
    assert set(whole.constants) == set(program.constants) == {"test::HALF", "test::THIRD"}
    assert "test::third" in show(whole)


def test_an_entry_is_found_before_anything_is_lowered(program: Program) -> None:
    function, block = chosen_entry(program, None, "through")
    assert function is program.functions["test::Model.through"]
    assert block is program.blocks["test::Model"]
