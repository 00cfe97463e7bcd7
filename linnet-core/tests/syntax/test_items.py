"""Items, members, statements and types as they arrive in the tree."""

from __future__ import annotations

import pytest

from linnet_core.syntax import tree
from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import Source


def parsed(text: str) -> tree.File:
    diagnostics = Diagnostics()
    file = parse(Source("t.linnet", text), diagnostics)
    assert [(d.code, d.message) for d in diagnostics.found] == []
    return file


def item(text: str) -> tree.Item:
    (found,) = parsed(f"module m\n{text}").items
    return found


def function(text: str) -> tree.Function:
    found = item(text)
    assert isinstance(found, tree.Function)
    return found


def body(text: str) -> tuple[tree.Statement, ...]:
    return function(f"fn f() {{\n{text}\n}}").body


def test_a_file_has_its_module_imports_and_items_in_order() -> None:
    file = parsed(
        "/// doc\nmodule a.b // here\nuse std.nn.linear::{Linear, linear as project,}\nuse crate\nuse dep.x::y\n"
        "use crate.layers.dense\nconst A = 1\npub const B = 2"
    )
    assert file.name is not None
    assert file.name.text == "a.b"
    assert [c.text for c in file.comments] == ["/// doc", "// here"]
    shown = [
        (u.path.text, None if u.names is None else [(n.name.text, n.alias.text if n.alias else None) for n in u.names]) for u in file.uses
    ]
    assert shown == [
        ("std.nn.linear", [("Linear", None), ("linear", "project")]),
        ("crate", None),
        ("dep.x", [("y", None)]),
        ("crate.layers.dense", None),
    ]
    assert [(i.name.text, i.public) for i in file.items] == [("A", False), ("B", True)]


def test_an_op_header_has_result_kernel_where_body_and_grad_in_this_order() -> None:
    op = function(
        "pub op f<N: Dim, *S: Shape, T: Float = bf16>(x: Tensor[*S, N; T], k: T = 2,) -> (T, T?) kernel k<N, 128>\n"
        "where N > 0, N % 4 == 0 { return x } grad(y, dy) { return dy }"
    )
    assert (op.kind, op.public, op.name.text) == ("op", True, "f")
    assert [(g.name.text, g.pack, g.kind.text, g.default is not None) for g in op.generics] == [
        ("N", False, "Dim", False),
        ("S", True, "Shape", False),
        ("T", False, "Float", True),
    ]
    assert [(p.name.text, p.span.text, p.default is not None) for p in op.params] == [
        ("x", "x: Tensor[*S, N; T]", False),
        ("k", "k: T = 2", True),
    ]
    assert isinstance(op.result, tree.TupleType)
    assert isinstance(op.result.elements[1], tree.OptionalType)
    assert op.kernel is not None
    assert (op.kernel.name.text, len(op.kernel.args or ())) == ("k", 2)
    assert [(c.relation, c.span.text) for c in op.where] == [(">", "N > 0"), ("==", "N % 4 == 0")]
    assert op.grad is not None
    assert (op.grad.result.text, op.grad.gradient.text, len(op.grad.body)) == ("y", "dy", 1)
    assert op.body_span.text == "{ return x }"


@pytest.mark.parametrize("kind", ["fn", "entry"])
def test_kernel_and_grad_parse_after_every_kind_of_function(kind: str) -> None:
    found = function(f"{kind} f(x: f32) -> f32 kernel k {{ return x }} grad(y, dy) {{ return dy }}")
    assert found.kind == kind
    assert found.kernel is not None
    assert found.kernel.args is None
    assert found.grad is not None


def test_a_function_may_have_no_result_and_a_where_with_a_last_comma() -> None:
    found = function("entry f<N: Dim>() where N > 0, { return }")
    assert found.result is None
    assert len(found.where) == 1
    assert isinstance(found.body[0], tree.Return)
    assert found.body[0].value is None


def test_a_kernel_header_has_results_grid_hints_and_where() -> None:
    kernel = item(
        "pub kernel k<N: Dim>(x: Tensor[N; f32]) -> (a: Tensor[N; f32], b: f32) grid((N + 7) / 8, 2) warps(4) stages(2) where N > 0 {\n"
        "let at = program_id(0)\nstore(a[at], load(x[at]), at < N)\natomic_add(b[0], 1.0)\natomic_max(b[0], 1.0)\natomic_min(b[0], 1.0)\n}"
    )
    assert isinstance(kernel, tree.Kernel)
    assert [r.name.text for r in kernel.results] == ["a", "b"]
    assert len(kernel.grid) == 2
    assert [(h.name, h.value.span.text) for h in kernel.hints] == [("warps", "4"), ("stages", "2")]
    assert len(kernel.where) == 1
    stores = [s for s in kernel.body if isinstance(s, tree.Store)]
    assert [(s.kind, s.mask is not None) for s in stores] == [
        ("store", True),
        ("atomic_add", False),
        ("atomic_max", False),
        ("atomic_min", False),
    ]


def test_a_kernel_with_one_result_needs_no_parentheses() -> None:
    kernel = item("kernel k(x: f32) -> y: f32 grid(1) { }")
    assert isinstance(kernel, tree.Kernel)
    assert [r.span.text for r in kernel.results] == ["y: f32"]


def test_a_block_has_members_and_items() -> None:
    block = item(
        "pub block B<H: Dim, T: Float = bf16> where H > 0 {\n"
        "param w: Tensor[H; T]\nparam b: Tensor[H; T]? = none\nbuffer c: f32\nfn f() { return }\nstate s: Tensor[H; T]\n"
        "sub l: [Linear<H, H, T>; 3]\nsub o: a.b.Linear<H, H>? = none\npub entry g() { return }\nconst K = 2\n}"
    )
    assert isinstance(block, tree.Block)
    assert [(m.kind, m.name.text, m.value is not None) for m in block.members] == [
        ("param", "w", False),
        ("param", "b", True),
        ("buffer", "c", False),
        ("state", "s", False),
        ("sub", "l", False),
        ("sub", "o", True),
    ]
    assert [(i.name.text, i.public) for i in block.items] == [("f", False), ("g", True), ("K", False)]
    assert isinstance(block.members[4].type, tree.ArrayType)
    assert len(block.where) == 1


def test_structs_enums_and_aliases() -> None:
    struct = item("struct S<N: Dim> { mean: Tensor[N; f32] scale: f32 }")
    assert isinstance(struct, tree.StructDecl)
    assert [f.span.text for f in struct.fields] == ["mean: Tensor[N; f32]", "scale: f32"]
    enum = item("enum E { A, B, None, }")
    assert isinstance(enum, tree.EnumDecl)
    assert [v.text for v in enum.variants] == ["A", "B", "None"]
    assert isinstance(item("enum E { }"), tree.EnumDecl)
    alias = item("type Row<N: Dim> = Tensor[N; f32]")
    assert isinstance(alias, tree.Alias)
    assert isinstance(alias.type, tree.TensorType)


@pytest.mark.parametrize(
    ("text", "of"),
    [
        pytest.param("let x = 1", tree.Let, id="let"),
        pytest.param("let x: f32? = none", tree.Let, id="typed let"),
        pytest.param("let (a, (_, b)) = x", tree.Let, id="tuple let"),
        pytest.param("let y[m, *s] = x[m, *s]", tree.IndexedLet, id="indexed let"),
        pytest.param("var x: i64 = 0", tree.Var, id="var"),
        pytest.param("x = x + 1", tree.Assign, id="assignment"),
        pytest.param("store = 3", tree.Assign, id="assignment to a name that is a word of kernels"),
        pytest.param("return x", tree.Return, id="return"),
        pytest.param("static for layer in layers { x = layer(x) }", tree.StaticFor, id="static for over an array"),
        pytest.param("static for (a, b) in x { }", tree.StaticFor, id="static for with a pattern"),
        pytest.param("static for i in 0..N { }", tree.StaticFor, id="static for over a range"),
        pytest.param("while x < 3 { x = x + 1 }", tree.While, id="while"),
        pytest.param("for i in 0..N + 1 { x = i }", tree.For, id="for"),
        pytest.param("yield x", tree.Yield, id="yield anywhere"),
    ],
)
def test_statements(text: str, of: type) -> None:
    (statement,) = body(text)
    assert isinstance(statement, of)
    assert statement.span.text == text


def test_statements_need_nothing_between_them() -> None:
    assert [type(s).__name__ for s in body("let a = b var c = d e = f(g) return -h")] == ["Let", "Var", "Assign", "Return"]


def test_a_range_and_an_array_differ_in_a_static_for() -> None:
    over_range, over_array = body("static for i in 0..N { } static for l in layers { }")
    assert isinstance(over_range, tree.StaticFor)
    assert isinstance(over_array, tree.StaticFor)
    assert over_range.stop is not None
    assert over_array.stop is None


def test_a_bare_return_ends_before_an_assignment() -> None:
    assert [type(s).__name__ for s in body("return\nx = 1")] == ["Return", "Assign"]


@pytest.mark.parametrize(
    ("text", "of"),
    [
        pytest.param("f32", tree.NamedType, id="dtype"),
        pytest.param("a.b.C<N, 8 * D>", tree.NamedType, id="path with arguments"),
        pytest.param("Tensor[*S, N / 2, 3; a.T<N>]", tree.TensorType, id="tensor"),
        pytest.param("(f32, i64)", tree.TupleType, id="tuple"),
        pytest.param("(f32,)", tree.TupleType, id="tuple of one"),
        pytest.param("[Linear<H, H>; N + 1]", tree.ArrayType, id="array"),
        pytest.param("Tensor[N; f32]?", tree.OptionalType, id="optional"),
    ],
)
def test_types(text: str, of: type) -> None:
    found = function(f"fn f(x: {text}) {{ return }}").params[0].type
    assert isinstance(found, of)
    assert found.span.text == text


def test_an_equals_sign_may_touch_the_generic_arguments_before_it() -> None:
    found = function("fn f(x: A<B>=none, y: A<B<C>>=none) { return }")
    assert [p.default is not None for p in found.params] == [True, True]
    constant = item("const X: A<B>=3")
    assert isinstance(constant, tree.Const)
    assert constant.type is not None
    assert constant.type.span.text == "A<B>"


@pytest.mark.parametrize(
    ("text", "of"),
    [
        pytest.param("B", tree.NamedType, id="a name reads as a type"),
        pytest.param("bf16", tree.NamedType, id="dtype"),
        pytest.param("3", tree.IntLiteral, id="integer"),
        pytest.param("8 * D", tree.Binary, id="expression"),
        pytest.param("[A, *S]", tree.ShapeArg, id="shape"),
        pytest.param("[]", tree.ShapeArg, id="empty shape"),
        pytest.param("(A, B)", tree.TupleType, id="tuple type"),
        pytest.param("(A)", tree.NamedType, id="name in parentheses"),
        pytest.param("(A + 1)", tree.Binary, id="expression in parentheses"),
        pytest.param("min(A, 4)", tree.Call, id="call"),
        pytest.param("-1", tree.IntLiteral, id="negative"),
        pytest.param("A.B", tree.NamedType, id="path"),
    ],
)
def test_a_generic_argument_is_a_type_if_it_reads_as_one(text: str, of: type) -> None:
    found = function(f"fn f(x: K<{text}, Z>) {{ return }}").params[0].type
    assert isinstance(found, tree.NamedType)
    assert found.args is not None
    assert isinstance(found.args[0], of)
