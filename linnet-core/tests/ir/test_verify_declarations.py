"""The verifier holds operations against what their module declares: members, structs, enums, callees and their generics."""

from __future__ import annotations

from typing import Any

import pytest
from ir_pieces import F32, PAIR, VECTOR, A, B, C, E, I, L, M, N, P, S, X, ends, module_of, out, yields
from msgspec.structs import replace

from linnet_core.check.program import Substitution
from linnet_core.check.types import BOOL_TYPE, BlockType, DimArg, DTypeArg, EnumType, ShapeArg, StructType
from linnet_core.errors import InternalError
from linnet_core.ir.module import Constant, Function, Op, Region, Value
from linnet_core.ir.verify import verify

#: A correct call of `m::h`.
GENERICS = (DimArg(N), ShapeArg((N,)), DTypeArg("f32"))
CALL: dict[str, Any] = {
    "callee": "m::h",
    "generics": GENERICS,
    "substitution": Substitution({40: N}, {41: (N,)}, {42: "f32"}),
}
UNKNOWN_STRUCT, UNKNOWN_ENUM = StructType("Other", "m", ()), EnumType("Other", "m", ())

GOOD = [
    pytest.param(Op("call", (X,), (out(VECTOR),), CALL), id="a call"),
    pytest.param(Op("block.param", (B,), (out(VECTOR),), {"name": "w"}), id="a parameter"),
    pytest.param(Op("block.sub", (B,), (out(BlockType("Leaf", "m", ())),), {"name": "c"}), id="a child"),
    pytest.param(Op("state.read", (B,), (out(VECTOR),), {"name": "s"}), id="a state"),
    pytest.param(Op("state.write", (B, X), (), {"name": "s"}), id="a write"),
    pytest.param(Op("struct.make", (A, X), (out(S.type),)), id="a struct"),
    pytest.param(Op("struct.get", (S,), (out(VECTOR),), {"value": 1}), id="a field"),
    pytest.param(Op("enum.const", (), (out(E.type),), {"name": "Fast"}), id="a variant"),
    pytest.param(Op("enum.match", (E,), (out(F32),), {"variants": ("Slow", "_")}, (yields(A), yields(A))), id="a match"),
    pytest.param(Op("array.get", (L, I), (out(BlockType("Cell", "m", ())),)), id="an element"),
    pytest.param(Op("tuple.make", (A, C), (out(PAIR),)), id="a tuple"),
    pytest.param(Op("option.none", (), (out(M.type),)), id="none"),
]

BROKEN = [
    pytest.param(Op("call", (X,), (out(F32),), CALL), "which gives", id="a result of another rank"),
    pytest.param(Op("semantic.call", (X,), (out(VECTOR),), {**CALL, "selected": "x"}), "calls the fn", id="a function called as an op"),
    pytest.param(Op("call", (X,), (out(VECTOR),), {**CALL, "generics": GENERICS[:2]}), "gives 2 generics to the 3", id="a generic missing"),
    pytest.param(
        Op("call", (X,), (out(VECTOR),), {**CALL, "generics": (GENERICS[1], GENERICS[0], GENERICS[2])}),
        "for `K`",
        id="generics of other kinds",
    ),
    pytest.param(
        Op("call", (X,), (out(VECTOR),), {**CALL, "substitution": Substitution({}, {41: (N,)}, {42: "f32"})}),
        "other generics",
        id="a generic without a substitution",
    ),
    pytest.param(
        Op("call", (X,), (out(VECTOR),), {**CALL, "substitution": Substitution({40: N + N}, {41: (N,)}, {42: "f32"})}),
        "something else for `K`",
        id="a dim substituted otherwise",
    ),
    pytest.param(
        Op("call", (X,), (out(VECTOR),), {**CALL, "substitution": Substitution({40: N}, {41: ()}, {42: "f32"})}),
        "something else for `Q`",
        id="a pack substituted otherwise",
    ),
    pytest.param(
        Op("call", (X,), (out(VECTOR),), {**CALL, "substitution": Substitution({40: N}, {41: (N,)}, {42: "f64"})}),
        "something else for `T`",
        id="a dtype substituted otherwise",
    ),
    pytest.param(Op("block.param", (B,), (out(F32),), {"name": "w"}), "takes `w`", id="a parameter of another rank"),
    pytest.param(Op("block.sub", (B,), (out(VECTOR),), {"name": "c"}), "takes `c`", id="a child that is a tensor"),
    pytest.param(Op("block.sub", (B,), (out(VECTOR),), {"name": "w"}), "which is no sub", id="a parameter taken as a child"),
    pytest.param(Op("state.read", (B,), (out(F32),), {"name": "s"}), "takes `s`", id="a state of another rank"),
    pytest.param(Op("state.write", (B, A), (), {"name": "s"}), "takes `s`", id="a write of another rank"),
    pytest.param(Op("block.param", (X,), (out(F32),), {"name": "w"}), "something that is no block", id="a member of a tensor"),
    pytest.param(Op("struct.make", (X, A), (out(S.type),)), "other fields", id="fields in another order"),
    pytest.param(Op("struct.make", (A,), (out(S.type),)), "other fields", id="a field missing"),
    pytest.param(Op("struct.make", (A, X), (out(VECTOR),)), "which is no struct", id="a struct that is a tensor"),
    pytest.param(Op("struct.make", (A, X), (out(UNKNOWN_STRUCT),)), "not in the module", id="an unknown struct"),
    pytest.param(Op("struct.get", (S,), (out(VECTOR),), {"value": 2}), "takes field 2", id="a field beyond the last"),
    pytest.param(Op("struct.get", (S,), (out(VECTOR),), {"value": -1}), "takes field -1", id="a field before the first"),
    pytest.param(Op("struct.get", (S,), (out(VECTOR),), {"value": 0}), "another type than the field", id="a field of another type"),
    pytest.param(Op("struct.get", (P,), (out(F32),), {"value": 0}), "which is no struct", id="a field of a tuple"),
    pytest.param(Op("enum.const", (), (out(E.type),), {"name": "Medium"}), "`Medium`, which is no variant", id="an unknown variant"),
    pytest.param(Op("enum.const", (), (out(F32),), {"name": "Fast"}), "which is no enum", id="a variant that is a float"),
    pytest.param(Op("enum.const", (), (out(UNKNOWN_ENUM),), {"name": "Fast"}), "not in the module", id="an unknown enum"),
    pytest.param(
        Op("enum.match", (E,), (out(F32),), {"variants": ("Slow", "Fast")}, (yields(A),)), "names 2 variants for 1", id="an arm missing"
    ),
    pytest.param(Op("enum.match", (E,), (out(F32),), {"variants": ("Low",)}, (yields(A),)), "no variant", id="an arm for no variant"),
    pytest.param(Op("enum.match", (A,), (out(F32),), {"variants": ("_",)}, (yields(A),)), "no enum", id="a match of a float"),
    pytest.param(Op("array.get", (L, I), (out(VECTOR),)), "takes an element of", id="an element that is no block"),
    pytest.param(Op("array.get", (B, I), (out(B.type),)), "takes an element of", id="an element of no array"),
    pytest.param(Op("static_for", (B,), (), {}, (yields(args=(Value(20, "c", B.type),)),)), "no array", id="a loop over no array"),
    pytest.param(Op("option.match", (A,), (out(F32),), {}, (yields(A), yields(A))), "no optional", id="a match of no optional"),
    pytest.param(Op("option.none", (), (out(F32),)), "gives", id="a none that is no optional"),
    pytest.param(Op("tuple.make", (C, A), (out(PAIR),)), "gives", id="elements in another order"),
]


@pytest.mark.parametrize("op", GOOD)
def test_what_fits_its_declaration_passes(op: Op) -> None:
    verify(module_of(op))


@pytest.mark.parametrize(("op", "problem"), BROKEN)
def test_what_does_not_fit_its_declaration_is_named(op: Op, problem: str) -> None:
    with pytest.raises(InternalError, match=r"^function `m::f`: ") as raised:
        verify(module_of(op))
    assert problem in str(raised.value)


def _function(**changes: Any) -> Function:
    return replace(Function("m::k", "fn", None, True, (), (), (F32,), (), Region((A,), (ends(A),))), **changes)


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        pytest.param(_function(name="k"), "has no module", id="a name without a module"),
        pytest.param(_function(block="m::Other"), "no block `m::Other`", id="a method of no block"),
        pytest.param(_function(block="m::Cell"), "not its block", id="a method that does not take its block"),
        pytest.param(_function(block="m::Cell", body=Region((), ())), "not its block", id="a method without arguments"),
        pytest.param(_function(body=Region((A,), ())), "without operations", id="a region without an end"),
        pytest.param(_function(grad=Region((A,), (ends(A),))), "its gradient takes", id="a gradient without y and dy"),
        pytest.param(_function(body=Region((A, A), (ends(A),))), "defined twice", id="an argument twice"),
    ],
)
def test_a_broken_function_is_named(function: Function, problem: str) -> None:
    module = module_of()
    verify(replace(module, functions={**module.functions, "m::k": _function()}))
    with pytest.raises(InternalError, match=r"^function `(m::)?k`") as raised:
        verify(replace(module, functions={**module.functions, "m::k": function}))
    assert problem in str(raised.value)


def test_a_constant_yields_its_type() -> None:
    one = Op("const.float", (), (out(F32),), {"value": "1.0"})
    good = Constant("m::One", True, F32, False, Region((), (one, Op("yield", one.results))))
    module = module_of()
    verify(replace(module, constants={"m::One": good}))
    with pytest.raises(InternalError, match=r"^constant `m::One`: .* gives"):
        verify(replace(module, constants={"m::One": replace(good, type=BOOL_TYPE)}))
