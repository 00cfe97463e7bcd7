"""`linnet emit`: source from a plan, on stdout or as a package; what cannot be source is refused with its place, and nothing is written."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.check.reserved import PRELUDE
from linnet_core.errors import DocumentError
from linnet_core.linnet_source.document_names import check_document_names
from linnet_core.syntax.tokens import KEYWORDS, RESERVED

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAM = """module shop.scale

use std.nn.activations::{relu}

pub const Half: f32 = 0.5

struct Pair<N: Dim> {
    left: Tensor[N; f32]
    right: f32
}

enum Way { Up, Down }

fn pick<N: Dim>(way: Way, pair: Pair<N>) -> Tensor[N; f32] {
    let total = sum[n] pair.left[n]
    return match way { Up => pair.left * total Down => relu(pair.left) * Half }
}

pub block Model<N: Dim, T: Float = f32> {
    param weight: Tensor[N; T]

    pub entry forward(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return pick(Way.Up, Pair(left = x, right = 1.5)) * cast<f32>(weight)
    }
}
"""


@pytest.fixture
def plan(linnet) -> dict[str, Any]:
    """The plan of the program, which is in `plan.json`."""
    (linnet.folder / "scale.linnet").write_text(PROGRAM, encoding="utf-8")
    done = linnet("plan", "scale.linnet", "-o", "plan.json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads((linnet.folder / "plan.json").read_text(encoding="utf-8"))


def test_a_package_has_the_plan_it_was_made_of(linnet, plan):
    done = linnet("emit", "plan.json", "-o", "made")
    assert (done.returncode, done.stdout, done.stderr) == (0, "made/src/scale.linnet\n", "")
    files = sorted(str(p.relative_to(linnet.folder / "made")) for p in (linnet.folder / "made").rglob("*.*"))
    assert files == ["linnet.toml", "src/scale.linnet", "std/nn/activations.linnet"]
    assert linnet("plan", "--std", "made/std", "--no-optimize", "made/src/scale.linnet").stdout == (linnet.folder / "plan.json").read_text()
    done = linnet("check", "--strict", "--std", "made/std", "made")
    assert (done.returncode, done.stderr) == (0, "")
    assert linnet("fmt", "--check", "made").returncode == 0
    assert not list(linnet.folder.glob(".linnet-*"))


def test_a_package_is_checked_by_its_directory(linnet):
    (linnet.folder / "scale.linnet").write_text(PROGRAM.replace("shop.scale", "shop"), encoding="utf-8")
    given = linnet("plan", "scale.linnet").stdout
    (linnet.folder / "plan.json").write_text(given, encoding="utf-8")
    assert linnet("emit", "plan.json", "-o", "made/deep").stdout == "made/deep/src/lib.linnet\n"
    assert linnet("plan", "--std", "made/deep/std", "--no-optimize", "made/deep").stdout == given


def test_one_module_on_stdout(linnet, plan):
    done = linnet("emit", "plan.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("module shop.scale\n\n")
    assert "\nuse " not in done.stdout
    (linnet.folder / "one.linnet").write_text(done.stdout, encoding="utf-8")
    assert linnet("lint", "one.linnet").returncode == 0
    assert linnet("fmt", "--check", "one.linnet").returncode == 0
    again = json.loads(linnet("plan", "one.linnet").stdout)
    assert [entry["path"] for entry in again["manifest"]] == [entry["path"] for entry in plan["manifest"]] == ["weight"]
    assert {function["name"].partition("::")[0] for function in again["functions"]} == {"shop.scale"}


def test_a_plan_on_stdin(linnet, plan):
    assert linnet("emit", "-", stdin=json.dumps(plan).encode()).stdout == linnet("emit", "plan.json").stdout


@pytest.mark.parametrize("there", ["file", "full"])
def test_what_is_there_is_left_alone(linnet, plan, there):
    place = linnet.folder / "made"
    kept = place / "kept" if there == "full" else place
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("mine")
    done = linnet("emit", "plan.json", "-o", "made")
    assert (done.returncode, done.stdout) == (2, "")
    assert "something is there already" in done.stderr
    assert kept.read_text() == "mine"


def test_an_empty_directory_is_filled(linnet, plan):
    (linnet.folder / "made").mkdir()
    assert linnet("emit", "plan.json", "-o", "made").returncode == 0


def at(*path: Any) -> Callable[[dict[str, Any], Any], None]:
    """Sets the field at a path of the plan."""

    def edit(plan: Any, value: Any) -> None:
        for step in path[:-1]:
            plan = plan[step]
        plan[path[-1]] = value

    return edit


def everywhere(old: str) -> Callable[[dict[str, Any], Any], None]:
    """Puts a text in place of another in the whole document."""

    def edit(plan: dict[str, Any], value: str) -> None:
        text = json.dumps(plan).replace(old, json.dumps(value)[1:-1])
        plan.clear()
        plan.update(json.loads(text))

    return edit


def renamed(old: str) -> Callable[[dict[str, Any], Any], None]:
    """Puts another string in place of one, wherever it is a value or a key."""

    def change(node: Any, new: str) -> Any:
        if isinstance(node, dict):
            return {change(key, new): change(value, new) for key, value in node.items()}
        if isinstance(node, list):
            return [change(value, new) for value in node]
        return new if node == old else node

    def edit(plan: dict[str, Any], value: str) -> None:
        made = change(plan, value)
        plan.clear()
        plan.update(made)

    return edit


def in_pick(*path: Any) -> Callable[[dict[str, Any], Any], None]:
    """Sets a field of the function `pick`."""

    def edit(plan: dict[str, Any], value: Any) -> None:
        [function] = [one for one in plan["functions"] if one["name"] == "shop.scale::pick"]
        at(*path)(function, value)

    return edit


HOSTILE = [
    pytest.param(everywhere("shop.scale"), "..", "module: `..` is no path", id="a module above"),
    pytest.param(everywhere("shop.scale"), "../x", "module: `../x` is no path", id="a module elsewhere"),
    pytest.param(everywhere("shop.scale"), "/tmp/x", "module: `/tmp/x` is no path", id="an absolute module"),
    pytest.param(everywhere("shop.scale"), "a\\b", "module: `a\\\\b` is no path", id="a backslash in a module"),
    pytest.param(everywhere("shop.scale"), "a..b", "module: `a..b` is no path", id="an empty part of a module"),
    pytest.param(everywhere("shop.scale"), "std", "module: `std` is no path", id="the library itself as a module"),
    pytest.param(everywhere("shop.scale"), "crate.x", "module: `crate.x` is no path", id="a keyword in a module"),
    pytest.param(everywhere("std.nn.activations"), "std.../../x", ".name: ", id="a module of the library elsewhere"),
    pytest.param(
        everywhere("shop.scale::pick"), "shop.scale::let", "`let` is no name that source can have", id="a function called as a keyword"
    ),
    pytest.param(
        everywhere("shop.scale::pick"),
        "shop.scale::f() {}\nfn g",
        ".name: `f() {}\\nfn g` is no name",
        id="a function in a function's name",
    ),
    pytest.param(
        everywhere("shop.scale::pick"), "shop.scale::exp", "`exp` is a name of the prelude", id="a function of the prelude's name"
    ),
    pytest.param(renamed("total"), "async", "`async` is no name", id="a value called as a reserved word"),
    pytest.param(renamed("total"), "self", ".results[0].name: `self` is no name", id="a value called as a receiver"),
    pytest.param(renamed("total"), "_", ".results[0].name: `_` is no name", id="a value without a name of its own"),
    pytest.param(in_pick("body", "args", 0, "name"), "self", ".body.args[0].name: `self` is no name", id="a parameter called self"),
    pytest.param(renamed("Up"), "_", "enums[0].variants: `_` is no name", id="a variant that stands for all"),
    pytest.param(everywhere("total"), "x\n}\nfn g(", "`x\\n}\\nfn g(` is no name", id="a value that ends its function"),
    pytest.param(everywhere("total"), "é", "`\\xe9` is no name", id="a letter beyond ASCII"),
    pytest.param(everywhere("total"), "x" * 5000 + "!", "xxx...` is no name", id="a very long name"),
    pytest.param(in_pick("body", "args", 0, "name"), "", ".body.args[0].name: ``", id="a parameter without a name"),
    pytest.param(in_pick("body", "args", 0, "name"), "pair", ".body.args: two are named `pair`", id="two parameters of a name"),
    pytest.param(renamed("weight"), "weight: f32 }", "blocks.Model.members[0].name: `weight: f32 }` is no name", id="a member"),
    pytest.param(renamed("left"), "left }", "structs[0].fields: `left }` is no name", id="a field"),
    pytest.param(renamed("right"), "left", "structs[0].fields: two are named `left`", id="two fields of a name"),
    pytest.param(renamed("Up"), "Up }", "enums[0].variants: `Up }` is no name", id="a variant"),
    pytest.param(renamed("Pair"), "Pair<T>", "structs[0].name: `Pair<T>` is no name", id="a struct"),
    pytest.param(renamed("n"), "n]", "`n]` is no name", id="an index"),
    pytest.param(
        at("blocks", "Model", "generics", 1, "name"), "T = f32>", "blocks.Model.generics[1].name: `T = f32>` is no name", id="a generic"
    ),
    pytest.param(in_pick("generics", 0, "name"), "M", "is not what generic", id="a generic called otherwise where it is used"),
    pytest.param(
        at("constants", 0, "body", "ops", 0, "attrs", "value"), "inf", "attrs.value: inf has no literal", id="an infinite constant"
    ),
    pytest.param(at("constants", 0, "name"), "Half", "constants[0].name", id="a constant of no module"),
]


@pytest.mark.parametrize(("edit", "value", "message"), HOSTILE)
@pytest.mark.parametrize("to", ["stdout", "directory"])
def test_a_hostile_plan_is_refused(linnet, plan, edit, value, message, to):
    edit(plan, value)
    plan["root"]["generics"] = plan["blocks"][plan["root"]["name"]]["generics"]
    (linnet.folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    before = sorted(linnet.folder.iterdir())
    done = linnet("emit", "plan.json", *(["-o", "made"] if to == "directory" else []))
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert len(done.stderr) < 400
    assert sorted(linnet.folder.iterdir()) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("{", "plan.json: not JSON at line 1", id="no JSON"),
        pytest.param("", "plan.json: not JSON: there is nothing in it", id="nothing"),
        pytest.param("{}", "none of the documents", id="no document"),
        pytest.param('{"version": 1, "module": "m"}', "", id="half a plan"),
        pytest.param("[" * 5000, "nested too deeply", id="deep nesting"),
    ],
)
def test_what_is_no_plan_is_refused(linnet, text, message):
    (linnet.folder / "plan.json").write_text(text, encoding="utf-8")
    done = linnet("emit", "plan.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert done.stderr


def test_a_plan_whose_source_does_not_check_leaves_nothing(linnet, plan):
    [forward] = [one for one in plan["functions"] if one["kind"] == "entry"]
    plan["functions"].append({**forward, "name": "shop.scale::wider", "kind": "fn", "block": None, "pub": False, "states": []})
    plan["functions"][-1]["body"] = {
        "args": [{"id": 0, "name": "x", "type": {"kind": "tensor", "shape": [2], "dtype": "f32"}}],
        "ops": [{"kind": "return", "operands": [0], "results": [], "attrs": {}, "regions": []}],
    }
    plan["functions"][-1]["results"] = [{"kind": "tensor", "shape": [3], "dtype": "f32"}]
    (linnet.folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    before = sorted(linnet.folder.iterdir())
    done = linnet("emit", "plan.json", "-o", "made")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error E" in done.stderr
    assert "--> src/scale.linnet:" in done.stderr
    assert "note: this source was made from plan.json: the plan is at fault" in done.stderr
    assert ".linnet-" not in done.stderr
    assert sorted(linnet.folder.iterdir()) == before
    told = linnet("emit", "--json", "plan.json", "-o", "made")
    assert (told.returncode, told.stderr) == (1, "")
    assert json.loads(told.stdout)["summary"]["errors"] > 0
    alone = linnet("emit", "plan.json")
    assert (alone.returncode, alone.stdout) == (1, "")
    assert "--> <emitted>:" in alone.stderr
    assert "the plan is at fault" in alone.stderr
    assert alone.stderr == linnet("emit", "plan.json").stderr
    assert done.stderr == linnet("emit", "plan.json", "-o", "made").stderr


def test_a_value_may_not_have_a_name_the_language_keeps(plan):
    for word in sorted({*KEYWORDS, *RESERVED, *PRELUDE, "self", "_"}):
        kept = json.loads(json.dumps(plan))
        renamed("total")(kept, word)
        with pytest.raises(DocumentError, match=r"results\[0\]\.name: `"):
            check_document_names(kept)


def test_a_generic_may_be_called_as_a_value_without_a_name(linnet, plan):
    renamed("T")(plan, "_1")
    (linnet.folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    done = linnet("emit", "plan.json")
    assert (done.returncode, done.stderr) == (0, "")
    (linnet.folder / "again.linnet").write_text(done.stdout, encoding="utf-8")
    assert linnet("check", "again.linnet").returncode == 0


def test_values_that_double_where_no_statement_stands_are_refused(linnet):
    (linnet.folder / "twice.linnet").write_text("module twice\nfn f(c: bool, x: f32) -> f32 { return if c { x + x } else { x } }\n")
    plan = json.loads(linnet("plan", "--functions", "twice.linnet").stdout)
    [branch] = [op for op in plan["functions"][0]["body"]["ops"] if op["kind"] == "if"]
    first, end = branch["regions"][0]["ops"]
    [result] = first["results"]
    ids = [result["id"], *range(1000, 1060)]
    more = [{**first, "operands": [old, old], "results": [{**result, "id": new}]} for old, new in pairwise(ids)]
    branch["regions"][0]["ops"] = [first, *more, {**end, "operands": [ids[-1]]}]
    (linnet.folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    done = linnet("emit", "plan.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "too long to be written again" in done.stderr


def test_another_document_is_no_plan(linnet, plan):
    graph = linnet("graph", "--target", "numpy", "--bind", "N=2", "scale.linnet", "-o", "graph.json")
    assert graph.returncode == 0
    done = linnet("emit", "graph.json")
    assert (done.returncode, done.stderr) == (1, "linnet: graph.json: a document of graph-1, and no plan\n")
