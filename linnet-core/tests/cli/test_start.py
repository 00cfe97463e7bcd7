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


@pytest.mark.parametrize(
    ("metadata", "line"),
    [
        pytest.param("Summary: Draws what an entry computes.\n", "drawer    Draws what an entry computes (linnet-drawer).", id="a summary"),
        pytest.param("", "drawer    From linnet-drawer.", id="none"),
        pytest.param("Summary: \x1b[2J\a.\n", "drawer    [2J (linnet-drawer).", id="signs for a terminal"),
        pytest.param("Summary: UNKNOWN" + " more" * 400 + "\n", "drawer    UNKNOWN more more", id="a long one"),
    ],
)
def test_help_says_what_a_plugin_says_of_itself(linnet, distribution, metadata, line):
    headers = f"Metadata-Version: 2.1\nName: linnet-drawer\nVersion: 1.0\n{metadata}"
    distribution("linnet-drawer", "drawer = plugin_drawer", {"plugin_drawer": "raise RuntimeError('imported')"}, headers)
    done = linnet("--help")
    (found,) = [each.strip() for each in done.stdout.splitlines() if "drawer" in each]
    assert found.startswith(line)
    assert len(found) < 80
    assert "  numpy     Print NumPy source of a Linnet entry (linnet-core).\n" in done.stdout


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
