"""What the document says, field by field."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.errors import UsageError
from linnet_core.plan.write import plan_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from linnet_core.ir.module import Module


def test_fields_stand_in_the_order_of_the_format(document: dict[str, Any]) -> None:
    assert list(document) == ["version", "module", "root", "manifest", "blocks", "functions", "constants", "structs", "enums"]
    assert list(document["root"]) == ["name", "generics", "constraints"]
    assert list(document["manifest"][0]) == ["path", "kind", "dtype", "shape", "repeat", "optional"]
    assert list(document["blocks"]["Model"]) == ["module", "pub", "generics", "constraints", "members"]
    assert list(document["blocks"]["Model"]["members"][0]) == ["name", "kind", "type"]
    fields = ["name", "kind", "block", "pub", "generics", "constraints", "results", "states", "body"]
    assert all(list(function) == fields for function in document["functions"])
    assert list(document["constants"][0]) == ["name", "pub", "type", "contextual", "body"]
    assert list(document["functions"][0]["body"]["ops"][0]) == ["kind", "operands", "results", "attrs", "regions"]


def test_additions_appear_only_when_used(lowered: Callable[..., Module]) -> None:
    document = plan_document(lowered("fn f(x: f32) -> f32 { return x }"), functions=True)
    assert list(document) == ["version", "module", "root", "manifest", "blocks", "functions", "constants"]
    assert (document["root"], document["manifest"], document["blocks"]) == (None, [], {})


def test_generics_name_ids_that_types_refer_to(document: dict[str, Any]) -> None:
    h, layers, rest = document["root"]["generics"]
    assert (h["name"], h["kind"], list(h)) == ("H", "dim", ["name", "kind", "sym"])
    assert layers["default"] == {"dim": 2}
    assert (rest["kind"], rest["default"]) == ("shape", {"shape": [{"sym": h["sym"], "name": "H"}]})
    t = document["blocks"]["Cell"]["generics"][1]
    assert t == {"name": "T", "kind": "dtype", "var": t["var"], "class": "float", "default": {"dtype": "f32"}}
    ids = [g.get("sym", g.get("var")) for owner in [*document["blocks"].values(), *document["functions"]] for g in owner["generics"]]
    assert len(set(ids)) == len(ids)


def test_constraints_keep_their_sides(document: dict[str, Any]) -> None:
    tensors = next(f for f in document["functions"] if f["name"] == "test::tensors")
    n, m, _ = (generic["sym"] for generic in tensors["generics"])
    assert tensors["constraints"] == [
        {"relation": ">", "lhs": {"sym": m, "name": "M"}, "rhs": 3},
        {"relation": "==", "lhs": {"op": "mod", "args": [{"sym": n, "name": "N"}, 2]}, "rhs": 0},
    ]


def test_the_manifest_lists_the_hierarchy(document: dict[str, Any]) -> None:
    h, layers, _ = document["root"]["generics"]
    dim = {"sym": h["sym"], "name": "H"}
    length = {"sym": layers["sym"], "name": "Layers"}
    double = {"op": "mul", "args": [2, dim]}

    def cell(path: str, shape: Any, repeat: list[Any], optional: bool) -> list[dict[str, Any]]:
        one = {"dtype": "f32", "shape": [shape], "repeat": repeat, "optional": optional}
        return [
            {"path": f"{path}.w", "kind": "param", **one},
            {"path": f"{path}.bias", "kind": "param", **one, "optional": True},
            {"path": f"{path}.scale", "kind": "buffer", **one, "shape": []},
            {"path": f"{path}.seen", "kind": "state", **one},
        ]

    norm = [e for e in document["manifest"] if e["path"].startswith("norm.")]
    assert [e["path"] for e in norm] == ["norm.weight"]
    assert document["manifest"] == [
        *cell("first", dim, [], False),
        *cell("cells[*]", dim, [length], False),
        *norm,
        *cell("extra", double, [], True),
    ]


def test_states_are_relative_and_sorted(document: dict[str, Any]) -> None:
    states = {f["name"]: f["states"] for f in document["functions"] if f["block"]}
    assert states["test::Cell.step"] == ["seen"]
    assert states["test::Model.run"] == ["cells[*].seen", "extra.seen", "first.seen"]


def test_functions_stand_in_load_order_after_their_block(document: dict[str, Any]) -> None:
    names = [f["name"] for f in document["functions"]]
    own = [name for name in names if name.startswith("test::")]
    assert names[-len(own) :] == own
    assert own == [f"test::{name}" for name in ("twice", "nothing", "pick", "tensors", "Cell.step", "Model.run", "alone")]
    assert {f["name"]: (f["kind"], f["block"]) for f in document["functions"]}["test::Model.run"] == ("entry", "Model")


def test_constants_are_regions(document: dict[str, Any]) -> None:
    constants = {c["name"]: c for c in document["constants"]}
    assert list(constants) == ["test::Half", "test::Scale", "test::Deep"]
    assert [c["contextual"] for c in constants.values()] == [True, False, False]
    assert [c["pub"] for c in constants.values()] == [False, True, False]
    assert [op["kind"] for op in constants["test::Deep"]["body"]["ops"]][-2:] == ["mul", "yield"]


def test_nominal_types_are_listed(document: dict[str, Any]) -> None:
    assert [(s["name"], [f["name"] for f in s["fields"]]) for s in document["structs"]] == [("Pair", ["left", "right"])]
    assert document["enums"] == [{"name": "Mode", "module": "test", "pub": False, "generics": [], "variants": ["Slow", "Fast"]}]


def test_two_blocks_of_one_name(lowered: Callable[..., Module]) -> None:
    cell = "pub block Cell<H: Dim> { param {name}: Tensor[H; f32] pub fn f(x: f32) -> f32 { return x } }"
    module = lowered(
        "use crate.one::{Cell as Other}\n" + cell.replace("{name}", "outer").replace("pub block", "block") + "\n"
        "block Model<H: Dim> { sub a: Cell<H> sub b: Other<H> entry run(x: f32) -> f32 { return b.f(a.f(x)) } }",
        one=cell.replace("{name}", "inner"),
    )
    document = plan_document(module)
    assert list(document["blocks"]) == ["Cell", "demo::Cell", "Model"]
    assert document["blocks"]["Cell"]["module"] == "demo.one"
    assert [entry["path"] for entry in document["manifest"]] == ["a.outer", "b.inner"]
    blocks = {f["name"]: f["block"] for f in document["functions"]}
    assert blocks == {"demo.one::Cell.f": "Cell", "demo::Cell.f": "demo::Cell", "demo::Model.run": "Model"}
    assert plan_document(module, root="Cell")["root"]["name"] == "demo::Cell"


TWO = "block A { entry f(x: f32) -> f32 { return x } }\nblock B { entry f(x: f32) -> f32 { return x } }\nblock C { param w: f32 }"


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        pytest.param(TWO, {}, "several blocks of `test` declare entries: A, B; choose one with --root", id="several"),
        pytest.param(TWO, {"root": "D"}, "`test` has no block `D`; there are: A, B, C", id="unknown"),
        pytest.param("fn f(x: f32) -> f32 { return x }", {"root": "D"}, "`test` has no block `D`; it has none", id="no blocks"),
        pytest.param("entry f(x: f32) -> f32 { return x }", {}, "no block of `test` declares an entry; pass --functions", id="none"),
        pytest.param(TWO, {"root": "A", "functions": True}, "leave out --root", id="a root of functions"),
    ],
)
def test_a_root_that_cannot_be(lowered: Callable[..., Module], text: str, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError) as raised:
        plan_document(lowered(text), **options)
    assert complaint in str(raised.value)


def test_a_root_without_an_entry_can_be_asked_for(lowered: Callable[..., Module]) -> None:
    assert [entry["path"] for entry in plan_document(lowered(TWO), root="C")["manifest"]] == ["w"]


SCRIPT = """
import json, sys
from linnet_core.check.load_program import load_program
from linnet_core.ir.lowered import lowered
from linnet_core.plan.write import plan_document
_, program = load_program(sys.argv[1], None)
print(json.dumps(plan_document(lowered(program, "fast", optimize=True))))
"""


def test_the_same_bytes_under_every_hash_seed(whole: Module, tmp_path: Path) -> None:
    file = tmp_path / "test.linnet"
    printed = {
        subprocess.run([sys.executable, "-c", SCRIPT, str(file)], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("0", "1", "2")
    }
    assert len(printed) == 1
