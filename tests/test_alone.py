"""What a command leaves alone: libraries that cost more to load than the command itself, and frameworks that printing does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from pages import ROOT

HEAVY = ("numpy", "ml_dtypes", "torch", "jax", "jsonschema", "pydantic", "sympy", "rich", "safetensors")
PROBE = """
import json, sys
sys.argv = ["linnet", *json.loads(sys.argv[1])]
from linnet_core.cli.app import run
status = run(sys.argv[1:])
loaded = [name for name in json.loads(sys.stdin.read()) if name in sys.modules]
print(json.dumps([status, loaded]), file=sys.stderr)
"""


def loaded(arguments: list[str], watched: tuple[str, ...], before: str = "") -> tuple[int, list[str]]:
    """Exit status of a command, and which of `watched` it left in `sys.modules`."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LINNET_", "COV"))}
    done = subprocess.run(
        [sys.executable, "-c", before + PROBE, json.dumps(arguments)],
        input=json.dumps(watched),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        check=True,
    )
    status, found = json.loads(done.stderr.splitlines()[-1])
    return status, found


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--help"], id="help"),
        pytest.param(["--version"], id="version"),
        pytest.param(["check", "examples/llama"], id="check"),
        pytest.param(["lint", "examples/gpt2"], id="lint"),
        pytest.param(["check", "--json", "docs/tour/pool.linnet"], id="check as JSON"),
        pytest.param(["plan", "examples/llama"], id="plan"),
        pytest.param(["inspect", "--parameters", "--preset", "8b", "examples/llama"], id="parameters"),
        pytest.param(["inspect", "--ast", "examples/llama"], id="tree"),
        pytest.param(["explain", "examples/llama"], id="explain"),
        pytest.param(["check", "--help"], id="help of a command"),
        pytest.param(["torch", "--help"], id="help of a target"),
    ],
)
def test_a_light_command_loads_nothing_heavy(arguments: list[str]) -> None:
    assert loaded(arguments, HEAVY) == (0, [])


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["torch", "--entry", "decode", "--preset", "tiny", "examples/llama"], id="torch"),
        pytest.param(["graph", "--entry", "decode", "--preset", "tiny", "examples/llama"], id="graph"),
        pytest.param(["graph", "--replay", "--entry", "decode", "--preset", "tiny", "examples/llama"], id="replay"),
        pytest.param(["numpy", "--entry", "decode", "--preset", "tiny", "examples/llama"], id="numpy"),
        pytest.param(["explain", "--entry", "decode", "--preset", "tiny", "examples/llama"], id="explain"),
    ],
)
def test_printing_loads_no_framework(arguments: list[str]) -> None:
    assert loaded(arguments, ("torch", "jax", "jsonschema", "numpy")) == (0, [])


def test_running_loads_what_it_runs_on() -> None:
    """The probe sees what is loaded."""
    arguments = ["run", "--preset", "tiny", "--weights", "random", "--input", "tokens=random", "examples/gpt2"]
    assert loaded(arguments, ("numpy", "torch")) == (0, ["numpy"])


#: Parts of the packages by what asks for them; a graph of an entry is recorded without any.
PARTS = {
    "gradient": ("linnet_core.graph.gradient", "linnet_core.graph.gradient.wrapper"),
    "sums of products": ("linnet_core.graph.evaluate_sums",),
    "loops": ("linnet_core.graph.evaluate_loops",),
    "placement": ("linnet_core.graph.placement",),
    "remat": ("linnet_core.graph.remat", "linnet_core.python_source.kept_values"),
    "reading": ("linnet_core.graph.decode", "linnet_core.graph.replay"),
    "printing": (
        *(f"linnet_core.python_source.{name}" for name in ("module", "printer", "outline", "update", "regions", "prepare", "constants")),
        *(f"linnet_torch.{name}" for name in ("source", "dialect", "support", "regions", "expressions", "passes")),
    ),
    "writing kernels": ("linnet_core.python_source.tile_writer", "linnet_torch.kernels.program"),
}


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        pytest.param(["--entry", "decode", "--preset", "tiny", "examples/llama"], (), id="an entry"),
        pytest.param(["--replay", "--entry", "decode", "--preset", "tiny", "examples/llama"], ("reading", "printing"), id="replay"),
        pytest.param(["--place", "lm_head=1", "--entry", "decode", "--preset", "tiny", "examples/llama"], ("placement",), id="place"),
        pytest.param(["--remat", "layers", "--entry", "decode", "--preset", "tiny", "examples/llama"], ("remat",), id="remat"),
        pytest.param(
            ["--bind", "R=2", "--bind", "C=4", "--bind", "N=8", "tests/language/kernels.linnet"],
            ("sums of products", "loops", "writing kernels"),
            id="kernels",
        ),
        pytest.param(["--grad", "--entry", "loss", "--preset", "tiny", "examples/train"], ("gradient", "sums of products"), id="gradient"),
    ],
)
def test_a_graph_loads_what_it_is_asked_for(arguments: list[str], parts: tuple[str, ...]) -> None:
    watched = tuple([name for names in PARTS.values() for name in names])
    assert loaded(["graph", *arguments], watched) == (0, [name for part, names in PARTS.items() if part in parts for name in names])


INVALID = "linnet-core/tests/language_cases/invalid"
#: What says how to repair a file, why a claim does not follow, and shows it.
EXPLAINING = ("linnet_core.syntax.repairs", "linnet_core.shapes.explain", "linnet_core.text.show_text")


@pytest.mark.parametrize(
    ("file", "status", "explaining"),
    [
        pytest.param("examples/llama", 0, [], id="no error"),
        pytest.param(f"{INVALID}/char_semicolon.linnet", 1, [EXPLAINING[0], EXPLAINING[2]], id="a syntax error"),
        pytest.param(f"{INVALID}/where_call.linnet", 1, [*EXPLAINING[1:]], id="a claim that does not follow"),
    ],
)
def test_a_check_loads_what_explains_errors_for_an_error(file: str, status: int, explaining: list[str]) -> None:
    assert loaded(["check", file], EXPLAINING) == (status, explaining)


#: What looks for a proof that no clause states.
PROVING = ("linnet_core.shapes.knowledge", "linnet_core.shapes.search")


@pytest.mark.parametrize(
    ("file", "proving"),
    [pytest.param("examples/llama", [], id="clauses state everything"), pytest.param("examples/vit", [*PROVING], id="a proof is needed")],
)
def test_a_check_loads_what_proves_for_a_proof(file: str, proving: list[str]) -> None:
    assert loaded(["check", file], PROVING) == (0, proving)


WITHOUT_TORCH = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
sys.meta_path.insert(0, Absent())
"""


@pytest.mark.parametrize("command", ["torch", "graph"])
def test_printing_works_where_torch_is_not_installed(command: str) -> None:
    status, _ = loaded([command, "--entry", "decode", "--preset", "tiny", "examples/llama"], (), WITHOUT_TORCH)
    assert status == 0


def test_running_without_torch_says_what_to_install() -> None:
    arguments = ["run", "--target", "torch", "--preset", "tiny", "--weights", "random", "--input", "tokens=random", "examples/gpt2"]
    code = WITHOUT_TORCH + f"\nfrom linnet_core.cli.app import run\nsys.exit(run({arguments!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert done.stderr == "linnet: running on torch needs PyTorch, which is not installed: pip install 'linnet-torch[runtime]'\n"
