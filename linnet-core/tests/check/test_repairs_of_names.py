"""What is said of names, members and indices that are wrong, and that doing what the help says repairs the program."""

from __future__ import annotations

import pytest

#: The program, its code and help, and the repaired program.
REPAIRED = [
    pytest.param(
        "fn f<T: Float>(x: T) -> T where T == f32 { return x }",
        "E2123",
        "a `where` compares sizes; a bound, `<T: Float>`, says which dtypes `T` stands for",
        "fn f<T: Float>(x: T) -> T { return x }",
        id="a dtype in a where",
    ),
    pytest.param(
        "fn f<T: Float, N: Dim>(x: Tensor[N; T]) -> i32 where f32 == T, N > 1 { return 1 }",
        "E2123",
        "a size is made of numbers, `Dim` generics and constants without a type",
        "fn f<T: Float, N: Dim>(x: Tensor[N; T]) -> i32 where N > 1 { return 1 }",
        id="a dtype on the other side in a where",
    ),
    pytest.param(
        "fn f(x: i64) -> i64 where x > 1 { return x }",
        "E1201",
        "`x` is a parameter, whose value is known at run time only; a size is made of numbers, `Dim` generics and constants without a type",
        "fn f(x: i64) -> i64 { return x }",
        id="a parameter in a where",
    ),
    pytest.param(
        "fn f(x: Tensor[4; f32], k: Tensor[2; f32]) -> Tensor[2; f32] { let y = x[k] return y }",
        "E2101",
        "a tensor of positions is read in index notation: `let y[i] = x[cast<i64>(k[i])]`",
        "fn f(x: Tensor[4; f32], k: Tensor[2; f32]) -> Tensor[2; f32] { let y[i] = x[cast<i64>(k[i])] return y }",
        id="floats for positions",
    ),
    pytest.param(
        "struct S { on: bool }\nfn f(s: S) -> f32 { return if s { 1.0 } else { 2.0 } }",
        "E2114",
        "ask for one of its fields: `s.on`",
        "struct S { on: bool }\nfn f(s: S) -> f32 { return if s.on { 1.0 } else { 2.0 } }",
        id="a struct for a condition",
    ),
    pytest.param(
        "fn h<*S: Shape>(x: Tensor[*S; f32]) -> f32 { return 1.0 }\nfn g(x: Tensor[2, 3; f32]) -> f32 { return h<[3]>(x) }",
        "E2202",
        "take it at one position of an axis, as `x[0]` does, or reduce over what is too much",
        "fn h<*S: Shape>(x: Tensor[*S; f32]) -> f32 { return 1.0 }\nfn g(x: Tensor[2, 3; f32]) -> f32 { return h<[3]>(x[0]) }",
        id="an axis too many",
    ),
    pytest.param(
        "fn f(x: Tensor[3; f32]) -> Tensor[2, 9; f32] {\n    return x\n}",
        "E2202",
        "neither `broadcast_to` nor `reshape` makes this of it: give it its axes where it is made",
        "fn f(x: Tensor[2, 9; f32]) -> Tensor[2, 9; f32] {\n    return x\n}",
        id="an axis too few",
    ),
    pytest.param(
        "fn f<f32: Float>(x: Tensor[2; T]) -> T { let y: T = x[0] return y }",
        "E1207",
        "choose another name: `f32_` is one",
        "fn f<T: Float>(x: Tensor[2; T]) -> T { let y: T = x[0] return y }",
        id="a dtype that is called as one of the prelude",
    ),
    pytest.param(
        "fn f(x: Tensor[M; f32]) -> f32 { return 1.0 }",
        "E1201",
        "a size is a generic, `<M: Dim>`, or a `const`",
        "fn f<M: Dim>(x: Tensor[M; f32]) -> f32 { return 1.0 }",
        id="a size nobody declares",
    ),
    pytest.param(
        "fn f(x: Tensor[*S; f32]) -> f32 { return 1.0 }",
        "E1201",
        "a pack is a generic, `<*S: Shape>`",
        "fn f<*S: Shape>(x: Tensor[*S; f32]) -> f32 { return 1.0 }",
        id="a pack nobody declares",
    ),
    pytest.param(
        "fn g<*S: Shape>() -> i32 { return 1 }\nfn f<*R: Shape>(x: Tensor[*R; f32]) -> i32 { return g<R>() }",
        "E2111",
        "a shape is written in brackets: `[*R]`",
        "fn g<*S: Shape>() -> i32 { return 1 }\nfn f<*R: Shape>(x: Tensor[*R; f32]) -> i32 { return g<[*R]>() }",
        id="a pack for a pack, without brackets",
    ),
    pytest.param(
        "fn g<*S: Shape>() -> i32 { return 1 }\nfn f<N: Dim>(x: Tensor[N; f32]) -> i32 { return g<N>() }",
        "E2111",
        "a shape is written in brackets: `[N]`",
        "fn g<*S: Shape>() -> i32 { return 1 }\nfn f<N: Dim>(x: Tensor[N; f32]) -> i32 { return g<[N]>() }",
        id="a size for a pack",
    ),
    pytest.param(
        "fn g<*S: Shape>() -> i32 { return 1 }\nfn f() -> i32 { return g<f32>() }",
        "E2111",
        "a shape is written in brackets: `[2, 3]`",
        "fn g<*S: Shape>() -> i32 { return 1 }\nfn f() -> i32 { return g<[2, 3]>() }",
        id="a dtype for a pack",
    ),
    pytest.param(
        "block L { param w: f32 }\nblock B<N: Dim> { sub a: [L; N]? = none }",
        "E4101",
        "leave the `?` out: an array of length 0 holds nothing",
        "block L { param w: f32 }\nblock B<N: Dim> { sub a: [L; N] }",
        id="an array that may be absent",
    ),
    pytest.param(
        "block L { param w: f32 }\nblock B<N: Dim> { sub a: [L?; N] }",
        "E4101",
        "leave the `?` out: all of `[L; N]` are there",
        "block L { param w: f32 }\nblock B<N: Dim> { sub a: [L; N] }",
        id="an array of blocks that may be absent",
    ),
    pytest.param(
        "struct P { a: f32 }\nfn f() -> i32 { let ps = for i in 0..4 { yield P(a = 1.0) } return 1 }",
        "E2101",
        "yield its fields, as a tuple, and build structs of the parts afterwards",
        "struct P { a: f32 }\nfn f() -> i32 { let ps = for i in 0..4 { yield (1.0, 2) } return 1 }",
        id="structs as the values of a loop",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { total = x return x }",
        "E1201",
        "declare it where it gets its first value: `var total = ...`",
        "fn f(x: f32) -> f32 { var total = x return x }",
        id="an assignment to nothing",
    ),
    pytest.param(
        "enum Way { Left, Right }\nfn g(w: Way) -> Way { return w }\nfn f() -> Way { return g(Left) }",
        "E1201",
        "a variant stands behind its enum: `Way.Left`",
        "enum Way { Left, Right }\nfn g(w: Way) -> Way { return w }\nfn f() -> Way { return g(Way.Left) }",
        id="a variant by itself",
    ),
    pytest.param(
        "block B { enum Way { Left, Right } fn g(w: Way = Right) -> Way { return w } }",
        "E1201",
        "a variant stands behind its enum: `Way.Right`",
        "block B { enum Way { Left, Right } pub fn g(w: Way = Way.Right) -> Way { return w } }",
        id="a variant by itself in a block",
    ),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { return max(x, dim = 0) }",
        "E2102",
        "call it as `max(a, b)`; along an axis it is a reduction: `max[i] x[i]`",
        "fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { let y = max[i] x[i] return y }",
        id="the largest along an axis",
    ),
    pytest.param(
        "fn f(n: i32) -> f32 { return float(n) }",
        "E1201",
        "convert it: `cast<f32>(...)`",
        "fn f(n: i32) -> f32 { return cast<f32>(n) }",
        id="a dtype of another language that is called",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return missing + x }",
        "E1201",
        "bind it before it is used: `let missing = ...`",
        "fn f(x: f32) -> f32 { let missing = x return missing + x }",
        id="a value nobody binds",
    ),
    pytest.param(
        "fn f(x: Missing) -> f32 { return 1.0 }",
        "E1201",
        "declare it, or import it: `use PATH::Missing`",
        "struct Missing { a: f32 }\nfn f(x: Missing) -> f32 { return 1.0 }",
        id="a type nobody declares",
    ),
    pytest.param(
        "fn f(x: f32) -> f32 { return missing(x) }",
        "E1201",
        "declare it, or import it: `use PATH::missing`",
        "fn missing(x: f32) -> f32 { return x }\nfn f(x: f32) -> f32 { return missing(x) }",
        id="a function nobody declares",
    ),
    pytest.param(
        "block B { sub a: std.nn.linear.Linear<2, 2> }",
        "E1201",
        "import the module: `use std.nn.linear`, then `linear.Linear`",
        "use std.nn.linear\nblock B { sub _a: linear.Linear<2, 2> }",
        id="a path that is not imported",
    ),
    pytest.param(
        "use std.nn.linear::{nothing}",
        "E1201",
        "it offers `linear`, `Linear`",
        "use std.nn.linear::{linear as _l}",
        id="an item that is not there",
    ),
    pytest.param(
        "block A<N: Dim> { param _w: Tensor[N; f32] struct Q { a: Tensor[N; f32] } }",
        "E1201",
        "give the item a generic of its own: `<N: Dim>`",
        "block A<N: Dim> { param _w: Tensor[N; f32] struct Q<N: Dim> { a: Tensor[N; f32] } }",
        id="a generic of the block around",
    ),
    pytest.param(
        "fn f() { return }\nfn f() { return }",
        "E1204",
        "give one of them another name",
        "fn f() { return }\nfn g() { return }",
        id="two functions",
    ),
    pytest.param(
        "use std.nn.linear::{linear, linear}",
        "E1204",
        "import it under another name: `linear as other`",
        "use std.nn.linear::{linear as _a, linear as _b}",
        id="two imports",
    ),
    pytest.param(
        "fn f(x: f32, x: f32) -> f32 { return x }",
        "E1205",
        "give one of them another name",
        "fn f(x: f32, y: f32) -> f32 { return x }",
        id="two parameters",
    ),
    pytest.param(
        "fn f<N: Dim, N: Dim>(x: Tensor[N; f32]) -> f32 { return 1.0 }",
        "E1205",
        "give one of them another name",
        "fn f<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> f32 { return 1.0 }",
        id="two generics",
    ),
    pytest.param("struct S { a: f32 a: f32 }", "E1205", "give one of them another name", "struct S { a: f32 b: f32 }", id="two fields"),
    pytest.param("enum E { A, A }", "E1205", "give one of them another name", "enum E { A, B }", id="two variants"),
    pytest.param(
        "block B { param w: f32 buffer w: f32 }",
        "E1205",
        "give one of them another name",
        "block B { param _w: f32 buffer _v: f32 }",
        id="two members",
    ),
    pytest.param(
        "block B { param w: f32 fn w() { return } }",
        "E1205",
        "give one of them another name",
        "block B { param _w: f32 fn w() { return } }",
        id="a member and a method",
    ),
    pytest.param(
        "fn f(x: (f32, f32)) -> f32 { let (a, a) = x return a }",
        "E1205",
        "give one of them another name",
        "fn f(x: (f32, f32)) -> f32 { let (a, _b) = x return a }",
        id="two names in a pattern",
    ),
    pytest.param(
        "op f(x: Tensor[2; f32]) -> Tensor[2; f32] { return x } grad(y, y) { return y }",
        "E1205",
        "give one of them another name",
        "op f(x: Tensor[2; f32]) -> Tensor[2; f32] { return x } grad(y, dy) { return dy }",
        id="a result and its gradient",
    ),
    pytest.param(
        "fn g(x: f32) -> f32 { return x }\nfn f(x: f32) -> f32 { return g }",
        "E1208",
        "call it: `g(...)`",
        "fn g(x: f32) -> f32 { return x }\nfn f(x: f32) -> f32 { return g(x) }",
        id="a function as a value",
    ),
    pytest.param(
        "struct S { a: f32 b: f32 }\nfn f(x: f32) -> S { return S }",
        "E1208",
        "a value of it names its fields: `S(a = ..., b = ...)`",
        "struct S { a: f32 b: f32 }\nfn f(x: f32) -> S { return S(a = x, b = x) }",
        id="a struct as a value",
    ),
    pytest.param(
        "enum E { A, B }\nfn f() -> E { return E }",
        "E1208",
        "name a variant of it: `E.A`",
        "enum E { A, B }\nfn f() -> E { return E.A }",
        id="an enum as a value",
    ),
    pytest.param(
        "use std.nn.linear\nfn f(x: f32) -> f32 { return linear }",
        "E1208",
        "name an item of it: `linear.NAME`",
        "use std.nn.linear\nfn f(x: Tensor[2; f32], w: Tensor[3, 2; f32]) -> Tensor[3; f32] { return linear.linear(x, w, none) }",
        id="a module as a value",
    ),
    pytest.param(
        "block C { param w: f32 }\nfn f(x: C) -> f32 { return x.w }",
        "E1208",
        "declare it as a `sub` of a block, and call its methods there",
        "block C { param w: f32 pub fn g() -> f32 { return w } }\nblock B { sub x: C fn f() -> f32 { return x.g() } }",
        id="a block as the type of a parameter",
    ),
    pytest.param(
        "fn f<N: Dim>(x: N) -> f32 { return 1.0 }",
        "E1208",
        "a size stands in a shape: `Tensor[N; f32]`",
        "fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { return 1.0 }",
        id="a size as a type",
    ),
    pytest.param(
        "fn f<*S: Shape>(x: S) -> f32 { return 1.0 }",
        "E1208",
        "a size stands in a shape: `Tensor[*S; f32]`",
        "fn f<*S: Shape>(x: Tensor[*S; f32]) -> f32 { return 1.0 }",
        id="a pack as a type",
    ),
    pytest.param(
        "fn f(x: [f32; 3]) -> f32 { return 1.0 }",
        "E1208",
        "an array of numbers is a tensor: `Tensor[3; f32]`",
        "fn f(x: Tensor[3; f32]) -> f32 { return 1.0 }",
        id="an array as the type of a parameter",
    ),
    pytest.param(
        "struct S { a: f32 }\nfn f(x: Tensor[3; S]) -> f32 { return 1.0 }",
        "E1208",
        "write a dtype, such as `f32`, or a generic of one",
        "fn f(x: Tensor[3; f32]) -> f32 { return 1.0 }",
        id="a struct for a dtype",
    ),
    pytest.param(
        "block A { pub fn m() -> f32 { return 1.0 } }\nblock B { sub a: A fn f() -> f32 { return a.m } }",
        "E1208",
        "call it: `a.m(...)`",
        "block A { pub fn m() -> f32 { return 1.0 } }\nblock B { sub a: A fn f() -> f32 { return a.m() } }",
        id="a method as a value",
    ),
    pytest.param(
        "fn f(x: Tensor[2; f32]) -> Tensor[2; f32] { let y[i] = x[i] + (sum[i] x[i]) return y }",
        "E3105",
        "give one of them another name",
        "fn f(x: Tensor[2; f32]) -> Tensor[2; f32] { let y[i] = x[i] + (sum[j] x[j]) return y }",
        id="an index twice",
    ),
    pytest.param(
        "block B { sub _a: [f32; 3] }",
        "E4101",
        "write one tensor: `Tensor[3; f32]`",
        "block B { param _a: Tensor[3; f32] }",
        id="an array of scalars",
    ),
    pytest.param(
        "block B { sub _a: [Tensor[2; f32]; 3] }",
        "E4101",
        "write one tensor: `Tensor[3, 2; f32]`",
        "block B { param _a: Tensor[3, 2; f32] }",
        id="an array of tensors",
    ),
    pytest.param(
        "block B { sub _a: f32 }",
        "E4101",
        "declare it as a `param`, `buffer` or `state`",
        "block B { param _a: f32 }",
        id="a sub that is a number",
    ),
    pytest.param(
        "block C { }\nblock B { param _a: C }",
        "E4101",
        "declare it as a `sub`",
        "block C { }\nblock B { sub _a: C }",
        id="a param that is a block",
    ),
    pytest.param(
        "block B { param _a: (f32, f32) }",
        "E4101",
        "declare a member for each tensor in it",
        "block B { param _a: f32 param _b: f32 }",
        id="a param that is a tuple",
    ),
    pytest.param(
        "block B { buffer _a: Tensor[2; f32]? }",
        "E4101",
        "write `Tensor[2; f32]`, without `?`",
        "block B { buffer _a: Tensor[2; f32] }",
        id="an optional buffer",
    ),
    pytest.param(
        "block B { state _a: Tensor[2; f32]? }",
        "E4101",
        "write `Tensor[2; f32]`, without `?`",
        "block B { state _a: Tensor[2; f32] }",
        id="an optional state",
    ),
    pytest.param(
        "block B { state _a: f32 }",
        "E4101",
        "write `Tensor[1; f32]`",
        "block B { state _a: Tensor[1; f32] }",
        id="a state that is a scalar",
    ),
    pytest.param("block B { param _a: f32 = none }", "E4101", "write `f32?`", "block B { param _a: f32? = none }", id="none for a param"),
    pytest.param(
        "block C { }\nblock B { sub _a: C = 3 }",
        "E4101",
        "take it out; only `none` may follow, for an optional sub without a block",
        "block C { }\nblock B { sub _a: C }",
        id="a value for a sub",
    ),
    pytest.param(
        "block B { param _a: f32 = 1.0 }",
        "E4102",
        "its value comes with the weights; only `none` may stand here, for a param that may be absent",
        "block B { param _a: f32 }",
        id="a value for a param",
    ),
]


@pytest.mark.parametrize(("wrong", "code", "help", "repaired"), REPAIRED)
def test_doing_what_the_help_says_repairs_the_program(check_text, wrong, code, help, repaired):
    found = check_text(wrong).only
    assert (found.code, found.help) == (code, help)
    assert check_text(repaired).errors == []


def test_a_private_method_says_where_to_make_it_public(check_package):
    found = check_package(
        {
            "lib.linnet": "module demo\nuse crate.a::{A}\nblock B { sub a: A fn f() -> f32 { return a.shut() } }",
            "a.linnet": "module demo.a\npub block A { fn shut() -> f32 { return 1.0 } }",
        }
    ).only
    assert (found.code, found.help) == ("E1203", "declare it `pub` in `demo.a`")


def test_a_member_of_a_type_it_cannot_have_is_told_once(check_text):
    program = "block B { state s: Tensor[2; f32]? fn f(x: Tensor[2; f32]) -> Tensor[2; f32] { s = s + x return s } }"
    assert check_text(program).only.code == "E4101"


@pytest.mark.parametrize(
    ("body", "help"),
    [
        pytest.param("x[n] * n", "its value is `iota(N)[n]`, an i64", id="after its axis"),
        pytest.param("n * x[n]", "its value is `iota(N)[n]`, N being the extent of its axis", id="before its axis"),
    ],
)
def test_an_index_as_a_value_is_shown_the_one_it_has(check_text, body, help):
    found = check_text(f"fn f<N: Dim>(x: Tensor[N; i64]) -> Tensor[N; i64] {{ let y[n] = {body} return y }}").only
    assert (found.code, found.help) == ("E3104", help)
    written = body.replace("* n", "* iota(N)[n]").replace("n *", "iota(N)[n] *")
    assert check_text(f"fn f<N: Dim>(x: Tensor[N; i64]) -> Tensor[N; i64] {{ let y[n] = {written} return y }}").errors == []


def test_a_generic_whose_default_is_wrong_is_not_missed_where_it_is_left_out(check_text):
    found = check_text("fn d<N: Dim = M, M: Dim = 2>(x: f32) -> f32 { return x }\nfn f(x: f32) -> f32 { return d(x) }").only
    assert (found.code, found.help) == ("E1201", "a default speaks only of generics that are declared before it")
    assert check_text("struct S<N: Dim = Q> { a: f32 }\nfn f(x: S) -> f32 { return x.a }").only.code == "E1201"


@pytest.mark.parametrize(
    ("left", "access"),
    [("*s, n", "s, n"), ("s, n", "*s, n"), ("*s, n", "*s, *n"), ("*s, *n", "*s, n")],
)
def test_an_index_with_a_star_at_the_wrong_place_is_shown_where_it_is_listed(check_text, left, access):
    program = f"fn f<*S: Shape, N: Dim>(x: Tensor[*S, N; f32]) -> f32 {{ let _y[{left}] = x[{access}] return 1.0 }}"
    found = check_text(program).only
    assert found.code == "E3106"
    assert [label.text for label in found.related] == ["listed here"]


@pytest.mark.parametrize("statement", ["let _y = cast<f32(x)", "let _y = fill<f32([3], 0.0)", "let _y = gone<f32(x)"])
def test_generic_arguments_without_their_end_are_told_once(check_text, statement):
    assert check_text(f"fn f(x: f32) -> f32 {{ {statement} return x }}").only.code in ("E1208", "E1201")


def test_a_misspelt_import_is_told_once_whatever_is_used_of_it(check_text):
    program = "use std.nn.activations::{sliu}\nfn f(x: f32) -> f32 { return silu(x) }\nfn g(x: f32) -> f32 { return silu(x) }"
    found = check_text(program).only
    assert (found.code, found.help) == ("E1201", "did you mean `silu`?")
    assert [code for code, _ in check_text(f"{program}\nfn h(x: f32) -> f32 {{ return relu(x) }}").errors] == ["E1201", "E1201"]


@pytest.mark.parametrize(
    ("program", "code", "words"),
    [
        pytest.param("const W = 3\nfn f(x: W.a) -> f32 { return 1.0 }", "E1208", "W", id="a point after a constant"),
        pytest.param("use std.nn.linear\nfn f(x: linear.Linear.b) -> f32 { return 1.0 }", "E1208", "Linear", id="a point after an item"),
        pytest.param("fn f(x: f32) -> f32 { let y[n] = fill<f32>([n], 0.0)[0] return x }", "E3104", "n", id="an index as a size"),
        pytest.param(
            "fn g<N: Dim>(x: f32) -> f32 { return x }\nfn f(x: Tensor[3; f32]) -> f32 { let y[n] = g<n>(x[n]) return y[0] }",
            "E3104",
            "n",
            id="an index as a generic argument",
        ),
    ],
)
def test_what_stands_where_another_kind_of_thing_is_due(check_text, program, code, words):
    assert check_text(program).errors == [(code, words)]


GENERICS = ", ".join(f"N{i}: Dim" for i in range(12))
MANY = " + ".join(f"N{i}" for i in range(12))


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(f"type P<N: Dim> = Tensor[N * N * N * N * N * N; f32]\nstruct Z<{GENERICS}> {{ a: P<{MANY}> }}", id="an alias"),
        pytest.param(
            f"fn g<N: Dim>(x: f32) -> Tensor[N * N * N * N * N * N; f32] {{ return fill<f32>([N * N * N * N * N * N], x) }}\n"
            f"fn f<{GENERICS}>(x: f32) -> f32 {{ let _y = g<{MANY}>(x) return x }}",
            id="a result",
        ),
        pytest.param(f"fn f<{GENERICS}>(x: f32) -> f32 {{ let _d = {' * '.join([f'({MANY})'] * 6)} return x }}", id="a local"),
        pytest.param(f"fn f<{GENERICS}>(x: Tensor[{' * '.join([f'({MANY})'] * 6)}; f32]) -> f32 {{ return 1.0 }}", id="a parameter"),
    ],
)
def test_a_dimension_of_too_many_terms_is_told_at_its_place(check_text, program):
    found = check_text(program).only
    assert found.code == "E6003"
    assert found.span is not None


def test_a_generic_that_was_written_is_shown_beside_what_the_argument_says(check_text):
    program = "fn h<*S: Shape>(x: Tensor[*S; f32]) -> f32 { return 1.0 }\nfn g(x: Tensor[2, 3; f32]) -> f32 { return h<[2]>(x) }"
    assert check_text(program).only.notes == ("`S` is written as [2], and by `x` it is [2, 3]", "it has 2 axes, and 1 axis is due")
