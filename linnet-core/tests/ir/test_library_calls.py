"""The table of library calls and what a policy makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import linnet_core
from linnet_core.ir.library_calls import LIBRARY_CALLS, Numerics, candidates, select_library_calls
from linnet_core.ir.ops import CANONICAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Module


@pytest.mark.parametrize(
    ("op", "numerics", "expected"),
    [
        pytest.param("std.nn.softmax::softmax", "exact", [], id="exact takes only exact rows"),
        pytest.param("std.nn.softmax::softmax", "equivalent", ["torch.softmax"], id="equivalent admits rounding"),
        pytest.param("std.nn.softmax::softmax", "fast", ["torch.softmax (input dtype)", "torch.softmax"], id="the most permissive first"),
        pytest.param("std.nn.activations::relu", "exact", [], id="the sign of zero is not exact"),
        pytest.param("std.nn.activations::relu", "equivalent", ["torch.relu"], id="the sign of zero is equivalent"),
        pytest.param("std.nn.embedding::embedding", "exact", ["torch.nn.functional.embedding"], id="an exact row in every policy"),
        pytest.param("test::softmax", "fast", [], id="an op of that name elsewhere"),
    ],
)
def test_candidates(op: str, numerics: Numerics, expected: list[str]) -> None:
    assert [row.implementation for row in candidates(op, numerics)] == expected


def test_rows_are_distinct_and_say_when() -> None:
    assert len({(row.op, row.implementation) for row in LIBRARY_CALLS}) == len(LIBRARY_CALLS)
    assert all(row.op.startswith("std.") and row.op.count("::") == 1 for row in LIBRARY_CALLS)


def test_rows_name_ops_that_the_standard_library_has() -> None:
    std = next(iter(linnet_core.__path__)) + "/std"
    for row in LIBRARY_CALLS:
        module, _, name = row.op.partition("::")
        with open(f"{std}/{module.removeprefix('std.').replace('.', '/')}.linnet", encoding="utf-8") as file:
            assert f"pub op {name}<" in file.read(), row.op


def test_selection_names_one_call_or_the_body(lowered: Callable[[str], Module]) -> None:
    module = lowered(
        "use std.linalg::{matmul}\nop own(x: f32) -> f32 { return x }\n"
        "fn f<N: Dim>(x: Tensor[N, N; f32], y: f32) -> f32 { let z = matmul(x, x) return own(y) }"
    )

    def selected(numerics: Numerics) -> list[str]:
        ops = select_library_calls(module, numerics).functions["test::f"].body.ops
        return [op.attrs["selected"] for op in ops if op.kind == "semantic.call"]

    assert selected("exact") == [CANONICAL, CANONICAL]
    assert selected("equivalent") == ["torch.matmul", CANONICAL]


def test_a_selection_replaces_an_earlier_one(lowered: Callable[[str], Module]) -> None:
    module = lowered("use std.linalg::{matmul}\nfn f<N: Dim>(x: Tensor[N, N; f32]) -> Tensor[N, N; f32] { return matmul(x, x) }")
    fast = select_library_calls(module, "fast")
    exact = select_library_calls(fast, "exact")
    assert [m.functions["test::f"].body.ops[0].attrs["selected"] for m in (fast, exact)] == ["torch.matmul", CANONICAL]
