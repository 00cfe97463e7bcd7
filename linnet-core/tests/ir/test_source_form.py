"""After the passes a program can still be written back: what is shared could be bound, values are numbered as lowering numbers them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from linnet_core.ir.passes import optimize
from linnet_core.ir.show import function_lines
from linnet_core.ir.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Module

BLOCKS = """block B { fn go(x: f32) -> f32 { return x } }
block A {
    state s: Tensor[2; f32]
    sub one: B
    sub many: [B; 2]
    fn f(x: f32) -> f32 { return one.go(exp(x)) * many[1].go(exp(x)) }
    fn g(x: f32) -> f32 { return one.go(x) * one.go(-x) }
    fn reads() -> f32 { let _ = s return 1.0 }
    fn calls() -> f32 { return reads() }
    fn writes() -> f32 { s = s + 1.0 return calls() }
}
"""


def lines(module: Module, name: str) -> str:
    verify(module)
    return "\n".join(line.removeprefix("    ") for line in function_lines(module.functions[f"test::{name}"])[1:])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("let _7 = x * x return _7 + _7", "%1 = mul %0, %0 : f32\n%2 = add %1, %1 : f32\nreturn %2", id="a let"),
        pytest.param(
            "let _7 = x * x let y = _7 return y + y", "%1 = mul %0, %0 : f32\n%2 = add %1, %1 : f32\nreturn %2", id="a name given later"
        ),
        pytest.param("let _x7 = x * x return _x7", "%1 _x7 = mul %0, %0 : f32\nreturn %1", id="any other name is kept"),
    ],
)
def test_a_number_after_an_underscore_is_no_name(body: Callable[[str, str], str], text: str, expected: str) -> None:
    assert body(f"fn f(x: f32) -> f32 {{ {text} }}", "f") == expected


def test_a_carried_value_can_be_nameless(body: Callable[[str, str], str]) -> None:
    text = "fn f(x: f32) -> f32 { var _1 = x for _2 in 0..3 { _1 = _1 * x } return _1 }"
    assert " _" not in body(text, "f")


def test_a_block_is_looked_up_after_what_is_bound(lowered: Callable[[str], Module]) -> None:
    assert lines(optimize(lowered(BLOCKS)), "A.f") == (
        "%2 = exp %1 : f32\n%3 = block.sub %0 [name = one] : B\n%4 = call %3, %2 [callee = test::B.go, generics = ()] : f32\n"
        "%5 = block.sub %0 [name = many] : [B; 2]\n%6 = const.dim [value = 1] : i64\n%7 = array.get %5, %6 : B\n"
        "%8 = call %7, %2 [callee = test::B.go, generics = ()] : f32\n%9 = mul %4, %8 : f32\nreturn %9"
    )


def test_blocks_are_not_shared(lowered: Callable[[str], Module]) -> None:
    assert lines(optimize(lowered(BLOCKS)), "A.g").count("block.sub") == 2


def test_bounds_of_loops_are_not_shared(lowered: Callable[[str], Module]) -> None:
    loops = "for i in 0..N { y = y + x } for i in 0..N { y = y * x }"
    text = f"fn f<N: Dim>(x: f32) -> f32 {{ var y = x {loops} let n: i64 = N return y + cast<f32>(n * n) }}"
    assert lines(optimize(lowered(text)), "f").count("const.dim [value = N]") == 3


def test_nothing_is_shared_under_indices_or_in_an_arm(lowered: Callable[[str], Module]) -> None:
    text = "fn f<N: Dim>(x: Tensor[N; f32], c: bool) -> f32 { return if c { sum[n] x[n] * x[n] } else { x[0] * x[0] } }"
    shown = lines(optimize(lowered(text)), "f")
    assert (shown.count("tensor.element"), shown.count("slice")) == (2, 2)


def test_a_cast_of_a_number_stays(lowered: Callable[[str], Module]) -> None:
    assert lines(optimize(lowered("fn f() -> f64 { return cast<f64>(1.0) }")), "f").count("cast") == 1


def test_states_are_those_still_touched(lowered: Callable[[str], Module]) -> None:
    before = lowered(BLOCKS)
    after = optimize(before)
    for name in ("reads", "calls"):
        assert before.functions[f"test::A.{name}"].states == ("s",)
        assert after.functions[f"test::A.{name}"].states == ()
    assert after.functions["test::A.writes"].states == ("s",)


def test_values_are_numbered_as_lowering_numbers_them(lowered: Callable[[str], Module]) -> None:
    kept = "fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { var y = x[0] while y < 2.0 { y = y + (max[n] x[n]) } return y }"
    more = kept.replace("var y", "let unused = exp(x) var y").replace("y = y +", "let unused = y y = y +")
    assert lines(optimize(lowered(more)), "f") == lines(lowered(kept), "f")
