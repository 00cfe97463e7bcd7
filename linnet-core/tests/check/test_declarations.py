"""Names, constants, aliases, structs, enums, generics and `where` clauses: what is accepted, what is refused and where."""

from __future__ import annotations

import pytest

from linnet_core.check.show_types import show

REFUSED = [
    pytest.param("fn f(x: Tensr[4; f32]) -> f32 { return x[0] }", None, id="unknown type does not even parse"),
    pytest.param("\nfn f(x: Halff) -> f32 { return 1.0 }", [("E1201", 2)], id="unknown type name"),
    pytest.param("\nfn f(x: Tensor[4; f33]) -> f32 { return 1.0 }", [("E1201", 2)], id="unknown dtype"),
    pytest.param("\nfn f(x: Tensor[M; f32]) -> f32 { return 1.0 }", [("E1201", 2)], id="unknown dimension"),
    pytest.param("\nfn f(x: Tensor[*S; f32]) -> f32 { return 1.0 }", [("E1201", 2)], id="unknown pack"),
    pytest.param("\nfn f<N: Dim>(x: N) -> f32 { return 1.0 }", [("E1208", 2)], id="a dimension is not a type"),
    pytest.param("\nfn f<N: Dim>(x: Tensor[4; N]) -> f32 { return 1.0 }", [("E1208", 2)], id="a dimension is not a dtype"),
    pytest.param("\nfn f<T: Float>(x: Tensor[T; f32]) -> f32 { return 1.0 }", [("E2123", 2)], id="a dtype is not a dimension"),
    pytest.param("\nfn f<*S: Shape>(x: Tensor[S; f32]) -> f32 { return 1.0 }", [("E2123", 2)], id="a pack without its star"),
    pytest.param("\nfn f<N: Dim>(x: Tensor[*N; f32]) -> f32 { return 1.0 }", [("E2123", 2)], id="a star before a dimension"),
    pytest.param("\nfn f(x: Float) -> f32 { return 1.0 }", [("E1208", 2)], id="a kind is not a type"),
    pytest.param("\nfn f(x: f32<4>) -> f32 { return 1.0 }", [("E2111", 2)], id="a dtype with arguments"),
    pytest.param("\nfn f(x: Tensor[1.5; f32]) -> f32 { return 1.0 }", [("E2123", 2)], id="a float as a dimension"),
    pytest.param("\nfn f(x: Tensor[2 - 5; f32]) -> f32 { return 1.0 }", [("E2208", 2)], id="a negative size"),
    pytest.param("\nfn f<N: Dim>(x: Tensor[0 - N - 1; f32]) -> f32 { return 1.0 }", [("E2208", 2)], id="a size negative whatever N is"),
    pytest.param("\nfn f<N: Dim>(x: Tensor[8 / N; f32]) -> f32 { return 1.0 }", [("E2205", 2)], id="a divisor that may be 0"),
    pytest.param("\nfn f(x: Tensor[8 % 0; f32]) -> f32 { return 1.0 }", [("E2205", 2)], id="a remainder by 0"),
    pytest.param("\nfn f<N: Dim, N: Dim>(x: Tensor[N; f32]) -> f32 { return 1.0 }", [("E1205", 2)], id="two generics of one name"),
    pytest.param("\nfn f(x: f32, x: f32) -> f32 { return 1.0 }", [("E1205", 2)], id="two parameters of one name"),
    pytest.param("\nfn f(x: Tensor[2; f32], x: f32) -> Tensor[2; f32] { return x }", [("E1205", 2)], id="and of two types"),
    pytest.param("\nfn f<N: Size>(x: f32) -> f32 { return 1.0 }", [("E1101", 2)], id="an unknown kind"),
    pytest.param("\nfn f<iota: Dim>(x: f32) -> f32 { return 1.0 }", [("E1207", 2)], id="a generic named as the prelude"),
    pytest.param("\nfn f(exp: f32) -> f32 { return 1.0 }", [("E1207", 2)], id="a parameter named as the prelude"),
    pytest.param("\ntype f32 = i32", [("E1207", 2)], id="an alias named as a dtype"),
    pytest.param("\nconst A = 1\nconst B = 2\nconst A = 3", [("E1204", 4)], id="two constants of one name"),
    pytest.param("\nconst A = 1\nfn A() -> f32 { return 1.0 }", [("E1204", 3)], id="a constant and a function of one name"),
    pytest.param("\nconst A = B\nconst B = A + 1", [("E2122", 2)], id="constants defined by each other"),
    pytest.param("\nconst A = A", [("E2122", 2)], id="a constant defined by itself"),
    pytest.param("\ntype A = B\ntype B = (A, f32)", [("E2122", 2)], id="aliases defined by each other"),
    pytest.param("\nstruct A { b: B }\nstruct B { a: A? }", [("E2122", 2)], id="structs that hold each other"),
    pytest.param("\nstruct A { next: (A, f32) }", [("E2122", 2)], id="a struct in a tuple in itself"),
    pytest.param("\nstruct A { x: f32\n x: f32 }", [("E1205", 3)], id="two fields of one name"),
    pytest.param("\nenum A { X, Y, X }", [("E1205", 2)], id="two variants of one name"),
    pytest.param("\nconst A: i8 = 200", [("E2105", 2)], id="a constant that does not fit"),
    pytest.param("\nconst A = 1 / 0", [("E2205", 2)], id="a constant divided by 0"),
    pytest.param(
        "\nconst N: i64 = 4\nfn f(x: Tensor[N; f32]) -> f32 { return 1.0 }", [("E2123", 3)], id="a typed constant is no dimension"
    ),
    pytest.param('\nconst S = "text"\nfn f(x: Tensor[S; f32]) -> f32 { return 1.0 }', [("E1208", 3)], id="a string has no use"),
    pytest.param("\nfn g() -> f32 { return 1.0 }\nconst A: f32 = g()", [("E2123", 3)], id="a constant that calls a function"),
    pytest.param(
        "\nstruct P<N: Dim> { x: Tensor[N; f32] }\nfn f(p: P) -> f32 { return 1.0 }", [("E2111", 3)], id="a struct without its arguments"
    ),
    pytest.param(
        "\nstruct P<N: Dim> { x: Tensor[N; f32] }\nfn f(p: P<1, 2>) -> f32 { return 1.0 }", [("E2111", 3)], id="too many arguments"
    ),
    pytest.param(
        "\nstruct P<N: Dim> { x: Tensor[N; f32] }\nfn f(p: P<f32>) -> f32 { return 1.0 }", [("E2123", 3)], id="a dtype for a dimension"
    ),
    pytest.param("\nstruct P<T: Float> { x: T }\nfn f(p: P<4>) -> f32 { return 1.0 }", [("E2111", 3)], id="a number for a dtype"),
    pytest.param("\nstruct P<T: Float> { x: T }\nfn f(p: P<i32>) -> f32 { return 1.0 }", [("E2112", 3)], id="a dtype outside its class"),
    pytest.param("\nstruct P<T: Float = i32> { x: T }", [("E2112", 2)], id="a default outside its class"),
    pytest.param(
        "\nstruct P<*S: Shape> { x: Tensor[*S; f32] }\nfn f(p: P<4>) -> f32 { return 1.0 }", [("E2111", 3)], id="a number for a pack"
    ),
    pytest.param("\nfn f<N: Dim>(x: f32) -> f32 where N > 3, N < 2 { return x }", [("E2211", 2)], id="clauses that contradict each other"),
    pytest.param("\nfn f<N: Dim>(x: f32) -> f32 where N > 1.5 { return x }", [("E2123", 2)], id="a float in a where clause"),
    pytest.param("\nfn f<N: Dim>(x: f32) -> f32 where 8 / N > 1 { return x }", [("E2205", 2)], id="an unproved divisor in a where clause"),
    pytest.param("\nuse std.nn.linear::{Linear}\nfn f(x: Linear<4, 4>) -> f32 { return 1.0 }", [("E1208", 3)], id="a block is no value"),
    pytest.param("\ntype O = f32?\nfn f(x: O?) -> f32 { return 1.0 }", [("E2101", 3)], id="an optional of an optional"),
    pytest.param("\nfn f(x: f32) -> f32 { return y }", [("E1201", 2)], id="unknown local"),
    pytest.param("\nfn f(x: f32) -> f32 { let y = z\n return y + 1.0 }", [("E1201", 2)], id="one root cause, one error"),
    pytest.param("\nuse std.nn.linear::{Linaer}", [("E1201", 2)], id="an import that does not exist"),
    pytest.param(
        "\nuse std.nn.linear::{linear}\nfn linear() -> f32 { return 1.0 }", [("E1204", 3)], id="an import and an item of one name"
    ),
]


@pytest.mark.parametrize(("text", "expected"), REFUSED)
def test_refused(check_text, text, expected):
    checked = check_text(text)
    assert checked.program is None
    if expected is not None:
        assert checked.places == expected


ACCEPTED = [
    pytest.param("const A = 3 fn f(x: Tensor[A * 2 - 1; f32]) -> Tensor[5; f32] { return x }", id="constants in shapes"),
    pytest.param("fn f(x: Tensor[B; f32]) -> Tensor[4; f32] { return x } const B = A + 1 const A = 3", id="constants in any order"),
    pytest.param("const A = (0 - 7) / 2 fn f(x: Tensor[A + 8; f32]) -> Tensor[4; f32] { return x }", id="constants divide by flooring"),
    pytest.param("const A = 6 ^ 3 fn f(x: Tensor[shl(A & 7, 1); f32]) -> Tensor[10; f32] { return x }", id="bits of constants"),
    pytest.param(
        "type Row<N: Dim, T: Float = f32> = Tensor[N; T] fn f(x: Row<4>) -> Tensor[4; f32] { return x }", id="alias with a default"
    ),
    pytest.param("type Half = f16 fn f(x: Tensor[4; Half]) -> Tensor[4; f16] { return x }", id="alias of a dtype"),
    pytest.param(
        "struct P<A: Dim, B: Dim = A * 2> { x: Tensor[B; f32] } fn f(p: P<3>) -> Tensor[6; f32] { return p.x }",
        id="a default over a generic before it",
    ),
    pytest.param(
        "struct P<*S: Shape> { x: Tensor[*S; f32] } fn f(p: P<[2, 3]>) -> Tensor[2, 3; f32] { return p.x }", id="a shape argument"
    ),
    pytest.param(
        "fn f<H: Dim, N: Dim>(x: Tensor[H; f32]) -> Tensor[H; f32] where H % N == 0 { return x }",
        id="a remainder needs no proof in a where",
    ),
    pytest.param(
        "fn f<N: Dim>(x: Tensor[8 / N; f32]) -> Tensor[8 / N; f32] where 8 / N > 1, N > 0 { return x }", id="clauses in any order"
    ),
    pytest.param("struct A { b: B } struct B { x: f32 } fn f(a: A) -> f32 { return a.b.x }", id="structs in any order"),
    pytest.param('const S = "text"', id="a string that nothing uses"),
    pytest.param(
        "use std.nn.linear fn f(x: Tensor[4; f32], w: Tensor[3, 4; f32]) -> Tensor[3; f32] { return linear.linear(x, w) }", id="a module"
    ),
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(check_text, text):
    assert check_text(text).places == []


def test_the_message_of_an_unknown_name_offers_near_names(check_text):
    found = check_text("fn f(scale: f32) -> f32 { return scael }").only
    assert found.help == "did you mean `scale`?"


def test_a_private_item_names_its_declaration(check_package):
    files = {"lib.linnet": "module demo use crate.ops::{half}", "ops.linnet": "module demo.ops\nfn half(x: f32) -> f32 { return x }"}
    found = check_package(files).only
    assert found.code == "E1203"
    assert [(label.span.source.line_of(label.span.start), label.text) for label in found.related] == [(2, "declared without `pub`")]


def test_a_private_item_of_an_imported_module(check_package):
    files = {
        "lib.linnet": "module demo\nuse crate.ops\nfn f(x: f32) -> f32 { return ops.half(x) }",
        "ops.linnet": "module demo.ops fn half(x: f32) -> f32 { return x }",
    }
    assert check_package(files).places == [("E1203", 3)]


def test_constants_keep_what_they_are(check_text):
    program = check_text("pub const N = 3 const RATE = 2.5e-1 const EPS: f32 = 1e-5 const ON = true").program
    assert program is not None
    shown = [(const.name, show(const.type), const.contextual, const.public) for const in program.root.constants]
    assert shown == [("N", "i64", True, True), ("RATE", "f64", True, False), ("EPS", "f32", False, False), ("ON", "bool", False, False)]


def test_generics_are_numbered_in_the_order_declared(check_text):
    program = check_text(
        "block B<M: Dim, *S: Shape> { fn f<N: Dim>(x: f32) -> f32 { return x } } fn g<T: Float>(x: T) -> T { return x }"
    ).program
    assert program is not None
    block, method, function = program.blocks["test::B"], program.functions["test::B.f"], program.functions["test::g"]
    ids = [generic.id for generic in (*block.generics, *method.generics, *function.generics)]
    assert ids == sorted(ids)
    assert [generic.kind for generic in (*block.generics, *method.generics, *function.generics)] == ["dim", "shape", "dim", "dtype"]


ONE_CAUSE = [
    pytest.param(
        "\nfn f(x: Tensor[M; f32], y: Tensor[M; f32]) -> Tensor[M; f32] { return x }", [("E1201", 2)], id="a name used three times"
    ),
    pytest.param(
        "\nblock B { param w: Tensor[M; f32]\n fn f(x: Tensor[M; f32]) -> f32 { return 1.0 } }", [("E1201", 2)], id="in a member first"
    ),
    pytest.param(
        "\nfn f<H: Dim, N: Dim>(x: Tensor[H; f32]) -> Tensor[H / N; f32] where H % N == 0, M > 0 { return x }",
        [("E1201", 2)],
        id="a clause",
    ),
    pytest.param("\nfn f<N: Dim>(x: Tensor[N; f32]) -> f32 where N > 3, N < 2 { return x[1] }", [("E2211", 2)], id="contradicting clauses"),
    pytest.param("\nstruct P<iota: Dim, B: Dim> { x: f32 }\nfn f(p: P<1, 2>) -> f32 { return p.x }", [("E1207", 2)], id="a generic's name"),
    pytest.param(
        "\nconst A = B\nfn f(x: Tensor[A; f32]) -> Tensor[A; f32] { return x + A }", [("E1201", 2)], id="a constant without a value"
    ),
    pytest.param("\nuse std.nn.linear::{nothing}\nfn f(x: f32) -> f32 { return nothing(x) + nothing(x) }", [("E1201", 2)], id="an import"),
]


@pytest.mark.parametrize(("text", "expected"), ONE_CAUSE)
def test_one_cause_is_reported_once(check_text, text, expected):
    assert check_text(text).places == expected


def test_a_type_whose_aliases_double_is_bounded(check_text):
    doubled = "\n".join(f"type A{i + 1} = (A{i}, A{i})" for i in range(40))
    assert check_text(f"\ntype A0 = f32\n{doubled}\nfn f(x: A40) -> f32 {{ return 1.0 }}").places == [("E6003", 14)]


def test_a_dimension_of_too_many_terms_is_bounded(check_text):
    names = [f"N{i}" for i in range(8)]
    factor = f"({' + '.join(names)})"
    generics = ", ".join(f"{name}: Dim" for name in names)
    text = f"\nfn f<{generics}>(x: Tensor[{' * '.join([factor] * 8)}; f32]) -> f32 {{ return 1.0 }}"
    assert check_text(text).places == [("E6003", 2)]


LONG = [
    pytest.param("\n".join(f"const A{i} = A{i + 1} + 1" for i in range(5000)) + "\nconst A5000 = 1", [], id="constants"),
    pytest.param("\n".join(f"const A{i} = A{(i + 1) % 5000}" for i in range(5000)), [("E2122", 1)], id="a circle of constants"),
    pytest.param("\n".join(f"type A{i} = A{i + 1}" for i in range(5000)) + "\ntype A5000 = f32", [], id="aliases"),
    pytest.param("\n".join(f"struct A{i} {{ a: A{i + 1} }}" for i in range(5000)) + "\nstruct A5000 { x: f32 }", [], id="structs"),
    pytest.param(
        "\n".join(f"fn a{i}(x: f32) -> f32 {{ return a{(i + 1) % 3000}(x) }}" for i in range(3000)),
        [("E2119", 3000)],
        id="a circle of functions",
    ),
]


@pytest.mark.parametrize(("text", "expected"), LONG)
def test_long_ways_between_declarations(check_text, text, expected):
    assert check_text(text).places == expected


CONSTANTS = [
    pytest.param("struct P { x: f32 } const A = P(x = 1.0) fn f(y: f32) -> f32 { return y * A.x }", [], id="a struct"),
    pytest.param("const A: (f32, i32) = (1.0, 2) fn f(y: f32) -> f32 { let (a, _) = A return y * a }", [], id="a tuple"),
    pytest.param("enum M { A, B } const P = M.B const K = match P { A => 1.0 B => 2.0 }", [], id="a match of a constant"),
    pytest.param("const T: f32 = sum[i] V[i] const V: Tensor[3; f32] = fill([3], 2.0)", [], id="a tensor and its sum"),
    pytest.param("const N = 3 fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x }", [], id="hidden by a generic"),
    pytest.param("block B { const N = 3 const M = N * 2 param _w: Tensor[M; f32] }", [], id="in a block"),
    pytest.param("block B { param _w: f32 const N = _w }", [("E1201", 1)], id="a block's constant names no member"),
    pytest.param("block B<D: Dim> { const N = D }", [("E1201", 1)], id="a block's constant names no generic"),
    pytest.param("const A = 9223372036854775807 + 1", [("E2105", 1)], id="an integer beyond i64"),
    pytest.param("const A: u8 = -1", [("E2105", 1)], id="a negative unsigned"),
    pytest.param('const A: f32 = "x"', [("E2101", 1)], id="a string with a type"),
]


@pytest.mark.parametrize(("text", "expected"), CONSTANTS)
def test_values_of_constants(check_text, text, expected):
    assert check_text(text).places == expected


def test_private_methods_and_public_items_across_modules(check_package):
    ops = "module demo.ops pub block L { param w: f32 fn hidden(x: f32) -> f32 { return x * w }"
    ops += " pub fn seen(x: f32) -> f32 { return hidden(x) } }"
    ops += " pub const K = 4 pub type Row = Tensor[K; f32] pub struct P<N: Dim> { x: Tensor[N; f32] } pub enum Mode { A, B }"
    lib = "module demo use crate.ops block M { sub l: ops.L entry f(x: ops.Row, m: ops.Mode) -> ops.P<ops.K> {"
    lib += " return ops.P(x = x * l.CALLED(1.0) * (match m { A => cast<f32>(1) B => 2.0 })) } }"
    assert check_package({"ops.linnet": ops, "lib.linnet": lib.replace("CALLED", "seen")}).places == []
    assert check_package({"ops.linnet": ops, "lib.linnet": lib.replace("CALLED", "hidden")}).places == [("E1203", 1)]
