"""What each pass does to small programs, and what it must leave alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from linnet_core.errors import InternalError
from linnet_core.ir.module import Op, Region
from linnet_core.ir.passes import optimize, pipeline
from linnet_core.ir.passes.effects import Effects
from linnet_core.ir.passes.pipeline import PASSES
from linnet_core.ir.rewrite import with_bodies
from linnet_core.ir.show import function_lines
from linnet_core.ir.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Function, Module

ONE_PASS = [
    pytest.param(
        "identities",
        "fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return cast<f32>(broadcast_to(reshape(x, [N]), [N])) }",
        "return %0",
        id="reshape, broadcast and cast to the own type",
    ),
    pytest.param(
        "identities",
        "fn f<N: Dim>(x: Tensor[N, 1; f32]) -> Tensor[N, 1; f32] { return permute(x, [0, 1]) }",
        "return %0",
        id="an identity permutation",
    ),
    pytest.param(
        "identities",
        "fn f(x: f32) -> f32 { return -(-(-x)) }",
        "%1 = neg %0 : f32\n%3 = neg %0 : f32\nreturn %3",
        id="neg of neg",
    ),
    pytest.param("identities", "fn f(x: bool) -> bool { return !(!x) }", "%1 = not %0 : bool\nreturn %0", id="not of not"),
    pytest.param(
        "identities",
        "fn f(x: f32) -> f32 { return cast<f32>(cast<f16>(x)) }",
        "%1 = cast %0 : f16\n%2 = cast %1 : f32\nreturn %2",
        id="a cast that rounds stays",
    ),
    pytest.param(
        "permutes",
        "fn f<A: Dim, B: Dim, C: Dim>(x: Tensor[A, B, C; f32]) -> Tensor[C, B, A; f32] "
        "{ return permute(permute(x, [1, 2, 0]), [1, 0, 2]) }",
        "%1 = permute %0 [shape = (1, 2, 0)] : Tensor[B, C, A; f32]\n%2 = permute %0 [shape = (2, 1, 0)] : Tensor[C, B, A; f32]\nreturn %2",
        id="a permutation of a permutation",
    ),
    pytest.param(
        "fold",
        "fn f() -> i8 { let a: i8 = 100 let b: i8 = 27 return a + b }",
        "%0 a = const.int [value = 100] : i8\n%1 b = const.int [value = 27] : i8\n%2 = const.int [value = 127] : i8\nreturn %2",
        id="integers that stay in their dtype",
    ),
    pytest.param(
        "fold",
        "fn f() -> i8 { let a: i8 = 100 let b: i8 = 28 return a + b }",
        "%0 a = const.int [value = 100] : i8\n%1 b = const.int [value = 28] : i8\n%2 = add %0, %1 : i8\nreturn %2",
        id="integers that would wrap",
    ),
    pytest.param(
        "fold",
        "fn f() -> u8 { let a: u8 = 1 let b: u8 = 2 return a - b }",
        "%0 a = const.int [value = 1] : u8\n%1 b = const.int [value = 2] : u8\n%2 = sub %0, %1 : u8\nreturn %2",
        id="an unsigned difference below zero",
    ),
    pytest.param(
        "fold",
        "fn f() -> f32 { let a: f32 = 1.0 let b: f32 = 2.0 return a + b }",
        "%0 a = const.float [value = 1.0] : f32\n%1 b = const.float [value = 2.0] : f32\n%2 = add %0, %1 : f32\nreturn %2",
        id="floats",
    ),
    pytest.param(
        "fold",
        "fn f<T: Integer>(x: T) -> T { let a = x + 1 return a * 2 }",
        "%1 = const.int [value = 1] : T\n%2 a = add %0, %1 : T\n%3 = const.int [value = 2] : T\n%4 = mul %2, %3 : T\nreturn %4",
        id="a sum with something unknown",
    ),
    pytest.param(
        "fold",
        "fn f<N: Dim>() -> i64 { let a: i64 = N let b: i64 = 2 return a * b }",
        "%0 a = const.dim [value = N] : i64\n%1 b = const.int [value = 2] : i64\n%2 = mul %0, %1 : i64\nreturn %2",
        id="a dimension over generics, which might wrap",
    ),
    pytest.param(
        "share",
        "fn f(x: f32) -> f32 { return exp(x) * exp(x) + 1.0 * 1.0 }",
        "%1 = exp %0 : f32\n%3 = mul %1, %1 : f32\n%4 = const.float [value = 1.0] : f32\n%5 = add %3, %4 : f32\nreturn %5",
        id="equal operations",
    ),
    pytest.param(
        "share",
        "fn f(x: i32, y: i32) -> f32 { return cast<f32>(x) + cast<f32>(cast<i64>(x)) }",
        "%2 = cast %0 : f32\n%3 = cast %0 : i64\n%4 = cast %3 : f32\n%5 = add %2, %4 : f32\nreturn %5",
        id="equal but for the result type",
    ),
    pytest.param(
        "dead",
        "fn f(x: f32) -> f32 { let a = exp(x) let b = a + a return x }",
        "return %0",
        id="results that nothing uses",
    ),
]


def run_pass(module: Module, name: str) -> Module:
    """The module after one pass over every function, verified."""
    effects = Effects(module)
    functions: dict[str, Function] = {}
    for key, function in module.functions.items():
        (body,) = PASSES[name]((function.body,), effects)
        functions[key] = with_bodies(function, body, None)
    done = type(module)(module.name, module.blocks, functions, module.constants, module.structs, module.enums)
    verify(done)
    return done


def text_of(module: Module, name: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in function_lines(module.functions[name])[1:])


@pytest.mark.parametrize(("name", "text", "expected"), ONE_PASS)
def test_a_pass(lowered: Callable[[str], Module], name: str, text: str, expected: str) -> None:
    assert text_of(run_pass(lowered(text), name), "test::f") == expected


def test_a_loop_with_a_used_result_stays_whole(lowered: Callable[[str], Module]) -> None:
    text = "fn f(x: f32) -> f32 { var a = x var b = x while a > 0.0 { a = a - 1.0 b = b + a } return a }"
    module = run_pass(lowered(text), "dead")
    loop = module.functions["test::f"].body.ops[0]
    assert (loop.kind, len(loop.results), [len(region.ops) for region in loop.regions]) == ("while", 2, [3, 4])


CACHE = """
block Cache<N: Dim> {
    param w: Tensor[N; f32]
    state s: Tensor[N; f32]
    fn put(x: Tensor[N; f32]) -> Tensor[N; f32] { s = x return s }
    fn peek() -> Tensor[N; f32] { return s + w + w }
    fn plain(x: Tensor[N; f32]) -> Tensor[N; f32] { return x + w }
    entry run(x: Tensor[N; f32]) -> Tensor[N; f32] {
        let before = peek()
        let unused = put(x)
        let after = peek()
        let again = peek()
        let dead = plain(x)
        return before + after + again
    }
    entry twice(x: Tensor[N; f32]) -> Tensor[N; f32] {
        let a = s
        let b = s
        s = x
        let c = s
        static for i in 0..2 { s = s + x }
        return a + b + c + s
    }
}
"""


def kinds(module: Module, name: str) -> list[str]:
    """Kinds of operations, calls with the name of the callee."""
    ops = module.functions[name].body.ops
    return [op.attrs["callee"].rpartition(".")[2] if op.kind == "call" else op.kind for op in ops]


def test_reads_of_state_are_shared_only_between_writes(lowered: Callable[[str], Module]) -> None:
    module = optimize(lowered(CACHE))
    assert kinds(module, "test::Cache.peek").count("block.param") == 1
    without_constants = [kind for kind in kinds(module, "test::Cache.twice") if kind != "const.dim"]
    assert without_constants == [
        *("state.read", "state.write", "state.read"),
        *("static_range", "add", "add", "state.read", "add", "return"),
    ]


def test_calls_that_write_stay_and_others_are_shared_or_removed(lowered: Callable[[str], Module]) -> None:
    module = optimize(lowered(CACHE))
    assert kinds(module, "test::Cache.run") == ["peek", "put", "peek", "add", "add", "return"]


def test_passes_come_to_an_end_and_change_nothing_more(lowered: Callable[[str], Module]) -> None:
    module = optimize(lowered(CACHE))
    again = optimize(module)
    assert all(again.functions[name] is function for name, function in module.functions.items())


def test_a_pass_that_breaks_a_rule_is_named(lowered: Callable[[str], Module], monkeypatch: pytest.MonkeyPatch) -> None:
    def drop_all(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
        return tuple(Region(region.args, (Op("return"),)) for region in regions)

    monkeypatch.setitem(pipeline.PASSES, "dead", drop_all)
    with pytest.raises(InternalError, match=r"after pass `dead`: function `test::f`"):
        optimize(lowered("fn f(x: f32) -> f32 { return x }"))


REAL = """
use std.nn.attention::{grouped_attention}
use std.nn.norm::{rms_norm}

fn norm<N: Dim>(x: Tensor[N; f32], w: Tensor[N; f32]) -> Tensor[N; f32] { return rms_norm(x, w) }
fn attend<B: Dim, H: Dim, S: Dim, D: Dim>(x: Tensor[B, H, S, D; f32]) -> Tensor[B, H, S, D; f32] where H > 0 {
    return grouped_attention(x, x, x, 0.5)
}
fn turned<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> Tensor[N, M; f32] { return permute(permute(x, [1, 0]), [1, 0]) }
fn twice(x: i32) -> i32 { return x * (1 + 1) }
fn sum(x: f32, y: f32) -> f32 { return x + y + y }
"""


def test_a_pass_is_left_out_only_where_it_would_change_nothing(lowered: Callable[[str], Module], monkeypatch: pytest.MonkeyPatch) -> None:
    module = lowered(REAL)
    runs: dict[str, int] = dict.fromkeys(PASSES, 0)

    def counted(name: str, run: pipeline.Pass) -> pipeline.Pass:
        def counting(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
            runs[name] += 1
            return run(regions, effects)

        return counting

    for name, run in list(PASSES.items()):
        monkeypatch.setitem(pipeline.PASSES, name, counted(name, run))
    some = optimize(module)
    with_some = dict(runs)
    monkeypatch.setattr(pipeline, "ABOUT", {})
    every = optimize(module)
    assert [function_lines(f) for f in some.functions.values()] == [function_lines(f) for f in every.functions.values()]
    assert all(0 < with_some[name] < runs[name] - with_some[name] for name in ("identities", "permutes", "fold"))
    assert all(with_some[name] == runs[name] - with_some[name] for name in ("share", "dead"))


def test_a_long_chain_is_linear_in_rounds(lowered: Callable[[str], Module]) -> None:
    text = "fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { var a = x " + "a = reshape(a, [N]) a = -(-a) " * 500 + "return a }"
    assert text_of(optimize(lowered(text)), "test::f") == "return %0"
