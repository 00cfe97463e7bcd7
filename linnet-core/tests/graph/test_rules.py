"""Every rule between the operands and the attributes of a call is kept by the samples and broken by a case here."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from node_samples import sample_graph

from linnet_core.graph.calls import (
    BeginCounted,
    Broadcast,
    Call,
    Compare,
    Concat,
    Constant,
    Contract,
    Convert,
    Cumsum,
    Elementwise,
    EndCustomGradient,
    Finish,
    Gather,
    KernelProgram,
    LaunchKernel,
    Literal,
    NativeCall,
    Operand,
    Reduce,
    Reshape,
    ResultType,
    ScatterAdd,
    Select,
    Slice,
    Transpose,
    UpdateRow,
    WhileCondition,
    WhileInitialCondition,
    WhileTrailingCondition,
)
from linnet_core.graph.library_shapes import SIGNATURES
from linnet_core.graph.nodes import flat_nodes
from linnet_core.graph.rules import RULES, broken_rule
from linnet_core.ir.library_calls import LIBRARY_CALLS


def of(*shape: int, dtype: str = "f32") -> Operand:
    return Operand(0, shape, dtype)


X, COLUMN, YES = of(2, 3), of(2, 1, dtype="i64"), of(dtype="bool")
MASK = of(2, 3, dtype="bool")

KERNEL = LaunchKernel(
    callee="m::f", name="k", program=KernelProgram((), "", {}), grid=(1,), result_shapes=((),), result_dtypes=("f32",), warps=0, stages=0
)

BROKEN = [
    pytest.param(Constant(literal=Literal("integer", 1), dtype="f32"), "no literal of f32", id="an integer literal of a float"),
    pytest.param(Constant(literal=Literal("real", 1.0), dtype="i64"), "no literal of i64", id="a real literal of an integer"),
    pytest.param(Constant(literal=Literal("boolean", True), dtype="u8"), "no literal of u8", id="a boolean literal of an integer"),
    pytest.param(Constant(literal=Literal("lowest"), dtype="bool"), "no literal of bool", id="the lowest bool"),
    pytest.param(Elementwise(kind="neg", shape=(2, 3), dtype="f32", operands=(X, X)), "neg takes 1", id="a negation of two"),
    pytest.param(Elementwise(kind="add", shape=(2, 3), dtype="f32", operands=(X,)), "add takes 2", id="a sum of one"),
    pytest.param(Elementwise(kind="add", shape=(2, 3), dtype="f32", operands=(X, of(3))), "not f32 [3]", id="a sum of two shapes"),
    pytest.param(Elementwise(kind="add", shape=(2, 3), dtype="f32", operands=(X, MASK)), "not bool", id="a sum of two dtypes"),
    pytest.param(Compare(kind="eq", shape=(2, 3), operands=(X, MASK)), "not bool", id="a comparison of two dtypes"),
    pytest.param(Compare(kind="eq", shape=(3, 2), operands=(X, X)), "not f32 [2, 3]", id="a comparison of another shape"),
    pytest.param(Select(shape=(2, 3), dtype="f32", operands=(X, X, X)), "bool [2, 3] is due", id="a choice by floats"),
    pytest.param(Select(shape=(2, 3), dtype="f32", operands=(YES, X, X)), "not bool []", id="a choice by one, not viewed"),
    pytest.param(Select(shape=(2, 3), dtype="f32", operands=(MASK, X, MASK)), "not bool", id="a choice of two dtypes"),
    pytest.param(Convert(shape=(3, 2), dtype="i32", operands=(X,)), "keeps its operand's", id="a conversion to another shape"),
    pytest.param(Reshape(shape=(5,), operands=(X,)), "number of elements", id="a reshape that loses one"),
    pytest.param(Transpose(shape=(2, 3), permutation=(0, 0), operands=(X,)), "no order of 2 axes", id="an axis twice"),
    pytest.param(Transpose(shape=(2, 3), permutation=(1, 0), operands=(X,)), "not the operand's in that order", id="a shape not permuted"),
    pytest.param(Broadcast(shape=(2, 3), dims=(0,), operands=(X,)), "not 2 distinct axes", id="an axis without a place"),
    pytest.param(Broadcast(shape=(2, 3), dims=(1, 1), operands=(X,)), "not 2 distinct axes", id="a place twice"),
    pytest.param(Broadcast(shape=(2, 3), dims=(0, 2), operands=(X,)), "not 2 distinct axes", id="a place there is not"),
    pytest.param(Broadcast(shape=(3, 3), dims=(0, 1), operands=(X,)), "does not spread", id="two elements spread to three"),
    pytest.param(Slice(starts=(0,), limits=(2,), strides=(1,), shape=(2,), operands=(X,)), "each of 2 axes", id="a range missing"),
    pytest.param(
        Slice(starts=(0, 0), limits=(2, 4), strides=(1, 1), shape=(2, 4), operands=(X,)), "no range of an axis of 3", id="beyond the end"
    ),
    pytest.param(
        Slice(starts=(-1, 0), limits=(2, 3), strides=(1, 1), shape=(3, 3), operands=(X,)), "no range of an axis of 2", id="before the start"
    ),
    pytest.param(
        Slice(starts=(0, 0), limits=(2, 3), strides=(1, 0), shape=(2, 3), operands=(X,)), "0:3:0 is no range", id="a stride of zero"
    ),
    pytest.param(Slice(starts=(0, 0), limits=(2, 3), strides=(1, 2), shape=(2, 3), operands=(X,)), "take [2, 2]", id="another count"),
    pytest.param(Concat(axis=2, operands=(X, X)), "do not fit an axis 2", id="an axis there is not"),
    pytest.param(Concat(axis=0, operands=(X, of(2, 4))), "does not stand beside", id="parts of other sizes"),
    pytest.param(Concat(axis=0, operands=(X, MASK)), "does not stand beside", id="parts of other dtypes"),
    pytest.param(Cumsum(axis=2, operands=(X,)), "no axis 2 of 2", id="a running sum along no axis"),
    pytest.param(Cumsum(axis=-1, operands=(X,)), "no axis -1 of 2", id="an axis from the back"),
    pytest.param(Gather(shape=(2, 3), operands=(X, of(2, 1))), "are no positions", id="float positions"),
    pytest.param(Gather(shape=(2,), operands=(X, of(2, 3, dtype="i64"))), "are no positions in 2 axes", id="three columns for two axes"),
    pytest.param(Gather(shape=(2,), operands=(X, of(dtype="i64"))), "are no positions", id="positions without columns"),
    pytest.param(Gather(shape=(2, 2), operands=(X, COLUMN)), "taken whole", id="a gather of another shape"),
    pytest.param(ScatterAdd(shape=(4, 3), dtype="f32", operands=(COLUMN, of(2, 4))), "the values are not", id="values of another shape"),
    pytest.param(ScatterAdd(shape=(4, 3), dtype="f32", operands=(of(2, 1), X)), "are no positions", id="float positions of values"),
    pytest.param(UpdateRow(operands=(X, of(dtype="i64"), of(2))), "no row of", id="a row of another size"),
    pytest.param(UpdateRow(operands=(X, of(dtype="i64"), of(3, dtype="f64"))), "no row of", id="a row of another dtype"),
    pytest.param(UpdateRow(operands=(of(), of(dtype="i64"), of())), "no row of", id="a row of a scalar"),
    pytest.param(UpdateRow(operands=(X, of(dtype="i32"), of(3))), "i64 [] is due", id="a row number in i32"),
    pytest.param(Reduce(kind="sum", dims=(0,), shape=(3,), operands=(X,)), "not the last axes", id="leading axes reduced"),
    pytest.param(Reduce(kind="sum", dims=(1, 0), shape=(), operands=(X,)), "not the last axes", id="axes descending"),
    pytest.param(Reduce(kind="any", dims=(1,), shape=(2,), operands=(X,)), "any of f32", id="any over floats"),
    pytest.param(Reduce(kind="sum", dims=(1,), shape=(2,), operands=(MASK,)), "sum of bool", id="a sum of bools"),
    pytest.param(Reduce(kind="sum", dims=(1,), shape=(3,), operands=(X,)), "without its last axes", id="a sum of another shape"),
    pytest.param(BeginCounted(start=3, stop=2), "2 is before 3", id="a loop that ends before it starts"),
    pytest.param(EndCustomGradient(arguments=2, operands=(X, X)), "2 arguments and a result", id="a result missing"),
    pytest.param(replace(KERNEL, result_dtypes=()), "0 of them for 1 shapes", id="a kernel's dtype missing"),
    pytest.param(replace(KERNEL, grid=(1, 1, 1, 1)), "one to three sizes are due, not 4", id="a grid of four sizes"),
    pytest.param(
        Finish(module="m", block="", entry="e", returns=1, states=("s",), operands=(X,)), "1 results and 1 states", id="a state missing"
    ),
    pytest.param(Finish(module="m", block="", entry="e", returns=0, states=("s", "s"), operands=(X, X)), "twice", id="a state twice"),
    *(
        pytest.param(call, "bool [] is due", id=f"{call.op} by a float")
        for call in (
            WhileCondition(carried=(ResultType((), "f32"),), operands=(of(),)),
            WhileInitialCondition(operands=(of(),)),
            WhileTrailingCondition(operands=(of(),)),
        )
    ),
]

CONTRACT = Contract(lhs_axes=(0, 2), rhs_axes=(1, 2), out_axes=(0, 1), shape=(2, 4), dtype="f32", operands=(X, of(4, 3)))

RELU = NativeCall(implementation="torch.relu", generics={}, shape=(2, 3), dtype="f32", operands=(X,))
LINEAR = NativeCall(implementation="torch.nn.functional.linear", generics={}, shape=(2, 4), dtype="f32", operands=(X, of(4, 3), of(4)))
CACHE = NativeCall(
    implementation="torch.Tensor.index_put", generics={}, shape=(2, 1, 8, 4), dtype="f32", operands=(of(2, 1, 8, 4), of(2, 1, 1, 4), of(2))
)
CONV = NativeCall(
    implementation="torch.nn.functional.conv2d(rect)",
    generics={},
    shape=(1, 5, 4, 4),
    dtype="f32",
    operands=(of(1, 2, 4, 4), of(5, 2, 3, 1), None),
)
TOKENS = NativeCall(
    implementation="torch.Tensor.index_put(tokens)", generics={}, shape=(2, 1, 8, 4), dtype="f32",
    operands=(of(2, 1, 8, 4), of(1, 1, 3, 4), of(3), of(3)),
)  # fmt: skip

BROKEN_LIBRARY_CALLS = [
    pytest.param(RELU, {"operands": ()}, "torch.relu takes *S -> *S, not  -> [2, 3]", id="an operand missing"),
    pytest.param(RELU, {"operands": (X, X)}, "not [2, 3], [2, 3] -> [2, 3]", id="an operand too many"),
    pytest.param(RELU, {"operands": (None,)}, "not none -> [2, 3]", id="an operand absent"),
    pytest.param(RELU, {"shape": (3, 2)}, "not [2, 3] -> [3, 2]", id="another shape"),
    pytest.param(
        LINEAR, {"operands": (X, of(4, 5), None)}, "takes *S I, O I, O? -> *S O, not [2, 3], [4, 5], none", id="a size of its own"
    ),
    pytest.param(LINEAR, {"operands": (of(), of(4, 3), None)}, "not [], [4, 3], none", id="no axes"),
    pytest.param(CACHE, {"operands": (*CACHE.operands, of(2))}, "or B H S D, O H N D, ., . -> B H S D or", id="an op of other operands"),
    pytest.param(CONV, {"operands": (of(1, 3, 4, 4), of(5, 2, 3, 1), None)}, "takes B C H W, O C K L, O?", id="channels of a kernel"),
    pytest.param(CONV, {"shape": (1, 4, 4, 4)}, "-> [1, 4, 4, 4]", id="channels of a result"),
    pytest.param(TOKENS, {"operands": (*TOKENS.operands[:3], of(2))}, "takes B H S D, O H P D, P, P", id="a position missing"),
    pytest.param(TOKENS, {"operands": TOKENS.operands[:3]}, "takes B H S D, O H P D, P, P", id="no positions"),
]


@pytest.mark.parametrize(("call", "change", "problem"), BROKEN_LIBRARY_CALLS)
def test_a_library_call_has_the_operands_of_its_op(call: NativeCall, change: dict[str, Any], problem: str) -> None:
    assert broken_rule(call) is None
    assert problem in (broken_rule(replace(call, **change)) or "")


def test_every_library_call_that_is_known_is_one_a_plan_may_select() -> None:
    implementations = {row.implementation for row in LIBRARY_CALLS}
    assert set(SIGNATURES) <= implementations | {name.partition("(")[0].strip() for name in implementations}


BROKEN_CONTRACTIONS = [
    pytest.param({"lhs_axes": (0,)}, "lhs_axes: [0] are not 2 distinct axes", id="an axis missing"),
    pytest.param({"rhs_axes": (2, 2)}, "rhs_axes: [2, 2] are not 2 distinct axes", id="an axis twice"),
    pytest.param({"rhs_axes": (2, 1)}, "axis 2 has 3 elements and 4", id="an axis of two sizes"),
    pytest.param({"dtype": "f64"}, "numbers of f64 are due, not f32", id="factors of another dtype"),
    pytest.param({"out_axes": (0, 3)}, "not distinct axes of the operands", id="an axis of no factor"),
    pytest.param({"out_axes": (0, 0)}, "not distinct axes of the operands", id="a result axis twice"),
    pytest.param({"out_axes": (1, 0)}, "not that of the axes kept", id="a result in another order"),
]


@pytest.mark.parametrize(("call", "problem"), BROKEN)
def test_a_broken_rule_is_named(call: Call, problem: str) -> None:
    assert problem in (broken_rule(call) or "")


@pytest.mark.parametrize(("change", "problem"), BROKEN_CONTRACTIONS)
def test_a_broken_contraction_is_named(change: dict[str, Any], problem: str) -> None:
    assert broken_rule(CONTRACT) is None
    assert problem in (broken_rule(replace(CONTRACT, **change)) or "")


def test_every_rule_is_broken_by_a_case() -> None:
    assert {type(case.values[0]) for case in BROKEN} | {Contract, NativeCall} == set(RULES)


def test_the_samples_keep_the_rules() -> None:
    assert [node.call for node in flat_nodes(sample_graph().nodes) if broken_rule(node.call)] == []
