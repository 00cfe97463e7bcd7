"""Small programs whose plan comes back from their source: each is one thing that is easily written otherwise."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from emitting import read_back

from linnet_core.linnet_source.package import package_files

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAMS = [
    pytest.param("fn f(x: f32) -> f32 { return (x + 1.0) * (x - 2.0) / -(x) % x }", id="precedence"),
    pytest.param("fn f(x: i64) -> bool { return x & 1 == 1 && !(x < 2 || x >= 5) }", id="signs of bits and bools"),
    pytest.param("fn f(x: bf16) -> bf16 { let y: bf16 = 1 return x * 0.1 + y }", id="literals of a narrow dtype"),
    pytest.param("fn f(x: u8) -> u8 { let y: u8 = 255 let z: i8 = -128 return x * y + cast<u8>(z) }", id="integers at the edge"),
    pytest.param("fn f(c: bool) -> f16 { return if c { 1.0 } else { 2.0 } }", id="literals of both branches"),
    pytest.param("fn f() -> (f32, i8, bool) { return (1.5, 2, true) }", id="literals in a tuple"),
    pytest.param("fn f(c: bool, x: f32?) -> f32? { return if c { none } else { x } }", id="none beside an optional"),
    pytest.param("fn f(x: f32) -> f32? { return some(x) }\nfn g() -> f32? { return some(1.0) }", id="some"),
    pytest.param("fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { let n = N return cast<f32>(n) + x[0] * N }", id="a dimension as a number"),
    pytest.param("fn f<N: Dim>() -> i64 { let n: i64 = N return n + n }", id="a dimension in a let"),
    pytest.param("const Eps: f32 = 1e-5\nfn f(x: f32, y: f32) -> f32 { return (x + Eps) * (y + Eps) }", id="a constant twice"),
    pytest.param("const Eps: f32 = 1e-5\nfn f<N: Dim>(x: Tensor[N; f32]) -> f32 { return sum[n] x[n] * Eps + Eps }", id="under indices"),
    pytest.param(
        "const Half = 0.5\nconst Two = 2\nconst Deep: f32 = Half * Two + Half\nfn f(x: f32) -> f32 { return x * Deep * Two }",
        id="constants",
    ),
    pytest.param("fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { let y = x + 1.0 return sum[n] y[n] * y[n] }", id="a value used twice"),
    pytest.param("fn f(x: f32) -> f32 { let y = x let x = y + 1.0 return x * y }", id="a name taken again while its value is used"),
    pytest.param("fn f(t: (f32, (f32, f32))) -> f32 { let (a, (_, b)) = t return a + b }", id="patterns"),
    pytest.param("fn g(x: f32) -> (f32, f32) { return (x, x) }\nfn f(x: f32) -> f32 { let (a, _) = g(x) return a }", id="half a pattern"),
    pytest.param("fn f(t: (f32, f32)?) -> f32 { return match t { some((a, b)) => a - b none => 0.0 } }", id="a pattern in an arm"),
    pytest.param("fn f(t: f32?) -> f32 { return match t { some(_) => 1.0 none => 0.0 } }", id="an arm that binds nothing"),
    pytest.param(
        "fn f(n: i64) -> i64 { var a = 0 var b = 1 while a < n { let c = a + b b = a a = c } return a * b }", id="carried values that swap"
    ),
    pytest.param("fn f(n: i64) -> i64 { var i = 0 var j = n while i < n { i = i + 1 j = j } return j }", id="a carried value that stays"),
    pytest.param(
        "fn f(x: f32) -> f32 { var y = x static for i in 0..3 { for j in 0..2 { y = y * cast<f32>(i + j) } } return y }",
        id="loops in loops",
    ),
    pytest.param("fn f(x: f32) -> f32 { var x = x for _ in 0..3 { x = x * x } return x }", id="a variable made of a parameter"),
    pytest.param(
        "fn f(x: f32) -> f32 { var y = x for i in 0..3 { let y = x + 1.0 let _z = y } return y }", id="a local that hides a variable"
    ),
    pytest.param(
        "fn f(x: f32) -> (Tensor[3; f32], Tensor[3; f32]) { var y = x\n"
        "let (a, b) = for _ in 0..3 { y = y + x yield (y, x) } return (a, b) }",
        id="a scan of two",
    ),
    pytest.param("fn f(x: f32) -> Tensor[2; f32] { return for i in 0..2 { yield x * cast<f32>(i) } }", id="a scan that is returned"),
    pytest.param("fn f<N: Dim, M: Dim>(x: Tensor[N, M; f32], i: i32) -> Tensor[M; f32] { return x[i] }", id="a row at run time"),
    pytest.param(
        "fn f<N: Dim, M: Dim>(x: Tensor[N, M, 4; f32], i: i32) -> Tensor[M; f32] { return x[i, :, 2] }", id="a row and a known position"
    ),
    pytest.param("fn f<M: Dim>(x: Tensor[4, M; f32], i: i64) -> Tensor[2; f32] where M > 3 { return x[i, 1:3] }", id="a row and a range"),
    pytest.param("fn f(x: Tensor[4, 4; f32], i: u8, j: i64) -> f32 { return x[i, j] + x[2, i] }", id="elements at run time"),
    pytest.param(
        "fn f<*S: Shape, N: Dim>(x: Tensor[*S, N; f32]) -> Tensor[*S; f32] where N > 4 { return x[..., 0] - x[..., 1:3:2][..., 0] }",
        id="slices beside a pack",
    ),
    pytest.param(
        "fn f<*S: Shape, N: Dim>(x: Tensor[*S, N; f32], k: Tensor[N; i32]) -> Tensor[*S, N; f32] { let y[*s, n] = x[*s, k[n]] return y }",
        id="positions that are computed",
    ),
    pytest.param(
        "fn g<*S: Shape>(x: Tensor[*S; f32]) -> Tensor[*S; f32] { return x }\n"
        "fn f<N: Dim>(x: Tensor[N, N; f32]) -> Tensor[N; f32] { let y[n] = max[m] g(x)[n, m] + g(x[0:N])[m, n] return y }",
        id="calls under indices",
    ),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; bool]) -> i32 { return sum<i32>[n] select(x[n], 1, 0) }\n"
        "fn g<N: Dim>(x: Tensor[N; bool]) -> i64 { return sum[n] select(x[n], 1, 0) }",
        id="numbers under indices that nothing else gives a dtype",
    ),
    pytest.param("fn f<N: Dim>(x: Tensor[N; bool]) -> bool { return any[n] x[n] && (all[m] x[m]) }", id="any and all"),
    pytest.param(
        "fn g<N: Dim, M: Dim, T: Float>(x: Tensor[N; T]) -> Tensor[M; T] { return fill<T>([M], 1.0) }\n"
        "fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[2 * N; f32] { return g<N, 2 * N>(x) }",
        id="generics no argument tells",
    ),
    pytest.param(
        "fn g<*S: Shape, *U: Shape>(x: Tensor[*S, *U; f32]) -> Tensor[*U; f32] { return fill<f32>([*U], 0.0) }\n"
        "fn f<A: Dim, B: Dim>(x: Tensor[A, B; f32]) -> Tensor[B; f32] { return g<[A], [B]>(x) }",
        id="packs that are written",
    ),
    pytest.param(
        "struct P<N: Dim> { a: Tensor[N; f32] b: f32 }\nfn f<N: Dim>(p: P<N>) -> P<N> { return P(b = 1.0, a = p.a * p.b) }", id="structs"
    ),
    pytest.param(
        "enum E { A, B, C }\nfn f(e: E, x: f32) -> f32 { return match e { A => x B => match E.C { C => -x _ => x } C => 2.0 } }", id="enums"
    ),
    pytest.param("op f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * x } grad(y, dy) { return dy * x + y }", id="a gradient"),
    pytest.param("fn f(x: f32) { return }\nfn g(x: f32) { let _ = f(x) return }", id="no result"),
    pytest.param("type Row<N: Dim> = Tensor[N; f32]\nfn f<M: Dim>(x: Row<M>) -> Row<M> { return x }", id="an alias with generics"),
    pytest.param(
        "type Row<N: Dim> = Tensor[N; f32]\nfn f<M: Dim>(x: Row<M>) -> Row<M> { return x }\n"
        "fn Before_f<M: Dim>(x: Row<M>) -> Row<M> { return f(x) }",
        id="an alias where a function is called as its replacement",
    ),
    pytest.param(
        "struct A<N: Dim> { b: B<N> }\nstruct B<N: Dim> { x: Tensor[N; f32] }\nenum E<M: Dim> { X }\n"
        "fn f<N: Dim>(a: A<N>) -> Tensor[N; f32] { return a.b.x }",
        id="types that need a later one",
    ),
    pytest.param(
        "block Model<N: Dim> { param w: Tensor[N; f32] state s: Tensor[N; f32] }\n"
        "block Top<N: Dim, K: Dim = 2> where K > 1 { sub one: Model<N> sub many: [Model<N>; K] sub extra: Model<N>? = none\n"
        "entry go(x: Tensor[N; f32]) -> Tensor[N; f32] { let y = many[K - 1].s + one.w\n"
        "return match extra { some(e) => e.w + y none => y * x } } }",
        id="blocks",
    ),
    pytest.param(
        "block B { state s: Tensor[2; f32]\nfn put(x: f32) -> f32 { s = s + x return s[0] }\n"
        "fn own(x: f32) -> f32 { let t = s let _ = put(x) return t[0] + put(x + s[1]) } }",
        id="reads and writes of state in their order",
    ),
    pytest.param(
        "block Outer<N: Dim> { block Inner { param w: Tensor[2; f32]\nfn f() -> f32 { return w[0] } }\nsub inner: Inner\n"
        "const Two: f32 = 2.0\nenum Way { Up, Down }\n"
        "fn g(way: Way) -> f32 { return match way { Up => inner.f() * Two Down => Two + Two } }\n"
        "entry e(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * g(Way.Up) } }",
        id="items inside a block",
    ),
    pytest.param(
        "fn f(n: i64) -> i64 { let _z = min(n, 0) var k = 0 while k < n { k = k + 1 } return k }",
        id="a variable whose first value an earlier one without a name was",
    ),
    pytest.param(
        "fn f<N: Dim>(x: f32) -> Tensor[N; f32] { let _z = exp(broadcast_to(x, [N])) var y = broadcast_to(x, [N])\n"
        "for _ in 0..N { y = y * x } return y }",
        id="a first value before the bounds of its loop",
    ),
]

_TYPED = """const F: f32 = 10000.0
const G: f32 = 0.5
const L: f32 = log(F) * G
const Q: f32 = -F
const C: i32 = 3
const D: i32 = 2
"""

#: Values that take their dtype from a constant where no place gives them one.
TYPED_VALUES = [
    "log(F)",
    "-F",
    "abs(F) * G",
    "F + G",
    "F * F",
    "log(F) * log(F)",
    "exp(L)",
    "L + log(F)",
    "log(-Q)",
    "-(-F)",
    "select(F < G, F, G)",
    "log(if F < a { F } else { G })",
    "log(match o { some(_) => F none => G })",
    "log(match e { Up => F Down => G })",
    "(match some(F) { some(v) => log(v) none => a })",
    "cast<f32>(C)",
    "cast<f32>(C * D - C)",
    "cast<f32>(shl(C, D) | D)",
    "cast<f32>(shl(D, k))",
    "(if C < D { F } else { G })",
    "x[C]",
    "x[C - D]",
    "cast<f32>(twice(C + D))",
]

#: Where they stand: statements, index notation, arms, loops.
TYPED_PLACES = [
    pytest.param("let t = {} return t", id="a statement"),
    pytest.param("return ({0}) * ({0}) + log(F)", id="one expression"),
    pytest.param("let r[i] = x[i] * ({0}) + ({0}) return r[0]", id="index notation"),
    pytest.param("return sum[i] select(x[i] < {0}, {0}, F)", id="a reduction"),
    pytest.param("return log(if a > 0.0 {{ {} }} else {{ F }})", id="an arm"),
    pytest.param("var t = a while t < ({0}) {{ t = t * ({0}) }} return t", id="a condition"),
    pytest.param("let r = for i in 0..8 {{ yield {} }} return r[0]", id="a row of a loop"),
]


@pytest.mark.parametrize("optimize", [pytest.param(False, id="as lowered"), pytest.param(True, id="after passes")])
@pytest.mark.parametrize("text", PROGRAMS)
def test_the_same_plan_again(text: str, optimize: bool, again: Callable[..., None]) -> None:
    again(text, optimize=optimize)


@pytest.mark.parametrize("optimize", [pytest.param(False, id="as lowered"), pytest.param(True, id="after passes")])
@pytest.mark.parametrize("place", TYPED_PLACES)
def test_a_constant_gives_a_number_its_dtype(place: str, optimize: bool, again: Callable[..., None]) -> None:
    head = "(x: Tensor[8; f32], a: f32, k: i32, o: f32?, e: Way) -> f32"
    functions = [f"fn f_{at}{head} {{\n{place.format(value)}\n}}" for at, value in enumerate(TYPED_VALUES)]
    more = ["enum Way { Up, Down }", "fn twice<T: Integer>(x: T) -> T { return x + x }"]
    again("\n".join([_TYPED, *more, *functions]), optimize=optimize)


@pytest.mark.parametrize(
    ("more", "line"),
    [
        pytest.param({"a": "pub const F: f32 = 10000.0", "b": ""}, "return sum[i] x[i] * log(F)", id="as it was"),
        pytest.param(
            {"a": "pub const F: f32 = 10000.0", "b": "pub const H: f32 = 10000.0"}, "return sum[i] x[i] * log(H)", id="an equal one before"
        ),
        pytest.param(
            {"a": "pub const F: f32 = exp(Own)\nconst Own: f32 = 9.0", "b": ""}, "return sum[i] x[i] * log(F)", id="one of a private one"
        ),
    ],
)
def test_a_constant_of_another_module_is_imported(
    more: dict[str, str], line: str, again: Callable[..., None], source: Callable[..., str]
) -> None:
    text = "use crate.b\nuse crate.a::{F}\nfn f(x: Tensor[8; f32]) -> f32 { return sum[i] x[i] * log(F) }"
    again(text, **more)
    assert line in [one.strip() for one in source(text, **more).split("\n")]


def test_a_constant_that_a_local_hides_is_not_named(again: Callable[..., None]) -> None:
    again("const A: f32 = 10000.0\nconst B: f32 = 10000.0\nfn f(A: Tensor[8; f32]) -> f32 { return sum[i] A[i] * log(B) }")


def test_what_is_folded_has_a_statement_to_say_its_dtype(again: Callable[..., None]) -> None:
    again("const C: i32 = 3\nfn f(x: Tensor[8; f32]) -> f32 { return cast<f32>(C * C) * (sum[i] x[i] * cast<f32>(C * C)) }", optimize=True)


@pytest.mark.parametrize(
    "modules",
    [
        pytest.param(
            {"a": "pub fn f(x: f32) -> f32 { return x }", "b": "use crate.a::{f}\npub fn g(x: f32) -> f32 { return f(x) }"}, id="a row"
        ),
        pytest.param({"a": "pub const A = 1", "b": "pub fn g(x: f32) -> f32 { return x }"}, id="a module of which nothing is used"),
        pytest.param(
            {"a": "pub fn x(v: f32) -> f32 { return v }", "b": "pub fn g(x: f32) -> f32 { return x }"}, id="an item named like a local"
        ),
        pytest.param({"a": "const Mine = 1", "b": "pub fn g(x: f32) -> f32 { return x }"}, id="a module that offers nothing"),
    ],
)
@pytest.mark.parametrize("order", ["ab", "ba"])
def test_modules_are_loaded_in_the_same_order(modules: dict[str, str], order: str, again: Callable[..., None]) -> None:
    uses = "\n".join(f"use crate.{name}" for name in order)
    again(f"{uses}\nfn f(x: f32) -> f32 {{ let y = b.g(x) return y + x }}", **modules)


def test_dead_values_are_dropped(source: Callable[..., str]) -> None:
    text = "fn f(x: f32) -> f32 {{ {} return x }}"
    assert source(text.format("let y = x * x let _ = y + 1.0")) == source(text.format(""))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("fn f(x: f32) -> f32 { return (x + 1.0) * x }", "return (x + 1.0) * x", id="one expression"),
        pytest.param("fn f(x: f32) -> f32 { let y = exp(x) return y * y }", "let y = exp(x)", id="the program's own name"),
        pytest.param("use std.nn.activations::{relu}\nfn f(x: f32) -> f32 { return relu(x) }", "return relu(x)", id="generics left out"),
        pytest.param("fn f(x: Tensor[2, 2; f32], i: i32) -> f32 { return x[i, i] }", "return x[i, i]", id="no cast of a position"),
        pytest.param(
            "const Eps: f32 = 1e-5\nfn f(x: f32) -> f32 { return (x + Eps) / Eps }", "return (x + Eps) / Eps", id="a constant by its name"
        ),
        pytest.param("fn f(n: i64) -> i64 { var i = 0 while i < n { i = i + 2 } return i }", "while i < n {", id="a loop"),
    ],
)
def test_it_reads_as_it_was_written(text: str, line: str, source: Callable[..., str]) -> None:
    assert line in [one.strip() for one in source(text).split("\n")]


def test_one_module_has_everything_under_names_of_its_own(source: Callable[..., str]) -> None:
    made = source(
        "use crate.a\nfn f(x: f32) -> f32 { return a.f(x) + a.g(x) }",
        a="pub fn f(x: f32) -> f32 { return x }\npub fn g(x: f32) -> f32 { return f(x) }",
    )
    assert made == (
        "module test\n\npub fn a_f(x: f32) -> f32 {\n    return x\n}\n\npub fn g(x: f32) -> f32 {\n    return a_f(x)\n}\n\n"
        "fn f(x: f32) -> f32 {\n    return a_f(x) + g(x)\n}\n"
    )


def test_a_dependency_has_a_package_of_its_own(planned: Callable[..., dict[str, Any]]) -> None:
    document = planned("use crate.a\nfn f(x: f32) -> f32 { return a.g(x) }", a="pub fn g(x: f32) -> f32 { return x }")
    text = json.dumps(document).replace("test.a", "other.a")
    files = package_files(read_back(json.loads(text)))
    assert list(files.texts) == ["packages/other/linnet.toml", "linnet.toml", "packages/other/src/a.linnet", "src/lib.linnet"]
    assert 'other = { path = "packages/other" }' in files.texts["linnet.toml"]
    assert "use other.a::{g}" in files.texts["src/lib.linnet"]
