"""A target's own options stand beside those of the command; what takes a flag of the command is left out, in a line on stderr."""

from __future__ import annotations

import pytest

from linnet_core.cli.export import target_plugin
from linnet_core.errors import UsageError

PLUGIN = """
from linnet_core.plugins import Option, TargetPlugin, hookimpl
from linnet_core.targets.numpy.target import NumpyTarget

class Told(NumpyTarget):
    def __init__(self, options):
        super().__init__(options["numerics"])
        self.told = {{name: value for name, value in options.items() if name != "numerics"}}

    def source(self):
        return f"{{self.told}}\\n"

@hookimpl
def linnet_targets():
    options = (Option("extra", "int", "An option.", 1), {option})
    return [TargetPlugin("told", "tells its options", ".txt", Told, options)]
"""

CLASHES = [
    pytest.param("Option('bind', 'strs', 'h')", "bind", "--bind", id="a common option"),
    pytest.param("Option('no_optimize', 'int', 'h')", "no_optimize", "--no-optimize", id="a common flag"),
    pytest.param("Option('library', 'bool', 'h', True)", "library", "--no-library", id="the flag that says no"),
    pytest.param("Option('json', 'bool', 'h', False)", "json", "--json", id="diagnostics as JSON"),
    pytest.param("Option('output', 'str', 'h')", "output", "--output", id="an option of the command itself"),
    pytest.param("Option('help', 'str', 'h')", "help", "--help", id="help"),
    pytest.param("Option('path', 'str', 'h')", "path", "--path", id="the argument"),
    pytest.param("Option('extra', 'str', 'h')", "extra", "--extra", id="an option of its own"),
]


@pytest.mark.parametrize(("option", "name", "flag"), CLASHES)
def test_an_option_that_takes_a_flag_is_left_out_and_said(linnet, folder, distribution, option, name, flag):
    distribution("linnet-told", "told = told_hooks", {"told_hooks": PLUGIN.format(option=option)})
    for command in (["told"], ["graph", "--target", "told", "--replay"]):
        done = linnet(*command, "--bind", "N=3", "--extra", "2", "good.linnet")
        assert done.returncode == 0
        assert done.stdout == "{'extra': 2}\n"
        assert done.stderr == f"linnet: the option `{name}` of the target `told` is left out: this command has a `{flag}` already\n"


def test_an_option_of_its_own_reaches_the_target(linnet, folder, distribution):
    option = "Option('loop_limit', 'int', 'h', 7), Option('words', 'strs', 'h')"
    distribution("linnet-told", "told = told_hooks", {"told_hooks": PLUGIN.format(option=option)})
    for command in (["told"], ["graph", "--target", "told", "--replay"]):
        done = linnet(*command, "--bind", "N=3", "--words", "a", "--words", "b", "good.linnet")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "{'extra': 1, 'loop_limit': 7, 'words': ('a', 'b')}\n"


def test_who_names_no_target_is_told_where_the_name_comes_from():
    with pytest.raises(UsageError, match=r"^the target `gone` is not installed; "):
        target_plugin("gone", "torch")
    with pytest.raises(UsageError, match=r"^the target `gone`, the default of `--target`, is not installed; .*Installed: .*numpy"):
        target_plugin("gone", "gone")
