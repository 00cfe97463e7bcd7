"""The verifier finds each way a function can break the rules; every case starts from one that keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from ir_pieces import F32, VECTOR, A, B, C, I, M, N, P, X, ends, module_of, out, yields

from linnet_core.check.program import SliceAxis
from linnet_core.check.types import BOOL_TYPE, F64, I64, TensorType
from linnet_core.errors import InternalError
from linnet_core.ir.module import IndexDomain, Op, Region, Value
from linnet_core.ir.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Module as IrModule

INDEX = Value(20, "k", I64)

BROKEN = [
    pytest.param([Op("frobnicate", (), (out(F32),))], "is no operation", id="an unknown kind"),
    pytest.param([Op("add", (A,), (out(F32),))], "has 1 operands", id="too few operands"),
    pytest.param([Op("neg", (A, A), (out(F32),))], "has 2 operands", id="too many operands"),
    pytest.param([Op("add", (A, A), ())], "has 0 results", id="no result"),
    pytest.param([Op("add", (A, A), (out(F32, 1),))], "defined twice", id="an id twice"),
    pytest.param([Op("neg", (out(F32, 99),), (out(F32),))], "uses %99", id="a value from nowhere"),
    pytest.param([Op("neg", (out(F32, 11),), (out(F32),)), Op("neg", (A,), (out(F32, 11),))], "uses %11", id="a use before its definition"),
    pytest.param([Op("neg", (Value(1, "a", F32),), (out(F32),))], "uses %1", id="a copy of a value"),
    pytest.param([ends(), Op("neg", (A,), (out(F32),)), ends()], "stands where it may not", id="an end in the middle"),
    pytest.param([Op("yield")], "stands where it may not", id="a yield at a function's end"),
    pytest.param([Op("const.int", (), (out(I64),))], "no attribute `value`", id="an attribute missing"),
    pytest.param([Op("neg", (A,), (out(F32),), {"axis": 0})], "does not take", id="an attribute too many"),
    pytest.param([Op("const.int", (), (out(I64),), {"value": True})], "is no integer", id="a bool for an integer"),
    pytest.param([Op("const.float", (), (out(F32),), {"value": "1"})], "is no float", id="a float without a point"),
    pytest.param([Op("const.float", (), (out(F32),), {"value": "0.10"})], "is no float", id="a float that is not shortest"),
    pytest.param([Op("const.bool", (), (out(BOOL_TYPE),), {"value": 2})], "is no bit", id="a bool of 2"),
    pytest.param([Op("const.float", (), (out(I64),), {"value": "1.0"})], "gives i64", id="a float constant of an integer dtype"),
    pytest.param([Op("const.dim", (), (out(F32),), {"value": N})], "no i64", id="a dimension that is no i64"),
    pytest.param([Op("add", (A, I), (out(F32),))], "mixes dtypes", id="two dtypes added"),
    pytest.param([Op("compare", (A, A), (out(F32),), {"compare": "lt"})], "compares", id="a comparison that gives a float"),
    pytest.param([Op("compare", (A, A), (out(BOOL_TYPE),), {"compare": "lq"})], "is no compare", id="no comparison"),
    pytest.param([Op("select", (A, A, A), (out(F32),))], "no bool", id="a choice by a float"),
    pytest.param([Op("neg", (A,), (out(F64),))], "turns", id="a negation that changes the dtype"),
    pytest.param([Op("cast", (A,), (out(TensorType((N,), "f64")),))], "changes the rank", id="a cast to another rank"),
    pytest.param([Op("reshape", (X,), (out(VECTOR),), {"shape": (N, N)})], "another shape", id="a reshape that says another shape"),
    pytest.param([Op("fill", (X,), (out(VECTOR),), {"shape": (N,)})], "no scalar", id="a fill with a tensor"),
    pytest.param([Op("permute", (X,), (out(VECTOR),), {"shape": (1,)})], "is no permutation", id="no permutation"),
    pytest.param([Op("permute", (X,), (out(VECTOR),), {"shape": (1, 0)})], "another rank", id="a permutation of another rank"),
    pytest.param([Op("slice", (X,), (out(VECTOR),), {"axes": ()})], "0 entries", id="a slice without an entry"),
    pytest.param(
        [Op("slice", (X,), (out(VECTOR),), {"axes": (SliceAxis(N, N, squeeze=True),)})], "keeps 0 units", id="a slice that drops too much"
    ),
    pytest.param([Op("tensor.element", (X, A), (out(F32),))], "position of type", id="a float position"),
    pytest.param([Op("tensor.element", (X, I), (out(VECTOR),))], "something else than one element", id="an element that is a tensor"),
    pytest.param(
        [Op("comprehension", (), (out(VECTOR),), {"indices": (IndexDomain("k", (N,)),)}, (yields(A),))],
        "has a body region over",
        id="a comprehension without its index",
    ),
    pytest.param(
        [Op("comprehension", (), (out(VECTOR),), {"indices": (IndexDomain("k", (N,)),)}, (yields(X, args=(INDEX,)),))],
        "region that yields",
        id="a comprehension of tensors",
    ),
    pytest.param(
        [Op("reduce", (), (out(F32),), {"indices": (IndexDomain("k", (N,)),), "reduce": "any"}, (yields(A, args=(INDEX,)),))],
        "no bool",
        id="any over floats",
    ),
    pytest.param([Op("tuple.get", (P,), (out(F32),), {"value": 2})], "takes element 2", id="an element beyond a tuple"),
    pytest.param([Op("tuple.get", (P,), (out(F32),), {"value": 1})], "another type", id="an element of another type"),
    pytest.param([Op("option.some", (A,), (out(F32),))], "gives", id="a some that is no optional"),
    pytest.param([Op("option.match", (M,), (out(F32),), {}, (yields(A),))], "has 1 regions", id="a match without a none"),
    pytest.param(
        [Op("option.match", (M,), (out(F32),), {}, (yields(A), yields(A)))], "some region over", id="a match that does not take the value"
    ),
    pytest.param([Op("if", (A,), (out(F32),), {}, (yields(A), yields(A)))], "no scalar bool", id="an if by a float"),
    pytest.param([Op("if", (C,), (out(F32),), {}, (yields(A), yields(C)))], "else region that yields", id="branches of two types"),
    pytest.param([Op("while", (A,), (out(F32),), {}, (yields(A, args=(out(F32, 20),)), yields(A, args=(out(F32, 21),))))],
        "condition region that yields", id="a condition that is no bool"),
    pytest.param([Op("while", (A,), (), {}, (yields(C, args=(out(F32, 20),)), yields(A, args=(out(F32, 21),))))],
        "carries", id="a loop that loses a carried value"),
    pytest.param([Op("static_range", (I, A), (), {}, (yields(args=(INDEX,)),))], "no i64", id="a bound that is a float"),
    pytest.param([Op("block.param", (B,), (out(VECTOR),), {"name": "v"})], "takes `v`", id="a member that is not there"),
    pytest.param([Op("block.param", (B,), (out(VECTOR),), {"name": "s"})], "takes `s`", id="a state read as a parameter"),
    pytest.param([Op("state.write", (X, X), (), {"name": "s"})], "no block", id="a write to no block"),
    pytest.param([Op("array.get", (X, A), (out(F32),))], "no i64", id="an element at a float"),
]  # fmt: skip


@pytest.mark.parametrize(("ops", "problem"), BROKEN)
def test_a_broken_function_is_named(ops: list[Op], problem: str) -> None:
    with pytest.raises(InternalError, match=r"^function `m::f`: ") as raised:
        verify(module_of(*ops))
    assert problem in str(raised.value)


def test_the_start_of_every_case_is_sound() -> None:
    verify(module_of())


def test_a_value_of_a_region_is_unknown_outside() -> None:
    inner = out(F32, 11)
    region = Region((), (Op("neg", (A,), (inner,)), Op("yield", (inner,))))
    with pytest.raises(InternalError, match="uses %11"):
        verify(module_of(Op("if", (C,), (out(F32),), {}, (region, yields(A))), Op("neg", (inner,), (out(F32, 12),))))


@pytest.mark.parametrize(
    ("attrs", "operands", "results", "problem"),
    [
        pytest.param({"callee": "m::unknown"}, (A,), (out(F32),), "not in the module", id="no such function"),
        pytest.param({}, (), (out(F32),), "gives 0 values", id="an argument missing"),
        pytest.param({}, (C,), (out(F32),), "for `a`", id="an argument of another dtype"),
        pytest.param({}, (A,), (), "takes 0 results", id="a result not taken"),
        pytest.param({"generics": (1,)}, (A,), (out(F32),), "is no arguments", id="no generics"),
    ],
)
def test_calls_fit_their_callee(
    lowered: Callable[[str], IrModule], attrs: dict[str, object], operands: tuple[Value, ...], results: tuple[Value, ...], problem: str
) -> None:
    module = lowered("op g(x: f32) -> f32 { return x }\nfn f(x: f32) -> f32 { return g(x) }")
    good = module.functions["test::f"].body.ops[0]
    call = Op("semantic.call", operands, results, {**good.attrs, "callee": "m::g", **attrs})
    verify(module_of(Op(call.kind, (A,), (out(F32),), {**good.attrs, "callee": "m::g"})))
    with pytest.raises(InternalError) as raised:
        verify(module_of(call))
    assert problem in str(raised.value)


def test_the_results_are_those_declared() -> None:
    verify(module_of(ends(A), results=(F32,)))
    with pytest.raises(InternalError, match="gives"):
        verify(module_of(ends(C), results=(F32,)))
    with pytest.raises(InternalError, match="gives"):
        verify(module_of(ends(), results=(F32,)))
