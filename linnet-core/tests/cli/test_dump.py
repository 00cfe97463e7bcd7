"""`linnet graph --dump` and `linnet dump`: the text a plugin's format gives, its options, and what goes wrong."""

from __future__ import annotations

import pytest

PLUGIN = """
from linnet_core.plugins import DumpFormat, Option, hookimpl

def write(graph, options):
    if options["fail"]:
        raise ValueError("no luck")
    if options["none"]:
        return None
    return f"{graph['target']} {len(graph['nodes'])} {sorted(options)}\\n"

def read(text):
    return {}

@hookimpl
def linnet_dump_formats():
    options = tuple(Option(name, "bool", "An option.", False) for name in ("fail", "none", "indent"))
    return [
        DumpFormat("shown", "s", (".x",), len, write=write, options=options),
        DumpFormat("taken", "s", (".x",), len, read=read),
    ]
"""
PROGRAM = "pub entry run(x: f32) -> f32 { return exp(x) }\n"


@pytest.fixture
def here(linnet, distribution, tmp_path):
    distribution("linnet-shown", "shown = shown_hooks", {"shown_hooks": PLUGIN})
    (tmp_path / "m.linnet").write_text("module m\n" + PROGRAM, encoding="utf-8")
    return linnet


def test_a_graph_in_a_format(here):
    done = here("graph", "m.linnet", "--target", "numpy", "--dump", "shown")
    assert done.returncode == 0
    assert done.stdout == "numpy 3 ['fail', 'indent', 'none']\n"
    assert done.stderr == "linnet: the option `indent` of the dump format `shown` is left out: this command has a `--indent` already\n"


def test_a_document_in_a_format(here):
    document = here.raw("graph", "m.linnet", "--target", "numpy").stdout
    done = here("dump", "--format", "shown", "-", stdin=document)
    assert (done.returncode, done.stdout, done.stderr) == (0, "numpy 3 ['fail', 'indent', 'none']\n", "")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        pytest.param(["--dump", "no"], 2, "linnet: there is no dump format `no`. Installed: ", id="unknown"),
        pytest.param(["--dump", "taken"], 2, "linnet: the dump format `taken` is only read. Those that are written: ", id="only read"),
        pytest.param(["--dump", "shown", "--fail"], 1, "linnet: the dump format `shown` failed: ValueError: no luck", id="it raises"),
        pytest.param(["--dump", "shown", "--none"], 1, "linnet: the dump format `shown` failed: it gave NoneType, not text", id="no text"),
        pytest.param(["--dump", "shown", "--replay"], 2, "linnet: --dump prints the graph and --replay and --slices source", id="replay"),
    ],
)
def test_what_goes_wrong(here, words: list[str], status: int, message: str):
    done = here("graph", "m.linnet", "--target", "numpy", *words)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.splitlines()[-1].startswith(message)
