"""Names and fields as values: locals, members, child members, struct fields, enum variants, items of modules."""

from __future__ import annotations

import pytest

from linnet_core.check.program import ArrayGet, EnumValue, GetField, Let, LocalRef, MemberRef, SelfRef, StateRead

BLOCKS = """
enum Mode { Mean, Max }
enum Sized<N: Dim> { A, B }
struct Pair<N: Dim> { left: Tensor[N; f32]  right: f32 }
block Child<N: Dim> { param w: Tensor[N; f32]  state cache: Tensor[2, N; f32]  pub fn go() -> f32 { return w[0] } }
"""

REFUSED = [
    pytest.param("let a = missing", [("E1201", "missing")], id="an unknown name"),
    pytest.param("let a = Mode", [("E1208", "Mode")], id="an enum"),
    pytest.param("let a = Pair", [("E1208", "Pair")], id="a struct"),
    pytest.param("let a = Child", [("E1208", "Child")], id="a block"),
    pytest.param("let a = run", [("E1208", "run")], id="a method"),
    pytest.param("let a = exp", [("E1208", "exp")], id="a prelude function"),
    pytest.param("let a = f32", [("E1208", "f32")], id="a dtype"),
    pytest.param("let a = P", [("E1208", "P")], id="a pack"),
    pytest.param("let a = T", [("E1208", "T")], id="a dtype generic"),
    pytest.param("let a = Mode.Min", [("E2107", "Min")], id="an unknown variant"),
    pytest.param("let a = Sized.A", [("E2110", "Sized.A")], id="an enum whose generic nothing tells"),
    pytest.param("let a = pair.middle", [("E2107", "middle")], id="an unknown field"),
    pytest.param("let a = x.shape", [("E2107", "shape")], id="a field of a tensor"),
    pytest.param("let a = child.wx", [("E2107", "wx")], id="an unknown member of a child"),
    pytest.param("let a = child.go", [("E1208", "go")], id="a method of a child as a value"),
    pytest.param("let a = maybe.w", [("E2107", "w")], id="a member of an optional child"),
    pytest.param("let a = child", [("E2101", "child")], id="a block as a value"),
    pytest.param("let a = kids", [("E2101", "kids")], id="an array of blocks as a value"),
    pytest.param("let a = maybe", [("E2101", "maybe")], id="an optional block as a value"),
    pytest.param("let a = (child, 1)", [("E2101", "child")], id="a block in a tuple"),
    pytest.param("let a = missing.w.v", [("E1201", "missing")], id="a failed base silences its fields"),
    pytest.param("let y[i] = x[i] * i", [("E3104", "i")], id="an index as a value"),
]


@pytest.mark.parametrize(("statement", "errors"), REFUSED)
def test_refused(check_text, statement, errors):
    checked = check_text(
        BLOCKS
        + "block B<N: Dim> { sub child: Child<N>  sub kids: [Child<N>; 3]  sub maybe: Child<N>? = none\n"
        + f"fn run<*P: Shape, T: Float>(x: Tensor[N; f32], pair: Pair<N>, q: Tensor[*P; T]) {{ {statement}\n return }} }}"
    )
    assert checked.errors == errors


def test_a_near_name_is_offered(check_text):
    help = check_text("fn f(logits: f32) -> f32 { return logit }").only.help or ""
    assert help.startswith("did you mean `logits`")


def test_values_of_members(check_text):
    checked = check_text(
        BLOCKS
        + "block B<N: Dim> { sub child: Child<2 * N>  sub kids: [Child<N>; 3]  param w: Tensor[N; f32]  state s: Tensor[N; f32]\n"
        + "fn run(pair: Pair<N>) { let a = w let b = s let c = child.w let d = kids[1].cache let e = pair.right let m = Mode.Max\n"
        + "let g: Sized<4> = Sized.A  return } }"
    )
    assert checked.program is not None, checked.found
    body = {s.local.name: s.value for s in checked.program.functions["test::B.run"].body if isinstance(s, Let)}
    assert isinstance(body["a"], MemberRef)
    assert isinstance(body["a"].receiver, SelfRef)
    assert isinstance(body["b"], StateRead)
    assert isinstance(body["c"], MemberRef)
    assert isinstance(body["c"].receiver, MemberRef)
    assert isinstance(body["d"], StateRead)
    assert isinstance(body["d"].receiver, ArrayGet)
    assert isinstance(body["e"], GetField)
    assert isinstance(body["e"].base, LocalRef)
    assert body["e"].position == 1
    assert isinstance(body["m"], EnumValue)
    assert body["m"].variant == "Max"
    assert [checked_type(body[name]) for name in "abcdeg"] == [
        "Tensor[N; f32]",
        "Tensor[N; f32]",
        "Tensor[2 * N; f32]",
        "Tensor[2, N; f32]",
        "f32",
        "Sized<4>",
    ]


def checked_type(expr):
    """The type as the program spells it."""
    from linnet_core.check.show_types import show

    return show(expr.type)


def test_items_of_an_imported_module(check_package):
    checked = check_package(
        {
            "lib.linnet": "module demo\nuse crate.a\npub fn f(x: f32) -> f32 { let m = a.Mode.Max let k = a.SIZE\n"
            "return match m { Max => a.twice(x) * k _ => x } }",
            "a.linnet": "module demo.a\npub enum Mode { Mean, Max }\npub const SIZE = 4\npub fn twice(x: f32) -> f32 { return x * 2 }",
        }
    )
    assert checked.program is not None, checked.found


def test_a_private_item_of_a_module(check_package):
    checked = check_package(
        {
            "lib.linnet": "module demo\nuse crate.a\npub fn f(x: f32) -> f32 { return a.secret(x) + a.nothing }",
            "a.linnet": "module demo.a\nfn secret(x: f32) -> f32 { return x }",
        }
    )
    assert checked.errors == [("E1203", "secret"), ("E1201", "nothing")]


def test_locals_hide_members_and_members_hide_imports(check_package):
    checked = check_package(
        {
            "lib.linnet": "module demo\nuse crate.a::{w}\npub block B { param w: Tensor[4; f32]\n"
            "pub fn f() -> Tensor[4; f32] { return w }\npub fn g() -> f32 { let w = 1.0 return cast<f32>(w) } }\n"
            "pub fn h() -> f32 { return w() }",
            "a.linnet": "module demo.a\npub fn w() -> f32 { return 1.0 }",
        }
    )
    assert checked.program is not None, checked.found


def test_a_variant_through_an_alias_of_its_enum(check_text):
    checked = check_text(
        "enum Mode { Mean, Max }\ntype M = Mode\nfn f(x: f32) -> f32 { let m: M = M.Max return match m { Mean => x Max => 1 } }"
    )
    assert checked.program is not None, checked.found
