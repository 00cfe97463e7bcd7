"""A plan read back is the module it was written from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.ir.library_calls import select_library_calls
from linnet_core.ir.ops import OPS
from linnet_core.ir.passes import optimize
from linnet_core.ir.show import show
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Module


def text_of(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def as_lowered(module: Module) -> Module:
    return module


def as_printed(module: Module) -> Module:
    return select_library_calls(optimize(module), "fast")


@pytest.mark.parametrize("prepare", [pytest.param(as_lowered, id="as lowered"), pytest.param(as_printed, id="after passes and selection")])
@pytest.mark.parametrize("functions", [pytest.param(False, id="with a root"), pytest.param(True, id="functions")])
def test_the_same_bytes_again(whole: Module, prepare: Callable[[Module], Module], functions: bool) -> None:
    text = text_of(plan_document(prepare(whole), functions=functions))
    assert text_of(plan_document(read_plan(json.loads(text)), functions=functions)) == text


def test_the_same_module_again(whole: Module) -> None:
    back = read_plan(plan_document(whole))
    assert show(back) == show(whole)
    # Spans are not written; everything else of a declaration is.
    members = {key: tuple((m.name, m.kind, m.type) for m in block.members) for key, block in whole.blocks.items()}
    assert {key: tuple((m.name, m.kind, m.type) for m in block.members) for key, block in back.blocks.items()} == members
    assert [(b.name, b.module, b.public, b.generics, b.constraints) for b in back.blocks.values()] == [
        (b.name, b.module, b.public, b.generics, b.constraints) for b in whole.blocks.values()
    ]
    assert (back.structs, back.enums) == (whole.structs, whole.enums)
    assert {n: (f.kind, f.generics, f.constraints, f.states) for n, f in back.functions.items()} == {
        n: (f.kind, f.generics, f.constraints, f.states) for n, f in whole.functions.items()
    }


def test_the_program_uses_every_operation_a_program_can(document: dict[str, Any]) -> None:
    """So that the round trip above is one of every kind."""
    used: set[str] = set()
    pending = [f["body"] for f in document["functions"]] + [c["body"] for c in document["constants"]]
    while pending:
        for op in pending.pop()["ops"]:
            used.add(op["kind"])
            pending.extend(op["regions"])
    rare = {kind for kind in OPS if kind.startswith("kernel.")}
    bits = {"or", "bitor", "bitxor", "shl", "shr", "rem", "min", "not", "log", "sqrt", "sin", "cos", "tanh", "abs"}
    assert set(OPS) - used <= rare | bits


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("fn f(x: i64) -> i64 { return x + 9007199254740993 }", 9007199254740993, id="a constant beyond 2^53"),
        pytest.param("fn f<N: Dim>() -> i64 { return N * 9223372036854775807 }", 9223372036854775807, id="a factor of a dim beyond 2^53"),
        pytest.param("fn f() -> i64 { return -9223372036854775808 }", -9223372036854775808, id="the lowest i64"),
    ],
)
def test_large_integers_survive(lowered: Callable[..., Module], text: str, number: int) -> None:
    text = text_of(plan_document(lowered(text), functions=True))
    assert str(number) in text
    assert text_of(plan_document(read_plan(json.loads(text)), functions=True)) == text


@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "-0.0", "0.1", "1e+16", "5e-324"])
def test_floats_are_text(lowered: Callable[..., Module], value: str) -> None:
    document = plan_document(lowered("fn f() -> f64 { return 1.5 }"), functions=True)
    document["functions"][0]["body"]["ops"][0]["attrs"]["value"] = value
    again = plan_document(read_plan(document), functions=True)
    assert again["functions"][0]["body"]["ops"][0]["attrs"]["value"] == value


def test_gradients_are_regions_of_their_own(lowered: Callable[..., Module]) -> None:
    module = lowered("op f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * x } grad(y, dy) { return dy * x }")
    document = plan_document(module, functions=True)
    assert [arg["name"] for arg in document["functions"][0]["grad"]["args"]] == ["x", "y", "dy"]
    assert plan_document(read_plan(document), functions=True) == document
