"""Struct values: fields by name, generics from the fields or written."""

from __future__ import annotations

import pytest

from linnet_core.check.program import Let, MakeStruct
from linnet_core.check.show_types import show

STRUCTS = """
struct Moments<N: Dim, T: Float> { mean: Tensor[N; T]  scale: T }
struct Plain { on: bool  rate: f32 }
struct Maybe<N: Dim = 4> { v: Tensor[N; f32]? }
type Four = Moments<4, f32>
type Same<N: Dim> = Moments<N, f32>
type Number = f32
"""

TYPES = [
    pytest.param("Moments(mean = x, scale = s)", "Moments<H, f32>", id="inferred"),
    pytest.param("Moments(scale = 2, mean = x)", "Moments<H, f32>", id="in any order, a literal last to decide"),
    pytest.param("Moments<H>(mean = x, scale = s)", "Moments<H, f32>", id="one generic written"),
    pytest.param("Plain(rate = 0.5, on = true)", "Plain", id="without generics"),
    pytest.param("Maybe(v = none)", "Maybe<4>", id="a default where no field tells"),
    pytest.param("Four(mean = four, scale = 1)", "Moments<4, f32>", id="through an alias"),
    pytest.param("Same<H>(mean = x, scale = 1)", "Moments<H, f32>", id="through an alias with generics"),
]


@pytest.mark.parametrize(("value", "type"), TYPES)
def test_type(check_text, value, type):
    checked = check_text(f"{STRUCTS}pub fn f<H: Dim>(x: Tensor[H; f32], s: f32, four: Tensor[4; f32]) {{ let r = {value}\n return }}")
    assert checked.type_of("r") == type


REFUSED = [
    pytest.param("Plain(on = true)", [("E2102", "Plain(on = true)")], id="a field missing"),
    pytest.param("Plain(on = true, rate = s, more = s)", [("E2102", "more")], id="an unknown field"),
    pytest.param("Plain(true, s)", [("E2102", "true")], id="by position"),
    pytest.param("Plain(on = true, rate = s, on = false)", [("E2102", "on = false")], id="a field twice"),
    pytest.param("Plain(on = s, rate = s)", [("E2101", "s")], id="a scalar of another dtype"),
    pytest.param("Moments(mean = table, scale = s)", [("E2101", "table")], id="a tensor of another rank"),
    pytest.param("Moments<4>(mean = x, scale = s)", [("E2101", "x")], id="a tensor of another extent"),
    pytest.param("Moments(mean = x, scale = half)", [("E2101", "half")], id="two dtypes for one generic"),
    pytest.param("Moments(mean = s, scale = s)", [("E2101", "s")], id="a scalar for a tensor"),
    pytest.param("Plain<4>(on = true, rate = s)", [("E2111", "4")], id="too many generics"),
    pytest.param("Number(1.0)", [("E2106", "Number")], id="an alias of something else"),
]


@pytest.mark.parametrize(("value", "errors"), REFUSED)
def test_refused(check_text, value, errors):
    text = f"{STRUCTS}pub fn f<H: Dim>(x: Tensor[H; f32], s: f32, half: bf16, table: Tensor[2, 4; f32]) {{ let r = {value}\n return }}"
    assert check_text(text).errors == errors


def test_fields_stand_in_declaration_order(check_text):
    checked = check_text(f"{STRUCTS}pub fn f() {{ let r = Plain(rate = 0.5, on = true)\n return }}")
    assert checked.program is not None, checked.found
    statement = checked.program.root.functions[0].body[0]
    assert isinstance(statement, Let)
    assert isinstance(statement.value, MakeStruct)
    assert [show(field.type) for field in statement.value.fields] == ["bool", "f32"]


@pytest.mark.parametrize(
    "callee", [pytest.param("parts.Same", id="as usual"), pytest.param("parts . Same", id="with spaces around the point")]
)
def test_an_alias_of_another_module_is_called_by_its_path(check_package, callee):
    files = {
        "parts.linnet": "module parts pub struct One<N: Dim> { v: Tensor[N; f32] } pub type Same<N: Dim> = One<N>",
        "lib.linnet": f"module lib use crate.parts pub fn f<H: Dim>(x: Tensor[H; f32]) {{ let r = {callee}<H>(v = x)\n return }}",
    }
    assert check_package(files).errors == []
