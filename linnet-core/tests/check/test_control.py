"""`if` and `match`: conditions, branches, patterns, cases."""

from __future__ import annotations

import pytest

from linnet_core.check.program import Bind, Let, MatchEnum, MatchOptional

HEADER = """
enum Mode { Mean, Max, Sum }
fn f<N: Dim, M: Dim>(x: Tensor[N; f32], y: Tensor[M; f32], s: f32, h: f64, c: bool, m: Tensor[N; bool], o: f32?, p: (f32, i32)?, e: Mode) {
"""

TYPES = [
    pytest.param("if c { x } else { x * 2 }", "Tensor[N; f32]", id="two tensors"),
    pytest.param("if c { s } else { 1 }", "f32", id="a literal follows its sibling"),
    pytest.param("if c { 1 } else { s }", "f32", id="also when it comes first"),
    pytest.param("if c { 1 } else { 0.5 }", "f64", id="two literals"),
    pytest.param("if c { none } else { o }", "f32?", id="none follows its sibling"),
    pytest.param("if c { none } else { some(s) }", "f32?", id="none beside some"),
    pytest.param("if c { some(2.0) } else { some(s) }", "f32?", id="a literal inside some before a value"),
    pytest.param("if c { (2.0, h) } else { (s, h) }", "(f32, f64)", id="literals inside tuples"),
    pytest.param("if c { (s, 1) } else { (2, h) }", None, id="tuples that differ in part"),
    pytest.param("if s > 0 { Mode.Mean } else { e }", "Mode", id="enums"),
    pytest.param("match o { some(v) => v * 2 none => 0 }", "f32", id="an optional"),
    pytest.param("match o { none => 0 some(v) => v }", "f32", id="none first"),
    pytest.param("match o { some(v) => v _ => s }", "f32", id="a wildcard for none"),
    pytest.param("match o { none => s _ => 1 }", "f32", id="a wildcard for some"),
    pytest.param("match o { _ => s }", "f32", id="a wildcard alone"),
    pytest.param("match o { some(_) => true none => false }", "bool", id="a value that is not looked at"),
    pytest.param("match p { some((a, b)) => a * cast<f32>(b) none => s }", "f32", id="a tuple inside"),
    pytest.param("match e { Mean => s Max => 1 Sum => 2 }", "f32", id="an enum"),
    pytest.param("match e { Max => s _ => 1 }", "f32", id="an enum with a wildcard"),
    pytest.param("match Mode.Max { Mean => 1 Max => 2 Sum => 3 }", "i64", id="a constant enum"),
    pytest.param("match o { some(v) => some(v + s) none => none }", "f32?", id="an optional from an optional"),
]


@pytest.mark.parametrize(("value", "type"), TYPES)
def test_type(check_text, value, type):
    checked = check_text(f"{HEADER} let r = {value}\n return }}")
    if type is None:
        assert [code for code, _ in checked.errors] == ["E2115"]
    else:
        assert checked.type_of("r") == type


REFUSED = [
    pytest.param("if m { s } else { s }", [("E2114", "m")], id="a mask as a condition"),
    pytest.param("if s { s } else { s }", [("E2114", "s")], id="a number as a condition"),
    pytest.param("if 1 { s } else { s }", [("E2114", "1")], id="a literal as a condition"),
    pytest.param("if c { x } else { y }", [("E2115", "y")], id="two extents"),
    pytest.param("if c { x } else { 1.0 }", [("E2115", "1.0")], id="a tensor and a literal"),
    pytest.param("if c { s } else { h }", [("E2115", "h")], id="two dtypes"),
    pytest.param("if c { s } else { o }", [("E2115", "o")], id="a value and an optional"),
    pytest.param("if c { s } else { true }", [("E2115", "true")], id="a number and a bool"),
    pytest.param("if c { 1 } else { true }", [("E2115", "true")], id="a literal and a bool"),
    pytest.param("if missing { s } else { h }", [("E1201", "missing"), ("E2115", "h")], id="condition and branches are two causes"),
    pytest.param("match o { some(v) => v }", [("E2118", "match o { some(v) => v }")], id="none is missing"),
    pytest.param("match e { Mean => s }", [("E2118", "match e { Mean => s }")], id="variants are missing"),
    pytest.param("match o { some(v) => v some(w) => w none => s }", [("E2117", "some(w)")], id="some twice"),
    pytest.param("match o { v => s none => s }", [("E2117", "v")], id="a name in an optional match"),
    pytest.param("match o { _ => s none => s }", [("E2117", "none")], id="after the wildcard"),
    pytest.param("match o { some((a, b)) => a none => s }", [("E2117", "(a, b)")], id="a tuple pattern for a scalar"),
    pytest.param("match p { some((a, b, d)) => a none => s }", [("E2117", "(a, b, d)")], id="another number of parts"),
    pytest.param("match p { some((a, a)) => a none => s }", [("E1205", "a")], id="one name twice"),
    pytest.param("match o { some(some(v)) => v none => s }", [("E2117", "some(v)")], id="an optional in an optional"),
    pytest.param("match e { Mean => s Min => s _ => s }", [("E2117", "Min")], id="no variant"),
    pytest.param("match e { Mean => s Mean => s _ => s }", [("E2117", "Mean")], id="a variant twice"),
    pytest.param("match e { some(v) => s _ => s }", [("E2117", "some(v)")], id="some in an enum match"),
    pytest.param("match e { Mean => s Max => s Sum => h }", [("E2115", "h")], id="arms that differ"),
    pytest.param("match s { some(v) => v none => s }", [("E2117", "some(v)")], id="a number"),
    pytest.param(
        "match missing { some(v) => v * missing2 none => s }", [("E1201", "missing"), ("E1201", "missing2")], id="an unknown subject"
    ),
]


@pytest.mark.parametrize(("value", "errors"), REFUSED)
def test_refused(check_text, value, errors):
    checked = check_text(f"{HEADER} let r = {value}\n return }}")
    assert checked.errors == errors


def only_value(checked):
    """The value of the first `let`."""
    assert checked.program is not None, checked.found
    statement = checked.program.root.functions[0].body[0]
    assert isinstance(statement, Let)
    return statement.value


def test_a_tuple_in_an_arm_is_bound_part_by_part(check_text):
    match = only_value(check_text(f"{HEADER} let r = match p {{ some((a, _)) => a none => s }}\n return }}"))
    assert isinstance(match, MatchOptional)
    assert match.binding is not None
    assert isinstance(match.some, Bind)
    assert (match.some.local.name, match.some.value.position) == ("a", 0)  # type: ignore[attr-defined]  # an element of the tuple


def test_enum_arms_stay_in_the_order_written(check_text):
    match = only_value(check_text(f"{HEADER} let r = match e {{ Sum => s Mean => 1 _ => 2 }}\n return }}"))
    assert isinstance(match, MatchEnum)
    assert match.variants == ("Sum", "Mean", "_")


def test_a_name_of_an_arm_ends_with_the_arm(check_text):
    checked = check_text(f"{HEADER} let r = match o {{ some(b) => b none => s }}\n let q = b return }}")
    assert checked.errors == [("E1201", "b")]


def test_a_private_optional_child_is_matched(check_text):
    text = (
        "block A { param w: f32 fn go(x: f32) -> f32 { return x * w } }\n"
        "block B { sub a: A? = none fn run(x: f32) -> f32 { return match a { some(p) => p.go(x) none => x } } }"
    )
    assert check_text(text).program is not None


def test_the_condition_of_a_mask_offers_reductions(check_text):
    assert "any[i]" in (check_text(f"{HEADER} let r = if m {{ s }} else {{ s }}\n return }}").only.help or "")


def test_branches_of_two_extents_say_what_would_make_them_one(check_text):
    found = check_text(f"{HEADER} let r = if c {{ x }} else {{ y }}\n return }}").only
    assert found.code == "E2115"
    assert [(label.span.text, label.text) for label in found.related] == [("x", "Tensor[N; f32]")]
    assert found.help is not None
    assert "where" in found.help
