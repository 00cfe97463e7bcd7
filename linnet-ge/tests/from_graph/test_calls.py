"""Single calls: how operations and constants are spelled, what is left out, what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from ge_entries import PLUGIN, Taking

from linnet_core.conformance.hand import Hand
from linnet_core.errors import DocumentError
from linnet_core.graph.calls import (
    CALLS,
    BeginCustomGradient,
    BeginRemat,
    Call,
    Constant,
    Convert,
    Elementwise,
    EnablePlacement,
    EndCustomGradient,
    EndRemat,
    GatherParts,
    KernelProgram,
    LaunchKernel,
    Literal,
    Operand,
    Release,
    ScatterAdd,
    SetSlot,
    Slice,
    Transfer,
)
from linnet_core.graph.nodes import Graph, Node, Region, ValueInfo
from linnet_core.graph.record import Recorder
from linnet_ge.from_graph.build import dump_of
from linnet_ge.from_graph.elementary import RULES
from linnet_ge.readable.dump_text import dump_text

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def recorded(build: Any, *arrays: np.ndarray, states: tuple[np.ndarray, ...] = ()) -> str:
    """The text of an entry made of calls."""
    from linnet_core.conformance.hand import finished

    target = Recorder(Taking())
    finished(target, build, arrays, states)
    return dump_text(dump_of(target.graph()))


def test_every_kind_of_call_is_a_rule_or_is_read_otherwise() -> None:
    """The brackets and leaves are read by `steps.py` and `build.py`, and have their cases here and beside."""
    read = {
        "input",
        "parameter",
        "state",
        "constant",
        "enable_placement",
        "set_slot",
        "transfer",
        "release",
        "gather_parts",
        "begin_remat",
        "end_remat",
        "begin_while",
        "while_condition",
        "end_while",
        "while_initial_condition",
        "while_trailing_condition",
        "begin_counted",
        "end_counted",
        "begin_custom_gradient",
        "end_custom_gradient",
        "launch_kernel",
        "finish",
    }
    ruled = {str(kind.__struct_config__.tag) for kind in RULES}
    assert ruled | read == set(CALLS)
    assert not ruled & read


@pytest.mark.parametrize(
    ("literal", "dtype", "text"),
    [
        pytest.param(Literal("integer", 7), "i8", "[7]", id="int"),
        pytest.param(Literal("real", 0.9999999), "f32", "[1.000000]", id="six decimals"),
        pytest.param(Literal("real", 1e-7), "f32", "[0.000000]", id="too small to be seen"),
        pytest.param(Literal("real", -1e-9), "f64", "[-0.000000]", id="minus zero"),
        pytest.param(Literal("real", 1e6), "f16", "[inf]", id="beyond f16"),
        pytest.param(Literal("real", math.nan), "f32", "[nan]", id="nan"),
        pytest.param(Literal("real", 1.5), "bf16", "<not_supported>", id="bf16"),
        pytest.param(Literal("boolean", True), "bool", "[true]", id="bool"),
        pytest.param(Literal("lowest"), "f32", "[-inf]", id="lowest float"),
        pytest.param(Literal("lowest"), "i16", "[-32768]", id="lowest int"),
        pytest.param(Literal("highest"), "u64", "[18446744073709551615]", id="highest unsigned"),
    ],
)
def test_constants(literal: Literal, dtype: str, text: str) -> None:
    got = recorded(lambda hand, leaves: hand(Constant(literal=literal, dtype=dtype)))
    assert got == f'graph("m.run"):\n  %Const_0 : [#users=1] = Node[type=Const] (attrs = {{value: {text}}})\n\n  return (%Const_0)\n'


@pytest.mark.parametrize(("dtype", "number"), [("i32", 3), ("i64", 9), ("f16", 1), ("bf16", 27), ("bool", 12), ("u8", 4)])
def test_a_cast_names_its_type_by_number(dtype: str, number: int) -> None:
    got = recorded(lambda hand, leaves: hand(Convert(shape=(2, 3), dtype=dtype, operands=(leaves[0],))), X)
    assert f"  %Cast_0 : [#users=1] = Node[type=Cast] (inputs = (x=%x0), attrs = {{dst_type: {number}}})\n" in got


def test_a_slice_down_to_the_first_element() -> None:
    def build(hand: Hand, leaves: list[Operand]) -> Operand:
        return hand(Slice(starts=(1, 0), limits=(-1, 3), strides=(-1, 1), shape=(2, 3), operands=(leaves[0],)))

    assert "end_mask: 1," in recorded(build, X)
    np.testing.assert_array_equal(PLUGIN.run(_source(build, X), [X], (), ())[0], X[::-1])  # pyright: ignore[reportOptionalCall]


def _source(build: Any, *arrays: np.ndarray) -> str:
    from linnet_core.conformance.hand import finished

    return finished(PLUGIN.make({}), build, arrays).source()


def test_scattered_values_of_one_position_add_up() -> None:
    indices, values = np.array([[1], [1], [3]]), np.array([1, 2, 4], np.float32)

    def build(hand: Hand, leaves: list[Operand]) -> Operand:
        return hand(ScatterAdd(shape=(4,), dtype="f32", operands=tuple(leaves)))

    (given,) = PLUGIN.run(_source(build, indices, values), [indices, values], (), ())  # pyright: ignore[reportOptionalCall]
    np.testing.assert_array_equal(given, [0, 3, 0, 4])


def test_brackets_and_moves_leave_nothing_behind() -> None:
    def build(hand: Hand, leaves: list[Operand]) -> Operand:
        def silent(call: Call) -> None:
            assert hand.target.emit(call) == ()

        silent(EnablePlacement(slots=2))
        silent(SetSlot(slot=1))
        moved = hand(Transfer(slot=1, operands=(leaves[0],)))
        silent(BeginRemat())
        (inner,) = hand.all(BeginCustomGradient(operands=(moved,)))
        y = hand(Elementwise(kind="neg", shape=(2, 3), dtype="f32", operands=(inner,)))
        y = hand(EndCustomGradient(arguments=1, operands=(moved, y)))
        silent(EndRemat())
        silent(Release(operands=(moved,)))
        return y

    lines = recorded(build, X).splitlines()[1:]
    assert lines == [
        "  %x0 : [#users=1] = Node[type=Data] (attrs = {index: 0})",
        "  %Neg_0 : [#users=1] = Node[type=Neg] (inputs = (x=%x0))",
        "",
        "  return (%Neg_0)",
    ]


def test_a_parameter_in_parts_is_refused() -> None:
    with pytest.raises(DocumentError, match="gather_parts has no operation"):
        recorded(lambda hand, leaves: hand(GatherParts(operands=(leaves[0],))), X)


def _launch(regions: tuple[Region, ...]) -> Graph:
    from linnet_core.graph.calls import Finish, Input

    x, y = Operand(0, (2,), "f32"), Operand(1, (2,), "f32")
    launch = LaunchKernel(
        callee="op",
        name="fast",
        program=KernelProgram((), "", {}),
        grid=(1,),
        result_shapes=((2,),),
        result_dtypes=("f32",),
        warps=0,
        stages=0,
        operands=(x,),
    )
    finish = Finish(module="m", block="", entry="run", returns=1, states=(), operands=(y,))
    values = tuple(ValueInfo(f"v{at}", (2,), "f32") for at in range(4))
    nodes = (Node(Input(name="x", shape=(2,), dtype="f32"), (0,)), Node(launch, (1,), regions=regions), Node(finish, ()))
    return Graph(1, "t", values, nodes)


def test_a_kernel_is_written_as_its_body_or_refused() -> None:
    exp = Node(Elementwise(kind="exp", shape=(2,), dtype="f32", operands=(Operand(2, (2,), "f32"),)), (3,))
    text = dump_text(dump_of(_launch((Region("body", (2,), (exp,), (3,)),))))
    assert "Node[type=Exp] (inputs = (x=%x)" in text
    assert text.endswith("  return (%Exp_0)\n")
    with pytest.raises(DocumentError, match="the kernel `fast` of `op` has no operation"):
        dump_of(_launch(()))


def test_names_that_elements_have_are_given_to_no_node() -> None:
    def build(hand: Hand, leaves: list[Operand]) -> Operand:
        return hand.input("ret_1", X)

    assert "  return (%ret_1_1_)\n" in recorded(build)


def test_what_leads_to_no_result_is_left_out() -> None:
    def build(hand: Hand, leaves: list[Operand]) -> Operand:
        hand(Elementwise(kind="exp", shape=(2, 3), dtype="f32", operands=(leaves[0],)))
        return leaves[0]

    assert "Exp" not in recorded(build, X)
