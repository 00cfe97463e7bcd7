"""The verifier counts axes: of operands that broadcast, of axis numbers and positions, of stacks; and knows each kind of attribute."""

from __future__ import annotations

from typing import Any

import pytest
from ir_pieces import F32, PAIR, VECTOR, A, C, I, L, N, X, Y, Z, module_of, out, yields

from linnet_core.check.program import SliceAxis, WholeAxes
from linnet_core.check.types import BOOL_TYPE, I64, ShapeIndexType, TensorType, TupleType
from linnet_core.errors import InternalError
from linnet_core.ir.module import IndexDomain, Op, Region, Value
from linnet_core.ir.ops import OPS
from linnet_core.ir.verify import verify
from linnet_core.ir.verify_attributes import holds
from linnet_core.shapes import Pack

MATRIX = TensorType((N, N), "f32")
REST = Pack(1, "Rest")
K = Value(20, "k", I64)
R = Value(21, "r", ShapeIndexType((REST,)))
HERE = {"indices": (IndexDomain("k", (N,)),)}
BOTH = {"indices": (IndexDomain("r", (REST,)), IndexDomain("k", (N,)))}


def read(*positions: Value, of: Value, args: tuple[Value, ...]) -> Region:
    """A region that yields one element."""
    element = Value(22, "", F32)
    return Region(args, (Op("tensor.element", (of, *positions), (element,)), Op("yield", (element,))))


def scan(row: Value, stack: Any) -> Op:
    return Op("for", (I, I), (out(stack),), {}, (yields(row, args=(K,)),))


GOOD = [
    pytest.param(Op("add", (Y, X), (out(MATRIX),)), id="a vector added to a matrix"),
    pytest.param(Op("select", (C, A, X), (out(VECTOR),)), id="a choice of a vector and a scalar"),
    pytest.param(Op("concat", (Y, Y), (out(MATRIX),), {"axis": -2}), id="an axis from the back"),
    pytest.param(Op("cumsum", (Z,), (out(Z.type),), {"axis": 5}), id="an axis behind a pack"),
    pytest.param(Op("comprehension", (), (out(Z.type),), BOTH, (read(R, K, of=Z, args=(R, K)),)), id="an element behind a pack"),
    pytest.param(scan(X, MATRIX), id="vectors stacked"),
    pytest.param(Op("for", (I, I), (), {}, (yields(args=(K,)),)), id="nothing stacked"),
    pytest.param(Op("slice", (Y,), (out(VECTOR),), {"axes": (WholeAxes(N), SliceAxis(N, N, squeeze=True))}), id="a slice"),
]

BROKEN = [
    pytest.param(Op("add", (Y, X), (out(VECTOR),)), "gives", id="a sum of too few axes"),
    pytest.param(Op("add", (X, X), (out(MATRIX),)), "gives", id="a sum of too many axes"),
    pytest.param(Op("compare", (Y, X), (out(BOOL_TYPE),), {"compare": "lt"}), "gives", id="a comparison of too few axes"),
    pytest.param(Op("select", (C, A, X), (out(F32),)), "gives", id="a choice of too few axes"),
    pytest.param(Op("concat", (Y, Y), (out(MATRIX),), {"axis": 2}), "axis 2 of 2", id="an axis beyond the last"),
    pytest.param(Op("concat", (A, A), (out(F32),), {"axis": 0}), "without axes", id="scalars joined"),
    pytest.param(Op("concat", (Y, X), (out(MATRIX),), {"axis": 0}), "different ranks", id="parts of two ranks"),
    pytest.param(Op("cumsum", (Y,), (out(MATRIX),), {"axis": -3}), "axis -3 of 2", id="an axis before the first"),
    pytest.param(Op("cumsum", (Y,), (out(VECTOR),), {"axis": 0}), "turns", id="a running sum of another rank"),
    pytest.param(Op("tensor.element", (Y, I), (out(F32),)), "gives 1 positions", id="a position missing"),
    pytest.param(Op("tensor.element", (X, I, I), (out(F32),)), "gives 2 positions", id="a position too many"),
    pytest.param(Op("tensor.element", (A, I), (out(F32),)), "no tensor", id="an element of a scalar"),
    pytest.param(Op("slice", (X,), (out(VECTOR),), {"axes": (SliceAxis(N, N, 0),)}), "steps of 0", id="a step of zero"),
    pytest.param(Op("iota", (), (out(MATRIX),), {"shape": (N, N)}), "another shape", id="an iota of two axes"),
    pytest.param(Op("broadcast", (X,), (out(MATRIX),), {"shape": (N,)}), "another shape", id="a broadcast that says another shape"),
    pytest.param(
        Op("reshape", (X,), (out(TensorType((N,), "f64")),), {"shape": (N,)}), "changes the dtype", id="a reshape to another dtype"
    ),
    pytest.param(Op("comprehension", (), (out(VECTOR),), BOTH, (read(R, K, of=Z, args=(R, K)),)), "over", id="a tensor of too few axes"),
    pytest.param(Op("comprehension", (), (out(VECTOR),), HERE, (yields(C, args=(K,)),)), "another dtype", id="a tensor of another dtype"),
    pytest.param(
        Op("reduce", (), (out(BOOL_TYPE),), {**HERE, "reduce": "sum"}, (yields(C, args=(K,)),)), "reduces bools", id="a sum of bools"
    ),
    pytest.param(Op("reduce", (), (out(VECTOR),), {**HERE, "reduce": "sum"}, (yields(A, args=(K,)),)), "from", id="a sum that is a tensor"),
    pytest.param(
        Op("reduce", (), (out(F32),), {**BOTH, "reduce": "sum"}, (yields(A, args=(K, R)),)), "over", id="a pack index for a plain one"
    ),
    pytest.param(Op("const.int", (), (out(VECTOR),), {"value": 1}), "no scalar", id="a constant that is a tensor"),
    pytest.param(Op("const.bool", (), (out(I64),), {"value": 1}), "gives i64", id="a bool that is an integer"),
    pytest.param(scan(X, VECTOR), "stacks", id="vectors stacked into a vector"),
    pytest.param(scan(C, VECTOR), "stacks", id="bools stacked into floats"),
    pytest.param(scan(L, MATRIX), "stacks", id="blocks stacked"),
    pytest.param(scan(X, TupleType((MATRIX,))), "stacks", id="a vector stacked into a tuple"),
    pytest.param(scan(Value(4, "p", PAIR), VECTOR), "%4", id="a value from nowhere stacked"),
    pytest.param(Op("for", (I, I), (), {}, (yields(X, args=(K,)),)), "body region that yields", id="a yielded value without a stack"),
    pytest.param(Op("for", (I, I), (out(VECTOR), out(VECTOR, 11)), {}, (yields(A, A, args=(K,)),)), "carries", id="two yielded values"),
]


@pytest.mark.parametrize("op", GOOD)
def test_what_counts_right_passes(op: Op) -> None:
    verify(module_of(op))


@pytest.mark.parametrize(("op", "problem"), BROKEN)
def test_what_counts_wrong_is_named(op: Op, problem: str) -> None:
    with pytest.raises(InternalError, match=r"^function `m::f`: ") as raised:
        verify(module_of(op))
    assert problem in str(raised.value)


#: Something no attribute of the kind may hold.
NEVER: dict[str, tuple[Any, ...]] = {
    "integer": (True, 1.0, "1"),
    "bit": (2, True, -1),
    "float": ("1", "0.10", "+1.0", "infinity", 1.0),
    "dim": (1, REST),
    "shape": ([N], (1,), N),
    "permutation": ((1,), (0, 0), [0]),
    "text": (1, b"x"),
    "compare": ("lq", 1),
    "reduce": ("mean", 1),
    "atomic": ("sub", 1),
    "names": (["x"], (1,)),
    "slices": ((1,), [WholeAxes(N)]),
    "indices": ((N,), []),
    "substitution": ({}, ()),
    "arguments": ((1,), []),
}


def test_every_kind_of_attribute_refuses_what_it_does_not_hold() -> None:
    assert set(NEVER) == {attr.kind for row in OPS.values() for attr in row.attrs}
    for kind, values in NEVER.items():
        assert [value for value in values if holds(kind, value)] == []  # type: ignore[arg-type]  # the table's words are the kinds of attributes


@pytest.mark.parametrize("kind", [kind for kind, row in OPS.items() if row.attrs])
def test_no_attribute_may_be_missing_or_wrong(kind: str) -> None:
    row = OPS[kind]
    operands = (X,) * row.least
    results = (out(F32),) * (row.results or 0)
    regions = (yields(A, args=(K,)),) * len(row.regions)
    for attr in (attr for attr in row.attrs if not attr.optional):
        with pytest.raises(InternalError, match=f"has no attribute `{row.attrs[0].name}`"):
            verify(module_of(Op(kind, operands, results, {}, regions)))
        with pytest.raises(InternalError, match=f"as `{row.attrs[0].name}`, which is no {row.attrs[0].kind}"):
            verify(module_of(Op(kind, operands, results, {row.attrs[0].name: NEVER[row.attrs[0].kind][0], attr.name: object()}, regions)))
