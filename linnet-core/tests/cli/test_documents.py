"""Every JSON document a command prints follows a schema and is found by its content."""

from __future__ import annotations

import json

import pytest

PRINTED = [
    pytest.param(["check", "--json", "bad.linnet"], 1, "diagnostics-1", id="check"),
    pytest.param(["lint", "--json", "good.linnet"], 0, "diagnostics-1", id="lint"),
    pytest.param(["fmt", "--json", "good.linnet"], 0, "format-1", id="fmt"),
    pytest.param(["fmt", "--diff", "--json", "good.linnet", "bad.linnet"], 1, "format-1", id="fmt that would change a file"),
    pytest.param(["plan", "good.linnet"], 0, "plan-1", id="plan"),
    pytest.param(["plan", "--functions", "--indent", "good.linnet"], 0, "plan-1", id="plan of functions"),
    pytest.param(["graph", "--target", "numpy", "--bind", "N=3", "good.linnet"], 0, "graph-1", id="graph"),
    pytest.param(["graph", "--target", "numpy", "--bind", "N=3", "--slices", "slices.json", "good.linnet"], 0, "sources-1", id="slices"),
    pytest.param(["plugins", "--json"], 0, "plugins-1", id="plugins"),
    pytest.param(["run", "--bind", "N=3", "--weights", "random", "--input", "x=zeros", "--json", "good.linnet"], 0, "run-1", id="run"),
    pytest.param(["validate", "--json", "good.linnet"], 1, "validation-1", id="validate"),
    pytest.param(["schema", "--json"], 0, "schemas-1", id="schema"),
    pytest.param(["explain", "--target", "numpy", "--json", "good.linnet"], 0, "explain-1", id="explain without sizes"),
    pytest.param(["explain", "--target", "numpy", "--json", "--indent", "--preset", "tiny", "pack"], 0, "explain-1", id="explain"),
    pytest.param(["inspect", "--parameters", "--json", "pack"], 0, "parameters-1", id="parameters without sizes"),
    pytest.param(["inspect", "--parameters", "--json", "--bind", "N=3", "good.linnet"], 0, "parameters-1", id="parameters"),
    pytest.param(["plan", "--json", "bad.linnet"], 1, "diagnostics-1", id="a plan that fails"),
    pytest.param(["graph", "--target", "numpy", "--json", "good.linnet"], 1, "diagnostics-1", id="a graph that fails"),
    pytest.param(["numpy", "--json", "good.linnet"], 1, "diagnostics-1", id="source that fails"),
    pytest.param(["run", "--json", "good.linnet"], 1, "diagnostics-1", id="a run that fails"),
    pytest.param(["explain", "--target", "numpy", "--json", "bad.linnet"], 1, "diagnostics-1", id="an explanation that fails"),
    pytest.param(["inspect", "--parameters", "--json", "bad.linnet"], 1, "diagnostics-1", id="parameters that fail"),
]


@pytest.mark.parametrize(("arguments", "status", "schema"), PRINTED)
def test_a_document_follows_its_schema(linnet, folder, arguments, status, schema):
    done = linnet(*arguments)
    assert (done.returncode, done.stderr) == (status, "")
    (folder / "printed.json").write_text(done.stdout, encoding="utf-8")
    assert linnet("validate", "printed.json").stdout == f"printed.json: {schema}\n"


def test_every_schema_has_a_command_that_prints_it(linnet):
    alone = {"LINNET_DISABLE_PLUGINS": "torch,jax,ge"}  # whoever is installed beside has tests of its own
    listed = {line.split()[0] for line in linnet("schema", env=alone).stdout.splitlines()}
    read = {"slices-1", "bindings-1"}
    assert listed - read == {parameter.values[2] for parameter in PRINTED}, f"{read} are read, not printed"


def test_a_schema_is_printed_as_published(linnet):
    text = linnet("schema", "plan").stdout
    assert json.loads(text)["$id"].endswith("/plan-1.schema.json")
    assert linnet("schema", "plan-1").stdout == text
    assert linnet("schema", json.loads(text)["$id"]).stdout == text


def test_what_no_schema_sees_is_found_by_reading_back(linnet, folder):
    graph = json.loads(linnet("graph", "--target", "numpy", "--bind", "N=3", "good.linnet").stdout)
    graph["nodes"][-1]["operands"][0] = 10_000
    (folder / "edited.json").write_text(json.dumps(graph))
    done = linnet("validate", "edited.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "10000" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["plan", "--functions"], ["inspect", "--core-ir"]])
def test_functions_of_the_library_that_nothing_calls_are_listed(linnet, folder, arguments):
    text = "module m\nuse std.nn.activations::silu\nfn f(x: Tensor[4; f32]) -> Tensor[4; f32] { return silu(x) }\n"
    (folder / "calls.linnet").write_text(text)
    assert "std.nn.activations::gelu" in linnet(*arguments, "calls.linnet").stdout


def test_a_plan_and_a_graph_may_be_printed_unchecked(linnet, folder):
    for arguments in (["plan", "good.linnet"], ["graph", "--target", "numpy", "--bind", "N=3", "good.linnet"]):
        assert linnet(*arguments, "--no-validate").stdout == linnet(*arguments).stdout
