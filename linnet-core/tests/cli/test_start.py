"""Starting: names of plugins come from metadata, read once, however many distributions there are; completion needs no plugin either."""

from __future__ import annotations

import json

import pytest

COUNT = """
import importlib.metadata as metadata, json, sys
scans = 0
whole = metadata.distributions
def counted(*arguments, **named):
    global scans
    scans += 1
    return whole(*arguments, **named)
metadata.distributions = counted
from linnet_core.cli.app import run
status = run(json.loads(sys.argv[1]))
loaded = [m for m in sys.modules if m.startswith("plugin_")]
print(json.dumps([status, scans, loaded]), file=sys.stderr)
"""


@pytest.fixture
def crowd(linnet, distribution):
    """300 more distributions, every tenth with a plugin, one broken."""
    for number in range(300):
        entry = f"p{number} = plugin_{number}" if number % 10 == 0 else ""
        distribution(f"stranger-{number}", entry, {f"plugin_{number}": "raise RuntimeError('imported')"} if entry else None)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--help"], id="help"),
        pytest.param(["--version"], id="version"),
        pytest.param(["check", "good.linnet"], id="check"),
        pytest.param(["graph", "--target", "numpy", "--bind", "N=3", "good.linnet"], id="graph"),
        pytest.param(["numpy", "--bind", "N=3", "good.linnet"], id="source"),
        pytest.param(["explain", "--target", "numpy", "good.linnet"], id="explain"),
        pytest.param(["inspect", "--parameters", "good.linnet"], id="inspect"),
    ],
)
def test_distributions_are_listed_once_at_most_and_not_imported(linnet, folder, crowd, arguments):
    code = COUNT.replace("sys.argv[1]", repr(json.dumps(arguments)))
    done = linnet.python(code)
    status, scans, loaded = json.loads(done.stderr.splitlines()[-1])
    assert (status, loaded) == (0, [])
    assert scans <= 1


def test_help_lists_every_plugin_by_name(linnet, crowd):
    done = linnet("--help")
    assert [f"p{number}" in done.stdout for number in range(0, 300, 10)] == [True] * 30
    assert done.stderr == ""


def completed(linnet, words: str, at: int):
    return linnet(env={"_LINNET_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(at)})


def test_completion_lists_commands_and_plugins_without_importing_them(linnet, distribution):
    distribution("linnet-bad", "bad = gone_module")
    done = completed(linnet, "linnet ", 1)
    assert (done.returncode, done.stderr) == (0, "")
    assert {"check", "graph", "numpy", "bad"} <= set(done.stdout.split())


def test_completion_knows_the_options_of_a_command(linnet):
    done = completed(linnet, "linnet graph --nu", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert "--numerics" in done.stdout.split()
