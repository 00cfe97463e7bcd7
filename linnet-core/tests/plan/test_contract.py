"""Statements of the plan's contract that need a whole program: nested arrays, defaults, numbers of any size, the command's bytes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.errors import UsageError
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from linnet_core.ir.module import Module

NESTED = """
const Big = 9223372036854775807
block Cell<H: Dim, T: Float = f32> {
    param w: Tensor[H; T]
    buffer b: T
    state s: Tensor[H; T]
    pub fn g<K: Dim>(x: Tensor[H; T], y: Tensor[K; f32]) -> Tensor[H; T] {
        s = x + s
        return x * w
    }
}
block Row<H: Dim, M: Dim = 2 * H> {
    sub cells: [Cell<M>; 3]
    sub extra: Cell<H, bf16>?
    param k: Tensor[H, M; f32]?
    pub fn go(x: Tensor[M; f32]) -> Tensor[M; f32] {
        var y = x
        static for c in cells { y = c.g(y, x) }
        return y
    }
}
pub block Model<N: Dim, L: Dim = N / 2, *Rest: Shape = [N, L], T: Float = bf16> where N > 1, L <= N * N {
    sub rows: [Row<N>; L]
    sub grid: [[Cell<N>; 2]; N]
    param rest: Tensor[*Rest, N * Big * Big; T]
    entry run(x: Tensor[2 * N; f32]) -> Tensor[2 * N; f32] {
        var y = x
        static for row in rows { y = row.go(y) }
        return y
    }
    entry all(x: Tensor[N; f32]) -> Tensor[N; f32] {
        var y = x
        static for line in grid { static for c in line { y = c.g(y, x) } }
        return y
    }
}
"""


@pytest.fixture
def nested(lowered: Callable[..., Module]) -> dict[str, Any]:
    return plan_document(lowered(NESTED))


def symbols(document: dict[str, Any]) -> dict[str, Any]:
    """The root's generics as dims, by name."""
    return {generic["name"]: {"sym": generic["sym"], "name": generic["name"]} for generic in document["root"]["generics"][:2]}


def test_the_manifest_repeats_an_entry_once_for_each_array_above_it(nested: dict[str, Any]) -> None:
    n, length = symbols(nested).values()
    double = {"op": "mul", "args": [2, n]}
    entries = [(e["path"], e["kind"], e["dtype"], e["shape"], e["repeat"], e["optional"]) for e in nested["manifest"]]
    assert entries[:-1] == [
        ("rows[*].cells[*].w", "param", "f32", [double], [length, 3], False),
        ("rows[*].cells[*].b", "buffer", "f32", [], [length, 3], False),
        ("rows[*].cells[*].s", "state", "f32", [double], [length, 3], False),
        ("rows[*].extra.w", "param", "bf16", [n], [length], True),
        ("rows[*].extra.b", "buffer", "bf16", [], [length], True),
        ("rows[*].extra.s", "state", "bf16", [n], [length], True),
        ("rows[*].k", "param", "f32", [n, double], [length], True),
        ("grid[*][*].w", "param", "f32", [n], [n, 2], False),
        ("grid[*][*].b", "buffer", "f32", [], [n, 2], False),
        ("grid[*][*].s", "state", "f32", [n], [n, 2], False),
    ]
    rest = nested["root"]["generics"][2]
    assert entries[-1][3] == [{"pack": rest["sym"], "name": "Rest"}, {"op": "mul", "args": [(2**63 - 1) ** 2, n]}]


def test_footprints_go_through_arrays_of_arrays(nested: dict[str, Any]) -> None:
    states = {function["name"].partition("::")[2]: function["states"] for function in nested["functions"]}
    assert states == {
        "Cell.g": ["s"],
        "Row.go": ["cells[*].s"],
        "Model.run": ["rows[*].cells[*].s"],
        "Model.all": ["grid[*][*].s"],
    }


def test_defaults_speak_of_generics_before_them(nested: dict[str, Any]) -> None:
    n, length = symbols(nested).values()
    assert [generic.get("default") for generic in nested["root"]["generics"]] == [
        None,
        {"dim": {"op": "floordiv", "args": [n, 2]}},
        {"shape": [n, length]},
        {"dtype": "bf16"},
    ]
    assert nested["root"]["constraints"] == [
        {"relation": ">", "lhs": n, "rhs": 1},
        {"relation": "<=", "lhs": length, "rhs": {"op": "mul", "args": [n, n]}},
    ]


def test_a_sub_gives_every_generic_of_its_block_an_argument(nested: dict[str, Any]) -> None:
    h, m = ({"sym": generic["sym"], "name": generic["name"]} for generic in nested["blocks"]["Row"]["generics"])
    members = {member["name"]: member["type"] for member in nested["blocks"]["Row"]["members"]}
    cell = {"kind": "block", "name": "Cell", "module": "test"}
    assert members["cells"] == {"kind": "array", "element": {**cell, "args": [{"dim": m}, {"dtype": "f32"}]}, "length": 3}
    assert members["extra"] == {"kind": "optional", "inner": {**cell, "args": [{"dim": h}, {"dtype": "bf16"}]}}


def test_a_method_call_substitutes_the_methods_own_generics(nested: dict[str, Any]) -> None:
    go = next(function for function in nested["functions"] if function["name"] == "test::Row.go")
    loop = next(op for op in go["body"]["ops"] if op["kind"] == "static_for")
    call = next(op for op in loop["regions"][0]["ops"] if op["kind"] == "call")
    k = next(f for f in nested["functions"] if f["name"] == "test::Cell.g")["generics"][0]
    m = nested["blocks"]["Row"]["generics"][1]
    size = {"sym": m["sym"], "name": "M"}
    assert list(call["attrs"]) == ["callee", "substitution", "generics"]
    assert call["attrs"]["substitution"] == {"dims": {str(k["sym"]): size}, "packs": {}, "dtypes": {}}
    assert call["attrs"]["generics"] == [{"dim": size}]
    assert call["operands"][0] == loop["regions"][0]["args"][0]["id"], "the receiver comes first"


def test_a_root_may_be_named_with_its_module(lowered: Callable[..., Module]) -> None:
    module = lowered(NESTED)
    assert plan_document(module, root="test::Cell")["root"]["name"] == "Cell"
    with pytest.raises(UsageError, match="has no block `other::Cell`"):
        plan_document(module, root="other::Cell")


@pytest.mark.parametrize(
    "options",
    [(), ("--functions",), ("--root", "Row"), ("--numerics", "fast", "--no-optimize")],
    ids=lambda options: " ".join(options) or "alone",
)
def test_what_the_command_prints_reads_back_to_the_same_bytes(
    lowered: Callable[..., Module], tmp_path: Path, options: tuple[str, ...]
) -> None:
    lowered(NESTED)
    command = [sys.executable, "-m", "linnet_core", "plan", *options, str(tmp_path / "test.linnet")]
    printed = subprocess.run(command, capture_output=True, check=True).stdout
    document = json.loads(printed)
    root = document["root"] and document["root"]["name"]
    again = plan_document(read_plan(document), root=root, functions=root is None)
    assert json.dumps(again, separators=(",", ":"), ensure_ascii=False).encode() == printed.rstrip(b"\n")
